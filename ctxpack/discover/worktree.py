"""The file set of a folder as git tells it: a work tree with its submodules, or a folder that is no repository.

For the latter git is given an empty repository, so that its own rules hold there too.
"""

# ruff: noqa: PTH102, PTH103, PTH110, PTH112, PTH113, PTH114, PTH116, PTH118, PTH123 -- tens of thousands of names as text with surrogate escapes
from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from ctxpack.discover.listing import ListedFile, Listing, join_listings, look_at, place_below
from ctxpack.light import lazy_pattern
from ctxpack.model import Skipped
from ctxpack.system.clock import thread_pool
from ctxpack.system.git import (
    Git,
    GitError,
    GitProcess,
    GitTimeoutError,
    enclosing_repository,
    is_no_name,
    own_excludes,
    split_records,
)

_SUBMODULE_MODE = "160000"
# git's own record of what it saw on disk saves a second look at every file; where the format is another one,
# the short form still finds every path, and unrecorded files are hashed
_RECORD = lazy_pattern(
    r"(\S) (\d{6}) ([0-9a-f]{40,64}) (\d)\t([^\0]+)\0  ctime: \d+:\d+\n  mtime: (\d+):(\d+)\n"
    r"  dev: \d+\tino: \d+\n  uid: \d+\tgid: \d+\n  size: (\d+)\tflags: [0-9a-f]+\n"
)
_SHORT_RECORD = lazy_pattern(r"(\S) (\d{6}) ([0-9a-f]{40,64}) (\d)\t([^\0]+)\0")


class _Tracked(NamedTuple):
    blob: str
    mode: str
    size: int
    mtime_ns: int
    is_sparse: bool
    is_watched: bool  # not in conflict, not "assume unchanged", not sparse


class _Runs(NamedTuple):
    tracked: GitProcess
    untracked: GitProcess
    staged: GitProcess
    index_path: GitProcess | None  # where the record is no folder of the work tree


def list_worktree(git: Git, *, use_gitignore: bool) -> Listing:
    """List what git counts to the work tree below ``git.folder``.

    These are tracked files, untracked ones that no rule of git ignores, and the same of each checked-out submodule.
    Raises GitError outside a work tree or if it is broken.
    """
    runs = _start(git, use_gitignore=use_gitignore)
    try:
        own, submodules = _read(git.folder, runs)
    finally:
        for run in runs:
            if run is not None:
                run.close()
    if not submodules:
        return own
    return join_listings((own, *list_repositories(git, submodules, use_gitignore=use_gitignore)))


def list_repositories(git: Git, folders: Iterable[str], *, use_gitignore: bool) -> list[Listing]:
    """List the work trees inside ``git.folder``, their paths seen from there."""

    def one(folder: str) -> Listing:
        place = f"{git.folder}/{folder}"
        if os.path.islink(place) or not os.path.lexists(f"{place}/.git"):
            return Listing((), (Skipped(folder, "submodule that is not checked out"),))
        try:
            return place_below(folder, list_worktree(git.inside(place), use_gitignore=use_gitignore))
        except GitError as error:
            return Listing((), (Skipped(folder, f"git cannot read this repository: {error}"),))

    names = list(folders)
    if len(names) < 2:  # noqa: PLR2004 -- one needs no threads
        return [one(name) for name in names]
    with thread_pool(8) as pool:
        return list(pool.map(one, names))


def _start(git: Git, *, use_gitignore: bool) -> _Runs:
    standard = ("--exclude-standard",) if use_gitignore else ()
    return _Runs(
        untracked=git.start("ls-files", "-z", "-o", *standard),  # the slowest goes first
        tracked=git.start("ls-files", "-z", "-s", "-v", "--debug"),
        staged=git.start("diff-index", "--cached", "--relative", "-z", "--name-only", "HEAD", "--"),
        index_path=None
        if os.path.isdir(os.path.join(git.folder, ".git"))
        else git.start("rev-parse", "--git-path", "index"),
    )


def _read(folder: str, runs: _Runs) -> tuple[Listing, list[str]]:
    """Return the listing without submodules, and the paths of these."""
    tracked = _parse(runs.tracked.text())
    saved_ns = _saved_ns(folder, runs.index_path)
    staged = _staged_paths(runs.staged)
    found, is_deleted = _present_files(folder, tracked, staged, saved_ns)
    untracked = split_records(runs.untracked.text())
    untracked = [path for path in untracked if path not in tracked]  # it may have been added meanwhile
    foreign = [Skipped(path, "a git repository of its own") for path in untracked if path.endswith("/")]
    others = look_at(folder, (path for path in untracked if not path.endswith("/")))
    submodules = sorted(path for path, entry in tracked.items() if entry.mode == _SUBMODULE_MODE)
    is_plain = not submodules and all(entry.is_watched for entry in tracked.values())
    is_dirty = is_deleted or bool(staged.difference(tracked))
    return Listing((*found, *others), tuple(foreign), is_dirty, is_plain), submodules


def _parse(output: str) -> dict[str, _Tracked]:
    records = _RECORD.findall(output)
    if len(records) != output.count("\0"):
        records = [(*record, "0", "0", "0") for record in _SHORT_RECORD.findall(output)]
    tracked: dict[str, _Tracked] = {}
    for tag, mode, blob, stage, path, seconds, nanoseconds, size in records:
        is_watched = stage == "0" and tag == "H"
        mtime_ns = int(seconds) * 1_000_000_000 + int(nanoseconds) if is_watched else 0
        tracked[path] = _Tracked(blob, mode, int(size), mtime_ns, tag in "Ss", is_watched)
    return tracked


def _saved_ns(folder: str, run: GitProcess | None) -> int:
    """When git's index was written: changes at that very moment may be missing from it."""
    try:
        place = run.text().removesuffix("\n") if run else os.path.join(".git", "index")
        return os.stat(os.path.join(folder, place)).st_mtime_ns
    except OSError:  # then every file is looked at
        return 0


def _staged_paths(run: GitProcess) -> frozenset[str] | _Everything:
    try:
        return frozenset(split_records(run.text()))
    except GitTimeoutError:
        raise
    except GitError:
        return _Everything()  # nothing is committed yet


class _Everything(frozenset[str]):
    """A set with every path: before the first commit every tracked file is a change."""

    def __contains__(self, item: object) -> bool:
        return True

    def difference(self, *_others: Iterable[object]) -> frozenset[str]:
        """No path is missing from the index."""
        return frozenset()


def _present_files(
    folder: str, tracked: dict[str, _Tracked], staged: frozenset[str], saved_ns: int
) -> tuple[list[ListedFile], bool]:
    """Return the tracked files that are there, and whether one was deleted."""
    found: list[ListedFile] = []
    is_deleted = False
    outside = folders_leading_outside(folder, tracked)
    for path, entry in tracked.items():
        if entry.mode == _SUBMODULE_MODE:
            continue
        if outside and path.rpartition("/")[0] in outside:
            is_deleted = True
            continue
        try:
            status = os.lstat(f"{folder}/{path}")
        except (OSError, ValueError):  # gone: that is a change
            is_deleted = is_deleted or not entry.is_sparse
            continue
        mtime_ns = status.st_mtime_ns
        is_clean = mtime_ns == entry.mtime_ns and status.st_size == entry.size and mtime_ns < saved_ns
        found.append(ListedFile(path, status, entry.blob if is_clean else "", entry.blob, entry.size, path in staged))
    return found, is_deleted


def folders_leading_outside(folder: str, paths: Iterable[str]) -> set[str]:
    """Return the folders of tracked paths that are no folders of the work tree, though a file may be found there.

    Those are links that took the place of a folder, as git sees it too, and what only a forged index can hold: names
    such as ``..`` and ``.git``.
    """
    known = {""}
    found: set[str] = set()
    for inner in {path.rpartition("/")[0] for path in paths}:
        new: list[str] = []
        while inner not in known:
            known.add(inner)
            new.append(inner)
            inner = inner.rpartition("/")[0]  # noqa: PLW2901
        for each in reversed(new):  # from the outermost inwards
            above, _, name = each.rpartition("/")
            if above in found or is_no_name(name) or os.path.islink(f"{folder}/{each}"):
                found.add(each)
    return found


@contextmanager
def empty_repository(git: Git) -> Iterator[Git]:
    """Provide a git that treats the folder as the work tree of an empty repository, until the block ends.

    A ``.git`` that git itself refuses to read still lends its ``info/exclude``. Raises GitError if none can be made.
    """
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix="ctxpack-") as empty:
        _lay_down_record(empty)
        top = enclosing_repository(git.folder) or git.folder
        _copy_excludes(top, empty)
        yield git.of_record(empty, top)


def _lay_down_record(empty: str) -> None:
    """Write what git takes for a repository, with what ``git init`` finds out about names; a process less.

    Raises GitError where that cannot be written.
    """
    config = os.path.join(empty, "config")
    try:
        for name in ("objects", "refs"):
            os.mkdir(os.path.join(empty, name))
        with open(os.path.join(empty, "HEAD"), "w", encoding="utf-8", newline="\n") as stream:
            stream.write("ref: refs/heads/main\n")
        with open(config, "w", encoding="utf-8", newline="\n") as stream:
            stream.write("[core]\n\trepositoryformatversion = 0\n\tbare = true\n")
            if os.path.exists(os.path.join(empty, "CONFIG")):
                stream.write("\tignorecase = true\n")
            if sys.platform == "darwin":
                stream.write("\tprecomposeunicode = true\n")
    except OSError as error:
        raise GitError(f"{empty} cannot be written: {error.strerror}") from error


def list_folder(git: Git, *, use_gitignore: bool) -> Listing:
    """List the files below ``git.folder`` that no ignore file hides, and those of the git repositories inside it.

    Raises GitError if git cannot do it.
    """
    standard = ("--exclude-standard",) if use_gitignore else ()
    with empty_repository(git) as its:
        paths = split_records(its.start("ls-files", "-z", "-o", *standard).text())
    repositories = sorted(path.removesuffix("/") for path in paths if path.endswith("/"))
    files = Listing(tuple(look_at(git.folder, (path for path in paths if not path.endswith("/")))))
    return join_listings((files, *list_repositories(git, repositories, use_gitignore=use_gitignore)))


def _copy_excludes(top: str, empty: str) -> None:
    source = own_excludes(top)
    if not os.path.isfile(source):
        return
    try:
        os.makedirs(os.path.join(empty, "info"), exist_ok=True)
        shutil.copyfile(source, os.path.join(empty, "info", "exclude"))
    except OSError as error:
        raise GitError(f"{source} cannot be read") from error
