"""The words of the request in the text of the whole file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxpack.rank.bm25 import concepts_of, file_scores
from ctxpack.rank.board import FILE, Board

if TYPE_CHECKING:
    from ctxpack.rank.bm25 import Scores


def by_subtokens(board: Board) -> Scores:
    """BM25 of each file by subtokens."""
    return file_scores(board.view, "sub", board.concepts, FILE)


def by_words(board: Board) -> Scores:
    """BM25 of each file by whole words."""
    return file_scores(board.view, "word", concepts_of(board.query.words), FILE)


def by_title(board: Board) -> Scores:
    """BM25 of each file by the subtokens of the title alone."""
    return file_scores(board.view, "sub", concepts_of(board.title), FILE)
