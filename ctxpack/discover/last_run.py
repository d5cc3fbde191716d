"""What a run found, for the next one: columns, so that ten thousands of files are read and written at once.

A file that is as it was need not be read again; and where git says that nothing else has changed, the whole Discovery
is taken as it was (``ctxpack.discover.changes``).
"""

from __future__ import annotations

import hashlib
import json
import time
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from ctxpack.discover.listing import Known, is_settled
from ctxpack.model import Discovery, Kind, RepositoryState, Seen, Skipped, SourceFile, Stamps, Trait

_NUMBERS: Final = ("q", "q", "I", "B")  # sizes, times, judgements (numbers into a table), marks
_DIRTY, _SKIPPED, _UNKNOWN = 1, 2, 4  # marks; what is unknown is examined again
_Judgement = tuple[str, tuple[Trait, ...], str, Kind | None, str]
"""Language, traits, reason to skip, kind, and what they were judged by: few rows, which many files share."""


class _Columns(NamedTuple):
    """One value for each path."""

    paths: list[str]
    blobs: list[str]
    sizes: list[int]
    times: list[int]
    judged: list[_Judgement]
    marks: list[int]


class LastRun(Mapping[str, Known]):
    """The facts of each path whose content is known, made when they are asked for; and the last Discovery."""

    def __init__(self, head: Mapping[str, Any], texts: Sequence[Sequence[str]], numbers: Sequence[array[int]]) -> None:
        self._head = head
        self._judgements: list[_Judgement] = [
            (language, tuple(map(Trait, traits)), reason, Kind(kind) if kind else None, judged_by)
            for language, traits, reason, kind, judged_by in head["judgements"]
        ]
        self._paths, self._blobs = texts
        self._sizes, self._times, self._judged, self._marks = numbers
        self._last: dict[Path, Discovery] = {}

    @classmethod
    def read(cls, data: bytes) -> Self:
        """Read what ``remember`` wrote."""
        first, _, rest = data.partition(b"\n")
        head = json.loads(first)
        parts, place = [], 0
        for length in head["lengths"]:
            parts.append(rest[place : place + length])
            place += length
        numbers = [array(code) for code in _NUMBERS]
        for column, part in zip(numbers, parts[2:], strict=True):
            column.frombytes(part)
        texts = [part.decode("utf-8", "surrogateescape").split("\0") if numbers[0] else [] for part in parts[:2]]
        return cls(head, texts, numbers)

    def __getitem__(self, path: str) -> Known:
        return self._entry(self._places[path])

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    @cached_property
    def _places(self) -> dict[str, int]:
        return {path: at for at, path in enumerate(self._paths) if not self._marks[at] & _UNKNOWN}

    def _entry(self, at: int) -> Known:
        return Known(self._sizes[at], self._times[at], self._blobs[at], *self._judgements[self._judged[at]])

    @cached_property
    def seen(self) -> Seen | None:
        """What the last Discovery belongs to; None where there is none."""
        if self._head["seen"] is None:
            return None
        key, changed, ignore_files, (folders, others, digest) = self._head["seen"]
        stamps = Stamps(tuple(folders), tuple(others), digest) if digest else None
        return Seen(key, {path: tuple(record) for path, record in changed.items()}, tuple(ignore_files), stamps)

    def last(self, root: Path) -> Discovery:
        """Return the last Discovery, of ``root``."""
        if root not in self._last:
            self._last[root] = self._make_last(root)
        return self._last[root]

    def _make_last(self, root: Path) -> Discovery:
        files, skipped = [], []
        rows = zip(self._paths, self._sizes, self._blobs, self._times, self._judged, self._marks, strict=True)
        for path, size, blob, mtime_ns, judged, marks in rows:
            language, traits, reason, kind, _ = self._judgements[judged]
            if marks & _SKIPPED or kind is None:
                skipped.append(Skipped(path, reason, size, mtime_ns))
                continue
            files.append(SourceFile(path, kind, language, size, blob, mtime_ns, traits, bool(marks & _DIRTY)))
        state = RepositoryState(root, *self._head["state"])
        its = state, self._head["judged_by"], self.seen
        return Discovery(tuple(files), tuple(skipped), *its, digest=self._head.get("digest", ""))


def digest_of(discovery: Discovery) -> str:
    """Digest all that an answer may depend on of files: of two Discoveries with one digest these are the same."""
    is_git = discovery.state.is_git
    facts = [str(len(discovery.skipped))]
    facts += [f"{each.path}\0{each.reason}" for each in discovery.skipped]
    judged: dict[tuple[Kind, str, tuple[Trait, ...], bool], str] = {}  # few, which many files share
    for file in discovery.files:
        its = file.kind, file.language, file.traits, file.dirty
        known = judged.get(its) or judged.setdefault(its, _judgement(*its))
        time = 0 if is_git and not file.dirty else file.mtime_ns  # git's blob id identifies the content
        facts.append(f"{file.path}\0{file.blob}\0{known}\0{file.size}\0{time}")
    return hashlib.sha256("\0".join(facts).encode("utf-8", "surrogateescape")).hexdigest()


def _judgement(kind: Kind, language: str, traits: Iterable[Trait], is_dirty: bool) -> str:  # noqa: FBT001 - as it is kept
    return f"{kind}\0{language}\0{','.join(traits)}\0{is_dirty}"


def remember(discovery: Discovery) -> bytes:
    """Write all of a Discovery, for ``LastRun.read``."""
    now, judged_by = time.time_ns(), discovery.judged_by
    files, skipped = discovery.files, discovery.skipped
    judged: list[_Judgement] = [(file.language, file.traits, "", file.kind, judged_by) for file in files]
    judged += [("", (), each.reason, None, "") for each in skipped]
    marks = [_DIRTY * file.dirty | _UNKNOWN * (not is_settled(file.mtime_ns, now)) for file in files]
    marks += [_SKIPPED | _UNKNOWN * (not (each.mtime_ns > 0 and is_settled(each.mtime_ns, now))) for each in skipped]
    columns = _Columns(
        [*(file.path for file in files), *(each.path for each in skipped)],
        [*(file.blob for file in files), *("" for _ in skipped)],
        [*(file.size for file in files), *(each.size for each in skipped)],
        [*(file.mtime_ns for file in files), *(each.mtime_ns for each in skipped)],
        judged,
        marks,
    )
    return _write(columns, discovery)


def remember_files(discovery: Discovery) -> LastRun:
    """Return what to hand to the next ``discover`` of the same root; of files changed just now nothing is known."""
    return LastRun.read(remember(discovery))


def remember_part(discovery: Discovery, before: LastRun) -> bytes:
    """Write what is known of a part of a repository into what was known before; there is no last Discovery then."""
    known = {**before, **remember_files(discovery)}
    facts = list(known.values())
    columns = _Columns(
        list(known),
        [each.blob for each in facts],
        [each.size for each in facts],
        [each.mtime_ns for each in facts],
        [each[3:] for each in facts],
        [0] * len(facts),
    )
    return _write(columns, None)


def _write(columns: _Columns, discovery: Discovery | None) -> bytes:
    from dataclasses import astuple

    judgements: dict[_Judgement, int] = {}
    numbers = (
        array("q", columns.sizes),
        array("q", columns.times),
        array("I", [judgements.setdefault(each, len(judgements)) for each in columns.judged]),
        array("B", columns.marks),
    )
    texts = (columns.paths, columns.blobs)
    parts = [*("\0".join(text).encode("utf-8", "surrogateescape") for text in texts), *map(array.tobytes, numbers)]
    seen = discovery.seen if discovery else None
    state = discovery.state if discovery else None
    stamps = (seen.stamps.folders, seen.stamps.others, seen.stamps.digest) if seen and seen.stamps else ((), (), "")
    head = {
        "judgements": list(judgements),
        "lengths": [len(part) for part in parts],
        "seen": [seen.key, seen.changed, seen.ignore_files, stamps] if seen else None,
        "state": astuple(state)[1:-1] if state else None,  # one root has no members
        "judged_by": discovery.judged_by if discovery else "",
        "digest": (discovery.digest or digest_of(discovery)) if discovery else "",
    }
    return b"\n".join((json.dumps(head).encode("ascii"), b"".join(parts)))
