"""Functions that the request names: in a traceback, or with the class they belong to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxpack.rank.board import Board
from ctxpack.rank.signals import paths

if TYPE_CHECKING:
    from ctxpack.rank.bm25 import Scores


def frames(board: Board) -> Scores:
    """For each chunk: weight of a traceback frame whose file and function it is."""
    import numpy as np

    scores = np.zeros(len(board.view.postings.chunk_file))
    for mention in board.query.mentions:
        if mention.kind == "frame" and mention.function:
            docs = board.view.postings.terms("definition", mention.function.rpartition(".")[2].lower()).docs
            files = paths.matching(board, mention.text)
            here = docs[np.isin(board.view.postings.chunk_file[docs], files)]
            scores[here] = np.maximum(scores[here], mention.weight)
    return scores


def parents(board: Board) -> Scores:
    """For each chunk: an identifier of the request is the name of the class or section it stands in."""
    import numpy as np

    scores = np.zeros(len(board.view.postings.chunk_file))
    for name, weight in board.query.identifiers.items():
        defining = board.view.postings.terms("definition", name.lower()).docs
        by_path = sorted(defining.tolist(), key=lambda number: (board.view.postings.chunk_file[number], number))
        for number in by_path[:_MOST_CLASSES]:
            inside = _chunks_inside(board, number, name)
            scores[inside] = np.maximum(scores[inside], weight / len(defining) ** 0.5)
    return scores


_MOST_CLASSES = 20  # a name defined oftener says nothing


def _chunks_inside(board: Board, number: int, name: str) -> list[int]:
    """The chunks after the one that defines ``name`` which stand inside that definition."""
    view = board.view
    file_chunks = view.postings.chunks_of(int(view.postings.chunk_file[number]))
    inside = []
    for other in range(number, file_chunks.stop):
        parts = view.postings.chunk(other).symbol.lower().split(".")
        if name.lower() not in parts[:-1] and other != number:
            break
        inside.append(other)
    return inside
