"""Globs of --include, --exclude and the kinds table: gitignore-like, and a folder's name means all below it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ctxpack.discover.wildmatch import translate

_BRACES = re.compile(r"\{([^{}]*,[^{}]*)\}")


@dataclass(frozen=True, slots=True)
class Globs:
    """Compiled globs; the one that is found first in the given order names the reason."""

    texts: tuple[str, ...]
    patterns: tuple[re.Pattern[str], ...]
    union: re.Pattern[str]

    def matching(self, path: str) -> str | None:
        """The first glob that matches ``path`` or one of its folders, or None."""
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
