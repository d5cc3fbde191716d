"""Meanings: how close embeddings say that chunks are to a request, and what that is worth."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final, TypeVar

from ctxpack.errors import EmbeddingError
from ctxpack.model import Kind, Shape
from ctxpack.rank.board import Board
from ctxpack.rank.subject import subject_of
from ctxpack.redact import redact
from ctxpack.settings import Settings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ctxpack.embed.contract import Matrix
    from ctxpack.rank.bm25 import Scores
    from ctxpack.rank.chunk_vectors import ChunkVectors

    Similar = Mapping[int, float]
    WithinLimit = Callable[[Callable[[], Similar]], Similar | None]
    from ctxpack.embed.lookup import TimeLimit
    from ctxpack.events import Guard
    from ctxpack.rank.board import Board
    from ctxpack.system.clock import Progress

_NEAREST: Final = 30  # chunks that join by meaning alone
_ALONE: Final = 0.5  # of its cosine: without a common word a match is seldom a sure one
_DIGITS: Final = 3  # of a cosine: what models compute differs in later ones from batch to batch


@dataclass
class Comparison:
    """One request against the chunks of one view."""

    chunks: ChunkVectors
    board: Board
    weight: float  # the most points that a meaning gives
    most_missing: int  # so many vectors are computed to compare every chunk
    within_limit: WithinLimit
    gained: dict[int, float] = field(default_factory=dict)  # points by chunk

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
        gained = np.round(self.weight * share, 6)
        self.gained = {number: float(points) for number, points in zip(numbers.tolist(), gained, strict=True) if points}
        return gained

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

        from ctxpack.embed.lookup import stack_vectors

        text = self.board.query.text
        asked = redact(text, is_data=True).text if self.chunks.use_redaction else text
        (query,) = self.chunks.lookup.vectors([asked], is_query=True).values()
        cosines = np.round(rows @ stack_vectors([query])[0], _DIGITS) if len(rows) else ()
        return {number: float(cosine) for number, cosine in zip(numbers, cosines, strict=True)}


Result = TypeVar("Result")

MEANING_REASON: Final = "its meaning is close to the request"
POOL: Final = 80  # chunks by words that are compared by meaning
_POINTS: Final[Mapping[Shape, float]] = {
    Shape.ISSUE: 0.6,
    Shape.QUESTION: 0.6,
    Shape.SYMBOL: 0.0,  # a name means nothing to a model: no result moved
}
"""The most points that a meaning gives, where the request is about code. Measured with MiniLM: from 1.5 points on
questions lose, and packs for 173 issues in Python hold 71.0 % of the changed lines in 8,000 tokens instead of 73.4, as
many as by words alone. With .3 points issues gain as little."""
_POINTS_OF_DOCUMENTS: Final = 2.5
"""The same where it is about documents, or most of the repository is: on 109 changes of documents 1.5 points gave up to
two points less; on 47 of them .6 gave a third of what 2.5 gave, and 4 points, on 20, no more."""


class Meaning:
    """What a run knows of meanings, and what went wrong with it.

    ``on_progress`` hears ("embed", chunks done, chunks to do) where vectors are computed, from another thread.
    """

    def __init__(self, settings: Settings, on_progress: Progress | None = None) -> None:
        self._settings, self._on_progress = settings, on_progress
        self.notes: tuple[str, ...] = ()
        self._is_lost = False

    def compared(self, board: Board) -> Comparison | None:
        """A request and a repository to compare; None where meanings count for nothing or failed before."""
        if not self._settings.semantic or self._is_lost:
            return None
        weight = _weight(board)
        if not weight:
            return None
        from ctxpack.rank.chunk_vectors import chunk_vectors

        its = self._settings
        chunks = self._within_limit(
            lambda: chunk_vectors(board.view, its, check=self._limit.check, on_progress=self._on_progress)
        )
        if chunks is None:
            return None
        self.notes = self._guard.notes
        return Comparison(chunks, board, weight, self._guard.reduced(its.embedding_missing), self._within_limit)

    @cached_property
    def _limit(self) -> TimeLimit:
        from ctxpack.embed.lookup import TimeLimit

        return TimeLimit(self._settings.embedding_timeout, on_late=self._guard.record_failure)

    @cached_property
    def _guard(self) -> Guard:
        from ctxpack.embed import guard_of

        return guard_of(self._settings)

    def _within_limit(self, work: Callable[[], Result]) -> Result | None:
        """What ``work`` gives, or None and a note."""
        if self._is_lost:
            return None
        try:
            return self._limit.run(work)
        except EmbeddingError as error:
            self._is_lost = True
            self.notes = (f"Ranked by words alone. {error} {error.hint}".rstrip(),)
            return None


def _weight(board: Board) -> float:
    """The most points that a meaning gives here."""
    weight = _POINTS[board.query.shape]
    return _POINTS_OF_DOCUMENTS if weight and _is_about_documents(board) else weight


def _is_about_documents(board: Board) -> bool:
    documents = sum(file.kind.is_document for file in board.view.files)
    code = sum(file.kind is Kind.CODE for file in board.view.files)
    return documents > code or subject_of(board.query, board.view).documents
