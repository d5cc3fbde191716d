"""The files that git or our own walk lists, and what the last run found out about them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ctxpack.light import dataclass
from ctxpack.model import Kind, Skipped, Trait

if TYPE_CHECKING:
    from ctxpack.discover.kinds import FolderContents, Kinds


class ListedFile(NamedTuple):
    """A path below the root.

    ``blob`` is git's id of the content if the file is as git last saw it, else ``""``; ``indexed`` is what git's index
    holds of it, changed since or not; both are empty for an untracked file.
    """

    path: str
    status: os.stat_result
    blob: str = ""
    indexed: str = ""
    indexed_size: int = 0
    is_staged: bool = False


@dataclass(frozen=True, slots=True)
class Listing:
    """The file set before any rule of ours. ``is_dirty`` tells of changes that no found file shows: deletions.

    ``is_plain``: git itself tells of each change to it, as there are no submodules and no file that it shall not watch.
    """

    found: tuple[ListedFile, ...]
    skipped: tuple[Skipped, ...] = ()
    is_dirty: bool = False
    is_plain: bool = False


LATE = "not looked at: the search for files took too long"


def look_at(root: str, paths: Iterable[str]) -> list[ListedFile]:
    """Stat the untracked ``paths``, without following links; those that are gone are left out."""
    found: list[ListedFile] = []
    for path in paths:
        try:
            found.append(ListedFile(path, os.lstat(f"{root}/{path}")))
        except (OSError, ValueError):
            continue  # gone since it was listed
    return found


def place_below(prefix: str, listing: Listing) -> Listing:
    """Return the listing as seen from the folder that holds ``prefix``."""
    return Listing(
        tuple(each._replace(path=f"{prefix}/{each.path}") for each in listing.found),
        tuple(Skipped(f"{prefix}/{each.path}", each.reason) for each in listing.skipped),
        listing.is_dirty,
    )


def join_listings(listings: Iterable[Listing]) -> Listing:
    """Join the listings of several folders."""
    parts = tuple(listings)
    return Listing(
        tuple(found for part in parts for found in part.found),
        tuple(skipped for part in parts for skipped in part.skipped),
        any(part.is_dirty for part in parts),
    )


_SETTLED_NS = 2_000_000_000  # a file changed within this time may change again under the same time stamp


class Known(NamedTuple):
    """The facts about one file's content, valid while ``size`` (bytes) and ``mtime_ns`` are still the same.

    ``skip_reason`` is empty for a file that was taken, else why its content hid it; ``blob`` is then empty. ``kind``
    and, with the path's share, ``language`` and ``traits`` hold where ``judged_by`` is still that of the Discovery.
    """

    size: int
    mtime_ns: int
    blob: str
    language: str = ""
    traits: tuple[Trait, ...] = ()
    skip_reason: str = ""
    kind: Kind | None = None
    judged_by: str = ""


def is_settled(mtime_ns: int, now_ns: int) -> bool:
    """Return whether a file that was changed at ``mtime_ns`` can be known by its times."""
    return mtime_ns < now_ns - _SETTLED_NS


class Judgement:
    """The rules of kinds and traits for one set of paths; made only where a path is new to these rules.

    ``digest`` is that of the same rules and paths, where it is known. ``before`` are digest and folders of an earlier
    judgement: where the digest is the same, so are the folders.
    """

    def __init__(
        self,
        paths: Iterable[str],
        patterns: Mapping[str, tuple[str, ...]],
        digest: str = "",
        before: tuple[str, str] = ("", ""),
    ) -> None:
        self._given = paths
        self._patterns = patterns
        self._digest = digest
        self._before = before

    @cached_property
    def _paths(self) -> tuple[str, ...]:
        return tuple(self._given)

    @cached_property
    def digest(self) -> str:
        """The same for the same paths, patterns and tables."""
        if self._digest:
            return self._digest
        rules = repr((list(self._patterns.items()), rule_tables())) + "\0".join(self._paths)
        return hashlib.sha256(rules.encode("utf-8", "surrogateescape")).hexdigest()[:16]

    @cached_property
    def near(self) -> FolderContents:
        """What the paths tell about each other."""
        from ctxpack.discover.kinds import FolderContents, survey

        return FolderContents.read(written) if (written := self._written) else survey(self._paths)

    @property
    def folders(self) -> str:
        """What ``near`` is, written; empty where it was neither known nor asked for."""
        return self._written or (self.near.write() if "near" in self.__dict__ else "")

    @property
    def _written(self) -> str:
        digest, folders = self._before
        return folders if folders and digest == self.digest else ""

    @cached_property
    def kinds(self) -> Kinds:
        """The kinds by path. Raises ConfigError for an unknown kind among the patterns."""
        from ctxpack.discover.kinds import Kinds

        return Kinds(self._patterns, self.near)


def rule_tables() -> list[tuple[int, int]]:
    """Size and time of the modules with the rules: a new version examines all files again."""
    own = Path(__file__).parent
    rules = [own / f"{name}.py" for name in ("kinds", "traits")]
    try:
        statuses = [path.stat() for path in (*rules, *sorted((own.parent / "parse" / "languages").glob("*.py")))]
    except OSError:
        return []  # shipped without sources: the format of the store tells versions apart
    return [(status.st_size, status.st_mtime_ns) for status in statuses]
