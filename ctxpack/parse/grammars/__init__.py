"""Which grammar parses which language, and what counts as a definition in it: one row a language.

A query's captures are symbol kinds; ``@name`` is the identifier, ``@owner`` the type that a free-standing method
belongs to. The first pattern that captures a node wins.
"""

from __future__ import annotations

from collections.abc import Mapping

from ctxpack.parse.grammars.functional import FUNCTIONAL
from ctxpack.parse.grammars.managed import MANAGED
from ctxpack.parse.grammars.native import NATIVE
from ctxpack.parse.grammars.row import TreeRow
from ctxpack.parse.grammars.scripts import SCRIPTS

__all__ = ["TREES", "TreeRow"]

TREES: Mapping[str, TreeRow] = {**NATIVE, **MANAGED, **SCRIPTS, **FUNCTIONAL}
