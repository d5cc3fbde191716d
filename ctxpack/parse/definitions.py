"""The cheap outline: definitions found by pattern, good enough to index every file of a repository."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from ctxpack.light import dataclass, lazy_pattern, replace
from ctxpack.model import Symbol
from ctxpack.parse.chunking import closes, indentation
from ctxpack.parse.languages.record import Patterns

_ONE_LINERS = frozenset({"constant", "variable", "field", "type", "macro", "task"})
_FUNCTIONS = frozenset({"function", "method", "macro", "constructor", "modifier", "test"})
_BY_LAYOUT = ("indent", "layout", "form")
_OPENERS = ("{", "(", "[", "=", ",", "\\", "|", "<", "&", "+", "`", "=>", "->", "do")

_METHOD_HOLDERS = frozenset(
    {"class", "struct", "interface", "trait", "object", "impl", "enum", "protocol", "extension", "mixin", "union"}
)
_SEPARATORS = lazy_pattern(r"::|[.:#](?=\w)")
_INDEXED = lazy_pattern(r"\[['\"]([^'\"]*)['\"]\]|(\w+)")
LONGEST_SIGNATURE = 200
_BRACE: Final = Patterns(()).closer
_INDENT: Final = 1  # the group of a pattern that has the indentation
_MOST_NAMESPACES = 500  # of a file whose ends are looked for up to its end
_TOP = r"(?<=\n)"
_FLAT = r"[^();]*+"
_ARGS = rf"\({_FLAT}(?>(?:\({_FLAT}(?>(?:\({_FLAT}(?>(?:\({_FLAT}\){_FLAT})*)\){_FLAT})*)\){_FLAT})*)\)"
_CAPITALS = lazy_pattern(r"(TOP|ARGS|OWNER|NAME|WORD|QUOTED)")


@dataclass(frozen=True, slots=True)
class _Compiled:
    """Patterns as one expression; ``kinds`` maps the group that matched to (symbol kind, group of the owner or 0)."""

    pattern: re.Pattern[str]
    kinds: Mapping[int, tuple[str, int]]


@dataclass(slots=True)
class _Found:
    """A definition in the making.

    ``head`` is the line where it begins, ``line`` the one with its name; ``after`` is the offset behind the name (of
    its last clause, in the text with a leading line feed) and ``tail`` the line of that offset.
    """

    name: str
    kind: str
    owner: str
    indent: int
    head: int
    line: int
    after: int
    tail: int
    start: int = 0
    end: int = 0
    qualified: str = ""


def find_by_patterns(text: str, lines: list[str], patterns: Patterns) -> list[Symbol]:
    """Return the definitions of ``text``, sorted by start, inner ones inside outer ones."""
    padded = "\n" + text
    found = _matches(padded, _compile(patterns))
    if DOCSTRING_MARK in patterns.above:
        found = _outside_docstrings(found, lines)
    if patterns.clauses:
        found = _merge_clauses(found)
    _set_starts(found, lines, patterns)
    _set_ends(found, lines, padded, patterns)
    found = _qualify(found)
    return [
        Symbol(
            item.name,
            item.qualified,
            item.kind,
            item.start,
            item.end,
            lines[item.line - 1].strip()[:LONGEST_SIGNATURE],
        )
        for item in found
    ]


def with_comments_below(symbols: Sequence[Symbol], lines: Sequence[str], marks: tuple[str, str]) -> list[Symbol]:
    """Return the definitions with the comments directly below them, unless something follows without a blank line.

    ``marks`` are what such a comment begins and ends with.
    """
    return [replace(each, end_line=_end_of_comment(lines, each.end_line, marks)) for each in symbols]


def _end_of_comment(lines: Sequence[str], line: int, marks: tuple[str, str]) -> int:
    opening, closer = marks
    if not lines[line : line + 1] or not lines[line].lstrip().startswith(opening):
        return line
    reach = range(line + 1, min(line + _MOST_ABOVE, len(lines)) + 1)
    end = next((number for number in reach if lines[number - 1].rstrip().endswith(closer)), line)
    return end if all(map(closes, lines[end : end + 1])) else line


def _matches(padded: str, compiled: _Compiled) -> list[_Found]:
    found = []
    kinds, count = compiled.kinds, padded.count
    head, counted = 1, 1
    for match in compiled.pattern.finditer(padded):
        group = match.lastindex
        if group is None or group not in kinds:
            continue
        kind, owner_group = kinds[group]
        begin = match.start() + 1
        head += count("\n", counted, begin)
        counted = begin
        owner = (match[owner_group] or "") if owner_group else ""
        start, after = match.span(group)
        line = head + count("\n", begin, start)
        found.append(_Found(padded[start:after], kind, owner, match.end(_INDENT) - begin, head, line, after, line))
    return found


def _outside_docstrings(found: list[_Found], lines: list[str]) -> list[_Found]:
    """Leave out what an example in a docstring defines; nothing where a docstring does not end."""
    inside, is_inside = set[int](), False
    for number, line in enumerate(lines, 1):
        if line.count(DOCSTRING_MARK) % 2:
            is_inside = not is_inside
        elif is_inside:
            inside.add(number)
    return found if is_inside else [each for each in found if each.line not in inside]


def _merge_clauses(found: list[_Found]) -> list[_Found]:
    """Make one definition of neighbouring clauses."""
    kept: list[_Found] = []
    for item in found:
        last = kept[-1] if kept else None
        if last and last.name == item.name and last.indent == item.indent and item.kind in ("function", "macro"):
            last.after, last.tail = item.after, item.tail
        else:
            kept.append(item)
    return kept


def _qualify(found: list[_Found]) -> list[_Found]:
    """Give each its name with those that hold it; leave out the variables of functions."""
    stack: list[_Found] = []
    kept: list[_Found] = []
    for item in found:
        while stack and (stack[-1].end < item.line or _is_no_deeper(stack[-1], item)):
            stack.pop()
        outer = stack[-1] if stack else None
        if is_local(item.kind, outer.kind if outer else ""):
            continue
        kept.append(item)
        own = item.name
        if item.owner or not own.isidentifier():
            parts = parts_of(own, item.owner)
            item.name, own = parts[-1], ".".join(parts)
        item.qualified = own
        if outer:
            item.end = min(item.end, outer.end)
            item.qualified = f"{outer.qualified}.{own}"
            item.kind = kind_within(item.kind, outer.kind)
        stack.append(item)
    return kept


def _is_no_deeper(outer: _Found, item: _Found) -> bool:
    return outer.indent >= item.indent and outer.kind != "namespace"


def _set_starts(found: list[_Found], lines: list[str], patterns: Patterns) -> None:
    floor = 1
    for item in found:
        head = item.head  # a large header has hundreds of thousands of definitions with nothing between them
        item.start = first_line(lines, head, floor, patterns.above) if floor < head else head
        floor = item.tail + 1


def _set_ends(found: list[_Found], lines: list[str], padded: str, patterns: Patterns) -> None:
    following: list[tuple[int, int, int]] = []  # indentation, start and ``after`` of what comes later, nearest last
    wide = {id(item) for item in [each for each in found if each.kind == "namespace"][:_MOST_NAMESPACES]}
    for item in reversed(found):
        indent, tail = item.indent, item.tail
        while following and following[-1][0] > indent:
            following.pop()
        limit, horizon = (following[-1][1] - 1, following[-1][2]) if following else (len(lines), len(padded))
        if wide and id(item) in wide:
            end = limit = _namespace_end(item, lines, padded) if patterns.ends == "brace" else limit
        elif limit <= tail:
            end = tail
        else:  # what lies behind the horizon changes nothing
            end = min(_end(item, lines, padded, patterns, horizon), limit)
        while end > tail and not lines[end - 1].strip():
            end -= 1
        item.end = max(end, tail)
        following.append((indent, item.start, item.after))


def _namespace_end(item: _Found, lines: list[str], padded: str) -> int:
    """Return the line with the brace that closes a namespace, whose content is often not indented."""
    line_end = padded.find("\n", item.after)
    if ";" in padded[item.after : line_end if line_end > 0 else len(padded)]:
        return item.line
    margin = "\n" + lines[item.line - 1][: item.indent] + "}"
    marked = re.compile(rf"{margin}[ \t]*//[^\n]*\b{re.escape(item.name)}\b").search(padded, item.after)
    offset = marked.start() if marked else padded.rfind(margin, item.after)
    return item.line + padded.count("\n", item.after, offset + 1) if offset > 0 else len(lines)


def _end(item: _Found, lines: list[str], padded: str, patterns: Patterns, horizon: int) -> int:
    first = lines[item.tail - 1].rstrip()
    if patterns.ends == "brace" and first.lstrip().startswith("#"):
        return _last_continued(lines, item.tail)
    if _is_one_line(item, first, patterns):
        return item.tail
    by_layout = patterns.ends in _BY_LAYOUT or bool(patterns.inline and re.search(patterns.inline, first))
    if not by_layout and not item.indent and patterns.closer == _BRACE:  # as most of C: no pattern is as fast
        at = padded.find("\n}", item.after, max(horizon, item.after))
        return item.tail + padded.count("\n", item.after, at + 1) if at >= 0 else len(lines)
    ends = (patterns.ends if patterns.ends in _BY_LAYOUT else "layout") if by_layout else patterns.ends
    match = _ender(ends, patterns.closer, item.indent).search(padded, item.after, max(horizon, item.after))
    if match is None:
        return len(lines)
    line = item.tail + padded.count("\n", item.after, match.start() + 1)
    closes = match["closer"] is not None and match.end("indent") - match.start("indent") == item.indent
    return line if closes else line - 1


def _is_one_line(item: _Found, first: str, patterns: Patterns) -> bool:
    if patterns.ends in _BY_LAYOUT:
        return False
    if item.kind in _ONE_LINERS and not first.endswith(_OPENERS):
        return True
    if patterns.ends == "word":
        return False
    is_closed = first.endswith(("}", "};", "),")) and first.count("{") == first.count("}") > 0
    return first.endswith(";") or is_closed


def _last_continued(lines: list[str], line: int) -> int:
    while line < len(lines) and lines[line - 1].rstrip().endswith("\\"):
        line += 1
    return line


@cache
def _ender(ends: str, closer: str, indent: int) -> re.Pattern[str]:
    margin = rf"\n(?P<indent>[ \t]{{0,{indent}}})"
    if ends == "indent":
        return re.compile(margin + r"(?=[^\s)\]}#])(?P<closer>(?!))?")
    if ends == "form":
        return re.compile(margin + r"(?=[(;])(?P<closer>(?!))?")
    if ends == "layout":
        return re.compile(margin + rf"(?:(?P<closer>{closer})|(?=[^\s)\]}}{{#]))")
    has_letters = closer.lower() != closer.upper()  # without the flag the search for the end of a line is faster
    return re.compile(margin + rf"(?P<closer>{closer})", re.IGNORECASE if has_letters else 0)


@cache
def _compile(patterns: Patterns) -> _Compiled:
    kinds: dict[str, tuple[str, str]] = {}
    alternatives = []
    for number, (kind, written) in enumerate(patterns.definitions):
        group, owner = f"n{number}", f"o{number}"
        kinds[group] = (kind, owner if "OWNER" in written else "")
        words = {
            "TOP": _TOP,
            "ARGS": _ARGS,
            "OWNER": rf"(?P<{owner}>\w+)",
            "NAME": rf"(?P<{group}>{patterns.name})",
            "QUOTED": rf"['\"](?P<{group}>[^'\"\n]+)['\"]",
            "WORD": rf"(?P<{group}>[A-Za-z_$][\w$]*+)",
        }
        alternatives.append("".join(words.get(part, part) for part in _CAPITALS.split(written)))
    body = "|".join(alternatives)
    flags = re.IGNORECASE if patterns.ignore_case else 0
    made = re.compile(rf"\n([ \t]*+){patterns.guard}(?:{body})", flags)
    numbers = made.groupindex
    return _Compiled(made, {numbers[name]: (kind, numbers.get(owner, 0)) for name, (kind, owner) in kinds.items()})


def parts_of(name: str, owner: str = "") -> list[str]:
    """Split a written name such as ``Foo::bar``, ``M.foo`` or ``T['a']`` into its parts, with ``owner`` before them."""
    if "['" in name or '["' in name:
        parts = [quoted or word for quoted, word in _INDEXED.findall(name)]
    else:
        parts = [part for part in _SEPARATORS.split(name.replace("`", "")) if part]
    parts = parts or [name]
    return [owner, *parts] if owner else parts


def is_local(kind: str, enclosing_kind: str) -> bool:
    """Return whether what looks like a constant, or like a field of a type, is a variable of a function or a block."""
    if kind == "field":
        return enclosing_kind not in _METHOD_HOLDERS
    return kind in ("constant", "variable") and enclosing_kind in _FUNCTIONS


def kind_within(kind: str, enclosing_kind: str) -> str:
    """Return ``method`` for a function directly inside something that holds methods, else ``kind``."""
    return "method" if kind == "function" and enclosing_kind in _METHOD_HOLDERS else kind


_MOST_ABOVE = 80  # lines above a definition that may belong to it
_LONGEST_DOCSTRING = 30  # lines; a longer one above a definition is a page, and stands alone
DOCSTRING_MARK = '"""'  # alone on its line it ends what is above a definition in Julia, or behind @doc in Elixir
PAGE_END: Final = "=cut"  # ends a document in POD between code


def first_line(lines: list[str], line: int, floor: int, openings: tuple[str, ...]) -> int:
    """Return the first of the lines directly above ``line`` that belong to it, at least ``floor``.

    ``openings`` are what such lines begin with; comments, docstrings and decorators of several lines are followed to
    their start, and left out where that is too far up.
    """
    start = line
    lowest, has_pages = max(floor, line - _MOST_ABOVE), PAGE_END in openings
    while start > lowest:
        above = lines[start - 2].strip()
        if not above and not has_pages:
            break
        if has_pages and (page := _start_of_page(lines, start, lowest)):
            return page
        if above == DOCSTRING_MARK and DOCSTRING_MARK in openings:
            candidate = _start_of_docstring(lines, start - 2, max(lowest, start - _LONGEST_DOCSTRING))
        elif above.startswith(openings):
            start -= 1
            continue
        elif opening := _opening(above):
            candidate = _find_opening(lines, start - 2, lowest, opening)
        else:
            candidate = _start_of_attribute(lines, start - 1, lowest, openings)
        if not candidate or indentation(lines[candidate - 1]) > indentation(lines[line - 1]):
            break
        start = candidate
    return start


def _start_of_docstring(lines: list[str], last: int, lowest: int) -> int:
    """Return the last line up to ``last`` that can open a docstring; 0 for none."""
    return next((number for number in range(last, lowest - 1, -1) if DOCSTRING_MARK in lines[number - 1]), 0)


def _start_of_page(lines: list[str], start: int, lowest: int) -> int:
    """Return the heading of the section in POD that ends above ``start``, perhaps a blank line above it; 0 for none.

    Its own heading tells of a definition only below that of a chapter.
    """
    last = start - 1 if lines[start - 2].strip() or start - 1 <= lowest else start - 2
    if not lines[last - 1].startswith(PAGE_END):
        return 0
    found = _find_opening(lines, last - 1, lowest, ("=head", PAGE_END))
    return found if found and lines[found - 1].startswith("=head") and not lines[found - 1].startswith("=head1") else 0


def _start_of_attribute(lines: list[str], last: int, lowest: int, openings: tuple[str, ...]) -> int:
    """Return the line of an attribute that goes on to line ``last``, each further to the right; 0 for none."""
    number, height = last, indentation(lines[last])
    while number > lowest and lines[number - 1].strip() and indentation(lines[number - 1]) > height:
        number -= 1
    line = lines[number - 1]
    is_attribute = line.lstrip().startswith("@") and line.lstrip().startswith(openings)
    return number if number < last and is_attribute and indentation(line) == height else 0


def _find_opening(lines: list[str], candidate: int, lowest: int, opening: tuple[str, ...]) -> int:
    while candidate >= lowest and not lines[candidate - 1].lstrip().startswith(opening):
        candidate -= 1
    return candidate if candidate >= lowest else 0


def _opening(line: str) -> tuple[str, ...]:
    """Return how the construct begins that ``line`` may close: a block comment or a decorator of several lines."""
    if line.endswith("*/"):
        return ("/*",)
    if line.endswith("-}"):
        return ("{-",)
    if line.endswith("*)"):
        return ("(*",)
    if line in (")", "})", "])", ")]", "]"):
        return ("@", "#[")
    return ()
