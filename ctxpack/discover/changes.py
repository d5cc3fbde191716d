"""What is not committed, as git finds it; and the last Discovery, mended where that has changed.

While git's index, HEAD and the rules are those of the last run, a file that git calls unchanged, then as now, is what
it was: it is neither looked at nor thought about. The rest is examined again. Where anything else differs, such as the
set of paths, the files are listed from scratch.
"""

# ruff: noqa: PTH113, PTH116, PTH118, PTH123 -- names as text with surrogate escapes
from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from ctxpack.discover.ignores import DOT_FILES
from ctxpack.discover.listing import ListedFile, is_settled, rule_tables
from ctxpack.discover.unchanged import Tree, stamps_of
from ctxpack.discover.worktree import folders_leading_outside
from ctxpack.light import dataclass, replace
from ctxpack.model import Discovery, Seen, Skipped, SourceFile, Stamps
from ctxpack.model.columns import FileTable
from ctxpack.settings import Settings
from ctxpack.system.disk import open_regular
from ctxpack.system.git import (
    Git,
    GitBlockedError,
    GitError,
    GitProcess,
    enclosing_repository,
    plain_git,
    split_records,
)

_STATUS: Final = (
    "status", "--porcelain=v2", "--branch", "-z", "-uall", "--no-renames", "--no-ahead-behind",
    "--ignore-submodules=all",  # else it would run with what they configure
)  # fmt: skip
NanosecondClock = Callable[[], int]
_TRACKED: Final = 9  # fields of a tracked file: mark, states, submodule, three modes, two blobs, path
_TRAILER: Final = 32  # bytes of an index file that hold the checksum of its content
_FRAGILE: Final = "symbolic link"  # what such a reason says depends on other files


@dataclass(frozen=True, slots=True)
class PathChange:
    """A path that differs from HEAD. ``indexed`` is what git's index holds of it; empty for an untracked file."""

    path: str
    states: str  # of the index and of the file on disk, as git names them
    indexed: str = ""
    is_mode_alone: bool = False  # perhaps: the mode differs, the content may as well

    @property
    def is_listed(self) -> bool:
        """Whether it adds a path to what the index holds, or takes one away."""
        return self.states == "??" or self.states[1:] == "D"

    @property
    def is_staged(self) -> bool:
        """Whether git's index differs from HEAD here."""
        return self.states[0] not in ".?"


@dataclass(frozen=True, slots=True)
class Changes:
    """All that is not committed, under the ``key`` of everything else that the file set depends on."""

    key: str
    commit: str
    branch: str
    found: tuple[PathChange, ...]
    git: Git
    asked_ns: int  # when git was asked

    @property
    def is_dirty(self) -> bool:
        """Whether anything but modes differs from HEAD; repositories of their own inside do not count."""
        return any(not (each.is_mode_alone or each.path.endswith("/")) for each in self.found)

    def as_seen(self, root: str, ignore_files: Iterable[str]) -> Seen:
        """Return what the next run compares. A file that was changed just now compares as different from itself."""
        now = time.time_ns()
        records = {each.path: _record(root, each) for each in self.found}
        settled = {path: (*kept, is_settled(int(kept[-1]), now)) for path, kept in records.items()}
        return Seen(self.key, settled, tuple(ignore_files))

    def stamps(self, tree: Tree) -> Stamps | None:
        """Return what tells the next run that it need not ask git.

        That takes as long as asking: it pays where nothing was changed since the last run, not between two edits.
        """
        return stamps_of(tree, self.asked_ns)


@dataclass(frozen=True, slots=True)
class Watch:
    """A question to git that is under way."""

    root: str
    settings: Settings
    key: str
    git: Git
    process: GitProcess
    asked_ns: int

    def changes(self) -> Changes | None:
        """Return what git says; None where that is not understood here, leads outside, or is out of date.

        Raises GitBlockedError where git has no end here.
        """
        try:
            found = self._parse(self.process.text())
        except GitBlockedError:
            raise
        except (GitError, ValueError):  # all files are listed instead
            return None
        if found is None or self.key != state_key(self.root, self.settings):
            return None
        return None if folders_leading_outside(self.root, (each.path for each in found.found)) else found

    def _parse(self, output: str) -> Changes | None:
        heads: dict[str, str] = {}
        found: list[PathChange] = []
        for record in split_records(output):
            mark, _, rest = record.partition(" ")
            if mark == "#":
                name, _, value = rest.partition(" ")
                heads[name] = value
            elif mark == "?":
                found.append(PathChange(rest, "??"))
            else:
                _, states, submodule, _, mode, mode_on_disk, _, blob, path = record.split(" ", _TRACKED - 1)
                if mark != "1" or submodule[0] != "N":
                    return None  # a conflict, or a repository of its own
                is_mode_alone = states == ".M" and mode != mode_on_disk
                found.append(PathChange(path, states, blob, is_mode_alone))
        commit, branch = heads.get("branch.oid", "("), heads.get("branch.head", "")
        if commit.startswith("("):
            return None  # nothing is committed yet
        if len({each.path for each in found}) < len(found):
            return None  # out of the index, and there
        return Changes(
            self.key, commit, "" if branch.startswith("(") else branch, tuple(found), self.git, self.asked_ns
        )


def start_watch(root: str, settings: Settings, git: Git, key: str, clock: NanosecondClock) -> Watch | None:
    """Ask git for what is not committed, under the key of the rest; None where git cannot run."""
    try:
        asked_ns = clock()
        return Watch(root, settings, key, git, plain_git(git).start(*_STATUS), asked_ns)
    except GitError:  # all files are listed instead
        return None


def _record(root: str, change: PathChange) -> tuple[str | int, ...]:
    """Return what tells whether a change is still the same: what git says, and what is on disk."""
    try:
        status = os.lstat(f"{root}/{change.path}")
    except (OSError, ValueError):  # gone: that is its state
        return change.states, change.indexed, 0, 0, 0
    return change.states, change.indexed, status.st_mode, status.st_size, status.st_mtime_ns


def state_key(root: str, settings: Settings) -> str:
    """Digest git's index and all rules; empty where there is no index, and where git's answer would not tell enough."""
    is_narrow = settings.paths is not None or settings.include or settings.exclude or settings.unseen
    if is_narrow or not settings.use_gitignore or enclosing_repository(root) != root:
        return ""
    index = _index_path(root)
    try:
        status = os.stat(index)
        with os.fdopen(open_regular(os.path.realpath(index)), "rb") as stream:
            stream.seek(max(status.st_size - _TRAILER, 0))
            trailer = stream.read()
    except OSError:  # all files are listed instead
        return ""
    dots = [_times(f"{root}/{name}") for name in DOT_FILES]
    rules = (list(settings.kinds.items()), settings.max_file_size, settings.use_dot_ignore)
    facts = (trailer, status.st_size, status.st_mtime_ns, dots, rules, rule_tables())
    return hashlib.sha256(repr(facts).encode("utf-8", "surrogateescape")).hexdigest()


def _index_path(root: str) -> str:
    place = f"{root}/.git"
    if os.path.isfile(place):
        try:
            with open(place, "rb") as stream:
                place = os.path.join(root, os.fsdecode(stream.read()).removeprefix("gitdir:").strip())
        except OSError:  # all files are listed instead
            return ""
    return f"{place}/index"


def _times(path: str) -> tuple[int, ...]:
    try:
        status = os.lstat(path)
    except OSError:  # there is none
        return ()
    return status.st_mode, status.st_size, status.st_mtime_ns, status.st_ctime_ns


Examine = Callable[[ListedFile], Sequence[SourceFile | Skipped]]


def differing(root: str, changes: Changes, last: Discovery) -> Mapping[str, PathChange | None] | None:
    """Return the paths that the last Discovery may be wrong about; None where it tells nothing.

    With each comes what git says of it now, None where that is nothing.
    """
    seen = last.seen
    if seen is None or (seen.key, last.state.commit, last.state.branch) != (
        changes.key,
        changes.commit,
        changes.branch,
    ):
        return None
    now = {each.path: each for each in changes.found}
    if {path for path, change in now.items() if change.is_listed} != {
        path for path, record in seen.changed.items() if PathChange(path, str(record[0])).is_listed
    }:
        return None
    found: dict[str, PathChange | None] = {
        path: now.get(path)
        for path in now.keys() | seen.changed.keys()
        if path not in now or seen.changed.get(path) != (*_record(root, now[path]), True)
    }
    found |= {each.path: now.get(each.path) for each in last.skipped if each.reason.startswith(_FRAGILE)}
    return None if any(path.rpartition("/")[2] in DOT_FILES for path in found) else found


def is_same(one: Discovery, other: Discovery) -> bool:
    """Whether two Discoveries found the same, whatever stamps they have."""
    if one is other:
        return True
    if not one.seen or not other.seen or replace(one.seen, stamps=None) != replace(other.seen, stamps=None):
        return False
    return (one.state, one.files, one.skipped) == (other.state, other.files, other.skipped)


def mend(
    root: str, last: Discovery, now: tuple[Changes, Mapping[str, PathChange | None]], examine: Examine
) -> Discovery | None:
    """Return the last Discovery with what is there now at the paths that differ; None where one of them is gone."""
    (changes, found), seen = now, last.seen
    assert seen is not None  # noqa: S101 - something was found by it
    replaced, skipped = dict[str, SourceFile | None](), [each for each in last.skipped if each.path not in found]
    for path, change in found.items():
        if path.endswith("/") or (change is not None and "D" in change.states):
            skipped += [each for each in last.skipped if each.path == path]
            continue
        try:
            status = os.lstat(f"{root}/{path}")
        except (OSError, ValueError):  # all files are listed instead
            return None
        indexed = change.indexed if change else str(seen.changed.get(path, ("", ""))[1])
        judged = examine(ListedFile(path, status, "", indexed, 0, change is not None and change.is_staged))
        replaced[path] = next((each for each in judged if isinstance(each, SourceFile)), None)
        skipped += [each for each in judged if isinstance(each, Skipped)]
    skipped.sort(key=lambda each: (each.path, each.reason))
    files = FileTable.of(last.files).with_files(replaced)
    return replace(
        last,
        files=files,
        skipped=tuple(skipped),
        state=replace(last.state, dirty=changes.is_dirty or any(files.dirty)),
        seen=changes.as_seen(root, seen.ignore_files),
        digest="",
        before=last,
        differing=tuple(found),
    )
