"""Globs as regular expressions: of flags, of the kinds table, and of the lines of ignore files.

Those of flags and tables are gitignore-like, and a folder's name means all below it. Whatever the pattern, matching
takes no longer than the length of the path times that of the pattern.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ctxpack.errors import UsageError
from ctxpack.light import dataclass, lazy_pattern

_BRACES = lazy_pattern(r"\{([^{}]*,[^{}]*)\}")
_CLASSES = {
    "alnum": "0-9A-Za-z", "alpha": "A-Za-z", "blank": " \\t", "cntrl": "\\x00-\\x1f\\x7f", "digit": "0-9",
    "graph": "!-~", "lower": "a-z", "print": " -~", "punct": "!-/:-@\\[-`{-~", "space": " \\t\\n\\r\\f\\v",
    "upper": "A-Z", "xdigit": "0-9A-Fa-f",
}  # fmt: skip
_BRACKET = lazy_pattern(r"\[([!^]?)(\]?(?:\[:\w{1,20}:\]|\\.|[^\]\\]){0,255})\]", re.DOTALL)
_BRACKET_ITEM = lazy_pattern(r"\[:(\w+):\]|(\\.|.)(?:-(\\.|[^\]]))?", re.DOTALL)
_NEVER = r"(?!)"
_STAR = "[^/]*"
_ANY_FOLDERS = "(?:[^/]*+/)*?"
_LONGEST = 4_096  # characters of a pattern: no path has more
_MOST_CHOICES = 1_000  # that one glob may mean
_SHOWN = 60  # characters of a glob in a message


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
    """Compile ``globs``; ``{a,b}`` means either. Raises UsageError for one that is too long or means too many."""
    sources = [_any_of(glob) for glob in globs]
    union = "|".join(sources) or r"(?!)"
    patterns = tuple(re.compile(source, re.DOTALL) for source in sources)
    return Globs(tuple(globs), patterns, re.compile(union, re.DOTALL))


def expand_braces(glob: str) -> list[str]:
    """``*.{ts,tsx}`` -> ``*.ts``, ``*.tsx``. Raises UsageError for one that is too long or means too many."""
    if len(glob) > _LONGEST:
        raise UsageError(f"A glob has {len(glob):,} characters: {glob[:_SHOWN]}….", hint="Write several shorter ones.")
    whole, pending = [], [glob]
    while pending:
        single = pending.pop()
        found = _BRACES.search(single)
        if not found:
            whole.append(single)
            continue
        head, tail = single[: found.start()], single[found.end() :]
        pending += dict.fromkeys(f"{head}{choice}{tail}" for choice in reversed(found[1].split(",")))
        if len(whole) + len(pending) > _MOST_CHOICES:
            raise UsageError(
                f"The glob {glob[:_SHOWN]!r} expands to more than {_MOST_CHOICES:,} globs.",
                hint="Use * for a part of it.",
            )
    return list(dict.fromkeys(whole))


def _any_of(glob: str) -> str:
    return "|".join(_expression(single) for single in expand_braces(glob.replace("\\", "/") if _is_dos(glob) else glob))


def _is_dos(glob: str) -> bool:
    return re.search(r"\w\\\w", glob) is not None and "/" not in glob


def _expression(glob: str) -> str:
    pattern = glob.removeprefix("./")
    below = "/.*" if pattern.endswith("/") else "(?:/.*)?"
    pattern = pattern.rstrip("/")
    anywhere = "" if "/" in pattern else _ANY_FOLDERS
    return f"(?:{anywhere}{translate(pattern.removeprefix('/'))}{below})"


def translate(pattern: str, apart: int = 0) -> str:
    """The regular expression, for a whole path, of a gitignore line without its ``!`` and the slashes at its ends.

    An invalid pattern matches nothing, as in git. Each star takes the first place that fits and never tries another
    one, since what follows fits behind the first place wherever it fits behind a later one: the work is bounded by
    the length of the path times that of the pattern. What follows the first ``apart`` characters counts as the
    beginning of a name: git compares the signs before the first wildcard on their own.
    """
    if len(pattern) > _LONGEST:
        return _NEVER
    groups = [[[""]]]  # between ``**/``: names, and in each what is between its stars
    position = 0
    while position < len(pattern):
        piece, position = _piece(pattern, position, apart)
        if piece is None:
            return _NEVER
        if piece == _ANY_FOLDERS:
            groups.append([[""]])
        elif piece == "/":
            groups[-1].append([""])
        elif piece == _STAR:
            groups[-1][-1].append("")
        else:
            groups[-1][-1][-1] += piece
    first, *others = ("/".join(map(_name, group)) for group in groups)
    middle = (f"(?>{_ANY_FOLDERS}{group})" for group in others[:-1] if group)
    return "".join((first, *middle, *(f"{_ANY_FOLDERS}{group}" for group in others[-1:])))


def _name(parts: Sequence[str]) -> str:
    """Return what fits one name: what is behind the last star ends it, the rest matches where it first can."""
    if len(parts) == 1:
        return parts[0]
    between = "".join(f"(?>[^/]*?{part})" for part in parts[1:-1] if part)
    return f"{parts[0]}{between}{_STAR}{parts[-1]}"


def _piece(pattern: str, start: int, apart: int) -> tuple[str | None, int]:
    char = pattern[start]
    if char == "*":
        return _stars(pattern, start, apart)
    if char == "?":
        return "[^/]", start + 1
    if char == "[":
        found = _BRACKET.match(pattern, start)
        return (_bracket(found[1], found[2]), found.end()) if found else (None, start)
    if char == "\\":
        is_escape = start + 1 < len(pattern)
        return (re.escape(pattern[start + 1]), start + 2) if is_escape else (None, start)
    return re.escape(char), start + 1


def _stars(pattern: str, start: int, apart: int) -> tuple[str, int]:
    end = start
    while end < len(pattern) and pattern[end] == "*":
        end += 1
    is_begin = start in {0, apart} or pattern[start - 1] == "/"
    is_whole_segment = is_begin and (end == len(pattern) or pattern[end] == "/")
    if end - start == 1 or not is_whole_segment:
        return _STAR, end
    return (".*", end) if end == len(pattern) else (_ANY_FOLDERS, end + 1)


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
        else:
            items.append(_literal(first))  # a range that is turned around means its first character, for git
    if not items:
        return _NEVER if not negation else "[^/]"
    return f"(?!/)[{'^' if negation else ''}{''.join(items)}]"


def _literal(item: str) -> str:
    return re.escape(item[-1])
