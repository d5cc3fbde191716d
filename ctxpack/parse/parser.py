"""A file's text -> ParsedFile, cheaply or exactly."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ctxpack.languages import Language, find_language
from ctxpack.languages.record import SLASHES
from ctxpack.model import ParsedFile, Symbol
from ctxpack.parse import definitions
from ctxpack.parse.chunks import cut_code
from ctxpack.parse.front_matter import read_front_matter
from ctxpack.parse.imports import find_imports
from ctxpack.parse.sections import cut_sections
from ctxpack.parse.tags import find_tags
from ctxpack.text import lines_of

_SCRIPT = re.compile(r"<script\b[^>]*>(?P<body>.*?)</script\s*>", re.DOTALL | re.IGNORECASE)
_NOT_FEED = re.compile(r"[^\n]+")


def outline(text: str, name: str, path: str = "") -> ParsedFile:
    """Return the cheap outline of ``text``: chunks at definitions found by pattern, or at headings, or windows.

    ``name`` is a language such as ``SourceFile.language``; ``path`` only helps to tell dialects apart.
    """
    spoken = _dialect(name, path)
    lines = lines_of(text)
    if spoken.headings:
        front_matter, first_line = read_front_matter(text)
        chunks = cut_sections(lines, spoken.headings(text, first_line))
        return ParsedFile(chunks, tags=find_tags(text), front_matter=front_matter)
    code = _code(text, spoken)
    symbols = definitions.find_symbols(code, lines, spoken.patterns) if spoken.patterns else []
    return _parse_code(text, code, spoken, lines, symbols)


def exact(text: str, name: str, path: str = "") -> ParsedFile:
    """Return ``text`` with boundaries from its syntax tree; the outline where no grammar can be loaded."""
    from ctxpack.parse import tree

    spoken = _dialect(name, path)
    grammar = tree.load_grammar(spoken.grammar) if spoken.grammar else None
    if grammar is None:
        return outline(text, name, path)
    lines = lines_of(text)
    code = _code(text, spoken)
    openings = spoken.patterns.above if spoken.patterns else SLASHES
    symbols = tree.find_symbols(code, lines, openings, grammar)
    return _parse_code(text, code, spoken, lines, symbols, is_exact=True)


def _dialect(name: str, path: str) -> Language:
    spoken = find_language(name)
    return find_language("tsx") if spoken.name == "typescript" and path.endswith(".tsx") else spoken


def _parse_code(
    text: str, code: str, spoken: Language, lines: Sequence[str], symbols: Sequence[Symbol], *, is_exact: bool = False
) -> ParsedFile:
    chunks = cut_code(lines, symbols)
    return ParsedFile(chunks, tuple(symbols), find_imports(code, spoken), find_tags(text), is_exact=is_exact)


def _code(text: str, spoken: Language) -> str:
    """Return the part of a text that is code, with everything outside ``<script>`` elements blanked where it has such.

    The lines keep their numbers.
    """
    if not spoken.has_script_element:
        return text
    parts: list[str] = []
    position = 0
    for match in _SCRIPT.finditer(text):
        parts.append(_NOT_FEED.sub("", text[position : match.start("body")]))
        parts.append(match["body"])
        position = match.end("body")
    parts.append(_NOT_FEED.sub("", text[position:]))
    return "".join(parts)
