"""BM25 over the exact postings, for chunks and for whole files.

Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009); idf with the +1 inside the
logarithm, so that no term ever counts against a document.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ctxpack.index import IndexView, Terms

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Saturation:
    """``k1`` bounds what repetition adds, ``b`` is how much length counts against a document."""

    k1: float = 1.2
    b: float = 0.75


def chunk_scores(view: IndexView, field: str, weights: Mapping[str, float], saturation: Saturation) -> Scores:
    """BM25 of every chunk in a field, for weighted terms."""
    lengths = view.postings.lengths(field)
    return _scores(
        [(view.postings.terms(field, term), weight) for term, weight in weights.items()],
        lengths,
        view.postings.live_chunks,
        saturation,
    )


def file_scores(view: IndexView, field: str, weights: Mapping[str, float], saturation: Saturation) -> Scores:
    """BM25 of every file in a field, its chunks taken together (or the path itself for the field ``path``)."""
    lengths = view.postings.file_lengths(field)
    return _scores(
        [(view.postings.file_terms(field, term), weight) for term, weight in weights.items()],
        lengths,
        len(view.files),
        saturation,
    )


def idf(holding: int, total: int) -> float:
    """ln(1 + (N - n + .5) / (n + .5))."""
    return math.log1p((total - holding + 0.5) / (holding + 0.5))


def _scores(terms: list[tuple[Terms, float]], lengths: NDArray[np.int64], total: int, saturation: Saturation) -> Scores:
    import numpy as np

    scores = np.zeros(len(lengths))
    average = max(float(lengths.sum()) / max(total, 1), 1.0)
    norms = saturation.k1 * (1 - saturation.b + saturation.b * lengths / average)
    for found, weight in terms:
        if len(found.docs):
            gain = weight * idf(len(found.docs), total) * (saturation.k1 + 1)
            scores[found.docs] += gain * found.counts / (found.counts + norms[found.docs])
    return scores
