"""What a report says of the repository: the folders with most files, and notes about its state."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from ctxpack.index import IndexView
from ctxpack.model import SourceFile
from ctxpack.settings import Settings
from ctxpack.system.git import enclosing_repository, find_git
from ctxpack.text import printable

if TYPE_CHECKING:
    from ctxpack.changes import Change

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


_SHOWN = 5  # missing files that are named


def repository_notes(view: IndexView, settings: Settings, change: Change | None = None) -> tuple[str, ...]:
    """One sentence for each thing that the report cannot show by itself."""
    told: list[str] = [*settings.notes]
    told += _missing(settings.paths or (), settings.root)
    if change is not None and _ends_elsewhere(change, view):
        told.append("The change is that of the commits; callers, tests and documents are those of the files on disk.")
    if not view.state.is_git and enclosing_repository(str(settings.root)) and find_git(str(settings.root)) is None:
        told.append("git is not installed: ignore rules were read without it, and there is no history.")
    if late := view.files.late:
        shown = late[0] if len(late) == 1 else f"{len(late)} files, such as {late[0]}"
        told.append(f"The parser took too long for {shown}: definitions there were found by patterns.")
    return tuple(told)


def _ends_elsewhere(change: Change, view: IndexView) -> bool:
    """Whether a diff ends in another state than that of the files on disk."""
    end = change.revisions.new
    return bool(end) and (end != view.state.commit or view.state.dirty)


def _missing(paths: Sequence[str], root: Path) -> list[str]:
    gone = [path for path in paths if not (root / path).exists()]
    if not gone:
        return []
    more = f" and {len(gone) - _SHOWN} more" if len(gone) > _SHOWN else ""
    return [f"Not there, though listed: {', '.join(gone[:_SHOWN])}{more}."]
