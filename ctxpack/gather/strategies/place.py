"""The strategies for requested lines: the lines, the definitions or headings around them, and what they call."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ctxpack.gather.context import Context
from ctxpack.gather.fragments import Role, derived_piece, lines_piece
from ctxpack.gather.outlines import outline_text
from ctxpack.gather.place_lines import (
    callees_elsewhere,
    callees_here,
    head_lines,
    is_shown_whole,
    lines_to_show,
)
from ctxpack.model import Fragment, SourceFile, Symbol

_VALUE = 0.9
_OUTWARDS = 0.05  # value lost with each level outwards


def gather_heading(context: Context) -> Sequence[Fragment]:
    """The first lines of the definitions around the place, the outermost first, unless the place shows them."""
    place = context.place
    if place is None:
        return ()
    found = head_lines(context, place)
    pieces = []
    for depth, (span, name) in enumerate(found):
        value = _VALUE - _OUTWARDS * (len(found) - 1 - depth)
        role = Role("heading", max(value, 0.0), ("contains the requested lines",), symbol=name)
        pieces.append(lines_piece(context, place.file, span, role))
    return pieces


_NAMED = 5  # others by the same name that are told


def gather_selection(context: Context) -> Sequence[Fragment | str]:
    """One required piece: the unit around the selection, or a part of a long one.

    If other definitions have the same name, remarks tell of them.
    """
    place = context.place
    if place is None or place.how == "cursor" or not context.lines(place.file.path):
        return ()
    name = place.innermost.qualified if place.innermost else ""
    first, last = place.span
    what = f"lines {first} to {last} are" if last > first else f"line {first} is"
    reason = f"{what} selected" if place.how == "selection" else f"the requested definition {name}"
    role = Role("selection", 1.0, (reason,), required=True, symbol=name)
    piece = lines_piece(context, place.file, lines_to_show(context, place), role)
    return (piece, *_remarks(name, first, place.namesakes))


def _remarks(name: str, line: int, namesakes: Sequence[Symbol]) -> Iterator[str]:
    """What else has the name of a definition: its overloads, and definitions of other classes."""
    overloads = [str(each.start_line) for each in namesakes if each.qualified == name]
    if overloads:
        lines = f"line {overloads[0]}" if len(overloads) == 1 else f"lines {_list_of(overloads)}"
        yield f"{name} is defined at line {line}, which is shown, and again at {lines}."
    others = [f"{each.qualified} (line {each.start_line})" for each in namesakes if each.qualified != name]
    if others:
        yield f"{name} (line {line}) was used; the same name also has {_list_of(others)}."


def _list_of(names: Sequence[str]) -> str:
    left = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {left} more" if left > 0 else "")


def gather_cursor(context: Context) -> Sequence[Fragment]:
    """One required piece: ``settings.around`` lines on both sides, and a short definition around them in full."""
    place = context.place
    if place is None or place.how != "cursor" or not context.lines(place.file.path):
        return ()
    name = place.innermost.qualified if place.innermost else ""
    role = Role("cursor", 1.0, (f"the cursor is on line {place.span[0]}",), required=True, symbol=name)
    return (lines_piece(context, place.file, lines_to_show(context, place), role),)


_NEAR, _FAR = 0.88, 0.8  # in the file itself, in one that it imports
_NEXT = 0.02  # value lost with each place down the list
_OUTLINE_LIMIT = 400  # characters


def gather_callees(context: Context) -> Sequence[Fragment]:
    """One piece for each definition that is called, those of the file itself first."""
    place = context.place
    if place is None or place.innermost is None:
        return ()
    why = f"called by {place.innermost.qualified}"
    near = [(_NEAR, place.file, each) for each in callees_here(context)]
    far = [(_FAR, *each) for each in callees_elsewhere(context)]
    return [
        _piece(context, (file, symbol), value - _NEXT * at, why)
        for at, (value, file, symbol) in enumerate([*near, *far])
    ]


def _piece(context: Context, found: tuple[SourceFile, Symbol], value: float, why: str) -> Fragment:
    """A short definition in full, else its signature with its documentation."""
    file, symbol = found
    span = symbol.start_line, symbol.end_line
    role = Role("callees", value, (why,), symbol=symbol.qualified)
    if not is_shown_whole(context, file, symbol):
        text = outline_text(context, file.path, _OUTLINE_LIMIT, {symbol.name}, span)
        if text:
            return derived_piece(context, file, text, role, span)
    return lines_piece(context, file, span, role)
