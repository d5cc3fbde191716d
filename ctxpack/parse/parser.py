"""A file's text -> ParsedFile, cheaply or exactly."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ctxpack.languages import Language, find_language
from ctxpack.languages.record import SLASHES
from ctxpack.light import lazy_pattern, replace
from ctxpack.model import ParsedFile, Symbol
from ctxpack.parse.chunks import cut_code, cut_sections
from ctxpack.parse.definitions import find_by_patterns
from ctxpack.parse.imports import find_imports
from ctxpack.parse.metadata import find_tags, read_front_matter
from ctxpack.system.clock import TREE_SECONDS, Deadline, Timekeeper
from ctxpack.text import lines_of

_SCRIPT = lazy_pattern(r"<script\b[^>]{0,1000}+>", re.IGNORECASE)
_END_OF_SCRIPT = lazy_pattern(r"</script\s{0,20}>", re.IGNORECASE)
_NOT_FEED = lazy_pattern(r"[^\n]+")


def parse_cheaply(text: str, name: str, path: str = "") -> ParsedFile:
    """Return the cheap outline of ``text``: chunks at definitions found by pattern, or at headings, or windows.

    ``name`` is a language such as ``SourceFile.language``; ``path`` only helps to tell dialects apart.
    """
    record = _dialect(name, path)
    lines = lines_of(text)
    if record.headings:
        front_matter, first_line = read_front_matter(text)
        chunks = cut_sections(lines, record.headings(text, first_line))
        return ParsedFile(chunks, tags=find_tags(text), front_matter=front_matter)
    code = _code(text, record)
    symbols = find_by_patterns(code, lines, record.patterns) if record.patterns else []
    return _parse_code(text, code, record, lines, symbols)


def parse_exactly(text: str, name: str, path: str = "", deadline: Deadline | None = None) -> ParsedFile:
    """Return ``text`` with boundaries from its syntax tree.

    That is the outline where no grammar can be loaded, and, marked as late, where the tree takes longer than it may:
    some seconds of processor time, if no deadline is given.
    """
    from ctxpack.parse import tree

    record = _dialect(name, path)
    grammar = tree.load_grammar(record.grammar) if record.grammar else None
    if grammar is None:
        return parse_cheaply(text, name, path)
    lines = lines_of(text)
    code = _code(text, record)
    openings = record.patterns.above if record.patterns else SLASHES
    try:
        symbols = tree.find_by_tree(code, lines, openings, grammar, deadline or Timekeeper().spending(TREE_SECONDS))
    except tree.LateError:  # the result says so, and so does the report
        return replace(parse_cheaply(text, name, path), is_late=True)
    return _parse_code(text, code, record, lines, symbols, is_exact=True)


def _dialect(name: str, path: str) -> Language:
    record = find_language(name)
    return find_language("tsx") if record.name == "typescript" and path.endswith(".tsx") else record


def _parse_code(
    text: str, code: str, record: Language, lines: Sequence[str], symbols: Sequence[Symbol], *, is_exact: bool = False
) -> ParsedFile:
    chunks = cut_code(lines, symbols)
    return ParsedFile(chunks, tuple(symbols), find_imports(code, record), find_tags(text), is_exact=is_exact)


def _code(text: str, record: Language) -> str:
    """Return the part of a text that is code, with everything outside ``<script>`` elements blanked where it has such.

    The lines keep their numbers.
    """
    if not record.has_script_element:
        return text
    parts: list[str] = []
    position = 0
    while (start := _SCRIPT.search(text, position)) and (end := _END_OF_SCRIPT.search(text, start.end())):
        parts += (_NOT_FEED.sub("", text[position : start.end()]), text[start.end() : end.start()])
        position = end.start()
    parts.append(_NOT_FEED.sub("", text[position:]))
    return "".join(parts)
