"""The definition table: language -> row, one module a family of languages."""

from __future__ import annotations

from collections.abc import Mapping

from ctxpack.parse.patterns_declarative import DECLARATIVE
from ctxpack.parse.patterns_dynamic import DYNAMIC
from ctxpack.parse.patterns_functional import FUNCTIONAL
from ctxpack.parse.patterns_managed import MANAGED
from ctxpack.parse.patterns_native import NATIVE
from ctxpack.parse.patterns_row import Row
from ctxpack.parse.patterns_shell import SHELL

__all__ = ["ROWS", "Row"]

ROWS: Mapping[str, Row] = {**NATIVE, **MANAGED, **DYNAMIC, **SHELL, **FUNCTIONAL, **DECLARATIVE}
