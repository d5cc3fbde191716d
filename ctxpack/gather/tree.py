"""The layout of a project in one line: its folders that hold the most files, with how many each holds."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cached_property

from ctxpack.model import SourceFile
from ctxpack.text import printable

_MOST = 24  # folders: more are no overview
_SHARE, _TOKENS_PER_FOLDER = 0.005, 5  # of the budget; a line that costs more is paid with pieces
_FEWEST = 4  # folders; fewer say nothing


class Folders:
    """The folders of a repository, worked out when they are first asked for."""

    def __init__(self, files: Sequence[SourceFile]) -> None:
        self.files = files

    @cached_property
    def direct(self) -> Counter[str]:
        """How many files each folder holds itself; ``""`` is the root."""
        return Counter(file.path.rpartition("/")[0] for file in self.files)

    @cached_property
    def children(self) -> dict[str, list[str]]:
        """The folders in each folder, by name."""
        children = defaultdict[str, set[str]](set)
        for folder in self.direct:
            while folder:
                above = folder.rpartition("/")[0]
                children[above].add(folder)
                folder = above  # noqa: PLW2901 - up to the root
        return {above: sorted(those) for above, those in children.items()}

    @cached_property
    def totals(self) -> Counter[str]:
        """How many files each folder holds with those in it."""
        totals = Counter(self.direct)
        for folder in sorted((each for those in self.children.values() for each in those), key=_depth, reverse=True):
            totals[folder.rpartition("/")[0]] += totals[folder]
        return totals

    def inmost(self, folder: str) -> str:
        """The folder itself, or the only one that all its files lie in: ``src/main/java/org``."""
        while not self.direct[folder] and len(self.children.get(folder, ())) == 1:
            folder = self.children[folder][0]
        return folder


def tree(folders: Folders, budget: int) -> str:
    """``docs/ 82, src/flask/ 26, 3 at the top (files)``; empty where a budget has no room for that, or for one folder.

    The fullest folders are told by the folders in them as long as there is room.
    """
    room = min(_MOST, int(budget * _SHARE / _TOKENS_PER_FOLDER))
    shown = [folders.inmost(each) for each in folders.children.get("", ()) if not each.startswith(".")]
    if room < _FEWEST or not shown:
        return ""
    shown = _opened(folders, shown, room)
    kept = sorted(sorted(shown, key=lambda each: (-folders.totals[each], each))[:room])
    parts = [f"{printable(each)}/ {folders.totals[each]:,}" for each in kept]
    more = f", and {len(shown) - len(kept)} more folders" if len(shown) > len(kept) else ""
    at_top = f", {folders.direct['']:,} at the top" if folders.direct[""] else ""
    return f"{', '.join(parts)}{more}{at_top} (files)"


def _opened(folders: Folders, shown: Sequence[str], room: int) -> list[str]:
    """The folders with the fullest ones replaced by the folders in them, while that has room."""
    shown = list(shown)
    for folder in sorted(shown, key=lambda each: (-folders.totals[each], each)):
        inside = [folders.inmost(each) for each in folders.children.get(folder, ())]
        if len(shown) + len(inside) > room:
            break
        shown += inside  # the folder stays, with all of its files: what it holds itself is part of them
    return shown


def _depth(folder: str) -> int:
    return folder.count("/")
