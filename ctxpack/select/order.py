"""The order in which a report is read."""

from __future__ import annotations

from collections.abc import Iterable

from ctxpack.model import Fragment


def reading_order(fragments: Iterable[Fragment]) -> tuple[Fragment, ...]:
    """Files by their best score, the pieces of one file by line."""
    pieces = list(fragments)
    best: dict[str, tuple[float, int]] = {}
    for piece in pieces:
        path = piece.provenance.path
        best[path] = max(best.get(path, (0.0, 0)), (piece.provenance.score, piece.priority))
    return tuple(sorted(pieces, key=lambda piece: _key(piece, best[piece.provenance.path])))


def _key(piece: Fragment, best: tuple[float, int]) -> tuple[float, int, str, int]:
    return (-best[0], -best[1], piece.provenance.path, piece.provenance.start_line)
