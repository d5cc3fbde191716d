"""A project tree of a few lines: where the pack's files lie, and what else is there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from ctxpack.model import SourceFile
from ctxpack.text import printable

_MAX_LINES = 40
_SHARE, _TOKENS_PER_LINE = 0.05, 8
_FEWEST = 6  # lines; a smaller tree says nothing
MARK = "*"


class Folders:
    """How many files the folders of a repository hold, counted when that is first asked."""

    def __init__(self, files: Sequence[SourceFile]) -> None:
        self.files = files

    @cached_property
    def counts(self) -> Counter[str]:
        """By path, with those of the folders in it."""
        counts = Counter([file.path.rpartition("/")[0] for file in self.files])
        every = {above for folder in counts for above in (folder, *_folders(folder))}
        for folder in sorted(every, key=lambda each: -each.count("/")):  # the innermost first
            if "/" in folder:
                counts[folder.rpartition("/")[0]] += counts[folder]
        del counts[""]
        return counts


def tree(name: str, folders: Folders, picked: Iterable[str], budget: int) -> str:
    """At most forty lines and about a twentieth of ``budget`` tokens; empty if that is too little for a tree.

    The outermost folders show how many files they hold, and so do those down to the ``picked`` files, which stand there
    marked, the first of them first where the room is short.
    """
    lines = min(_MAX_LINES, int(budget * _SHARE / _TOKENS_PER_LINE))
    if lines < _FEWEST:
        return ""
    counts = folders.counts
    marked = tuple(dict.fromkeys(picked))
    shown = _shown(counts, marked, lines - 1)
    head = f"{printable(name)}/ {_counted(len(folders.files))}{f', {MARK} in this pack' if marked else ''}\n"
    return head + "".join(_line(entry, counts) for entry in sorted(shown, key=lambda entry: _key(entry, counts)))


def _shown(counts: Counter[str], marked: Sequence[str], room: int) -> set[str]:
    """The entries there is room for: marked files with their folders, then the outermost folders, the fullest first."""
    shown: set[str] = set()
    for path in marked:
        needed = {*_folders(path), path} - shown
        if len(shown) + len(needed) <= room:
            shown |= needed
    others = sorted({folder for folder in counts if "/" not in folder} - shown, key=lambda each: (-counts[each], each))
    return shown.union(others[: room - len(shown)])


def _folders(path: str) -> Iterator[str]:
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path


def _key(entry: str, counts: Counter[str]) -> tuple[tuple[bool, str], ...]:
    """Folders before files, both by name, each entry behind its folder."""
    parts = entry.split("/")
    last = len(parts) - 1
    return tuple((place == last and entry not in counts, part) for place, part in enumerate(parts))


def _line(entry: str, counts: Counter[str]) -> str:
    indent, name = "  " * (entry.count("/") + 1), printable(entry.rpartition("/")[2])
    return f"{indent}{name}/ {_counted(counts[entry])}\n" if entry in counts else f"{indent}{name} {MARK}\n"


def _counted(count: int) -> str:
    return f"{count:,} {'file' if count == 1 else 'files'}"
