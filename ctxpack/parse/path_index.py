"""The files of a repository, found by the tail of their path."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from posixpath import normpath


class PathIndex:
    """Look-ups over the paths of a repository; all answers are deterministic."""

    def __init__(self, paths: Sequence[str]) -> None:
        self.paths = tuple(sorted(paths))
        self.known = frozenset(paths)

    @cached_property
    def by_name(self) -> dict[str, list[str]]:
        """File name -> paths, in order."""
        found: dict[str, list[str]] = {}
        for path in self.paths:
            found.setdefault(path.rpartition("/")[2], []).append(path)
        return found

    @cached_property
    def by_folder(self) -> dict[str, list[str]]:
        """Folder -> the paths directly in it, in order."""
        found: dict[str, list[str]] = {}
        for path in self.paths:
            found.setdefault(path.rpartition("/")[0], []).append(path)
        return found

    @cached_property
    def folders_by_name(self) -> dict[str, list[str]]:
        """Last part of a folder -> folders, in order."""
        found: dict[str, list[str]] = {}
        for folder in self.by_folder:
            found.setdefault(folder.rpartition("/")[2], []).append(folder)
        return found

    def first(self, candidates: Iterable[str]) -> str:
        """Return the first of these exact paths that exists, else ``""``."""
        return next((path for path in candidates if path in self.known), "")

    def by_suffix(self, suffix: str, near: str = "") -> str:
        """Return the path that is, or ends with, ``suffix``: of several the nearest to the path ``near``."""
        tail = "/" + suffix
        found = [
            path for path in self.by_name.get(suffix.rpartition("/")[2], ()) if path == suffix or path.endswith(tail)
        ]
        return min(found, key=lambda path: (-shared_folders(path, near), path.count("/"), path), default="")

    def folder_by_suffix(self, suffix: str) -> str:
        """Return the shortest folder that is, or ends with, ``suffix``, else ``""``."""
        tail = "/" + suffix
        names = self.folders_by_name.get(suffix.rpartition("/")[2], ())
        found = [folder for folder in names if folder == suffix or folder.endswith(tail)]
        return min(found, key=lambda folder: (folder.count("/"), folder), default="")


def shared_folders(path: str, other: str) -> int:
    """Return how many leading folders two paths share."""
    count = 0
    for left, right in zip(path.split("/")[:-1], other.split("/")[:-1], strict=False):
        if left != right:
            break
        count += 1
    return count


def joined(folder: str, relative: str) -> str:
    """Return ``relative`` as seen from ``folder``, normalised; ``""`` when it leaves the repository."""
    path = normpath(f"{folder}/{relative}" if folder else relative)
    return "" if path.startswith(("..", "/")) else path
