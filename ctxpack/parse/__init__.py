"""Taking a file's text apart: chunks, symbols, imports, tags, front matter.

What takes it apart is loaded with the first text: where the index holds all that is asked, there is none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ctxpack.model import Import, ParsedFile
from ctxpack.parse.enclosing import enclosing
from ctxpack.parse.module_names import module_map
from ctxpack.parse.tags import tag_choice

__all__ = ["enclosing", "exact", "module_map", "outline", "resolve_imports", "tag_choice"]


def outline(text: str, language: str, path: str = "") -> ParsedFile:
    """As ``parser.outline``: cheaply."""
    from ctxpack.parse import parser

    return parser.outline(text, language, path)


def exact(text: str, language: str, path: str = "") -> ParsedFile:
    """As ``parser.exact``: by the syntax tree."""
    from ctxpack.parse import parser

    return parser.exact(text, language, path)


def resolve_imports(
    imports: Mapping[str, tuple[Import, ...]], languages: Mapping[str, str], paths: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    """As ``resolve.resolve_imports``: file -> the files that it imports."""
    from ctxpack.parse import resolve

    return resolve.resolve_imports(imports, languages, paths)
