"""Rank the chunks of an index for a query: what is relevant, how much, and why."""

from __future__ import annotations

from ctxpack.index import IndexView
from ctxpack.model import Candidate, Query
from ctxpack.rank.board import Board
from ctxpack.rank.candidates import best_candidates
from ctxpack.rank.files import score_files
from ctxpack.rank.installed import with_installed
from ctxpack.rank.meaning import Meaning
from ctxpack.rank.weights import BUILT_IN_TABLES, Purpose

__all__ = ["Meaning", "Purpose", "rank"]


def rank(
    query: Query, view: IndexView, *, limit: int, purpose: Purpose = Purpose.LIST, meaning: Meaning | None = None
) -> tuple[Candidate, ...]:
    """Find the best ``limit`` chunks of a view for a query, best first; empty where nothing matches.

    ``meaning`` adds how close a chunk is to the request to what its words say.
    """
    if not view.files:
        return ()
    board = Board(query, view)
    compared = meaning.compare(board) if meaning else None
    return best_candidates(
        board, score_files(board, purpose, with_installed(BUILT_IN_TABLES)), limit, purpose, compared
    )
