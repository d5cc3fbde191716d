"""Which files differ between two states, and how much: git's own lists, whatever the repository is configured to do."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ctxpack.changes.revisions import Revisions
from ctxpack.discover.process import Git, GitError, split_records

SUBMODULE = "160000"
_ENTRY = re.compile(r":(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) ([A-Z])\d*")
_RENAMED = frozenset("RC")
_RENAME_LIMIT = 1_000  # pairs of files beyond which git looks for exact renames only

# what the configuration of a repository could turn into another output, or into running a program
_PLAIN = (
    "-c", "core.quotePath=false", "-c", "diff.suppressBlankEmpty=false", "-c", "diff.autoRefreshIndex=true",
    "-c", "log.showSignature=false", "-c", "blame.ignoreRevsFile=", "-c", "diff.wsErrorHighlight=none",
)  # fmt: skip
_OPTIONS = (
    "--no-ext-diff", "--no-textconv", "--no-color", "--no-color-moved", "--diff-algorithm=default",
    "--indent-heuristic", "--find-renames=50%", f"-l{_RENAME_LIMIT}", "--src-prefix=a/", "--dst-prefix=b/",
    f"-O{os.devnull}", "--relative", "--submodule=short", "--ignore-submodules=dirty", "--inter-hunk-context=0",
    "--no-abbrev",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Entry:
    """One file that differs. A side that has no file has mode ``000000``; lines are None for what is not text.

    The blob of a file on disk is all zeros where git has not hashed it.
    """

    status: str  # A added, D deleted, M modified, R renamed, T another type, U in conflict
    path: str
    old_path: str
    old_mode: str
    new_mode: str
    old_blob: str
    new_blob: str
    added: int | None
    removed: int | None

    @property
    def is_submodule(self) -> bool:
        """Whether it is the commit of another repository."""
        return SUBMODULE in (self.old_mode, self.new_mode)


def plain(git: Git) -> Git:
    """A git that prints what every repository would, and runs no filter that this one configures.

    Raises GitError if git cannot run, or where a filter cannot be switched off.
    """
    try:
        names = split_records(git.start("config", "-z", "--name-only", "--get-regexp", r"^filter\..*").text())
    except GitError:
        names = []  # none is configured
    drivers = sorted({name.rpartition(".")[0] for name in names})
    if odd := next((driver for driver in drivers if "=" in driver), ""):
        raise GitError(f"its configuration has a filter that cannot be switched off: {odd}")
    off = (
        part
        for driver in drivers
        for key, value in (("clean", ""), ("smudge", ""), ("process", ""), ("required", "false"))
        for part in ("-c", f"{driver}.{key}={value}")
    )
    return Git(git.executable, git.folder, (*git.options, *_PLAIN, *off))


def arguments(revisions: Revisions, *what: str, paths: Sequence[str] = ()) -> tuple[str, ...]:
    """The arguments of ``git diff`` between two states, of all files or of some paths."""
    sides = (revisions.old, revisions.new) if revisions.new else (revisions.old,)
    staged = ("--cached",) if revisions.is_staged else ()
    return ("--literal-pathspecs", "diff", *_OPTIONS, *staged, *what, *sides, "--", *paths)


def entries(git: Git, revisions: Revisions) -> list[Entry]:
    """The files that differ, in git's order, untracked ones left aside. Raises GitError."""
    records = iter(split_records(git.start(*arguments(revisions, "--raw", "--numstat", "-z")).text()))
    found: list[tuple[re.Match[str], str, str]] = []
    counts: dict[str, tuple[int | None, int | None]] = {}
    for record in records:
        entry = _ENTRY.fullmatch(record)
        if entry is not None:
            first = next(records)
            found.append((entry, first, next(records) if entry[5] in _RENAMED else first))
        else:
            path, numbers = _counted(record, records)
            counts[path] = numbers
    return [
        Entry(entry[5], path, old_path, entry[1], entry[2], entry[3], entry[4], *counts.get(path, (0, 0)))
        for entry, old_path, path in found
    ]


def _counted(record: str, records: Iterator[str]) -> tuple[str, tuple[int | None, int | None]]:
    """A record of ``--numstat``: the new path, and the lines that were added and removed."""
    added, removed, path = record.split("\t", 2)
    if not path:  # a rename: both paths follow
        next(records)
        path = next(records)
    return path, (int(added), int(removed)) if added != "-" else (None, None)
