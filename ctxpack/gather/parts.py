"""Parts of long texts: cut where a blank line separates, the part that matches best first in value."""

from __future__ import annotations

from collections.abc import Sequence

from ctxpack.gather.context import Context
from ctxpack.gather.fragments import Span, keywords_in

MAX_LINES = 120  # a longer piece is cut
_MIN_LINES = 40  # of a part, unless nothing else is left


def spans(lines: Sequence[str], first: int, longest: int = MAX_LINES) -> tuple[Span, ...]:
    """The parts of ``lines``, whose first one has the number ``first``: whole, or cut behind blank lines."""
    found: list[Span] = []
    start = 0
    while len(lines) - start > longest:
        end = _cut(lines, start, longest)
        found.append((first + start, first + end - 1))
        start = end
    return (*found, (first + start, first + len(lines) - 1)) if len(lines) > start else tuple(found)


def ranked_spans(context: Context, path: str, span: Span, words: tuple[str, ...]) -> list[tuple[Span, tuple[str, ...]]]:
    """The parts of some lines of a file with the words that each holds, those with most words first."""
    lines = context.lines(path)[span[0] - 1 : span[1]]
    parts = spans(lines, span[0])
    held = [(part, keywords_in("\n".join(lines[part[0] - span[0] : part[1] - span[0] + 1]), words)) for part in parts]
    return sorted(held, key=lambda item: (-len(item[1]), item[0]))


def _cut(lines: Sequence[str], start: int, longest: int) -> int:
    """Where the part that begins at ``start`` ends: behind its last blank line, least indented neighbours first."""
    places = [at + 1 for at in range(start + _MIN_LINES, start + longest) if not lines[at].strip()]
    if not places:
        return start + longest
    return min(places, key=lambda at: (_indent(lines, at), -at))


def _indent(lines: Sequence[str], at: int) -> int:
    line = lines[at] if at < len(lines) else ""
    return len(line) - len(line.lstrip()) if line.strip() else len(line) + 1
