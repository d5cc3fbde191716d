"""Where any one file stands, also one that no list shows."""

from __future__ import annotations

from dataclasses import dataclass

from ctxpack.index import IndexView
from ctxpack.model import Evidence, Query
from ctxpack.rank.board import Board
from ctxpack.rank.chunks import FILES_COMPARED, ChunkRanking
from ctxpack.rank.coverage import LEAST, coverage
from ctxpack.rank.evidence import evidence_of_file
from ctxpack.rank.files import score_files
from ctxpack.rank.installed import with_installed
from ctxpack.rank.weights import BUILT_IN, Purpose


@dataclass(frozen=True, slots=True)
class Standing:
    """``place`` counts all files of the repository by their points, from 1; pieces come from the first ``compared``.

    ``is_about`` is whether the file holds enough of the request, or is named in it, to be an answer at all.
    """

    place: int
    points: float
    needed: float  # points of the last file whose pieces are compared
    compared: int
    is_about: bool
    evidence: tuple[Evidence, ...]


def standing_of(query: Query, view: IndexView, path: str) -> Standing | None:
    """The standing of a file of the view; None where nothing in the repository matches the request."""
    board = Board(query, view)
    if not board.chunks.any():
        return None
    number, scores = view.files.numbers[path], score_files(board, Purpose.PACK, with_installed(BUILT_IN))
    is_named = bool(ChunkRanking(board, scores, Purpose.PACK).named[number])
    last = scores.order[min(FILES_COMPARED, len(scores.order)) - 1]
    return Standing(
        place=scores.order.tolist().index(number) + 1,
        points=round(float(scores.total[number]), 3),
        needed=round(float(scores.total[last]), 3),
        compared=FILES_COMPARED,
        is_about=is_named or bool(coverage(board)[number] >= LEAST),
        evidence=evidence_of_file(number, board, scores),
    )
