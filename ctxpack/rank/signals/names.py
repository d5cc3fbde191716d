"""Signals of definitions: names that the request holds, functions of tracebacks, and classes above them."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from ctxpack.rank.board import Board
from ctxpack.rank.signals import paths

if TYPE_CHECKING:
    from ctxpack.rank.bm25 import Scores

_COMMONNESS = 0.8  # a name defined n times counts 1 / n^.8 for each
_OTHER_CASE = 0.25  # "Timeout" means the class before the method timeout(); on 579 short questions NDCG@10 .884 → .885


def defining_chunks(board: Board) -> Scores:
    """For each chunk: the identifiers of the request that it defines, the rarer the more."""
    import numpy as np

    scores = np.zeros(len(board.view.postings.chunk_file))
    for name, weight in board.query.identifiers.items():
        docs = board.view.postings.terms("definition", name.lower()).docs
        if len(docs):
            as_written = board.view.postings.terms("definition", name).docs
            share = np.where(np.isin(docs, as_written), 1.0, _OTHER_CASE) if len(as_written) else 1.0
            scores[docs] += share * weight / len(docs) ** _COMMONNESS
    return scores


def defining_files(board: Board) -> Scores:
    """For each file: the identifiers of the request that it defines."""
    return board.files_sum(defining_chunks(board))


def plain_chunks(board: Board) -> Scores:
    """For each chunk: words of the request, code-shaped or not, that are the whole name of what it defines."""
    import numpy as np

    scores = np.zeros(len(board.view.postings.chunk_file))
    for word, weight in board.query.words.items():
        docs = board.view.postings.terms("definition", word).docs
        if len(docs):
            scores[docs] += weight / len(docs) ** _COMMONNESS
    return scores


def plain_files(board: Board) -> Scores:
    """For each file: words of the request that are the whole name of a definition."""
    return board.files_max(plain_chunks(board))


def similar_files(board: Board) -> Scores:
    """For each file: the best BM25 of the request against the name or heading path of one of its chunks."""
    return board.files_max(board.name)


def dotted_chunks(board: Board) -> Scores:
    """For each chunk: dotted names of the request whose last two parts it defines."""
    import numpy as np

    scores = np.zeros(len(board.view.postings.chunk_file))
    for pair, weight in _pairs(board).items():
        docs = board.view.postings.terms("definition", pair).docs
        if len(docs):
            scores[docs] += weight / len(docs) ** _COMMONNESS
    return scores


def dotted_files(board: Board) -> Scores:
    """For each file: dotted names that lead to it, as a module or as ``Class.method``."""
    scores = board.files_sum(dotted_chunks(board))
    for mention in board.query.mentions:
        if mention.kind == "dotted":
            number = _module(board, mention.text)
            if number is not None:
                scores[number] += mention.weight
    return scores


def _pairs(board: Board) -> dict[str, float]:
    pairs: defaultdict[str, float] = defaultdict(float)
    for mention in board.query.mentions:
        parts = mention.text.replace("::", ".").replace("/", ".").lower().split(".")
        if mention.kind == "dotted" and len(parts) > 1:
            pairs[".".join(parts[-2:])] = max(pairs[".".join(parts[-2:])], mention.weight)
    return dict(pairs)


def _module(board: Board, name: str) -> int | None:
    """The file of the longest leading part of a dotted name that is a module."""
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        path = board.view.files.modules.get(".".join(parts[:end]))
        if path is not None and (end > 1 or len(parts) == 1):
            return board.view.files.numbers.get(path)
    return None


def frame_chunks(board: Board) -> Scores:
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
