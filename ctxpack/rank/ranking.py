"""Rank for a request: by words, by meanings where they are asked for, then as the reranking command says."""

from __future__ import annotations

from dataclasses import dataclass

from ctxpack.events import SILENT, Observer
from ctxpack.index import IndexView
from ctxpack.model import Candidate, Query
from ctxpack.rank import rank
from ctxpack.rank.meaning import Meaning
from ctxpack.rank.outlook import doubt
from ctxpack.rank.rerank import candidates_to_rank, rerank
from ctxpack.rank.subject import depth
from ctxpack.rank.weights import Purpose
from ctxpack.settings import Settings


@dataclass(frozen=True, slots=True)
class Ranking:
    """Candidates, best first, and notes about what failed or what the repository may not hold."""

    candidates: tuple[Candidate, ...]
    notes: tuple[str, ...] = ()


def rank_for_pack(query: Query, text: str, view: IndexView, settings: Settings, observer: Observer = SILENT) -> Ranking:
    """As many candidates as a pack of the budget may be chosen from. ``text`` is what a reranking command reads."""
    return _rank(query, text, (view, settings), (Purpose.PACK, depth(settings.budget)), observer)


def rank_for_list(query: Query, text: str, view: IndexView, settings: Settings, observer: Observer = SILENT) -> Ranking:
    """The first ``settings.limit`` candidates of a list. ``text`` is what a reranking command reads."""
    limit = candidates_to_rank(settings.limit, settings)
    found = _rank(query, text, (view, settings), (Purpose.LIST, limit), observer)
    return Ranking(found.candidates[: settings.limit], found.notes)


def _rank(
    query: Query, text: str, where: tuple[IndexView, Settings], what: tuple[Purpose, int], observer: Observer
) -> Ranking:
    (view, settings), (purpose, limit) = where, what
    meaning = Meaning(settings, observer)
    found = rank(query, view, limit=limit, purpose=purpose, meaning=meaning)
    candidates, notes = rerank(text, found, view, settings, observer)
    return Ranking(candidates, (*meaning.notes, *notes, *doubt(query, candidates, view)))
