"""The few lines between two pieces of one file: taken along, two pieces become one and need one heading."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from ctxpack.gather.context import Context
from ctxpack.gather.fragments import Role, Span, lines_piece
from ctxpack.gather.texts.units import is_crossed
from ctxpack.model import Fragment, SourceFile

LONGEST = 40  # lines; the choice of pieces takes long ones only where room is left
LESS = 0.0005  # value than the lesser of the two pieces, so that both come in before what joins them


def bridged(context: Context, pieces: Sequence[Fragment]) -> list[Fragment]:
    """The pieces, and one for each short gap between two neighbours; blank lines go to the piece above them."""
    found = list(pieces)
    places = sorted(range(len(found)), key=lambda at: (found[at].provenance.path, found[at].provenance.start_line))
    for above, below in pairwise(places):
        one, other = found[above], found[below]
        gap = (one.provenance.end_line + 1, other.provenance.start_line - 1)
        file = context.view.files.get(one.provenance.path) if one.provenance.path == other.provenance.path else None
        if file is None or not 1 <= gap[1] - gap[0] + 1 <= LONGEST:
            continue
        if is_crossed(context.view.exact(file.path).symbols, (one.provenance.start_line, gap[1] + 1)):
            continue
        if "TAG:" in context.text(file.path, gap):
            continue  # the marks of regions are no content
        if context.text(file.path, gap).strip():
            found.append(_between(context, file, gap, (one, other)))
        elif one.text == context.text(file.path, (one.provenance.start_line, one.provenance.end_line)) + "\n":
            found[above] = _with_blanks(one, gap[1])
    return found


def _between(context: Context, file: SourceFile, gap: Span, sides: tuple[Fragment, Fragment]) -> Fragment:
    weaker = min(sides, key=lambda side: (side.value, side.provenance.start_line))
    origin = weaker.provenance
    value = max(weaker.value - LESS, 0.0)
    role = Role("search", value, ("joins two pieces",), score=origin.score, confidence=origin.confidence)
    piece = lines_piece(context, file, gap, replace(role, priority=weaker.priority))
    return replace(piece, is_bridge=True)


def _with_blanks(piece: Fragment, end: int) -> Fragment:
    origin = piece.provenance
    blank = "\n" * (end - origin.end_line)
    return replace(piece, text=piece.text + blank, provenance=replace(origin, end_line=end))
