"""A row of the grammar table."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TreeRow:
    """``module.function()`` gives the grammar, ``query`` its definitions.

    ``wrappers`` are nodes around a definition that belong to it, ``body`` is one that follows it, and ``clauses``:
    neighbours of one name are one definition.
    """

    module: str
    query: str
    function: str = "language"
    wrappers: frozenset[str] = frozenset()
    body: str = ""
    clauses: bool = False
