"""Query + index → candidates: what is relevant, how much, and why."""

from __future__ import annotations

from ctxpack.index import IndexView
from ctxpack.model import Candidate, Query
from ctxpack.rank.board import Board
from ctxpack.rank.candidates import ranked
from ctxpack.rank.files import score_files
from ctxpack.rank.weights import Purpose

__all__ = ["Purpose", "rank"]


def rank(query: Query, view: IndexView, *, limit: int, purpose: Purpose = Purpose.LIST) -> tuple[Candidate, ...]:
    """The best ``limit`` chunks of a view for a query, best first; empty where nothing matches a single word."""
    if not view.files:
        return ()
    board = Board(query, view)
    return ranked(board, score_files(board), limit, purpose)
