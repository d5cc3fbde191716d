"""The definition table: language -> row, one module a family of languages."""

from __future__ import annotations

from collections.abc import Mapping

from ctxpack.parse.patterns.declarative import DECLARATIVE
from ctxpack.parse.patterns.dynamic import DYNAMIC
from ctxpack.parse.patterns.functional import FUNCTIONAL
from ctxpack.parse.patterns.managed import MANAGED
from ctxpack.parse.patterns.native import NATIVE
from ctxpack.parse.patterns.row import Row
from ctxpack.parse.patterns.shell import SHELL

__all__ = ["ROWS", "Row"]

ROWS: Mapping[str, Row] = {**NATIVE, **MANAGED, **DYNAMIC, **SHELL, **FUNCTIONAL, **DECLARATIVE}
