"""The strategies for files that are named: the requested one, and those that the user listed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from ctxpack.discover.named_paths import advice
from ctxpack.errors import UsageError
from ctxpack.gather.context import Context
from ctxpack.gather.focus import Span
from ctxpack.gather.fragments import NOISE, Role, derived_piece, lines_piece, whole_piece
from ctxpack.gather.outlines import outline_gaps, outline_text, span_of
from ctxpack.gather.place_lines import (
    ENCLOSING_KINDS,
    FRAME,
    call_of,
    callees_here,
    is_on_place,
    lines_of_place,
    names_at,
)
from ctxpack.gather.uses import names_in
from ctxpack.model import Candidate, Fragment, SourceFile, Symbol
from ctxpack.query.subtokens import raw_words
from ctxpack.select.choose import fair_share
from ctxpack.system.tokens import CHARACTERS_PER_TOKEN

_OUTLINE_SHARE = 0.3  # of the budget
_PARTS_SHARE = 0.6  # of the budget, for the parts of a long file in full, with the place and what it calls
_LONGEST_SHARE = 0.6  # of that, for one definition: a class that is longer comes by its methods
_MAX_ASKED, _MAX_PARTS = 4, 8  # that the request's words ask for, and that are used most
_MOST_OWN_USES = 4  # in the file itself that count
_LEAST_LINES = 2  # of a definition that is shown for itself
_SHORTEST = 4  # letters of a name whose use by others can be told by the name
_MAX_READ = 40  # importers that are looked into
_SIZE = 0.5  # the power of its lines that a definition's uses are weighed by
_FURTHER = 0.75  # of the best score, for other parts of the file than the place in it
_AROUND_PLACE = 0.99  # of the best score: the place in it comes first
_REASON = "the requested file"


def gather_document(context: Context) -> Sequence[Fragment]:
    """The file itself. Raises UsageError if a rule hides it, and names the rule."""
    path = context.request.path
    file = context.view.files.get(path)
    if file is None:
        reason = context.skip_reason(path)
        said = f"{path} is not read: {reason}." if reason else f"{path} is not among the files of the repository."
        raise UsageError(said, hint=advice(reason) or "Name it with --include to have it read.")
    whole = whole_piece(context, file, Role("document", _value(context), (_REASON,), required=True))
    if context.counter.fragment(whole) <= context.settings.budget - FRAME:
        return (whole,)
    return list(_abridge(context, file))


def _abridge(context: Context, file: SourceFile) -> Iterator[Fragment]:
    """The parts that match the request's words or are used most, and the outline of the lines between them."""
    placed = sorted([*lines_of_place(context), *_callee_spans(context)])
    asked = [each for each in context.candidates if each.file.path == file.path and context.request.text.strip()]
    asked = [each for each in asked if not any(_overlap(span_of(each), span) for span in placed)][:_MAX_ASKED]
    used = [] if asked else _main_parts(context, file, placed)
    long = (f"{_REASON}, too long to show whole",)
    role = Role("document", _value(context), long, required=context.place is None)  # else the place itself is
    spans = sorted([*placed, *(span_of(each) for each in asked), *(span for span, _ in used)])
    limit = int(context.settings.budget * CHARACTERS_PER_TOKEN * _OUTLINE_SHARE)
    outlines = list(outline_gaps(context, file, spans, (limit, role)))
    yield from outlines
    for each in sorted(asked, key=span_of):
        yield lines_piece(context, file, span_of(each), _asked_role(each))
    for place, (span, name) in enumerate(used):
        reason = "used in many places" if name else "its first lines"
        value = (_FURTHER if context.place else _AROUND_PLACE) - 0.01 * place
        yield lines_piece(context, file, span, Role("document", value, (_REASON, reason), symbol=name))
    if not spans and not outlines:
        yield whole_piece(context, file, Role("document", 1.0, (_REASON,), required=True))


def _callee_spans(context: Context) -> list[Span]:
    """The lines of the file that the callees strategy shows."""
    if not is_on_place("callees", context.settings):
        return []
    return [(each.start_line, each.end_line) for each in callees_here(context)]


def _asked_role(each: Candidate) -> Role:
    why = tuple(evidence.reason for evidence in each.evidence[:2])
    value = 0.6 + 0.4 * each.score
    return Role("document", value, (_REASON, *why), keywords=each.keywords, symbol=each.chunk.symbol)


def _main_parts(context: Context, file: SourceFile, placed: Sequence[Span]) -> list[tuple[Span, str]]:
    """Further parts of a long file in a share of the budget: the most used definitions, else the first ones."""
    room = int(context.settings.budget * _PARTS_SHARE)
    longest = int(room * _LONGEST_SHARE)
    room -= sum(context.counter.text(context.text(file.path, span)) for span in placed)
    kept: list[tuple[Span, str]] = []
    for each in _used_most(context, file):
        span = each.start_line, each.end_line
        cost = context.counter.text(context.text(file.path, span))
        is_taken = any(_overlap(span, other) for other in (*placed, *(one for one, _ in kept)))
        if cost <= min(room, longest) and len(kept) < _MAX_PARTS and not is_taken:
            kept.append((span, each.qualified))
            room -= cost
    return kept or ([] if context.place else _opening(context, file, room))


def _used_most(context: Context, file: SourceFile) -> list[Symbol]:
    """The definitions of a file that are used most, of two that are used equally the longer one first.

    Around a requested definition only those that call it: what else is used says nothing about it.
    """
    symbols = context.view.exact(file.path).symbols
    within = {each.qualified for each in symbols if each.kind not in ENCLOSING_KINDS}
    open_to_others = [
        each
        for each in symbols
        if each.end_line - each.start_line + 1 >= _LEAST_LINES and each.qualified.rpartition(".")[0] not in within
    ]
    names = {each.name for each in open_to_others}
    telling = {name for name in names if len(name) >= _SHORTEST and not name.startswith("__")}
    near = names_at(context)[:1]
    counts: Counter[str] = Counter()
    for path in context.view.graph.importers(file.path)[:_MAX_READ]:
        counts.update(names_in(context, path, telling))
    text = context.view.files.text(file.path)
    words = Counter(raw_words(text))
    own = {name: words[name] if name.isidentifier() else len(_word_of(name).findall(text)) for name in telling}
    counts.update({name: min(count - 1, _MOST_OWN_USES) for name, count in own.items()})
    used = [each for each in open_to_others if counts[each.name] > 0]
    lines = context.lines(file.path)

    def body(each: Symbol) -> Sequence[str]:
        return lines[each.start_line - 1 : each.end_line]

    callers = [each for each in used if any(call_of(name).search(line) for name in near for line in body(each))]
    return sorted(
        callers if near else used,
        key=lambda each: (-counts[each.name] * len(body(each)) ** _SIZE, each.start_line),
    )


def _word_of(name: str) -> re.Pattern[str]:
    """A name with marks in it, such as those of Lisps, by itself."""
    return re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")


def _opening(context: Context, file: SourceFile, room: int) -> list[tuple[Span, str]]:
    """The definitions or sections at the beginning of a file that fit together; none if the first does not fit."""
    end = 0
    for chunk in context.view.exact(file.path).chunks:
        room -= context.counter.text(context.text(file.path, (chunk.start_line, chunk.end_line)))
        if room < 0:
            break
        end = chunk.end_line
    return [((1, end), "")] if end else []


def _value(context: Context) -> float:
    return _AROUND_PLACE if context.place else 1.0


def _overlap(one: Span, other: Span) -> bool:
    return one[0] <= other[1] and other[0] <= one[1]


_LISTED_SHARE = 0.75  # of the budget, for all listed files together
_LEAST_EACH = 80  # tokens for each file: of a longer list only what matches is packed
_FIRST, _LOWER = 0.5, 0.005  # and what is lost with each file of the list
_LISTED = "listed on standard input"


def gather_listed(context: Context) -> Sequence[Fragment | str]:
    """One piece of each listed file: a short one whole, else its best match, its outline or its beginning."""
    files = [file for file in context.view.files if file.size] if context.settings.paths is not None else []
    wanted = [file for file in files if not NOISE.intersection(file.traits)]
    room = int(context.settings.budget * _LISTED_SHARE)
    if room < _LEAST_EACH * len(wanted):
        return ()
    most = fair_share([context.counter.text(context.view.files.text(file.path)) for file in wanted], room)
    noise = [file.path for file in files if file not in wanted]
    said = (f"Listed, but packed only where it matches the request: {', '.join(noise)}.",) if noise else ()
    pieces = (_listed_piece(context, file, place, most) for place, file in enumerate(_by_match(context, wanted)))
    return (*pieces, *said)


def _by_match(context: Context, files: Sequence[SourceFile]) -> Iterator[SourceFile]:
    """The files in the order of their best match, then those that nothing matches."""
    order = {each.file.path: place for place, each in reversed(list(enumerate(context.candidates)))}
    return iter(sorted(files, key=lambda file: (order.get(file.path, len(order)), file.path)))


def _listed_piece(context: Context, file: SourceFile, place: int, room: int) -> Fragment:
    role = Role("listed", max(_FIRST - _LOWER * place, 0.0), (_LISTED,), required=True)
    whole = whole_piece(context, file, role)
    if context.counter.text(whole.text) <= room:
        return whole
    best = next((each for each in context.candidates if each.file.path == file.path), None)
    if best is not None:
        return lines_piece(context, file, span_of(best), role)
    text = outline_text(context, file.path, room * CHARACTERS_PER_TOKEN)
    return derived_piece(context, file, text, role) if text else whole
