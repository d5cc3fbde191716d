"""Quotations of the request, such as what an error says: where the repository holds the same words in a row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ctxpack.query.quotes import quotes_of
from ctxpack.query.tokens import raw_words
from ctxpack.rank.board import Board

if TYPE_CHECKING:
    from ctxpack.rank.bm25 import Scores

_RUN: Final = 3  # words in a row that are compared
_READ: Final = 40  # chunks that are read for a quotation, those first that hold most of its words
_HELD: Final = 0.5  # of its words, that a chunk must hold to be read: names and figures in a message differ
_LEAST: Final = 0.3  # of its runs, below which nothing is quoted


def quoting_chunks(board: Board) -> Scores:
    """For each chunk: the greatest share of a quotation's runs of words that it holds."""
    import numpy as np

    scores = np.zeros(len(board.view.postings.chunk_file))
    for words in quotes_of(board.query.text):
        for number, share in _holders(board, words).items():
            scores[number] = max(scores[number], share)
    return scores


def quoting(board: Board) -> Scores:
    """The best chunk of each file."""
    return board.files_max(quoting_chunks(board))


def _holders(board: Board, words: tuple[str, ...]) -> dict[int, float]:
    """The chunks that hold enough of a quotation, and its share."""
    import numpy as np

    held = np.zeros(len(board.view.postings.chunk_file))
    for word in dict.fromkeys(words):
        held[board.view.postings.terms("word", word).docs] += 1
    first = np.argsort(-held, kind="stable")[:_READ].tolist()
    runs = {words[start : start + _RUN] for start in range(len(words) - _RUN + 1)}
    found = {}
    for number in first:
        if held[number] < _HELD * len(set(words)):
            break
        share = len(runs & _runs_in(board, number)) / len(runs)
        if share >= _LEAST:
            found[number] = share
    return found


def _runs_in(board: Board, number: int) -> set[tuple[str, ...]]:
    chunk, path = board.view.postings.chunk(number), board.view.files[int(board.view.postings.chunk_file[number])].path
    words = [word.lower() for word in raw_words(board.view.files.lines(path, chunk.start_line, chunk.end_line))]
    return {tuple(words[start : start + _RUN]) for start in range(len(words) - _RUN + 1)}
