"""Rerank: a command of the user's, such as a language model, puts the best candidates into a better order."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ctxpack.index import IndexView
from ctxpack.model import Candidate
from ctxpack.settings import Settings

__all__ = ["rerank", "reranked_from"]


def reranked_from(limit: int, settings: Settings) -> int:
    """How many candidates to rank so that the command sees as many as it should, and ``limit`` are left at the end."""
    return max(limit, settings.rerank_top) if settings.rerank else limit


def rerank(
    request: str,
    candidates: Sequence[Candidate],
    view: IndexView,
    settings: Settings,
    on_progress: Callable[[str, int, int], None] | None = None,
) -> tuple[tuple[Candidate, ...], tuple[str, ...]]:
    """The candidates as the command of the settings orders them, and notes for the user; without one as they are."""
    if not settings.rerank:
        return tuple(candidates), ()
    from ctxpack.rerank.command import reranked

    return reranked(request, candidates, view, settings, on_progress)
