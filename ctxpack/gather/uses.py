"""Who uses what: the names that a file defines, and where another file uses them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import accumulate

from ctxpack.gather.context import Context
from ctxpack.gather.place import Span
from ctxpack.gather.place_lines import names_at
from ctxpack.model import Chunk, ParsedFile
from ctxpack.query.tokens import find_words, stem_of

_SHORTEST = 3  # letters of a name that says something
_AROUND = 6  # lines before and behind a use that stands in something long
_LONG = 60  # lines


def names_of(context: Context, path: str) -> tuple[str, ...]:
    """The names that a file defines for others: its outermost definitions, else the name of the file itself.

    Those around the place of the request come first.
    """
    symbols = context.view.files.exact(path).symbols
    outer = [item.name for item in symbols if item.name == item.qualified and not item.name.startswith("_")]
    near = names_at(context) if context.place and context.place.file.path == path else ()
    names = tuple(dict.fromkeys(name for name in (*near, *outer) if len(name) >= _SHORTEST))
    return names or (stem_of(path),)


def names_in(context: Context, path: str, names: Collection[str]) -> frozenset[str]:
    """Which of some names, each one word, a file holds as whole words."""
    text = context.view.files.text(path)
    return frozenset(name for name in names if _holds(text, name))


def _holds(text: str, name: str) -> bool:
    """Whether a text holds a name as a whole word; searching for it as it is, is ten times as fast as a pattern."""
    at = text.find(name)
    while at >= 0:
        if not (_is_in_word(text[at - 1 : at]) or _is_in_word(text[at + len(name) : at + len(name) + 1])):
            return True
        at = text.find(name, at + 1)
    return False


def _is_in_word(char: str) -> bool:
    return char.isalnum() or char == "_"


def name_words(context: Context, path: str) -> frozenset[str]:
    """Every word of a file, as written."""
    return frozenset(find_words(context.view.files.text(path)))


@dataclass(frozen=True, slots=True)
class Use:
    """Lines that use some names: a whole definition or section, or of a long one what stands around the first use."""

    span: Span
    title: str  # of the definition or section
    names: tuple[str, ...]


def uses(context: Context, path: str, names: Collection[str]) -> list[Use]:
    """Where a file uses some of the names; first those with that of the definition at hand, then with most names.

    The lines that only import them do not count, unless nothing else does.
    """
    imports = {item.line for item in context.view.files.facts(path).imports}
    hits = _hits(context.lines(path), names)
    used = {number: found for number, found in hits.items() if number not in imports} or hits
    parsed = context.view.files.exact(path)
    places: dict[tuple[Span, str], list[int]] = {}
    for number in used:
        places.setdefault(_home(parsed, number), []).append(number)
    found = [
        Use(_around(span, numbers), title, tuple(dict.fromkeys(name for number in numbers for name in used[number])))
        for (span, title), numbers in places.items()
    ]
    near = set(names_at(context)[:1])
    return sorted(found, key=lambda use: (near.isdisjoint(use.names), -len(use.names), use.span))


def _hits(lines: Sequence[str], names: Collection[str]) -> dict[int, list[str]]:
    """The names that stand in some lines as whole words, by line. All lines are searched at once: it is much faster."""
    text = "\n".join(lines)
    held = [name for name in sorted(names) if name in text]
    found: dict[int, list[str]] = {}
    if not held:
        return found
    ends = list(accumulate(len(line) + 1 for line in lines))
    for match in re.finditer(rf"(?:{'|'.join(map(re.escape, held))})(?!\w)", text):
        if not _is_in_word(text[match.start() - 1 : match.start()]):
            found.setdefault(bisect_right(ends, match.start()) + 1, []).append(match[0])
    return found


def _home(parsed: ParsedFile, line: int) -> tuple[Span, str]:
    """The innermost definition or the section that a line stands in, and its title."""
    symbol = parsed.enclosing(line, line)
    if symbol is not None:
        return (symbol.start_line, symbol.end_line), symbol.qualified
    chunk = next((each for each in parsed.chunks if each.start_line <= line <= each.end_line), Chunk(line, line, ""))
    return (chunk.start_line, chunk.end_line), " > ".join(chunk.heading)


def _around(span: Span, numbers: Sequence[int]) -> Span:
    if span[1] - span[0] < _LONG:
        return span
    return max(span[0], numbers[0] - _AROUND), min(span[1], numbers[0] + _AROUND)
