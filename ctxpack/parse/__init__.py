"""Taking a file's text apart: chunks, symbols, imports, tags, front matter."""

from __future__ import annotations

from ctxpack.parse.parser import enclosing, exact, outline
from ctxpack.parse.resolve import module_map, resolve_imports
from ctxpack.parse.tags import tag_choice

__all__ = ["enclosing", "exact", "module_map", "outline", "resolve_imports", "tag_choice"]
