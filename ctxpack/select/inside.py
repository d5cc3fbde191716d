"""Which lines go on with what an earlier line began: a bracket, a text of several lines, a block comment."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ctxpack.languages import Language, find_language

_OPENING, _CLOSING = "([", ")]"
_TOKEN = re.compile(
    r"(?P<text>\"\"\"|''')|(?P<quoted>\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*')|(?P<block>/\*)|(?P<back>`)"
    r"|(?P<line>//|#|--|;|%)|(?P<bracket>[(\[)\]])"
)
_ENDS = {"/*": "*/", "`": "`", '"""': '"""', "'''": "'''"}


def inside_code(lines: Sequence[str], language: str) -> list[bool]:
    """For each line, whether it begins inside a bracket, a text or a comment; all False where they do not match up."""
    found: list[bool] = []
    end, depth = "", 0
    record = find_language(language)
    for line in lines:
        found.append(bool(end) or depth > 0)
        end, depth = _after(line, record, end, depth)
        if depth < 0:
            return [False] * len(lines)
    return [False] * len(lines) if depth or end else found


def _after(line: str, record: Language, end: str, depth: int) -> tuple[str, int]:
    """What is open behind a line: the end of a text or comment that is looked for, and how many brackets."""
    at = 0
    while at < len(line):
        if end:
            close = line.find(end, at)
            if close < 0:
                return end, depth
            at, end = close + len(end), ""
            continue
        token = _TOKEN.search(line, at)
        if token is None:
            break
        at = token.end()
        kind, word = token.lastgroup, token[0]
        if kind == "line" and word in record.comments:
            break
        if kind == "bracket":
            depth += 1 if word in _OPENING else -1
        elif kind in {"text", "block", "back"} and (word in record.strings or word in record.comments):
            end = _ENDS[word]
    return end, depth
