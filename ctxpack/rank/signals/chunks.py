"""The words of the request close together: in one function or section of the file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxpack.rank.board import Board

if TYPE_CHECKING:
    from ctxpack.rank.bm25 import Scores

_TAKE, _DECAY = 5, 0.5  # the best five chunks, each half as much as the one before


def best(board: Board) -> Scores:
    """The best chunk of each file."""
    return board.files_max(board.chunks)


def several(board: Board) -> Scores:
    """The decayed sum of each file's best chunks."""
    return board.files_decayed(board.chunks, _TAKE, _DECAY)


def best_title(board: Board) -> Scores:
    """The best chunk of each file by the title alone."""
    return board.files_max(board.title_chunks)
