"""Runs of lines that stand above already."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

_LEAST_LINES, _LEAST_LENGTH = 3, 80  # lines and characters of a run: what is shorter repeats by chance
_MOST_HOMES = 8  # places that are compared with: a bracket alone stands everywhere


def repeated(lines: Sequence[str], free: AbstractSet[int]) -> set[int]:
    """The numbers (from 1) of lines in runs that stand above word for word; ``free`` are those that may go."""
    homes: dict[str, list[int]] = {}
    found: set[int] = set()
    number = 1
    while number <= len(lines):
        length = max((_length(lines, home, number, free) for home in homes.get(lines[number - 1], ())), default=0)
        run = lines[number - 1 : number - 1 + length]
        is_worth_it = length >= _LEAST_LINES and sum(map(len, run)) >= _LEAST_LENGTH
        if is_worth_it:
            found.update(range(number, number + length))
        elif number in free and len(homes.setdefault(lines[number - 1], [])) < _MOST_HOMES:
            homes[lines[number - 1]].append(number)
        number += length if is_worth_it else 1
    return found


def _length(lines: Sequence[str], home: int, number: int, free: AbstractSet[int]) -> int:
    """How many lines from ``number`` on are those from ``home`` on, without meeting them."""
    length = 0
    while home + length < number and number + length in free and lines[home + length - 1] == lines[number + length - 1]:
        length += 1
    return length
