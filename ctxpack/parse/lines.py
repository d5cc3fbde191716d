"""Text as lines: how deep a line stands, what belongs to it, and where a long stretch of lines is best cut."""

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
_MOST_ABOVE = 80  # lines above a definition that may belong to it
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


def first_line(lines: list[str], line: int, floor: int, openings: tuple[str, ...]) -> int:
    """Return the first of the lines directly above ``line`` that belong to it, at least ``floor``.

    ``openings`` are what such lines begin with; comments and decorators of several lines are followed to their start.
    """
    start = line
    lowest = max(floor, line - _MOST_ABOVE)
    while start > lowest:
        above = lines[start - 2].strip()
        if above.startswith(openings):
            start -= 1
            continue
        opening = _opening(above)
        candidate = _find_opening(lines, start - 2, lowest, opening) if opening else 0
        if not candidate or indentation(lines[candidate - 1]) > indentation(lines[line - 1]):
            break
        start = candidate
    return start


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
    if line in (")", "})", "])", ")]", "]"):
        return ("@", "#[")
    return ()
