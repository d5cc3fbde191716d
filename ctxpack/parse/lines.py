"""Text as lines: what a line is, how deep it stands, and where a long stretch of lines is best cut."""

from __future__ import annotations

from collections.abc import Sequence

LONGEST_CHUNK = 60
WINDOW = 40


def indentation(line: str) -> int:
    """Return how many blanks or tabs ``line`` starts with."""
    return len(line) - len(line.lstrip(" \t"))


def cut_points(lines: Sequence[str], start: int, end: int, longest: int) -> list[tuple[int, int]]:
    """Cut the lines ``start..end`` (from 1, both included) into parts of at most ``longest`` lines.

    A part ends where the next line stands at the lowest indentation, after a blank line if there is one.
    """
    parts = []
    while end - start + 1 > longest:
        nearest = start + longest // 3
        cut = min(range(start + longest, nearest, -1), key=lambda number: _cost(lines, number, start, longest))
        parts.append((start, cut - 1))
        start = cut
    parts.append((start, end))
    return parts


def _cost(lines: Sequence[str], number: int, start: int, longest: int) -> tuple[bool, int, int]:
    line = lines[number - 1]
    after_blank = not lines[number - 2].strip()
    is_blank = not line.strip()
    return is_blank, indentation(line) - (4 if after_blank else 0), start + longest - number
