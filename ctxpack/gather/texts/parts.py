"""Parts of long texts: cut between statements, where a blank line separates; the part that matches best comes first."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ctxpack.gather.context import Context
from ctxpack.gather.fragments import Span, keywords_in
from ctxpack.parse.lines import goes_on

MAX_LINES = 300  # a longer piece is cut
_MIN_LINES = 40  # of a part, unless nothing else is left
_BLANK_LINE = 4  # columns of indentation that a blank line before outweighs

_QUOTES = re.compile(r'"""|\'\'\'')


def spans(lines: Sequence[str], first: int, longest: int = MAX_LINES) -> tuple[Span, ...]:
    """The parts of ``lines``, whose first one has the number ``first``: uncut, or cut between statements."""
    found: list[Span] = []
    start = 0
    within = _within_statements(lines) if len(lines) > longest else ()
    while len(lines) - start > longest:
        places = range(start + longest, start + _MIN_LINES, -1)
        end = min(places, key=lambda at: (within[at], *_cost(lines, at)))
        found.append((first + start, first + end - 1))
        start = end
    return (*found, (first + start, first + len(lines) - 1)) if len(lines) > start else tuple(found)


def ranked_spans(context: Context, path: str, span: Span, words: tuple[str, ...]) -> list[tuple[Span, tuple[str, ...]]]:
    """The parts of some lines of a file with the words that each holds, those with most words first."""
    lines = context.lines(path)[span[0] - 1 : span[1]]
    parts = spans(lines, span[0])
    held = [(part, keywords_in("\n".join(lines[part[0] - span[0] : part[1] - span[0] + 1]), words)) for part in parts]
    return sorted(held, key=lambda item: (-len(item[1]), item[0]))


def _cost(lines: Sequence[str], at: int) -> tuple[bool, int]:
    """How bad a part would begin at a line: one of little indentation behind a blank line is best."""
    line = lines[at]
    return not line.strip(), _indent(line) - (0 if lines[at - 1].strip() else _BLANK_LINE)


def _within_statements(lines: Sequence[str]) -> tuple[bool, ...]:
    """For each line, whether it goes on with what stands above it, as far as its looks tell."""
    found = []
    above, quote = "", ""
    for line in lines:
        found.append(bool(quote) or goes_on(above, line))
        for mark in _QUOTES.findall(line):
            quote = mark if not quote else "" if quote == mark else quote
        above = line
    return tuple(found)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
