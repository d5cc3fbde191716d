"""The words of a request: ``understand`` makes the Query from its ``parts``, ``mentions`` and ``tokens``.

``expansions`` adds words where the vocabulary of a repository is known, from ``dictionary`` and the rules of
``slavic``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ctxpack.query.understand import query_of_text

__all__ = ["query_of_text"]


def __getattr__(name: str) -> object:
    """Import the name when it is first used: what indexes files needs how words are cut, and no request."""
    if name not in __all__:
        raise AttributeError(f"module 'ctxpack.query' has no attribute {name!r}")
    from ctxpack.query import understand

    return getattr(understand, name)
