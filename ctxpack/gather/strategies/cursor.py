"""The cursor strategy: a window around the line where the cursor stands."""

from __future__ import annotations

from collections.abc import Sequence

from ctxpack.gather.context import Context
from ctxpack.gather.fragments import Role, lines_piece
from ctxpack.gather.places.placed import shown
from ctxpack.model import Fragment


def gather(context: Context) -> Sequence[Fragment]:
    """One piece, which is required: ``settings.around`` lines on both sides, and a short definition around it whole."""
    place = context.place
    if place is None or place.how != "cursor" or not context.lines(place.file.path):
        return ()
    name = place.innermost.qualified if place.innermost else ""
    role = Role("cursor", 1.0, (f"the cursor is in line {place.span[0]}",), required=True, symbol=name, priority=96)
    return (lines_piece(context, place.file, shown(context, place), role),)
