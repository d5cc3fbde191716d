"""The words of a request: ``understand`` makes the Query from its ``parts``, ``mentions`` and ``tokens``.

``expansions`` adds words where the vocabulary of a repository is known, from ``dictionary`` and the rules of
``slavic``.
"""

from __future__ import annotations

from ctxpack.query.understand import query_of_text

__all__ = ["query_of_text"]
