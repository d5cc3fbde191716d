"""Where a definition really begins: the comments, decorators and attributes that stand directly above it."""

from __future__ import annotations

from ctxpack.parse.lines import indentation

_HIGHEST = 80  # lines above a definition that may belong to it


def first_line(lines: list[str], line: int, floor: int, openings: tuple[str, ...]) -> int:
    """Return the first of the lines directly above ``line`` that belong to it, at least ``floor``.

    ``openings`` are what such lines begin with; comments and decorators of several lines are followed to their start.
    """
    start = line
    lowest = max(floor, line - _HIGHEST)
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
