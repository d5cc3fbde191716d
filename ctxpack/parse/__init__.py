"""Taking a file's text apart: chunks, symbols, imports, tags, front matter."""

from __future__ import annotations

from ctxpack.model import ParsedFile
from ctxpack.parse.chunks import cut
from ctxpack.parse.languages import canonical
from ctxpack.text import lines_of
from ctxpack.parse.outline import find_symbols
from ctxpack.parse.patterns import grammar


def outline(text: str, language: str, path: str = "") -> ParsedFile:
    """Return the cheap outline of ``text``: definitions by pattern, chunks at definitions or headings."""
    lines = lines_of(text)
    rows = grammar(canonical(language))
    symbols = find_symbols(text, lines, rows) if rows else []
    return ParsedFile(cut(lines, symbols), tuple(symbols))
