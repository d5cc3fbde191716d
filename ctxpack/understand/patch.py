"""A diff as git reports it under any configuration: files, hunks, and the texts of both sides."""

from __future__ import annotations

import os
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from ctxpack.light import dataclass, lazy_pattern
from ctxpack.system.git import Git, readable, split_records
from ctxpack.text import decode
from ctxpack.understand.change import CONTEXT, Hunk, Revisions, parse_hunks

SUBMODULE = "160000"
_ENTRY = lazy_pattern(r":(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) ([A-Z])\d*")
_RENAMED = frozenset("RC")
_RENAME_LIMIT = 1_000  # pairs of files beyond which git looks for exact renames only

_OPTIONS = (
    "--no-ext-diff", "--no-textconv", "--no-color", "--no-color-moved", "--diff-algorithm=default",
    "--indent-heuristic", "--find-renames=50%", f"-l{_RENAME_LIMIT}", "--src-prefix=a/", "--dst-prefix=b/",
    f"-O{os.devnull}", "--relative", "--submodule=short", "--ignore-submodules=dirty", "--inter-hunk-context=0",
    "--no-abbrev",
)  # fmt: skip
_MOST_FILES, _MOST_LINES = 200, 60_000  # of a diff that is read: no pack holds more
_TYPE_CHANGE = 2  # parts: the old file goes, the new one comes
_MOST_BYTES = 30_000_000  # of all texts that are read


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


def diff_arguments(revisions: Revisions, *what: str, paths: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the arguments of ``git diff`` between two states, of all files or of some paths."""
    sides = (revisions.old, revisions.new) if revisions.new else (revisions.old,)
    staged = ("--cached",) if revisions.is_staged else ()
    return ("--literal-pathspecs", "diff", *_OPTIONS, *staged, *what, *sides, "--", *paths)


def diff_entries(git: Git, revisions: Revisions) -> list[Entry]:
    """List the files that differ, in git's order, without untracked ones. Raises GitError."""
    records = iter(split_records(git.start(*diff_arguments(revisions, "--raw", "--numstat", "-z")).text()))
    found: list[tuple[re.Match[str], str, str]] = []
    counts: dict[str, tuple[int | None, int | None]] = {}
    for record in records:
        entry = _ENTRY.fullmatch(record)
        if entry is not None:
            first = next(records)
            found.append((entry, first, next(records) if entry[5] in _RENAMED else first))
        else:
            path, numbers = _parse_counts(record, records)
            counts[path] = numbers
    return [
        Entry(entry[5], path, old_path, entry[1], entry[2], entry[3], entry[4], *counts.get(path, (0, 0)))
        for entry, old_path, path in found
    ]


def _parse_counts(record: str, records: Iterator[str]) -> tuple[str, tuple[int | None, int | None]]:
    """Parse a record of ``--numstat``: the new path, and the lines that were added and removed."""
    added, removed, path = record.split("\t", 2)
    if not path:  # a rename: both paths follow
        next(records)
        path = next(records)
    return path, (int(added), int(removed)) if added != "-" else (None, None)


def hunks_of(
    git: Git, revisions: Revisions, entries: Sequence[Entry], wanted: Container[str]
) -> Mapping[str, tuple[Hunk, ...]]:
    """Read the hunks of each of the ``wanted`` paths among all ``entries`` of a diff, which are in git's order.

    Of a diff that no pack can hold they are those of its smaller files. Raises GitError.
    """
    asked = [entry for entry in entries if entry.path in wanted]
    is_all = sum((entry.added or 0) + (entry.removed or 0) for entry in entries) <= _MOST_LINES
    kept = asked if is_all else _smaller(asked)
    if not kept:
        return {}
    paths = () if is_all else sorted({path for each in kept for path in (each.old_path, each.path)})
    parts = _parts(git.start(*diff_arguments(revisions, "--patch", f"-U{CONTEXT}", "--full-index", paths=paths)).text())
    readable = {entry.path for entry in kept}
    found: dict[str, tuple[Hunk, ...]] = {}
    for entry in entries if is_all else kept:
        count = _TYPE_CHANGE if entry.status == "T" else 1
        mine = [next(parts, []) for _ in range(0 if _is_unmerged(entry) else count)]
        if entry.path in readable:
            found[entry.path] = tuple(hunk for part in mine for hunk in parse_hunks(part))
    return found


def _smaller(entries: Iterable[Entry]) -> list[Entry]:
    """Return the entries in git's order without the largest, as far as the limits go."""
    left, kept = _MOST_LINES, set[str]()
    sized = sorted(entries, key=lambda each: ((each.added or 0) + (each.removed or 0), each.path))
    for entry in sized[:_MOST_FILES]:
        left -= (entry.added or 0) + (entry.removed or 0)
        if left < 0:
            break
        kept.add(entry.path)
    return [entry for entry in entries if entry.path in kept]


def _is_unmerged(entry: Entry) -> bool:
    """Return whether git only reports that the file is in conflict."""
    return entry.status == "U" and entry.new_mode == "000000"


def _parts(output: str) -> Iterator[list[str]]:
    """The lines of each file's part, decoded as files are: no line of a hunk can begin as the first line of a part."""
    part: list[str] | None = None
    for line in readable(output).split("\n"):
        if line.startswith("diff --git "):
            if part is not None:
                yield part
            part = []
        elif part is not None and not line.startswith("* Unmerged path "):
            part.append(line.removesuffix("\r"))
    if part is not None:
        if part and not part[-1]:
            part.pop()  # behind the last newline
        yield part


def blob_sizes(git: Git, blobs: Iterable[str]) -> Mapping[str, int]:
    """Ask for the size in bytes of each blob that the repository holds. Raises GitError."""
    asked = "".join(f"{blob}\n" for blob in sorted(set(blobs)))
    if not asked:
        return {}
    rows = git.start("cat-file", "--batch-check", reads_input=True).text(asked).splitlines()
    parts = (row.split(" ") for row in rows)
    return {part[0]: int(part[2]) for part in parts if part[1] == "blob"}


def blob_texts(git: Git, blobs: Mapping[str, int]) -> Mapping[str, str]:
    """Read the decoded text of each blob, of which the size is given; the smallest first, to some megabytes in all.

    Raises GitError.
    """
    wanted: list[str] = []
    left = _MOST_BYTES
    for blob in sorted(blobs, key=lambda each: (blobs[each], each)):
        left -= blobs[blob]
        if left < 0:
            break
        wanted.append(blob)
    if not wanted:
        return {}
    run = git.start("cat-file", "--batch", reads_input=True)
    data = os.fsencode(run.text("".join(f"{blob}\n" for blob in wanted)))
    found: dict[str, str] = {}
    start = 0
    for blob in wanted:  # each answer is a line about it, its bytes and a newline
        start = data.index(b"\n", start) + 1
        found[blob] = decode(data[start : start + blobs[blob]])
        start += blobs[blob] + 1
    return found
