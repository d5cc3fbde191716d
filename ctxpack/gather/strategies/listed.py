"""The listed strategy: a piece of every file that the user listed, if the list is short enough."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ctxpack.gather.context import Context
from ctxpack.gather.fragments import NOISE, Role, derived_piece, lines_piece, whole_piece
from ctxpack.gather.outlines import outline_text, span_of
from ctxpack.model import Fragment, SourceFile
from ctxpack.select.choose import fair_share
from ctxpack.system.tokens import CHARACTERS_PER_TOKEN

_SHARE = 0.75  # of the budget, for all listed files together
_LEAST = 80  # tokens for each file: of a longer list only what matches is packed
_VALUE, _LOWER = 0.5, 0.005  # and what is lost with each file of the list
_REASON = "listed on standard input"


def gather_listed(context: Context) -> Sequence[Fragment | str]:
    """One piece of each listed file: a short one whole, else its best match, its outline or its beginning."""
    files = [file for file in context.view.files if file.size] if context.settings.paths is not None else []
    wanted = [file for file in files if not NOISE.intersection(file.traits)]
    room = int(context.settings.budget * _SHARE)
    if room < _LEAST * len(wanted):
        return ()
    most = fair_share([context.counter.text(context.view.files.text(file.path)) for file in wanted], room)
    noise = [file.path for file in files if file not in wanted]
    said = (f"Listed, but packed only where it matches the request: {', '.join(noise)}.",) if noise else ()
    pieces = (_piece(context, file, place, most) for place, file in enumerate(_in_order_of_matches(context, wanted)))
    return (*pieces, *said)


def _in_order_of_matches(context: Context, files: Sequence[SourceFile]) -> Iterator[SourceFile]:
    """The files in the order of their best match, then those that nothing matches."""
    order = {each.file.path: place for place, each in reversed(list(enumerate(context.candidates)))}
    return iter(sorted(files, key=lambda file: (order.get(file.path, len(order)), file.path)))


def _piece(context: Context, file: SourceFile, place: int, room: int) -> Fragment:
    role = Role("listed", max(_VALUE - _LOWER * place, 0.0), (_REASON,), required=True)
    whole = whole_piece(context, file, role)
    if context.counter.text(whole.text) <= room:
        return whole
    best = next((each for each in context.candidates if each.file.path == file.path), None)
    if best is not None:
        return lines_piece(context, file, span_of(best), role)
    text = outline_text(context, file.path, room * CHARACTERS_PER_TOKEN)
    return derived_piece(context, file, text, role) if text else whole
