"""A file's text -> ParsedFile, cheaply or exactly."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ctxpack.model import Chunk, FrontMatter, ParsedFile, Symbol
from ctxpack.parse import asciidoc, definitions, markdown, restructuredtext
from ctxpack.parse.chunks import cut
from ctxpack.parse.front_matter import read_front_matter
from ctxpack.parse.imports import find_imports
from ctxpack.parse.languages import canonical
from ctxpack.parse.patterns.compiled import grammar
from ctxpack.parse.script import LANGUAGES, script_only
from ctxpack.parse.sections import Heading, sections
from ctxpack.parse.tags import find_tags
from ctxpack.text import lines_of

_MARKUP: Mapping[str, Callable[[str, int], list[Heading]]] = {
    "asciidoc": lambda text, _: asciidoc.headings(text),
    "markdown": markdown.headings,
    "restructuredtext": lambda text, _: restructuredtext.headings(text),
}


def outline(text: str, language: str, path: str = "") -> ParsedFile:
    """Return the cheap outline of ``text``: chunks at definitions found by pattern, or at headings, or windows.

    ``language`` is a name such as ``SourceFile.language``; ``path`` only helps to tell dialects apart.
    """
    name = _dialect(language, path)
    lines = lines_of(text)
    if name in _MARKUP:
        return _document(text, lines, name)
    code = script_only(text) if name in LANGUAGES else text
    known = grammar(name)
    symbols = definitions.find_symbols(code, lines, known) if known else []
    return _parsed(text, code, name, symbols, cut(lines, symbols))


def exact(text: str, language: str, path: str = "") -> ParsedFile:
    """Return ``text`` with boundaries from its syntax tree; the outline where no grammar can be loaded."""
    from ctxpack.parse import tree

    name = _dialect(language, path)
    loaded = tree.load(name)
    if loaded is None:
        return outline(text, language, path)
    lines = lines_of(text)
    code = script_only(text) if name in LANGUAGES else text
    symbols = tree.find_symbols(code, lines, name, loaded)
    return _parsed(text, code, name, symbols, cut(lines, symbols), is_exact=True)


def _dialect(language: str, path: str) -> str:
    name = canonical(language)
    if name == "typescript" and path.endswith(".tsx"):
        return "tsx"
    return name


def _document(text: str, lines: Sequence[str], name: str) -> ParsedFile:
    front_matter, first_line = read_front_matter(text)
    chunks = sections(lines, _MARKUP[name](text, first_line))
    return ParsedFile(chunks, tags=find_tags(text), front_matter=front_matter)


def _parsed(
    text: str, code: str, name: str, symbols: Sequence[Symbol], chunks: tuple[Chunk, ...], *, is_exact: bool = False
) -> ParsedFile:
    imports = find_imports(code, name)
    return ParsedFile(chunks, tuple(symbols), imports, find_tags(text), FrontMatter(), is_exact)
