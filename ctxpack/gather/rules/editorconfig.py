"""Which parts of an ``.editorconfig`` hold for a file. The format: https://editorconfig.org."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

NAME = ".editorconfig"

Span = tuple[int, int]

_HEAD = re.compile(r"\s*\[(.+)\]\s*")
_ROOT = re.compile(r"\s*root\s*=\s*true\s*", re.IGNORECASE)
_NUMBERS = re.compile(r"(-?\d+)\.\.(-?\d+)")


def sections_for(path: str, lines: Sequence[str]) -> Iterator[tuple[str, Span]]:
    """The sections whose glob matches ``path``, relative to the file's folder: the glob, and the section's lines."""
    heads = [(at, found[1]) for at, line in enumerate(lines) if (found := _HEAD.fullmatch(line))]
    for (at, glob), (following, _) in zip(heads, [*heads[1:], (len(lines), "")], strict=True):
        end = following
        while end > at + 1 and (not lines[end - 1].strip() or lines[end - 1].lstrip().startswith(("#", ";"))):
            end -= 1
        if end > at + 1 and matches(glob, path):
            yield glob, (at + 1, end)


def is_outermost(lines: Sequence[str]) -> bool:
    """Whether files in the folders above do not hold."""
    before = (line for line in lines[: next((at for at, line in enumerate(lines) if _HEAD.fullmatch(line)), None)])
    return any(_ROOT.fullmatch(line) for line in before)


def matches(glob: str, path: str) -> bool:
    """Whether a glob of a section matches a path: one without a slash the name alone, in any folder."""
    pattern = _expression(glob.removeprefix("/"))
    prefix = "" if "/" in glob else "(?:.*/)?"
    try:
        return re.fullmatch(prefix + pattern, path) is not None
    except re.error:
        return False


def _expression(glob: str) -> str:
    parts, at = list[str](), 0
    while at < len(glob):
        part, at = _part(glob, at)
        parts.append(part)
    return "".join(parts)


def _part(glob: str, at: int) -> tuple[str, int]:
    """One piece of a glob as a regular expression, and where the next one begins."""
    char = glob[at]
    if glob.startswith("**", at):
        return ".*", at + 2
    if char == "\\" and at + 1 < len(glob):
        return re.escape(glob[at + 1]), at + 2
    if char == "{" and (end := _closing(glob, at)):
        return _choice(glob[at + 1 : end]), end + 1
    if char == "[" and (end := glob.find("]", at + 2)) > 0:
        inner = glob[at + 1 : end].replace("\\", "\\\\")
        return f"[{'^' + inner[1:] if inner[0] == '!' else inner}]", end + 1
    return {"*": "[^/]*", "?": "[^/]"}.get(char, re.escape(char)), at + 1


def _closing(glob: str, at: int) -> int:
    """Where a brace is closed; 0 if it is not."""
    depth = 0
    for place in range(at, len(glob)):
        depth += (glob[place] == "{") - (glob[place] == "}")
        if not depth:
            return place
    return 0


def _choice(inner: str) -> str:
    """What stands in braces: words, or a range of numbers; a lone word means its braces, too."""
    if numbers := _NUMBERS.fullmatch(inner):
        low, high = sorted(map(int, numbers.groups()))
        return f"(?:{'|'.join(map(str, range(low, high + 1)))})" if high - low < 1_000 else r"-?\d+"  # noqa: PLR2004
    words, depth, start = list[str](), 0, 0
    for place, char in enumerate(inner):
        depth += (char == "{") - (char == "}")
        if char == "," and not depth:
            words.append(inner[start:place])
            start = place + 1
    words.append(inner[start:])
    if len(words) == 1:
        return re.escape("{") + _expression(inner) + re.escape("}")
    return f"(?:{'|'.join(_expression(word) for word in words)})"
