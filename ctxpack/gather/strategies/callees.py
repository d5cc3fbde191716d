"""The callees strategy: what the definition at the place of a request calls."""

from __future__ import annotations

from collections.abc import Sequence

from ctxpack.gather.calls import WHOLE_FUNCTION_LINES, called_elsewhere, called_here
from ctxpack.gather.context import Context
from ctxpack.gather.fragments import Role, derived_piece, lines_piece
from ctxpack.gather.outlines import outline_text
from ctxpack.model import Fragment, SourceFile, Symbol

_NEAR, _FAR = 0.88, 0.8  # in the file itself, in one that it imports
_LOWER = 0.02  # value lost with each place down the list
_PRIORITY = 88
_OUTLINE_LIMIT = 400  # characters


def gather_callees(context: Context) -> Sequence[Fragment]:
    """One piece for each definition that is called, those of the file itself first."""
    place = context.place
    if place is None or place.innermost is None:
        return ()
    why = f"called by {place.innermost.qualified}"
    near = [(_NEAR, place.file, each) for each in called_here(context)]
    far = [(_FAR, *each) for each in called_elsewhere(context)]
    return [
        _piece(context, (file, symbol), value - _LOWER * at, why)
        for at, (value, file, symbol) in enumerate([*near, *far])
    ]


def _piece(context: Context, found: tuple[SourceFile, Symbol], value: float, why: str) -> Fragment:
    """A definition whole if it is short, else its signature with what it says of itself."""
    file, symbol = found
    span = symbol.start_line, symbol.end_line
    role = Role("callees", value, (why,), symbol=symbol.qualified, priority=_PRIORITY)
    if span[1] - span[0] >= WHOLE_FUNCTION_LINES:
        text = outline_text(context, file.path, _OUTLINE_LIMIT, {symbol.name}, span)
        if text:
            return derived_piece(context, file, text, role, span)
    return lines_piece(context, file, span, role)
