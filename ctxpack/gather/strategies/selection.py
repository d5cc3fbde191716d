"""The selection strategy: the lines that are selected, or a definition by its name, with the unit around them."""

from __future__ import annotations

from collections.abc import Sequence

from ctxpack.gather.context import Context
from ctxpack.gather.fragments import Role, lines_piece
from ctxpack.gather.places.placed import shown
from ctxpack.model import Fragment

_NAMED = 3  # others by the same name that are told


def gather(context: Context) -> Sequence[Fragment | str]:
    """One piece, which is required: the unit around the selection, or a part of it where that is long.

    Where other definitions have the name, too, a remark says which one was taken.
    """
    place = context.place
    if place is None or place.how == "cursor" or not context.lines(place.file.path):
        return ()
    name = place.innermost.qualified if place.innermost else ""
    first, last = place.span
    what = f"lines {first} to {last} are" if last > first else f"line {first} is"
    reason = f"{what} selected" if place.how == "selection" else f"the definition {name} that was asked for"
    role = Role("selection", 1.0, (reason,), required=True, symbol=name, priority=98)
    piece = lines_piece(context, place.file, shown(context, place), role)
    if not place.namesakes:
        return (piece,)
    others = ", ".join(f"{each.qualified} (line {each.start_line})" for each in place.namesakes[:_NAMED])
    return (piece, f"{name} (line {first}) was taken; the same name have {others}.")
