"""Text as lines: what a line is, how deep it stands, and where a long stretch of lines is best cut."""

from __future__ import annotations

import re
from collections.abc import Sequence

LONGEST_CHUNK = 60
WINDOW = 40

# what a line begins or ends with that belongs to the line before or after it, whatever the language
_GOES_ON = re.compile(
    r"\s*(?:[)\]},.?:&|+/]|->|=>|(?:else|elif|elsif|except|catch|finally|rescue|end|and|or|then|do|in)\b)"
)
_OPEN = ("(", "[", ",", "\\", "=", "+", "|", "&", "?", "=>", "->")
_IS_ABOVE = re.compile(r"\s*(?:@\w|#|//|/\*|\*|--\s)")  # decorators and comments stand above what they are about


def indentation(line: str) -> int:
    """Return how many blanks or tabs ``line`` starts with."""
    return len(line) - len(line.lstrip(" \t"))


def goes_on(above: str, line: str) -> bool:
    """Return whether ``line`` belongs to the statement or comment of the line ``above``, as far as their looks tell."""
    return above.rstrip().endswith(_OPEN) or bool(_IS_ABOVE.match(above) or _GOES_ON.match(line))


def cut_points(lines: Sequence[str], start: int, end: int, longest: int) -> list[tuple[int, int]]:
    """Cut the lines ``start..end`` (from 1, both included) into parts of at most ``longest`` lines.

    A part ends where the next line begins a statement at the lowest indentation, after a blank line if there is one.
    """
    parts = []
    while end - start + 1 > longest:
        nearest = start + longest // 3
        cut = min(range(start + longest, nearest, -1), key=lambda number: _cost(lines, number, start, longest))
        parts.append((start, cut - 1))
        start = cut
    parts.append((start, end))
    return parts


def _cost(lines: Sequence[str], number: int, start: int, longest: int) -> tuple[bool, bool, int, int]:
    line = lines[number - 1]
    above = lines[number - 2]
    is_blank = not line.strip()
    depth = indentation(line) - (0 if above.strip() else 4)
    return is_blank, goes_on(above, line), depth, start + longest - number
