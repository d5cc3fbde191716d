"""One request compared by meaning: how close it is to the chunks of a view."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from ctxpack.embed.lookup import stack_vectors
from ctxpack.rank.board import Board
from ctxpack.rank.chunk_vectors import ChunkVectors
from ctxpack.redact import redact

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ctxpack.embed.contract import Matrix
    from ctxpack.rank.bm25 import Scores

    Similar = Mapping[int, float]
    WithinLimit = Callable[[Callable[[], Similar]], Similar | None]

_NEAREST: Final = 30  # chunks that join by meaning alone
_ALONE: Final = 0.5  # of its cosine: without a common word a match is seldom a sure one
_DIGITS: Final = 3  # of a cosine: what models compute differs in later ones from batch to batch


@dataclass(frozen=True, eq=False)
class Comparison:
    """One request against the chunks of one view."""

    chunks: ChunkVectors
    board: Board
    weight: float  # the most points that a meaning gives
    most_missing: int  # so many vectors are computed to compare every chunk
    within_limit: WithinLimit

    @cached_property
    def nearest(self) -> tuple[int, ...]:
        """The chunks of all the repository that are closest to the request; none where their vectors are missing."""
        import numpy as np

        known = self._of_all
        values = np.array([*known.values()] or [0.0])
        least = float(values.mean() + values.std())  # in a small repository the nearest need not be near
        close = [number for number, cosine in known.items() if cosine > least]
        return tuple(sorted(close, key=lambda number: (-known[number], number))[:_NEAREST])

    @property
    def closeness(self) -> float:
        """How much the best match of meaning is worth by itself, 0..1."""
        return _ALONE * max((self._of_all[number] for number in self.nearest), default=0.0)

    def points(self, first: Sequence[int], numbers: NDArray[np.int64]) -> Scores:
        """Points of chunks ``numbers``; ``first`` are the best of them by words, which set the scale.

        A meaning that is no closer than that of the middle of them gains nothing.
        """
        import numpy as np

        known = self._of_all or self.within_limit(lambda: self._similar(first)) or {}
        scale = [known[number] for number in first if number in known]
        if not scale:
            return np.zeros(len(numbers))
        similar = np.array([known.get(number, -1.0) for number in numbers.tolist()])
        low, high = float(np.median(scale)), float(similar.max())
        share = np.clip((similar - low) / (high - low), 0.0, 1.0) if high > low else (similar >= high).astype(float)
        points: Scores = np.round(self.weight * share, 6)
        return points

    @cached_property
    def _of_all(self) -> Mapping[int, float]:
        """The similarity of every chunk; empty where too many vectors are missing."""
        return self.within_limit(self._all_similar) or {}

    def _all_similar(self) -> Mapping[int, float]:
        found = self.chunks.of_all(self.most_missing)
        return {} if found is None else self._by_number(*found)

    def _similar(self, numbers: Sequence[int]) -> Mapping[int, float]:
        return self._by_number(numbers, self.chunks.of(numbers)) if numbers else {}

    def _by_number(self, numbers: Sequence[int], rows: Matrix) -> Mapping[int, float]:
        import numpy as np

        text = self.board.query.text
        asked = redact(text, is_data=True).text if self.chunks.use_redaction else text
        (query,) = self.chunks.lookup.vectors([asked], is_query=True).values()
        cosines = np.round(rows @ stack_vectors([query])[0], _DIGITS) if len(rows) else ()
        return {number: float(cosine) for number, cosine in zip(numbers, cosines, strict=True)}
