"""Headings of AsciiDoc: ``== Title``, and titles with an underline (the older style), outside delimited blocks."""

from __future__ import annotations

import re

from ctxpack.parse.sections import Heading

_UNDERLINES = "=-~^+"  # of level 1 to 5
_SLACK = 3  # characters an underline may be longer or shorter than its title
_TOKEN = re.compile(
    r"\n(?:"
    r"(?P<marks>={1,6}|\#{1,6})[ \t]+(?P<title>\S[^\n]*)"
    r"|(?P<text>[^\W_][^\n]*)\n(?P<under>(?P<u>[=\-~^+])(?P=u)+)[ \t]*(?=\n|$)"
    r"|(?P<block>(?P<b>[-=.*+_/])(?P=b){3,}|--|```)[ \t]*(?=\n|$)"
    r")"
)


def headings(text: str) -> list[Heading]:
    """Return the headings of ``text``."""
    padded = "\n" + text
    found: list[Heading] = []
    position, line, counted = 0, 1, 0
    unclosed: set[str] = set()
    while match := _TOKEN.search(padded, position):
        line += padded.count("\n", counted, match.start() + 1)
        counted = match.start() + 1
        position = match.end()
        if match["block"]:
            position = _block_end(padded, position, match["block"], unclosed)
        elif match["marks"]:
            found.append(Heading(line - 1, len(match["marks"]), match["title"].strip()))
        elif abs(len(match["text"].rstrip()) - len(match["under"])) <= _SLACK:
            found.append(Heading(line - 1, _UNDERLINES.index(match["u"]) + 1, match["text"].strip()))
        else:
            position = match.start() + 1
    return found


def _block_end(padded: str, position: int, mark: str, unclosed: set[str]) -> int:
    """Return where the block that begins with ``mark`` ends; one of the ``unclosed`` (extended here) ends at once."""
    if mark in unclosed:
        return position
    end = re.compile(rf"\n{re.escape(mark)}[ \t]*(?=\n|$)").search(padded, position)
    if end is None:
        unclosed.add(mark)
    return end.end() if end else position
