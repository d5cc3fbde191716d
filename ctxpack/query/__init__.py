"""A request's words understood: ``understand`` makes the Query; expansions are added where a vocabulary is known."""

from __future__ import annotations

from ctxpack.query.understand import query_of_text

__all__ = ["query_of_text"]
