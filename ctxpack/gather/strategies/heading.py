"""The heading strategy: the definitions or headings that enclose the place of a request, by their first lines."""

from __future__ import annotations

from collections.abc import Sequence

from ctxpack.gather.context import Context
from ctxpack.gather.fragments import Role, lines_piece
from ctxpack.gather.places.placed import heads
from ctxpack.model import Fragment

_VALUE = 0.9
_LOWER = 0.05  # value lost with each level outwards


def gather(context: Context) -> Sequence[Fragment]:
    """The head of each, the outermost first; those that the place itself shows are left out."""
    place = context.place
    if place is None:
        return ()
    found = heads(context, place)
    pieces = []
    for depth, (span, name) in enumerate(found):
        value = _VALUE - _LOWER * (len(found) - 1 - depth)
        role = Role("heading", max(value, 0.0), ("encloses the place in question",), symbol=name, priority=94)
        pieces.append(lines_piece(context, place.file, span, role))
    return pieces
