"""Candidates in another order: the scores they had together are dealt out again, so that a list stays sorted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ctxpack.model import Candidate, Evidence
from ctxpack.rank.evidence import confidence_of

SIGNAL: Final = "rerank"
_UNNAMED: Final = "rerank rest"  # a signal of its own: it is no reason for a piece
_POINTS: Final = 10.0  # of the ranker, over which a value falls from 1 to nothing
_STEP: Final = 1e-6  # scores have six digits


def reordered(candidates: Sequence[Candidate], places: Sequence[int]) -> tuple[Candidate, ...]:
    """The candidates with those at ``places`` first; the others keep their order behind them.

    The best score and the best value go to the first, and so on. The evidence says which place it was put on.
    """
    named = frozenset(places)
    order = [*places, *(place for place in range(len(candidates)) if place not in named)]
    scores = sorted((each.score for each in candidates), reverse=True)
    values = sorted((each.value for each in candidates), reverse=True)
    moved = [
        _placed(candidates[place], number, (score, value), is_named=place in named)
        for number, (place, score, value) in enumerate(zip(order, scores, values, strict=True), 1)
    ]
    return _in_total_order(moved)


def _placed(candidate: Candidate, number: int, worth: tuple[float, float], *, is_named: bool) -> Candidate:
    score, value = worth
    reason = f"put on place {number} by the reranking command" if is_named else "not named by the reranking command"
    signal = SIGNAL if is_named else _UNNAMED
    evidence = (Evidence(signal, round(_POINTS * (value - candidate.value), 3), reason), *candidate.evidence)
    confidence = confidence_of(score, candidate.evidence)
    return replace(candidate, score=score, value=value, confidence=confidence, evidence=evidence)


def _in_total_order(candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """The candidates in the order given; equal scores are told apart by the least that a score can differ."""
    sorted_up: list[Candidate] = []
    for each in reversed(candidates):
        behind = sorted_up[-1] if sorted_up else None
        is_sorted = behind is None or _key(each) < _key(behind)
        sorted_up.append(each if is_sorted or behind is None else replace(each, score=round(behind.score + _STEP, 6)))
    return tuple(reversed(sorted_up))


def _key(candidate: Candidate) -> tuple[float, str, int]:
    return (-candidate.score, candidate.file.path, candidate.chunk.start_line)
