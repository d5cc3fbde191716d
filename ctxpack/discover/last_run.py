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


class _Row(NamedTuple):
    path: str
    blob: str
    size: int
    mtime_ns: int
    judgement: _Judgement
    marks: int


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
    return _write(_rows(discovery), discovery)


def remember_files(discovery: Discovery) -> LastRun:
    """Return what to hand to the next ``discover`` of the same root; of files changed just now nothing is known."""
    return LastRun.read(remember(discovery))


def remember_part(discovery: Discovery, before: LastRun) -> bytes:
    """Write what is known of a part of a repository into what was known before; there is no last Discovery then."""
    rows = {path: _Row(path, known.blob, known.size, known.mtime_ns, known[3:], 0) for path, known in before.items()}
    rows |= {row.path: row for row in _rows(discovery) if not row.marks & _UNKNOWN}
    return _write(rows.values(), None)


def _rows(discovery: Discovery) -> Iterator[_Row]:
    now, judged_by = time.time_ns(), discovery.judged_by
    for file in discovery.files:
        marks = _DIRTY * file.dirty | _UNKNOWN * (not is_settled(file.mtime_ns, now))
        judgement: _Judgement = (file.language, file.traits, "", file.kind, judged_by)
        yield _Row(file.path, file.blob, file.size, file.mtime_ns, judgement, marks)
    for skipped in discovery.skipped:
        is_known = skipped.mtime_ns > 0 and is_settled(skipped.mtime_ns, now)
        judgement = ("", (), skipped.reason, None, "")
        marks = _SKIPPED | _UNKNOWN * (not is_known)
        yield _Row(skipped.path, "", skipped.size, skipped.mtime_ns, judgement, marks)


def _write(found: Iterable[_Row], discovery: Discovery | None) -> bytes:
    from dataclasses import astuple

    rows, judgements = list(found), dict[_Judgement, int]()
    paths, blobs, sizes, times, judged, marks = zip(*rows, strict=True) if rows else ((),) * len(_Row._fields)
    numbers = (
        array("q", sizes),
        array("q", times),
        array("I", [judgements.setdefault(each, len(judgements)) for each in judged]),
        array("B", marks),
    )
    texts = ["\0".join(text).encode("utf-8", "surrogateescape") for text in (paths, blobs)]
    parts = [*texts, *map(array.tobytes, numbers)]
    seen = discovery.seen if discovery else None
    state = discovery.state if discovery else None
    stamps = astuple(seen.stamps) if seen and seen.stamps else ((), (), "")
    head = {
        "judgements": list(judgements),
        "lengths": [len(part) for part in parts],
        "seen": [seen.key, seen.changed, seen.ignore_files, stamps] if seen else None,
        "state": astuple(state)[1:-1] if state else None,  # one root has no members
        "judged_by": discovery.judged_by if discovery else "",
        "digest": (discovery.digest or digest_of(discovery)) if discovery else "",
    }
    return b"\n".join((json.dumps(head).encode("ascii"), b"".join(parts)))
