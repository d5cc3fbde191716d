"""What the kind of every file rests on beside itself: all other paths, the configured patterns, our own tables."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ctxpack.discover.kinds import Kinds
    from ctxpack.discover.surroundings import Surroundings


class Judgement:
    """The rules for one set of paths; made only where some path has not been judged by the same rules before."""

    def __init__(self, paths: Iterable[str], patterns: Mapping[str, tuple[str, ...]]) -> None:
        self._paths = tuple(paths)
        self._patterns = patterns

    @cached_property
    def digest(self) -> str:
        """The same for the same paths, patterns and tables."""
        said = repr((list(self._patterns.items()), _tables())) + "\0".join(self._paths)
        return hashlib.sha256(said.encode("utf-8", "surrogateescape")).hexdigest()[:16]

    @cached_property
    def near(self) -> Surroundings:
        """What the paths tell about each other."""
        from ctxpack.discover.surroundings import survey

        return survey(self._paths)

    @cached_property
    def kinds(self) -> Kinds:
        """The kinds by path. Raises ConfigError for an unknown kind among the patterns."""
        from ctxpack.discover.kinds import Kinds

        return Kinds(self._patterns, self.near)


def _tables() -> list[tuple[int, int]]:
    """Size and time of the modules that hold the rules: another version of them judges anew."""
    own = Path(__file__).parent
    rules = [own / f"{name}.py" for name in ("kinds", "surroundings", "traits")]
    try:
        statuses = [path.stat() for path in (*rules, *sorted((own.parent / "languages").glob("*.py")))]
    except OSError:
        return []  # shipped without sources: the format of the store tells versions apart
    return [(status.st_size, status.st_mtime_ns) for status in statuses]
