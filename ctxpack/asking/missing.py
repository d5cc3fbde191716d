"""Where an answer says that pieces are missing, and which.

A marker that ends with a colon begins a line; what is wanted stands behind it, or on the lines below. Any other marker
may stand anywhere outside of code; what is wanted is then the sentence around it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ctxpack.fences import without_fenced

_DECORATION = " \t\r\n>*_-#`"  # what Markdown may put around a marker
_BOUNDARY = re.compile(r"[.!?…](?=\s)|\n")
_NOTHING = frozenset({"none", "nothing", "no", "n/a", "нет", "ничего", "ничего не нужно"})
_LONGEST = 500  # characters of what is wanted
_MOST_LINES = 20


def line_markers(markers: Sequence[str]) -> tuple[str, ...]:
    """The markers that begin a line, in lower case."""
    return tuple(each.lower() for each in markers if each.endswith(":"))


def bare(line: str) -> str:
    """The beginning of a line without what Markdown puts before it, in lower case."""
    return line.lstrip(_DECORATION).lower()


def behind(line: str, starts: Sequence[str]) -> str | None:
    """What stands behind the marker that a line begins with; None where it begins with none."""
    text = line.lstrip(_DECORATION)
    start = next((each for each in starts if text.lower().startswith(each)), None)
    return None if start is None else text[len(start) :].strip(_DECORATION)


def wanted_in(answer: str, markers: Sequence[str]) -> str | None:
    """What an answer says is missing, on one line, which may be empty; None where it says nothing of the kind."""
    starts = line_markers(markers)
    lines = answer.split("\n")
    found = [_on(lines, at, rest) for at, line in enumerate(lines) if (rest := behind(line, starts)) is not None]
    wanted = [each for each in found if each.lower().strip(" .") not in _NOTHING]
    if wanted:
        return _shortened("; ".join(each for each in wanted if each))
    return None if found else _around(without_fenced(answer), [each for each in markers if not each.endswith(":")])


def _on(lines: Sequence[str], at: int, rest: str) -> str:
    """What stands behind a marker, or below it up to the next blank line."""
    if rest:
        return rest
    below = []
    for line in lines[at + 1 : at + 1 + _MOST_LINES]:
        if not line.strip():
            break
        below.append(line.strip(_DECORATION))
    return ", ".join(each for each in below if each)


def _around(text: str, phrases: Sequence[str]) -> str | None:
    """The sentence around the first of some phrases."""
    lower = text.lower()
    places = [place for phrase in phrases if (place := lower.find(phrase.lower())) >= 0]
    if not places:
        return None
    ends = [0, *(each.end() for each in _BOUNDARY.finditer(text)), len(text)]
    place = min(places)
    return _shortened(text[max(end for end in ends if end <= place) : min(end for end in ends if end > place)])


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else line[:_LONGEST].rstrip() + " …"
