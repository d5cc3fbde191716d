"""The definitions strategy: what a diff changed in full, where the diff itself does not show all of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ctxpack.gather.context import Context
from ctxpack.gather.fragments import Role, lines_piece
from ctxpack.gather.patches import Shown, provenance
from ctxpack.gather.place import Span
from ctxpack.gather.strategies.changes import arrange_patches
from ctxpack.model import Confidence, Form, Fragment, Lane
from ctxpack.understand.change import Change
from ctxpack.understand.definitions import Changed

_CODE, _TEST, _GONE = 0.9, 0.62, 0.6
_LOWER = 0.01  # value lost with each place down the list
_PRIORITY = 80
_SHORTEST, _LONGEST = 3, 400  # lines; of others the diff has to do
_LONG_CLASS = 60  # lines of a class of which only a part changed
_CLASSES = frozenset({"class", "struct", "interface", "enum", "trait", "module", "namespace", "object", "protocol"})


def gather_definitions(context: Context) -> Sequence[Fragment]:
    """Changed definitions as they are after the change, those that changed most first; deleted ones as they were."""
    change = context.change
    if change is None:
        return ()
    return list(_pieces(context, change, arrange_patches(context, change)[1]))


def _pieces(context: Context, change: Change, shown: Sequence[Shown]) -> Iterator[Fragment]:
    by_path = {each.file.path: each for each in shown}
    hidden = [each for each in context.changed if not _is_shown(each, by_path.get(each.file.path))]
    places: dict[bool, int] = {}
    for each in sorted(hidden, key=lambda item: (-item.lines, item.file.path, item.symbol.start_line)):
        span = each.symbol.start_line, each.symbol.end_line
        if _is_unfit(each, span):
            continue
        is_test = each.file.kind.lane is not Lane.CODE
        place = places[is_test] = places.get(is_test, -1) + 1
        value = (_GONE if each.is_gone else _TEST if is_test else _CODE) - _LOWER * min(place, 20)
        yield _piece(context, change, each, span, value)


def _is_shown(each: Changed, shown: Shown | None) -> bool:
    """Whether the diff shows every line of a definition."""
    if shown is None:
        return False
    mark = "-" if each.is_gone else "+"
    lines = (line for hunk in shown.hunks for line in hunk.lines if line.mark in (" ", mark))
    numbers = {line.old if each.is_gone else line.new for line in lines}
    return numbers.issuperset(range(each.symbol.start_line, each.symbol.end_line + 1))


def _is_unfit(each: Changed, span: Span) -> bool:
    lines = span[1] - span[0] + 1
    is_part_of_class = each.symbol.kind in _CLASSES and lines > _LONG_CLASS and each.lines < lines
    return not _SHORTEST <= lines <= _LONGEST or is_part_of_class


def _piece(context: Context, change: Change, each: Changed, span: Span, value: float) -> Fragment:
    reason = "deleted by this diff, as it was before" if each.is_gone else "changed by this diff, in full"
    role = Role(
        "definitions", value, (reason,), symbol=each.symbol.qualified, priority=_PRIORITY, confidence=Confidence.HIGH
    )
    file = context.view.files.get(each.file.path)
    if each.side.is_current and file is not None:
        return lines_piece(context, file, span, role)
    origin = provenance(context, change, each.file, span, is_before=each.is_gone)
    return Fragment(
        text="".join(f"{line}\n" for line in each.side.lines[span[0] - 1 : span[1]]),
        form=Form.FULL,
        strategy=role.strategy,
        provenance=replace(
            origin, score=value, confidence=Confidence.HIGH, reasons=role.reasons, symbol=each.symbol.qualified
        ),
        language=each.file.language,
        priority=_PRIORITY,
        value=value,
        layer=origin.blob,
    )
