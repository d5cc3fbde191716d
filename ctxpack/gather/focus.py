"""The place in a file that a request is about: a cursor, selected lines or a definition, and its surroundings.

And the fields of long declarations, the keys of settings and the options that it names; and the block that some lines
are torn from.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ctxpack.discover.traits import is_completion
from ctxpack.errors import UsageError, suggest
from ctxpack.index import IndexView
from ctxpack.light import dataclass, lazy_pattern
from ctxpack.model import Chunk, Lane, ParsedFile, Query, Request, Scope, SourceFile, Symbol
from ctxpack.parse.chunking import CONTAINERS, indentation
from ctxpack.parse.languages import find_language
from ctxpack.query.lookups import options_with_long_names
from ctxpack.query.subtokens import options_of, raw_words, split
from ctxpack.text import last_name

Span = tuple[int, int]

_DOCUMENTATION = lazy_pattern(r'(?:"""|\'\'\')(?:[^"\']|["\'](?!["\']{2}))*(?:"""|\'\'\')')
_OVERLOAD = lazy_pattern(r"\s*(?:@.*\n\s*)*@(?:\w+\.)*overload\b")
_NO_BODY = lazy_pattern(r":[ \t]{0,80}(?:#[^\n]{0,400})?\s{0,80}(?:\.\.\.|pass)\Z")
_NAMED = 3  # names that are suggested
_ALIKE = 0.8  # difflib's ratio from which a qualified name is the one that was meant


@dataclass(frozen=True, slots=True)
class Place:
    """The requested lines of a file, and the definitions around them, the outermost first."""

    file: SourceFile
    span: Span
    how: str  # cursor | selection | symbol
    around: tuple[Symbol, ...] = ()
    namesakes: tuple[Symbol, ...] = ()  # other definitions by the name that was asked for

    @property
    def innermost(self) -> Symbol | None:
        """The smallest definition that holds the place."""
        return self.around[-1] if self.around else None


def place_of(request: Request, view: IndexView) -> Place | None:
    """The place of a request; None if it names none, or a file that is not read.

    Raises UsageError for lines that the file does not have and, with similar names, for a symbol that it does not
    define.
    """
    file = view.files.get(request.path) if request.scope is Scope.FILE else None
    if file is None or not (request.line or request.lines or request.symbol):
        return None
    parsed = view.files.exact(file.path)
    if request.symbol:
        symbol, *others = _with_bodies_first(
            _symbols(request.symbol, file.path, parsed), view.files.all_lines(file.path)
        )
        around = _around(parsed, symbol.start_line, symbol)
        return Place(file, (symbol.start_line, symbol.end_line), "symbol", around, tuple(others))
    span = request.lines or (request.line, request.line)
    _check(span, len(view.files.all_lines(file.path)), file.path)
    how = "selection" if request.lines else "cursor"
    return Place(file, span, how, tuple(each for each in _around(parsed, span[0]) if each.end_line >= span[1]))


def section_of(parsed: ParsedFile, line: int) -> Chunk | None:
    """The section of a document or part of a file around a line."""
    return next((each for each in parsed.chunks if each.start_line <= line <= each.end_line), None)


def _check(span: Span, last: int, path: str) -> None:
    """Raise UsageError for lines that a file does not have; an empty file has one line, as in editors."""
    if not 1 <= span[0] <= span[1] <= max(last, 1):
        lines = f"line {span[0]}" if span[0] == span[1] else f"lines {span[0]} to {span[1]}"
        count = f"{last} {'line' if last == 1 else 'lines'}"
        raise UsageError(f"{path} has {count}, so there is no {lines}.", hint=f"Name lines from 1 to {max(last, 1)}.")


def _around(parsed: ParsedFile, line: int, within: Symbol | None = None) -> tuple[Symbol, ...]:
    """The definitions that contain a line or begin there, the outermost first."""
    holding = [each for each in parsed.symbols if each.start_line <= line <= each.end_line]
    if within is not None:
        holding = [each for each in holding if each.end_line >= within.end_line]
    return tuple(sorted(holding, key=lambda each: (each.start_line, -each.end_line, each.qualified)))


def _symbols(name: str, path: str, parsed: ParsedFile) -> list[Symbol]:
    """The definitions with a name, qualified or not: exact matches, else ignoring case, the outermost first."""
    wanted = _dotted_name(name)
    found = _symbols_named(wanted, parsed.symbols) or _symbols_named(wanted.lower(), parsed.symbols, is_folded=True)
    if found:
        return sorted(found, key=lambda each: (each.qualified.count("."), each.start_line))
    names = list(dict.fromkeys(each.qualified for each in parsed.symbols))
    if not names:
        raise UsageError(f"{path} defines nothing with a name.", hint="Name lines instead, by --line or --lines.")
    raise UsageError(
        f"{path} does not define {name!r}.", hint=suggest(_similar_names(wanted, names)) or _first_names(names)
    )


def _with_bodies_first(found: Sequence[Symbol], lines: Sequence[str]) -> list[Symbol]:
    """Sort definitions of one name, such as overloads: those with a body before those without."""
    first = found[0].qualified
    same = [each for each in found if each.qualified == first]
    return [*sorted(same, key=lambda each: is_stub(each, lines)), *(each for each in found if each.qualified != first)]


def is_stub(symbol: Symbol, lines: Sequence[str]) -> bool:
    """Whether a definition has no body: an overload, an abstract signature, a forward declaration."""
    text = "\n".join(lines[symbol.start_line - 1 : symbol.end_line])
    bare = _DOCUMENTATION.sub("", text).rstrip()
    return bool(_OVERLOAD.match(text)) or bool(_NO_BODY.search(bare)) or ("{" not in bare and bare.endswith(";"))


def _dotted_name(name: str) -> str:
    return name.strip().removesuffix("()").replace("::", ".").replace("#", ".").replace("->", ".")


def _symbols_named(name: str, symbols: Sequence[Symbol], *, is_folded: bool = False) -> list[Symbol]:
    names = {each: each.qualified.lower() if is_folded else each.qualified for each in symbols}
    return [each for each in symbols if names[each] == name or names[each].endswith(f".{name}")]


def _similar_names(name: str, names: Sequence[str]) -> list[str]:
    import difflib

    whole = difflib.get_close_matches(name, names, n=1, cutoff=_ALIKE)
    if whole:
        return whole
    leaf = name.rpartition(".")[2].lower()
    by_leaf = {each: each.rpartition(".")[2].lower() for each in names}
    close = difflib.get_close_matches(leaf, list(dict.fromkeys(by_leaf.values())), n=_NAMED)
    return [each for each in names if by_leaf[each] in close][:_NAMED]


def _first_names(names: Sequence[str]) -> str:
    shown = [each for each in names if "." not in each][:_NAMED]
    return f"It defines {', '.join(shown)}{' and more' if len(names) > len(shown) else ''}."


def home_names(symbols: Sequence[Symbol]) -> dict[str, str]:
    """Each qualified name with that of the innermost definition of the same file around it, empty for an outer one."""
    known = {each.qualified for each in symbols}
    return {name: _home_name(name, known) for name in known}


def _home_name(name: str, known: set[str]) -> str:
    while name := name.rpartition(".")[0]:
        if name in known:
            return name
    return ""


def wrappers(symbols: Sequence[Symbol]) -> frozenset[str]:
    """The qualified names of the outer definitions of a file that say nothing of what is in them.

    They are namespaces, the modules and reopened classes around nothing but one class or the like, and the heads of
    methods of a type that is declared in another file.
    """
    homes = home_names(symbols)
    members: dict[str, set[str]] = {}
    containers = {each.qualified for each in symbols if each.kind in CONTAINERS}
    for name, home in homes.items():
        members.setdefault(home, set()).add(name)
    declared = {each.qualified for each in symbols if each.kind != "impl"}
    found: set[str] = set()
    for each in sorted(symbols, key=lambda each: len(each.qualified)):
        inner = members.get(each.qualified, set())
        is_reopened = each.kind == "module" or each.signature == f"class {each.name}"
        is_around_one = is_reopened and len(inner) == 1 and inner <= containers
        is_head = each.kind == "namespace" or each.qualified not in declared
        if homes[each.qualified] in {"", *found} and inner and (is_head or is_around_one):
            found.add(each.qualified)
    return frozenset(found)


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a long declaration: its name, and its lines with the comment and the attributes above it."""

    name: str
    file: SourceFile
    span: Span
    home: Symbol


_LONG = 40  # lines of a declaration in which a field is no more than a line among others
_MOST_FIELDS, _MOST_HOLDING, _MOST_HOMES = 3, 60, 3  # names of a request; chunks with one, types that declare it
_SAID = 0.8  # weight of an identifier from which it is not only in a pasted command or a traceback
_MOST_DEFINING = 12  # files that define a name in any case
_TYPES = frozenset("class struct interface trait type record protocol object message union".split())  # noqa: SIM905
_ABOVE_FIELD = 12  # lines of comment and attributes
_IS_ABOVE = lazy_pattern(r"[ \t]*(?:#|@|//|/?\*|--|\[)")


def fields_named(query: Query, view: IndexView, ranked: Sequence[str]) -> list[Field]:
    """The fields of long declarations that a request names by more than one word, if few types have one of the name.

    An option of a command line is a field in some languages: ``dry_run`` for ``--dry-run``.

    Types of one name, such as those that are made from a schema, are one: that of the file that is ``ranked`` best.
    """
    said, found = {*raw_words(query.text), *options_of(query.text)}, list[Field]()
    ranks = {path: rank for rank, path in reversed([*enumerate(ranked)])}
    is_said = {name for name, weight in query.identifiers.items() if weight >= _SAID and name in said}
    names = sorted(name for name in is_said if len(split(name)) > 1)
    for name in names[:_MOST_FIELDS]:
        if not _is_defined(name, view):
            fields = sorted(_fields_of_name(name, view), key=lambda each: -ranks.get(each.file.path, len(ranks)))
            homes = {last_name(each.home.qualified): each for each in fields}
            found += [homes[home] for home in homes if len(homes) <= _MOST_HOMES or home in said]
    return found


def _is_defined(name: str, view: IndexView) -> bool:
    """Whether code defines a name exactly so, and not only a constant in capitals: then ranking finds it."""
    files = [view.files[number] for number in view.postings.file_terms("definition", name.lower()).docs.tolist()]
    symbols = (view.files.exact(each.path).symbols for each in files[:_MOST_DEFINING] if each.kind.lane is Lane.CODE)
    return len(files) > _MOST_DEFINING or any(each.name == name for found in symbols for each in found)


def _fields_of_name(name: str, view: IndexView) -> Iterator[Field]:
    """The first line with a name in each long declaration of code that has it outside its methods."""
    postings, written = view.postings, re.escape(name)
    word = re.compile(  # with a type or a value behind it, or a type before it; Go has no sign between them
        rf"(?:[^\"'.:]|::){{0,120}}(?<![\w.\"':])[*&]?{written}(?:[?!]?[ \t]{{0,9}}[:=;]|\[)"
        rf"|[ \t]{{0,40}}(?:[\w.*<>()&]{{1,60}}[ \t]{{1,9}}){{0,2}}[*&]?{written}[ \t]{{0,9}},"  # more is a sentence
        rf"|[ \t]{{0,40}}{written}[ \t]{{1,40}}[\w.*()\[\]{{}}]{{1,80}}[ \t]{{0,40}}(?:[`/]|$)"
    )
    numbers = postings.chunks_with_all("word", [name.lower()]).tolist()
    files = dict.fromkeys(view.files[int(postings.chunk_file[each])] for each in numbers[:_MOST_HOLDING])
    for file in (each for each in files if each.kind.lane is Lane.CODE and not each.traits):
        lines, homes = view.files.all_lines(file.path), set[Symbol]()
        for number, line in enumerate(lines, 1):
            if name not in line or not word.match(line):  # most files only use it: they need not be parsed
                continue
            if _is_comment(line, file) or line.lstrip().startswith(("#", "@")):
                continue
            home = view.files.exact(file.path).enclosing(number, number)
            if home in homes or home is None or home.kind not in _TYPES or home.end_line - home.start_line < _LONG:
                continue
            homes.add(home)
            yield Field(name, file, (_first_above(lines, number, home), number), home)


def _is_comment(line: str, file: SourceFile) -> bool:
    """Whether a line of code is nothing but a comment."""
    return line.lstrip().startswith((*find_language(file.language).comments, "*"))


def _first_above(lines: Sequence[str], number: int, home: Symbol) -> int:
    """The first line of what belongs to a field and stands above it."""
    start = number
    while start > max(number - _ABOVE_FIELD, home.start_line + 1) and _IS_ABOVE.match(lines[start - 2]):
        start -= 1
    return start


_MOST_WITH_KEY, _MOST_WITH_CONSTANT = 60, 80  # chunks with a key of a setting, with the constant for it
_GIVES_DEFAULT = lazy_pattern(r"\.?(?:define\w{0,20}|[sS]etting|option)\(|default", re.IGNORECASE)
_READS = lazy_pattern(r"\b(?:get|read|has|is|fetch|lookup)\w{0,20}\(", re.IGNORECASE)
_IMPORTS = lazy_pattern(r"[ \t]{0,20}(?:import|from|use|using|export)\b")


def constant_for(key: str, view: IndexView) -> tuple[str, SourceFile, int] | None:
    """The constant of code whose value is a key, or else ends with most of one behind another, and its line."""
    parts = key.split(".")
    ends = "|".join(re.escape(".".join(parts[at:])) for at in range(1, len(parts) - 1))
    named = re.compile(
        rf"\b(?P<name>[A-Za-z_]\w{{2,60}})(?:[ \t]{{0,9}}:[ \t]{{0,9}}[\w.]{{1,40}})?[ \t]{{0,9}}:?=[\w.(\s]{{0,80}}"
        rf"(?:(?P<whole>[\"']{re.escape(key)}[\"'])|\+\s{{0,40}}[\"']\.?(?:{ends})[\"'])"
    )
    words = [part for each in parts[1:] for part in split(each)]
    found = [
        (not match["whole"], match["name"], file, first + text.count("\n", 0, match.start()))
        for file, first, text in _code_with(view, "sub", words, _MOST_WITH_KEY)
        for match in named.finditer(text)
    ]
    return min(found, key=lambda each: each[0])[1:] if found else None


def uses_of_constant(name: str, view: IndexView) -> list[tuple[SourceFile, int]]:
    """The lines of code that use a constant: what gives its setting a default, then what reads it, then the others."""
    word = re.compile(rf"\b{name}\b(?![ \t]{{0,4}}(?::[ \t]*[\w.]{{1,40}})?[ \t]{{0,4}}:?=(?!=))")
    ranks: list[tuple[int, int, SourceFile, int]] = []
    seen: set[tuple[int, SourceFile]] = set()
    for file, first, text in _code_with(view, "word", [name.lower()], _MOST_WITH_CONSTANT):
        for at, line in enumerate(text.split("\n"), first):
            if word.search(line) and not _IMPORTS.match(line):
                rank = 0 if _GIVES_DEFAULT.search(line) else 1 if _READS.search(line) else 2
                ranks.append((rank + 3 * ((rank, file) in seen), len(ranks), file, at))
                seen.add((rank, file))
    return [(file, at) for _, _, file, at in sorted(ranks, key=lambda each: each[:2])]


def _code_with(view: IndexView, field: str, terms: Sequence[str], most: int) -> list[tuple[SourceFile, int, str]]:
    """The chunks of code, no tests, that hold all of some terms: file, first line and text; none of too many."""
    postings, files = view.postings, view.files
    numbers = postings.chunks_with_all(field, terms).tolist()
    found = [(files[int(postings.chunk_file[each])], postings.chunk(each)) for each in numbers]
    own = [(file, chunk) for file, chunk in found if file.kind.lane is Lane.CODE and not file.traits]
    texts = ((file, each.start_line, files.lines(file.path, each.start_line, each.end_line)) for file, each in own)
    return [*texts] if len(own) <= most else []


_MOST_OPTIONS, _MOST_WITH_OPTION, _MOST_NAMING = 2, 200, 4  # options of a request; chunks with its words; lines


def options_named(query: Query, view: IndexView) -> list[tuple[str, SourceFile, int]]:
    """The lines of code that name an option of several words that a request says, such as ``--dry-run``.

    Each with the option and its file; none of an option that many lines name, nor where a request says many options. Of
    an option of one letter, the lines that have both of its names.
    """
    options = [name.replace("_", "-") for name in options_of(query.text) if query.identifiers.get(name, 0.0) >= _SAID]
    several = {each: re.compile(rf"(?:[\"'`]|--){re.escape(each)}(?![\w-])") for each in options}
    wanted = several if len(several) <= _MOST_OPTIONS else {}
    for letter, name in options_with_long_names(query.text):
        long = rf"(?:[\"'`]|--){re.escape(name)}(?![\w-])"
        short = rf"(?<![\w-])-{letter}(?![\w-])|[\"']{letter}[\"']"
        wanted[name] = re.compile(rf"(?:{short}).{{0,60}}?{long}|{long}.{{0,60}}?(?:{short})")
    found: list[tuple[str, SourceFile, int]] = []
    for option, written in wanted.items():
        lines = [
            (option, file, at)
            for file, first, text in _code_with(view, "sub", split(option), _MOST_WITH_OPTION)
            for at, line in enumerate(text.split("\n"), first)
            if written.search(line) and not _is_comment(line, file) and not is_completion(file.path)
        ]
        found += lines if len(lines) <= _MOST_NAMING else ()
    return found


_CLOSER = lazy_pattern(r"\s*(?:[)\]}]|(?:end|else|elif|elsif|except|rescue|ensure|catch|finally|fi|done|esac)\b)")
_AT_MARGIN = lazy_pattern(r"\s*(?:#|$)")  # a line of the preprocessor is there wherever it stands; so is many a comment


def torn_block(lines: Sequence[str], start: int, end: int) -> Span | None:
    """The block of code of which the lines ``start..end`` have only one end, with these lines; None if there is none.

    It is told by indentation: where no definition begins, a tree knows no name for what a function or a literal holds.
    """
    told = [(at, indentation(lines[at - 1])) for at in _telling(lines, range(start, end + 1))]
    if not told:
        return None
    below = next(_telling(lines, range(end + 1, len(lines) + 1)), None)
    first, last = start, end
    if start > 1 and any(depth < told[0][1] and _CLOSER.match(lines[at - 1]) for at, depth in told):
        first = _edge(lines, range(start - 1, 0, -1), min(depth for _, depth in told))
    if below is not None:
        is_closed = _CLOSER.match(lines[below - 1]) is not None
        within = indentation(lines[below - 1]) + is_closed  # what a line that closes ends began at its own depth
        opened = [depth for _, depth in told if depth < within]
        if opened and (not is_closed or within <= told[-1][1]):
            last = _edge(lines, range(below, len(lines) + 1), min(opened))
            last -= not _CLOSER.match(lines[last - 1])
    return (first, max(last, end)) if (first, last) != (start, end) else None


def _telling(lines: Sequence[str], numbers: range) -> Iterator[int]:
    """Those of some lines whose indentation tells something."""
    return (at for at in numbers if not _AT_MARGIN.match(lines[at - 1]))


def _edge(lines: Sequence[str], numbers: range, depth: int) -> int:
    """The first of some lines that stands no further right than ``depth``, else the last one."""
    return next((at for at in _telling(lines, numbers) if indentation(lines[at - 1]) <= depth), numbers[-1])
