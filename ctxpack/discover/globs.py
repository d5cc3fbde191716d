"""Globs and gitignore patterns as regular expressions, for one path at a time and without importing anything heavy.

Globs of --include, --exclude and the kinds table are gitignore-like, and a folder's name means all below it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_BRACES = re.compile(r"\{([^{}]*,[^{}]*)\}")
_CLASSES = {
    "alnum": "0-9A-Za-z", "alpha": "A-Za-z", "blank": " \\t", "cntrl": "\\x00-\\x1f\\x7f", "digit": "0-9",
    "graph": "!-~", "lower": "a-z", "print": " -~", "punct": "!-/:-@\\[-`{-~", "space": " \\t\\n\\r\\f\\v",
    "upper": "A-Z", "xdigit": "0-9A-Fa-f",
}  # fmt: skip
_BRACKET = re.compile(r"\[([!^]?)(\]?(?:\[:\w+:\]|\\.|[^\]\\])*)\]", re.DOTALL)
_BRACKET_ITEM = re.compile(r"\[:(\w+):\]|(\\.|.)(?:-(\\.|[^\]]))?", re.DOTALL)
_NEVER = r"(?!)"


@dataclass(frozen=True, slots=True)
class Globs:
    """Compiled globs; the one that is found first in the given order names the reason."""

    texts: tuple[str, ...]
    patterns: tuple[re.Pattern[str], ...]
    union: re.Pattern[str]

    def matching(self, path: str) -> str | None:
        """Return the first glob that matches ``path`` or one of its folders, or None."""
        if not self.patterns or not self.union.fullmatch(path):
            return None
        return next(text for text, pattern in zip(self.texts, self.patterns, strict=True) if pattern.fullmatch(path))


def compile_globs(globs: Sequence[str]) -> Globs:
    """Compile ``globs``; ``{a,b}`` means either."""
    sources = [_any_of(glob) for glob in globs]
    union = "|".join(sources) or r"(?!)"
    patterns = tuple(re.compile(source, re.DOTALL) for source in sources)
    return Globs(tuple(globs), patterns, re.compile(union, re.DOTALL))


def expand_braces(glob: str) -> list[str]:
    """``*.{ts,tsx}`` -> ``*.ts``, ``*.tsx``."""
    found = _BRACES.search(glob)
    if not found:
        return [glob]
    head, tail = glob[: found.start()], glob[found.end() :]
    return [whole for choice in found[1].split(",") for whole in expand_braces(f"{head}{choice}{tail}")]


def _any_of(glob: str) -> str:
    return "|".join(_expression(single) for single in expand_braces(glob.replace("\\", "/") if _is_dos(glob) else glob))


def _is_dos(glob: str) -> bool:
    return re.search(r"\w\\\w", glob) is not None and "/" not in glob


def _expression(glob: str) -> str:
    pattern = glob.removeprefix("./")
    below = "/.*" if pattern.endswith("/") else "(?:/.*)?"
    pattern = pattern.rstrip("/")
    anywhere = "" if "/" in pattern else "(?:.*/)?"
    return f"(?:{anywhere}{translate(pattern.removeprefix('/'))}{below})"


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
