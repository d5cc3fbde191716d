"""The order in which a report is read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from ctxpack.model import PATCH, Fragment, Kind

_OVERVIEW = frozenset({Kind.README, Kind.CONVENTIONS, Kind.DEPENDENCY_MAP})
_DETAILS = frozenset({Kind.SPEC, Kind.WIKI, Kind.RUNBOOK, Kind.DOC})


def reading_order(fragments: Iterable[Fragment], order: str = "relevance") -> tuple[Fragment, ...]:
    """The pieces in one of ``ORDERS``; the pieces of one file stay together, by line.

    ``relevance``: files by their best score. ``path``: by path. ``edges``: the best files at the beginning and at the
    end, the weakest in the middle (1, 3, 5, 6, 4, 2). ``hierarchical``: diff, overview, details, code, tests.
    """
    return ORDERS[order](_by_relevance(fragments))


def _by_relevance(fragments: Iterable[Fragment]) -> tuple[Fragment, ...]:
    """Files by their best score, the pieces of one file by line."""
    pieces = list(fragments)
    best: dict[tuple[str, str], tuple[float, int]] = {}
    for piece in pieces:
        best[piece.home] = max(best.get(piece.home, (0.0, 0)), (piece.provenance.score, piece.priority))
    return tuple(sorted(pieces, key=lambda piece: _key(piece, best[piece.home])))


def _key(piece: Fragment, best: tuple[float, int]) -> tuple[float, int, str, str, int]:
    return (-best[0], -best[1], *piece.home, piece.provenance.start_line)


def _by_path(ranked: tuple[Fragment, ...]) -> tuple[Fragment, ...]:
    return tuple(sorted(ranked, key=_by_path_and_line))


def _by_path_and_line(piece: Fragment) -> tuple[str, bool, str, int]:
    return piece.provenance.path, piece.layer != PATCH, piece.layer, piece.provenance.start_line


def _edges(ranked: tuple[Fragment, ...]) -> tuple[Fragment, ...]:
    """Every second file from the front, then the others from the back: what is read last is remembered too."""
    paths = list(dict.fromkeys(piece.provenance.path for piece in ranked))
    place = {path: at for at, path in enumerate([*paths[::2], *paths[1::2][::-1]])}
    return tuple(sorted(ranked, key=lambda piece: place[piece.provenance.path]))


def _hierarchical(ranked: tuple[Fragment, ...]) -> tuple[Fragment, ...]:
    return tuple(sorted(ranked, key=lambda piece: -1 if piece.layer == PATCH else _level(piece.provenance.kind)))


def _level(kind: Kind) -> int:
    if kind in _OVERVIEW:
        return 0
    if kind in _DETAILS:
        return 1
    return 3 if kind is Kind.TEST else 2


ORDERS: Mapping[str, Callable[[tuple[Fragment, ...]], tuple[Fragment, ...]]] = {
    "relevance": lambda ranked: ranked,
    "path": _by_path,
    "edges": _edges,
    "hierarchical": _hierarchical,
}
