"""A file's text -> ParsedFile, cheaply or exactly."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from itertools import accumulate, takewhile
from typing import Final

from ctxpack.light import lazy_pattern, replace
from ctxpack.model import Chunk, ParsedFile, Symbol
from ctxpack.parse.chunking import LONGEST_CHUNK, VALUES, cut_code, cut_sections, cut_tables, indentation
from ctxpack.parse.definitions import find_by_patterns, kind_within, with_comments_below
from ctxpack.parse.imports import find_imports
from ctxpack.parse.languages import Language, find_language
from ctxpack.parse.languages.modules import declared_modules
from ctxpack.parse.languages.record import SLASHES
from ctxpack.parse.metadata import find_tags, read_front_matter
from ctxpack.system.clock import TREE_SECONDS, Deadline, Timekeeper
from ctxpack.text import lines_of

_SCRIPT = lazy_pattern(r"<script\b[^>]{0,1000}+>", re.IGNORECASE)
_END_OF_SCRIPT = lazy_pattern(r"</script\s{0,20}>", re.IGNORECASE)
_NOT_FEED = lazy_pattern(r"[^\n]+")
_EXPORT = lazy_pattern(  # `class API Name final : Base {`
    r"\b(?:class|struct|union|enum(?:[ \t]+class)?)[ \t]++([A-Z][A-Z0-9_]++(?:\([^()\n]{0,80}\))?)"
    r"(?=[ \t]+[A-Za-z_][^;(){}=]{0,400}+\{)"
)
_LIKE_EXPORT = tuple(lazy_pattern(rf"{word}[ \t]++[A-Z][A-Z0-9_]") for word in ("class", "struct", "union", "enum"))


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
    if record.sections and (sections := record.sections(text, 1)):
        cut = cut_sections if record.is_prose else cut_tables
        imports = declared_modules(text, path) or find_imports(text, record)
        return ParsedFile(cut(lines, sections), imports=imports, tags=find_tags(text))
    code = _code(text, record)
    symbols = find_by_patterns(code, lines, record.patterns) if record.patterns else []
    parsed = _parse_code(text, code, record, lines, symbols)
    declared = declared_modules(text, path)
    return replace(parsed, imports=declared) if declared else parsed


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
    code = _without_exports(_code(text, record)) if record.name in _WITH_MACROS else _code(text, record)
    openings = record.patterns.above if record.patterns else SLASHES
    try:
        its = deadline or Timekeeper().spending(TREE_SECONDS)
        symbols, is_broken = tree.find_by_tree(code, lines, openings, grammar, its)
    except tree.LateError:  # the result says so, and so does the report
        return replace(parse_cheaply(text, name, path), is_late=True)
    if record.patterns and record.name in _WITH_MACROS:
        if _may_be_out_of_step(symbols, lines):
            found = find_by_patterns(code, lines, record.patterns)
            symbols = found if _is_out_of_step(symbols, found, lines) else symbols
        symbols = [each for each in symbols if each.name not in _STATEMENTS]
    may_lose = is_broken or (record.name in _WITH_MACROS and _MACRO_WITH_BODY.search(code) is not None)
    if record.patterns and may_lose and _has_lost(symbols, lines):
        symbols = _with_lost(symbols, find_by_patterns(code, lines, record.patterns), lines)
    return _parse_code(text, code, record, lines, symbols, is_exact=True)


_MACRO_WITH_BODY = lazy_pattern(
    r"(?m)^[A-Z][A-Z0-9_]{2,60}\([^;{}]{0,300}\)\s{0,80}\{"
)  # such as TEST_CASE("a", "b") {
_GAP: Final = 12  # lines without a definition: behind an error a tree may miss the rest of a file
_LEAST_LOST: Final = 3  # lines of a definition that is taken from the patterns


def _has_lost(symbols: Sequence[Symbol], lines: Sequence[str]) -> bool:
    """Whether a tree with an error may lack definitions: it has none, a gap, or one that is indented in nothing."""
    alone = (each for each in symbols if each.name == each.qualified)
    is_torn = any(lines[each.start_line - 1][:1].isspace() for each in alone)
    return not symbols or is_torn or _has_gap(symbols, len(lines))


def _has_gap(symbols: Sequence[Symbol], last: int) -> bool:
    """Whether many lines in a row, of so many lines, are in none of some definitions; those above all do not count."""
    covered = symbols[0].start_line - 1 if symbols else 0
    for start, end in ((each.start_line, each.end_line) for each in symbols):
        if start - covered > _GAP:
            return True
        covered = max(covered, end)
    return last - covered > _GAP


def _with_lost(symbols: Sequence[Symbol], found: Sequence[Symbol], lines: Sequence[str]) -> list[Symbol]:
    """The definitions of a tree with those that only patterns found: the outer ones where it has none, and their parts.

    Of a class it may have some members alone. Where it ends one at no brace, and by pattern the one there does so
    before the next begins, that end counts.
    """
    starts = sorted(each.start_line for each in symbols)
    ends = [*accumulate((each.end_line for each in sorted(symbols, key=lambda each: each.start_line)), max)]
    outer = [each for each in found if each.name == each.qualified and each.name.isidentifier()]
    long = [each for each in outer if _is_worth_taking(each)]
    lost: list[Symbol] = []
    for each in long:
        before = bisect_right(starts, each.end_line)
        if not before or ends[before - 1] < each.start_line:
            lost.append(each)
    torn = [each for each in long if each not in lost and _is_closed(each, lines) and _has_only_parts(each, symbols)]
    symbols = _within(torn, symbols)
    closed = {(each.start_line, each.name): each for each in long if _is_closed(each, lines)}
    kept = []
    for each in symbols:
        whole = closed.get((each.start_line, each.qualified), each)
        is_torn = whole.end_line > each.end_line and not _is_closed(each, lines)
        is_free = bisect_right(starts, whole.end_line) == bisect_right(starts, each.end_line)
        kept.append(replace(each, end_line=whole.end_line) if is_torn and is_free else each)
    inner = [each for each in found if each.name != each.qualified]
    taken = sorted([*lost, *torn], key=lambda each: each.start_line)
    firsts = [each.start_line for each in taken]
    homes = ((each, bisect_right(firsts, each.start_line)) for each in inner)
    parts = [each for each, before in homes if before and each.end_line <= taken[before - 1].end_line]
    free = [each for each in parts if not any(_overlap(each, other) for other in (kept if torn else ()))]
    return sorted([*kept, *taken, *free], key=lambda each: (each.start_line, -each.end_line))


_TYPES: Final = frozenset(
    ("class", "enum", "extension", "interface", "object", "protocol", "record", "struct", "trait")
)


def _is_worth_taking(symbol: Symbol) -> bool:
    """Whether a definition by pattern is none of a value, and long enough or of a type."""
    height = symbol.end_line - symbol.start_line + 1
    return symbol.kind in _TYPES or (symbol.kind not in VALUES and height >= _LEAST_LOST)


def _has_only_parts(outer: Symbol, symbols: Sequence[Symbol]) -> bool:
    """Whether a tree has of a type only what is within it, and not the type itself."""
    its = [each for each in symbols if _overlap(each, outer)]
    is_inside = all(outer.start_line < each.start_line and each.end_line <= outer.end_line for each in its)
    return outer.kind in _TYPES and is_inside and outer.name not in {each.name for each in its}


def _within(types: Sequence[Symbol], symbols: Sequence[Symbol]) -> list[Symbol]:
    """The definitions with the names of the types that they stand in."""
    found: list[Symbol] = []
    for each in symbols:
        home = next((its for its in types if _overlap(each, its)), None)
        name, kind = (f"{home.name}.", kind_within(each.kind, home.kind)) if home else ("", each.kind)
        found.append(replace(each, qualified=f"{name}{each.qualified}", kind=kind))
    return found


def _overlap(one: Symbol, other: Symbol) -> bool:
    """Whether two definitions have a line in common."""
    return one.start_line <= other.end_line and other.start_line <= one.end_line


def _without_exports(code: str) -> str:
    """Return code of C with blanks for a macro between ``class`` and a name: a tree takes the rest for a function."""
    if not any(pattern.search(code) for pattern in _LIKE_EXPORT):  # each begins with a word, and is found by that
        return code

    def blank(match: re.Match[str]) -> str:
        return match[0][: match.start(1) - match.start()] + " " * len(match[1])

    return _EXPORT.sub(blank, code)


_WITH_MACROS: Final = frozenset({"c", "cpp"})
_KEYWORDS: Final = frozenset({"else", "struct", "class", "union", "enum"})
_STATEMENTS: Final = frozenset({"if", "for", "while", "switch", "return"})  # what a macro before them makes a name
_BEYOND: Final = 3  # lines
_CLOSED: Final = ("}", "};")


def _may_be_out_of_step(symbols: Sequence[Symbol], lines: Sequence[str]) -> bool:
    """Whether the patterns can show that the tree is out of step: in most files of C nothing closes too early.

    They can where it takes a keyword for a name, or a definition goes on behind a brace at its own indentation.
    """
    closed = defaultdict[int, list[int]](list)  # the lines with a brace alone, by their indentation
    for number, line in enumerate(lines, 1):
        if line.strip() in _CLOSED:
            closed[indentation(line)].append(number)
    for each in symbols:
        numbers = range(each.start_line, each.end_line)
        head = next((at for at in numbers if lines[at - 1].strip().startswith(each.signature)), each.end_line)
        braces = closed[indentation(lines[head - 1])]
        behind = bisect_right(braces, head)
        if each.name in _KEYWORDS or any(brace + _BEYOND < each.end_line for brace in braces[behind : behind + 1]):
            return True
    return False


def _is_out_of_step(symbols: Sequence[Symbol], found: Sequence[Symbol], lines: Sequence[str]) -> bool:
    """Whether the tree takes a keyword for a name, or a definition goes on far behind the brace that closes it.

    A macro before a constructor, or behind ``class``, can do that to the rest of a file. ``found`` are the definitions
    by pattern.
    """
    likely = {(each.name, each.signature): each for each in found}
    pairs = ((each, likely.get((each.name, each.signature), each)) for each in symbols)
    return any(
        each.name in _KEYWORDS or (other.end_line + _BEYOND < each.end_line and _is_closed(other, lines))
        for each, other in pairs
    )


def _is_closed(symbol: Symbol, lines: Sequence[str]) -> bool:
    """Whether a definition ends with a brace that is indented as its first line is."""
    *body, last = lines[symbol.start_line - 1 : symbol.end_line]
    heads = (line for line in body if line.strip().startswith(symbol.signature))
    return last.strip() in _CLOSED and indentation(last) == next(map(indentation, heads), -1)


def _dialect(name: str, path: str) -> Language:
    record = find_language(name)
    return find_language("tsx") if record.name == "typescript" and path.endswith(".tsx") else record


def _parse_code(
    text: str, code: str, record: Language, lines: Sequence[str], symbols: Sequence[Symbol], *, is_exact: bool = False
) -> ParsedFile:
    if record.patterns and record.patterns.below:
        symbols = with_comments_below(symbols, lines, record.patterns.below)
    chunks = _with_module_document(lines, cut_code(lines, symbols))
    if record.has_pages:
        chunks = _with_pages(text, lines, chunks, symbols)
    given = frozenset(record.given_names.split())
    imports, tags = find_imports(code, record), find_tags(text)
    return ParsedFile(chunks, tuple(symbols), imports, tags, is_exact=is_exact, given_names=given)


_INNER: Final = "//!"  # begins a line of what documents the whole file, in Markdown
_LATEST: Final = 30  # lines, in which it begins


def _with_module_document(lines: Sequence[str], chunks: Sequence[Chunk]) -> tuple[Chunk, ...]:
    """Cut a long document of a module at its headings, as if it were a file of its own: one section a chunk."""
    start = next((at for at, line in enumerate(lines[:_LATEST]) if line.startswith(_INNER)), None)
    if start is None:
        return tuple(chunks)
    document = [_document_line(line) for line in takewhile(_is_inner, lines[start:])]
    while not document[-1].strip():
        document.pop()
    read = find_language("markdown").headings
    headings = read("\n".join(document), 1) if read and len(document) > LONGEST_CHUNK else ()
    if not headings:
        return tuple(chunks)
    return _with_sections(chunks, cut_sections(document, headings), start + 1, start + len(document))


def _with_sections(chunks: Sequence[Chunk], sections: Sequence[Chunk], start: int, end: int) -> tuple[Chunk, ...]:
    """Put the ``sections`` of the lines ``start..end``, counted from there, in place of what these lines are in."""
    above = [replace(each, end_line=min(each.end_line, start - 1)) for each in chunks if each.start_line < start]
    below = [replace(each, start_line=max(each.start_line, end + 1)) for each in chunks if each.end_line > end]
    moved = [
        replace(each, start_line=each.start_line + start - 1, end_line=each.end_line + start - 1) for each in sections
    ]
    return (*above, *moved, *below)


_PAGE = lazy_pattern(
    r"^=[a-z][^\n]*+(?>(?:\n(?!=cut\b)[^\n]*+)*)(?:\n=cut\b[^\n]*+)?(?>(?:\n[ \t]*+(?=\n|\Z))*)", re.MULTILINE
)


def _with_pages(
    text: str, lines: Sequence[str], chunks: Sequence[Chunk], symbols: Sequence[Symbol]
) -> tuple[Chunk, ...]:
    """Cut the documents in POD at their headings, but for what belongs to the definition below them."""
    read = find_language("pod").headings
    kept, start, counted = tuple(chunks), 1, 0
    taken = {number for each in symbols for number in range(each.start_line, each.end_line + 1)}
    for match in _PAGE.finditer(text) if read else ():
        start += text.count("\n", counted, match.start())
        counted = match.start()
        after = min(start + match[0].count("\n"), len(lines)) + 1
        end = next((number for number in range(start, after) if number in taken), after) - 1
        if read and end >= start:
            page = lines[start - 1 : end]
            kept = _with_sections(kept, cut_sections(page, read("\n".join(page), 1)), start, end)
    return kept


def _is_inner(line: str) -> bool:
    """Whether a line is of the document, or an attribute of the module within it."""
    return line.startswith((_INNER, "#![")) or not line.strip()


def _document_line(line: str) -> str:
    return line[len(_INNER) :].removeprefix(" ") if line.startswith(_INNER) else ""


def _code(text: str, record: Language) -> str:
    """Return the part of a text that is code: documents are blanked, and what is outside of ``<script>`` elements.

    The lines keep their numbers.
    """
    if record.has_pages:
        return _PAGE.sub(lambda match: _NOT_FEED.sub("", match[0]), text)
    if not record.has_script_element:
        return text
    parts: list[str] = []
    position = 0
    while (start := _SCRIPT.search(text, position)) and (end := _END_OF_SCRIPT.search(text, start.end())):
        parts += (_NOT_FEED.sub("", text[position : start.end()]), text[start.end() : end.start()])
        position = end.start()
    parts.append(_NOT_FEED.sub("", text[position:]))
    return "".join(parts)
