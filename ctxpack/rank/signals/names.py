"""Identifiers of the request that the repository defines."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from ctxpack.rank.board import Board

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


def defined(board: Board) -> Scores:
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


def plain(board: Board) -> Scores:
    """For each file: words of the request that are the whole name of a definition."""
    return board.files_max(plain_chunks(board))


def similar(board: Board) -> Scores:
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


def dotted(board: Board) -> Scores:
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
