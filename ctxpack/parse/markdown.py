"""Headings of Markdown: ATX and setext, outside fences, comments and front matter."""

from __future__ import annotations

import re

from ctxpack.parse.sections import Heading, after_fence

_TOKEN = re.compile(
    r"\n(?:"
    r"(?P<fence_line>[ ]{0,3}(?P<fence>`{3,}|~{3,})[^\n]*)"
    r"|[ ]{0,3}(?P<atx>\#{1,6})(?:[ \t]+(?P<title>[^\n]*))?(?=\n|$)"
    r"|(?=[ ]{0,3}[^\s>|`~#<-])(?P<text>[^\n]+)\n(?P<line>[ ]{0,3}(?:=+|-+))[ \t]*(?=\n|$)"
    r"|[ ]{0,3}(?P<comment><!--)"
    r")"
)
_CLOSING = re.compile(r"(?:^|[ \t])#+[ \t]*$")
_LIST_OR_QUOTE = re.compile(r"[ ]{0,3}(?:[-*+]|\d+[.)])[ \t]")


def headings(text: str, first_line: int) -> list[Heading]:
    """Return the headings of ``text`` at or after ``first_line`` (what stands before it is front matter)."""
    padded = "\n" + text
    found: list[Heading] = []
    position, line, counted, fence = _offset(padded, first_line), first_line, 0, ""
    counted, last_comment_end = position, padded.rfind("-->")
    while match := _TOKEN.search(padded, position):
        position = match.end()
        line += padded.count("\n", counted, match.start() + 1)
        counted = match.start() + 1
        if match["fence"]:
            fence = after_fence(fence, match["fence"], match["fence_line"])
        elif fence:
            position = match.start() + 1
        elif match["comment"]:
            position = padded.find("-->", position) if position <= last_comment_end else position
        else:
            found.extend(_heading(match, line - 1))
    return found


def _offset(padded: str, line: int) -> int:
    position = 0
    for _ in range(line - 1):
        position = padded.find("\n", position + 1)
    return position


def _heading(match: re.Match[str], line: int) -> list[Heading]:
    if match["atx"]:
        return [Heading(line, len(match["atx"]), _CLOSING.sub("", match["title"] or "").strip())]
    if _LIST_OR_QUOTE.match(match["text"]):
        return []
    return [Heading(line, 1 if "=" in match["line"] else 2, match["text"].strip())]
