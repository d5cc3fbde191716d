"""Taking a file's text apart: chunks, symbols, imports, tags, front matter.

What takes it apart is loaded with the first text: where the index holds all that is asked, there is none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ctxpack.model import Import, ParsedFile

__all__ = ["exact", "outline", "resolve_imports"]


def outline(text: str, language: str, path: str = "") -> ParsedFile:
    """As ``parser.parse_cheaply``: by patterns or headings, for the index."""
    from ctxpack.parse import parser

    return parser.parse_cheaply(text, language, path)


def exact(text: str, language: str, path: str = "", seconds: float | None = None) -> ParsedFile:
    """As ``parser.parse_exactly``: by the syntax tree, within some seconds."""
    from ctxpack.parse import parser

    return parser.parse_exactly(text, language, path, seconds)


def resolve_imports(
    found: Mapping[str, tuple[Import, ...]], languages: Mapping[str, str], paths: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    """As ``imports.imported_files``: file -> the files that it imports."""
    from ctxpack.parse import imports

    return imports.imported_files(found, languages, paths)
