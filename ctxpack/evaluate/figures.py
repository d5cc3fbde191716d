"""Means over tasks with 95 % bootstrap intervals; the same numbers give the same intervals everywhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ctxpack.evaluate.outcome import MEASURES, Outcome
from ctxpack.model import Lane

_RESAMPLES: Final = 2_000
_BOUNDS: Final = (2.5, 97.5)  # percentiles of a 95 % interval
_SEED: Final = 20_260_101


@dataclass(frozen=True, slots=True)
class Figure:
    """A mean and its 95 % interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class LaneFigures:
    """The figures of the tasks that changed files of one lane, counting only those files."""

    lane: Lane
    tasks: int
    figures: Mapping[str, Figure]


def figures_of(outcomes: Sequence[Outcome]) -> Mapping[str, Figure]:
    """A figure for each of ``MEASURES``; at least one outcome."""
    return _figures([each.measures for each in outcomes])


def by_lane(outcomes: Sequence[Outcome]) -> tuple[LaneFigures, ...]:
    """The figures of each lane that some task changed."""
    found = []
    for lane in Lane:
        inside = [narrow for each in outcomes if (narrow := each.within(lane))]
        if inside:
            found.append(LaneFigures(lane, len(inside), figures_of(inside)))
    return tuple(found)


def differences(base: Sequence[Outcome], other: Sequence[Outcome]) -> Mapping[str, Figure]:
    """How much ``other`` gains over ``base``, paired by task; both hold the same tasks in the same order."""
    pairs = [(one.measures, two.measures) for one, two in zip(base, other, strict=True)]
    return _figures([tuple(new - old for old, new in zip(*pair, strict=True)) for pair in pairs])


def _figures(rows: Sequence[Sequence[float]]) -> Mapping[str, Figure]:
    import numpy as np

    table = np.array(rows, np.float64)
    drawn = np.random.default_rng(_SEED).integers(0, len(table), (_RESAMPLES, len(table)))
    means = np.stack([table[each].mean(axis=0) for each in drawn])
    low, high = np.percentile(means, _BOUNDS, axis=0)
    return {
        name: Figure(*(round(float(value[at]), 4) for value in (table.mean(axis=0), low, high)))
        for at, name in enumerate(MEASURES)
    }
