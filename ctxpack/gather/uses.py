"""Who uses what: the names that a file defines, and where another file uses them."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from ctxpack.gather.context import Context
from ctxpack.gather.fragments import Span
from ctxpack.gather.resemblance import stem_of
from ctxpack.model import Chunk
from ctxpack.query.tokens import find_words
from ctxpack.text import lines_of

_SHORTEST = 3  # letters of a name that says something
_AROUND = 6  # lines before and behind a use that stands in something long
_LONG = 60  # lines


def names_of(context: Context, path: str) -> tuple[str, ...]:
    """The names that a file defines for others: its outermost definitions, else the name of the file itself."""
    symbols = context.view.exact(path).symbols
    outer = [item.name for item in symbols if item.name == item.qualified and not item.name.startswith("_")]
    names = tuple(dict.fromkeys(name for name in outer if len(name) >= _SHORTEST))
    return names or (stem_of(path),)


def words_of(context: Context, path: str) -> frozenset[str]:
    """Every word of a file, as written."""
    return frozenset(find_words(context.view.text(path)))


def uses(context: Context, path: str, names: Collection[str]) -> list[tuple[Chunk, tuple[int, ...], tuple[str, ...]]]:
    """The chunks of a file that use some of the names, with the lines and the names; most different names first.

    The lines that only import them do not count, unless nothing else does.
    """
    imports = {item.line for item in context.view.facts(path).imports}
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(names)))})(?!\w)")
    lines = lines_of(context.view.text(path))
    hits = {number: pattern.findall(line) for number, line in enumerate(lines, 1) if pattern.search(line)}
    used = {number: found for number, found in hits.items() if number not in imports} or hits
    found = []
    for chunk in context.view.exact(path).chunks:
        numbers = tuple(number for number in used if chunk.start_line <= number <= chunk.end_line)
        if numbers:
            held = tuple(dict.fromkeys(name for number in numbers for name in used[number]))
            found.append((chunk, numbers, held))
    return sorted(found, key=lambda use: (use[0].kind == "header", -len(use[2]), -len(use[1]), use[0].start_line))


def around(chunk: Chunk, numbers: Sequence[int]) -> Span:
    """The chunk, or of a long one the lines around the first use."""
    if chunk.end_line - chunk.start_line < _LONG:
        return chunk.start_line, chunk.end_line
    return max(chunk.start_line, numbers[0] - _AROUND), min(chunk.end_line, numbers[0] + _AROUND)
