"""How much of a short request a file speaks of at all: what separates a weak best match from none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from ctxpack.model import Shape
from ctxpack.rank.bm25 import idf
from ctxpack.rank.board import Board

if TYPE_CHECKING:
    from ctxpack.rank.bm25 import Scores

LEAST: Final = 0.15
"""Below this share a file is no answer: it holds a common word or two of the request, such as a licence's ``http``."""
_UNKNOWN_SHARE: Final = 0.8  # of a rare term's weight, for words that the repository never uses: often mere English


def coverage(board: Board) -> Scores:
    """For each file: the idf share of the request's terms that its text or path holds, 0..1.

    Another form or a synonym counts as the term it stands for. A long request is never covered by one file: there, and
    where the request has no terms, every file gets 1.
    """
    import numpy as np

    files = len(board.view.files)
    weights = {term: _weight(board, term) for term in board.query.terms}
    total = sum(weights.values())
    if board.query.shape is Shape.ISSUE or not total:
        return np.ones(files)
    covered = np.zeros(files)
    for term, weight in weights.items():
        holds = np.zeros(files, bool)
        for form in _forms(board, term):
            holds[board.view.postings.file_terms("sub", form).docs] = True
            holds[board.view.postings.file_terms("path", form).docs] = True
        covered += weight * holds
    return covered / total


def _weight(board: Board, term: str) -> float:
    files = len(board.view.files)
    holding = len(board.view.postings.file_terms("sub", term).docs)
    return idf(holding, files) if holding else _UNKNOWN_SHARE * idf(1, files)


def _forms(board: Board, term: str) -> Iterator[str]:
    yield term
    for expansion in board.query.expansions:
        if expansion.source == term or term in expansion.source.split():
            yield expansion.term
