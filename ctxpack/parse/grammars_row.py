"""A row of the grammar table."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TreeRow:
    """``module.function()`` gives the grammar. ``wrappers`` are nodes around a definition that belong to it."""

    module: str
    query: str
    function: str = "language"
    wrappers: frozenset[str] = frozenset()
    clauses: bool = False
