"""What an embedder is, for built-in ones and plug-ins; and a guard, so that one that is down costs nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urlsplit

from ctxpack.errors import EmbeddingError
from ctxpack.events import SILENT, Guard, Observer, guard
from ctxpack.settings import Settings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float32]


class Embedder(Protocol):
    """Turns texts into vectors whose cosine says how close their meanings are."""

    @property
    def name(self) -> str:
        """What the vectors depend on in addition to the texts: kind, model and its version. Vectors are kept by it."""

    def embed(self, texts: Sequence[str], *, is_query: bool = False) -> Matrix:
        """One row a text; ``is_query`` where the text asks rather than answers, for models that tell them apart.

        Rows need not have length 1. Whatever it raises means that meaning is not used; EmbeddingError says why.
        """


class Factory(Protocol):
    """Makes an embedder from the settings, without heavy work: the model is loaded when it is first used."""

    def __call__(self, settings: Settings, *, may_download: bool) -> Embedder:
        """Return the embedder; ``may_download`` where the user asked for what takes long. Raises EmbeddingError."""


def guard_of(settings: Settings, observer: Observer = SILENT) -> Guard:
    """Return the guard of the embedder that the settings name; ``observer`` hears where it is not normal."""
    host = urlsplit(settings.embedding_url).hostname if settings.embedder == "http" else ""
    part = f"The embedding service {host}" if host else f"The embedding model of {settings.embedder}"
    identity = f"embedder:{settings.embedder}:{settings.embedding_url}:{settings.embedding_model}"
    return guard(settings, identity, part, observer)


class GuardedEmbedder:
    """An embedder that is not asked while it is down. Raises EmbeddingError then, and what it raises itself."""

    def __init__(self, embedder: Embedder, its: Guard) -> None:
        self._embedder, self._its = embedder, its

    @property
    def name(self) -> str:
        """That of the embedder."""
        return self._embedder.name

    def embed(self, texts: Sequence[str], *, is_query: bool = False) -> Matrix:
        """One row a text."""
        if self._its.is_down:
            raise EmbeddingError(self._its.why_down)
        try:
            rows = self._embedder.embed(texts, is_query=is_query)
        except Exception:
            self._its.record_failure()
            raise
        self._its.record_success()
        return rows
