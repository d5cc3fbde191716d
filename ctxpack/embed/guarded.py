"""An embedder whose failures are counted, so that one that is down costs nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from ctxpack.embed.contract import Embedder
from ctxpack.errors import EmbeddingError
from ctxpack.health import Guard, guard
from ctxpack.settings import Settings

if TYPE_CHECKING:
    from ctxpack.embed.contract import Matrix


def guard_of(settings: Settings) -> Guard:
    """The guard of the embedder that the settings name."""
    host = urlsplit(settings.embedding_url).hostname if settings.embedder == "http" else ""
    part = f"The embedding service {host}" if host else f"The embedding model of {settings.embedder}"
    identity = f"embedder:{settings.embedder}:{settings.embedding_url}:{settings.embedding_model}"
    return guard(settings, identity, part)


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
            self._its.failed()
            raise
        self._its.worked()
        return rows
