"""Texts → vectors: embedders by name, the vectors they made before, and a limit to how long they may take."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, cast

from ctxpack.embed.contract import Embedder, Factory, GuardedEmbedder, guard_of
from ctxpack.errors import EmbeddingError
from ctxpack.settings import Settings
from ctxpack.system.plugins import plugins, resolve

__all__ = ["EMBEDDERS", "Embedder", "embedder_of", "guard_of"]

EMBEDDERS: Final[Mapping[str, str]] = {
    "sentence-transformers": "ctxpack.embed.sentence_transformer:make_sentence_transformer",
    "http": "ctxpack.embed.http:make_http_embedder",
}
"""Name -> ``module:attribute``; the attribute is a ``Factory``. Packages add theirs as ``ctxpack.embedders``."""


def embedder_of(settings: Settings, *, may_download: bool = False) -> Embedder:
    """Return the embedder that the settings name. Raises EmbeddingError where it is unknown or cannot be made."""
    name = settings.embedder
    known = EMBEDDERS if name in EMBEDDERS else {each.name: each.target for each in plugins("ctxpack.embedders")}
    if name not in known:
        names = ", ".join(sorted({*EMBEDDERS, *known}))
        raise EmbeddingError(f"There is no embedder {name!r}.", hint=f"Known are {names}.")
    try:
        made = cast("Factory", resolve(known[name]))(settings, may_download=may_download)
    except EmbeddingError:
        raise
    except Exception as error:  # whatever a stranger's package raises: words alone still rank
        raise EmbeddingError(f"The embedder {name} cannot be made: {type(error).__name__}: {error}.") from error
    return made if may_download else GuardedEmbedder(made, guard_of(settings))
