"""Pieces without the lines they can do without, step by step."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from ctxpack.model import Fragment
from ctxpack.text import lines_of

LICENCE = "licence head"
BLANK = "blank lines"
COMMENTS = "comments"
REPEATED = "repeated lines"
LITERALS = "long literals"

STEPS = (LICENCE, BLANK, COMMENTS, REPEATED, LITERALS)


_UNMARKED = frozenset({BLANK, LICENCE})  # the line about the piece says it
_REMEMBERED = 2_048


@lru_cache(maxsize=_REMEMBERED)
def compress(fragment: Fragment, steps: int) -> Fragment:
    """The fragment after the first ``steps`` of ``STEPS``; the fragment itself where they leave nothing out.

    ``numbers`` are the line numbers of what remains, 0 for a mark such as ``⋯ 12-18``: what remains is unchanged.
    """
    wanted = STEPS[:steps]
    gone = {
        number: each.step
        for each in fragment.spare
        if each.step in wanted
        for number in range(each.start_line, each.end_line + 1)
    }
    first = fragment.provenance.start_line
    lines = lines_of(fragment.text)
    if len(lines) != fragment.provenance.end_line - first + 1:
        return fragment
    kept: list[tuple[int, str]] = []
    start = 0  # of the run of lines that is being left out
    for number, line in [*enumerate(lines, first), (first + len(lines), "")]:
        if gone.get(number, BLANK) not in _UNMARKED and not start:
            start = number
        if number in gone:
            continue
        if start:
            kept.append((0, _mark(start, number - 1, line)))
            start = 0
        kept.append((number, line))
    kept.pop()  # the line behind the last
    if not any(number for number, _ in kept):
        return fragment
    dropped = {gone[number] for number in range(first, first + len(lines)) if number in gone}
    if not dropped:
        return fragment
    return replace(
        fragment,
        text="\n".join(line for _, line in kept) + "\n",
        numbers=tuple(number for number, _ in kept),
        dropped=tuple(step for step in STEPS if step in dropped),
    )


def _mark(first: int, last: int, below: str) -> str:
    indent = below[: len(below) - len(below.lstrip())]
    return f"{indent}⋯ {first}-{last}" if last > first else f"{indent}⋯"
