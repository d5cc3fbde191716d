"""Texts → vectors: embedders by name, the vectors they made before, and a limit to how long they may take."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Final

from ctxpack.embed.contract import Embedder, Factory
from ctxpack.errors import EmbeddingError
from ctxpack.settings import Settings

__all__ = ["EMBEDDERS", "Embedder", "embedder_of"]

EMBEDDERS: Final[Mapping[str, str]] = {
    "sentence-transformers": "ctxpack.embed.sentence_transformer:make",
    "http": "ctxpack.embed.http:make",
}
"""Name -> ``module:attribute``; the attribute is a ``Factory``."""


def embedder_of(settings: Settings, *, may_download: bool = False) -> Embedder:
    """The embedder that the settings name. Raises EmbeddingError where it is unknown or cannot be made."""
    place = EMBEDDERS.get(settings.embedder)
    if place is None:
        known = ", ".join(sorted(EMBEDDERS))
        raise EmbeddingError(f"There is no embedder {settings.embedder!r}.", hint=f"Known are {known}.")
    module, _, attribute = place.partition(":")
    make: Factory = getattr(import_module(module), attribute)
    return make(settings, may_download=may_download)
