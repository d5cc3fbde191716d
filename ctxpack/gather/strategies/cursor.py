"""The strategies of a place: the cursor's unit, selected lines, a named definition, and headings above."""

from __future__ import annotations

from collections.abc import Sequence

from ctxpack.gather.context import Context
from ctxpack.gather.fragments import Role, lines_piece
from ctxpack.gather.place_lines import heads, lines_to_show
from ctxpack.model import Fragment

_VALUE = 0.9
_LOWER = 0.05  # value lost with each level outwards


def gather_heading(context: Context) -> Sequence[Fragment]:
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


_NAMED = 3  # others by the same name that are told


def gather_selection(context: Context) -> Sequence[Fragment | str]:
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
    piece = lines_piece(context, place.file, lines_to_show(context, place), role)
    if not place.namesakes:
        return (piece,)
    others = ", ".join(f"{each.qualified} (line {each.start_line})" for each in place.namesakes[:_NAMED])
    return (piece, f"{name} (line {first}) was taken; the same name have {others}.")


def gather_cursor(context: Context) -> Sequence[Fragment]:
    """One piece, which is required: ``settings.around`` lines on both sides, and a short definition around it whole."""
    place = context.place
    if place is None or place.how != "cursor" or not context.lines(place.file.path):
        return ()
    name = place.innermost.qualified if place.innermost else ""
    role = Role("cursor", 1.0, (f"the cursor is in line {place.span[0]}",), required=True, symbol=name, priority=96)
    return (lines_piece(context, place.file, lines_to_show(context, place), role),)
