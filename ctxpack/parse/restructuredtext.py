"""Headings of reStructuredText: titles with an underline, or with an overline too; levels in order of appearance."""

from __future__ import annotations

import re

from ctxpack.parse.sections import Heading

_TITLE = re.compile(
    r"\n(?:(?P<over>(?P<o>[!-/:-@\[-`{-~])(?P=o)+)[ \t]*\n)?"
    r"(?P<indent>[ \t]*)(?P<title>[^\s][^\n]*)\n"
    r"(?P<under>(?P<u>[!-/:-@\[-`{-~])(?P=u)+)[ \t]*(?=\n|$)"
)
_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1+[ \t]*$")


def headings(text: str) -> list[Heading]:
    """Return the headings of ``text``."""
    padded = "\n" + text
    found: list[Heading] = []
    styles: list[tuple[str, bool]] = []
    position, line, counted = 0, 1, 0
    while match := _TITLE.search(padded, position):
        position = match.start() + 1
        line += padded.count("\n", counted, position)
        counted = position
        if not _is_title(match):
            continue
        style = (match["u"], bool(match["over"]))
        if style not in styles:
            styles.append(style)
        found.append(Heading(line - 1, styles.index(style) + 1, match["title"].strip()))
        position = match.end()
    return found


def _is_title(match: re.Match[str]) -> bool:
    title = match["title"].rstrip()
    if _ADORNMENT.match(title) or len(match["under"]) < min(len(title), 4):
        return False
    if match["over"]:
        return match["over"] == match["under"] and len(match["under"]) >= len(title)
    return not match["indent"] and len(match["under"]) >= len(title) - 1
