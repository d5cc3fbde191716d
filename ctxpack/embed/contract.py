"""What an embedder is: the contract of the built-in ones and of plug-ins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from ctxpack.settings import Settings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float32]


class Embedder(Protocol):
    """Turns texts into vectors whose cosine says how close their meanings are."""

    @property
    def name(self) -> str:
        """What the vectors depend on beside the texts: kind, model and its version. Vectors are kept by it."""

    def embed(self, texts: Sequence[str], *, is_query: bool = False) -> Matrix:
        """One row a text; ``is_query`` where the text asks rather than answers, for models that tell them apart.

        Rows need not have length 1. Whatever it raises means that meaning is not used; EmbeddingError says why.
        """


class Factory(Protocol):
    """Makes an embedder from the settings, without heavy work: the model is loaded when it is first used."""

    def __call__(self, settings: Settings, *, may_download: bool) -> Embedder:
        """The embedder; ``may_download`` where the user asked for what takes long. Raises EmbeddingError."""
