"""Git's pattern language as regular expressions, for one path at a time and without importing anything heavy."""

from __future__ import annotations

import re

_CLASSES = {
    "alnum": "0-9A-Za-z", "alpha": "A-Za-z", "blank": " \\t", "cntrl": "\\x00-\\x1f\\x7f", "digit": "0-9",
    "graph": "!-~", "lower": "a-z", "print": " -~", "punct": "!-/:-@\\[-`{-~", "space": " \\t\\n\\r\\f\\v",
    "upper": "A-Z", "xdigit": "0-9A-Fa-f",
}  # fmt: skip
_BRACKET = re.compile(r"\[([!^]?)(\]?(?:\[:\w+:\]|\\.|[^\]\\])*)\]", re.DOTALL)
_BRACKET_ITEM = re.compile(r"\[:(\w+):\]|(\\.|.)(?:-(\\.|[^\]]))?", re.DOTALL)
_NEVER = r"(?!)"


def translate(pattern: str) -> str:
    """The regular expression, for a whole path, of a gitignore line without its ``!`` and the slashes at its ends.

    An invalid pattern matches nothing, as in git.
    """
    parts: list[str] = []
    position = 0
    while position < len(pattern):
        piece, position = _piece(pattern, position)
        if piece is None:
            return _NEVER
        parts.append(piece)
    return "".join(parts)


def _piece(pattern: str, start: int) -> tuple[str | None, int]:
    char = pattern[start]
    if char == "*":
        return _stars(pattern, start)
    if char == "?":
        return "[^/]", start + 1
    if char == "[":
        found = _BRACKET.match(pattern, start)
        return (_bracket(found[1], found[2]), found.end()) if found else (None, start)
    if char == "\\":
        is_escape = start + 1 < len(pattern)
        return (re.escape(pattern[start + 1]), start + 2) if is_escape else (None, start)
    return re.escape(char), start + 1


def _stars(pattern: str, start: int) -> tuple[str, int]:
    end = start
    while end < len(pattern) and pattern[end] == "*":
        end += 1
    is_whole_segment = (start == 0 or pattern[start - 1] == "/") and (end == len(pattern) or pattern[end] == "/")
    if end - start == 1 or not is_whole_segment:
        return "[^/]*", end
    return (".*", end) if end == len(pattern) else ("(?:.*/)?", end + 1)


def _bracket(negation: str, body: str) -> str | None:
    items: list[str] = []
    for found in _BRACKET_ITEM.finditer(body):
        name, first, last = found.groups()
        if name is not None:
            if name not in _CLASSES:
                return None
            items.append(_CLASSES[name])
        elif last is None:
            items.append(_literal(first))
        elif first[-1] <= last[-1]:
            items.append(f"{_literal(first)}-{_literal(last)}")
    if not items:
        return _NEVER if not negation else "[^/]"
    return f"(?!/)[{'^' if negation else ''}{''.join(items)}]"


def _literal(item: str) -> str:
    return re.escape(item[-1])
