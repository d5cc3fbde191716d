"""Similarity of meaning: how close chunks are to a request by their embeddings, and the points for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Final, TypeVar

from ctxpack.errors import EmbeddingError
from ctxpack.events import SILENT, Observer
from ctxpack.model import Kind, Shape
from ctxpack.rank.board import Board
from ctxpack.rank.subject import subject_of
from ctxpack.settings import Settings

if TYPE_CHECKING:
    from ctxpack.events import Guard
    from ctxpack.rank.board import Board
    from ctxpack.rank.chunk_vectors import Comparison
    from ctxpack.rank.vectors import TimeLimit

Result = TypeVar("Result")

MEANING_REASON: Final = "is close to the request in meaning"
POOL: Final = 80  # chunks by words that are compared by meaning
_POINTS: Final[Mapping[Shape, float]] = {
    Shape.ISSUE: 0.6,
    Shape.QUESTION: 0.6,
    Shape.SYMBOL: 0.0,  # a name means nothing to a model: no result moved
}
"""The maximum of points for meaning where the request is about code. Measured with MiniLM: from 1.5 points on
questions lose, and packs for 173 issues in Python hold 71.0 % of the changed lines in 8,000 tokens instead of 73.4, as
many as by words alone. With .3 points issues gain as little."""
_POINTS_OF_DOCUMENTS: Final = 2.5
"""The same where it is about documents, or most of the repository is: on 109 changes of documents 1.5 points gave up to
two points less; on 47 of them .6 gave a third of what 2.5 gave, and 4 points, on 20, no more."""


class Meaning:
    """The comparison by meaning in one run, and what went wrong with it.

    ``observer`` is called with ("embed", chunks done, total) while vectors are computed, from another thread.
    """

    def __init__(self, settings: Settings, observer: Observer = SILENT) -> None:
        self._settings, self._observer = settings, observer
        self.notes: tuple[str, ...] = ()
        self._is_lost = False

    def compare(self, board: Board) -> Comparison | None:
        """Compare a request with a repository by meaning; None where that has no weight or failed before."""
        if not self._settings.semantic or self._is_lost:
            return None
        weight = _weight(board)
        if not weight:
            return None
        from ctxpack.rank.chunk_vectors import Comparison, chunk_vectors

        its = self._settings
        chunks = self._within_limit(
            lambda: chunk_vectors(board.view, its, check=self._limit.check, on_progress=self._observer.on_progress)
        )
        if chunks is None:
            return None
        self.notes = self._guard.notes
        return Comparison(chunks, board, weight, self._guard.reduce(its.embedding_missing), self._within_limit)

    @cached_property
    def _limit(self) -> TimeLimit:
        from ctxpack.rank.vectors import TimeLimit

        return TimeLimit(self._settings.embedding_timeout, on_late=self._guard.record_failure)

    @cached_property
    def _guard(self) -> Guard:
        from ctxpack.rank.embedders import guard_of

        return guard_of(self._settings, self._observer)

    def _within_limit(self, work: Callable[[], Result]) -> Result | None:
        """Run ``work`` and return its result, or None with a note."""
        if self._is_lost:
            return None
        try:
            return self._limit.run(work)
        except EmbeddingError as error:
            self._is_lost = True
            self.notes = (f"Ranked by words alone. {error} {error.hint}".rstrip(),)
            return None


def _weight(board: Board) -> float:
    """The maximum of points for meaning."""
    weight = _POINTS[board.query.shape]
    return _POINTS_OF_DOCUMENTS if weight and _is_about_documents(board) else weight


def _is_about_documents(board: Board) -> bool:
    kinds = board.view.files.entries.count_kinds()
    documents = sum(count for kind, count in kinds.items() if kind.is_document)
    return documents > kinds[Kind.CODE] or subject_of(board.query, board.view).documents
