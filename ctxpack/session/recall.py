"""Which memories a request calls for: those that share words with it, the recent ones a little before the old."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ctxpack.model import Memory
from ctxpack.session.words import stems

_SATURATION, _LENGTH = 1.2, 0.6  # as in BM25: repeated words count less and less, and so do long memories
_DAY = 86_400
_FLOOR = 0.1  # of the best memory's points: what shares less with the request is not about it


@dataclass(frozen=True, slots=True)
class RecallWeights:
    """What counts: ``relevance`` · score + ``recency`` · exp(-age in days / ``days``)."""

    relevance: float = 0.7
    recency: float = 0.3
    days: float = 30.0


def recall(
    memories: Sequence[Memory], text: str, now: float, weights: RecallWeights | None = None
) -> tuple[Memory, ...]:
    """The memories that share words with a text, best first, each with its score in 0..1.

    ``now`` is seconds since the epoch; a memory from the future is as good as new.
    """
    weights = weights or RecallWeights()
    points = _points([stems(memory.text) for memory in memories], sorted({*stems(text)}))
    most = max(points, default=0.0)
    found = [
        replace(memory, score=_combined(point / most, max(0.0, now - memory.created), weights))
        for memory, point in zip(memories, points, strict=True)
        if point > _FLOOR * most
    ]
    return tuple(sorted(found, key=lambda memory: (-memory.score, -memory.created, memory.id)))


def narrowed(memory: Memory, text: str, fits: Callable[[Memory], bool]) -> Memory | None:
    """The memory, or its first line with those of its rows that share most words with a text and fit.

    None where not one row fits.
    """
    if fits(memory):
        return memory
    head, *rows = memory.text.split("\n")
    asked = {*stems(text)}
    ranked = sorted(range(len(rows)), key=lambda at: (-len(asked & {*stems(rows[at])}), at))
    taken: list[int] = []
    for at in ranked:
        if fits(_of_rows(memory, head, rows, [*taken, at])):
            taken.append(at)
    return _of_rows(memory, head, rows, taken) if taken else None


def _of_rows(memory: Memory, head: str, rows: Sequence[str], taken: Sequence[int]) -> Memory:
    return replace(memory, text="\n".join([head, *(rows[at] for at in sorted(taken)), "…"]))


def _combined(relevance: float, age: float, weights: RecallWeights) -> float:
    fresh = math.exp(-age / _DAY / weights.days)
    whole = weights.relevance + weights.recency
    return round((weights.relevance * relevance + weights.recency * fresh) / max(whole, 1.0), 6)


def _points(texts: Sequence[Sequence[str]], asked: Sequence[str]) -> list[float]:
    """BM25 of each text for the asked stems."""
    counts = [Counter(text) for text in texts]
    mean = sum(map(len, texts)) / len(texts) if texts else 1.0
    found = Counter(stem for count in counts for stem in asked if stem in count)
    return [
        math.fsum(_term(count[stem], len(text) / (mean or 1.0)) * _rarity(found[stem], len(texts)) for stem in asked)
        for count, text in zip(counts, texts, strict=True)
    ]


def _term(times: int, length: float) -> float:
    return times * (_SATURATION + 1) / (times + _SATURATION * (1 - _LENGTH + _LENGTH * length))


def _rarity(found: int, total: int) -> float:
    return math.log1p((total - found + 0.5) / (found + 0.5))
