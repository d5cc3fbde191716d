"""Parse a file: chunks, symbols, imports, tags, front matter; ``languages`` has the facts of each language.

The parsers are loaded with the first text; where the index holds all that is asked, there is none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ctxpack.model import Import, ParsedFile
from ctxpack.system.clock import Deadline

__all__ = ["exact", "outline", "resolve_imports"]


def outline(text: str, language: str, path: str = "") -> ParsedFile:
    """Parse by patterns or headings, for the index, as ``parser.parse_cheaply`` does."""
    from ctxpack.parse import parser

    return parser.parse_cheaply(text, language, path)


def exact(text: str, language: str, path: str = "", deadline: Deadline | None = None) -> ParsedFile:
    """Parse by the syntax tree, until a deadline, as ``parser.parse_exactly`` does."""
    from ctxpack.parse import parser

    return parser.parse_exactly(text, language, path, deadline)


def resolve_imports(
    found: Mapping[str, tuple[Import, ...]],
    languages: Mapping[str, str],
    paths: Sequence[str],
    declared: Mapping[str, Sequence[Import]],
) -> dict[str, tuple[str, ...]]:
    """Find which files every file imports, as ``imports.imported_files`` does."""
    from ctxpack.parse import imports

    return imports.imported_files(found, languages, paths, declared)
