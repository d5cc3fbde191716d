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
from itertools import compress
from pathlib import Path
from typing import Any, Final, Self

from ctxpack.discover.listing import Known, is_settled
from ctxpack.light import values_of
from ctxpack.model import Discovery, Kind, RepositoryState, Seen, Skipped, Stamps, Trait
from ctxpack.model.columns import FileClass, FileTable, TextColumn, number_distinct

_DIRTY, _UNKNOWN = 1, 4  # marks; what is unknown is examined again
_IS_DIRTY: Final = bytes(mark & _DIRTY for mark in range(256))
_Class = tuple[FileClass, str]
"""What files are, and what they were judged by."""


class LastRun(Mapping[str, Known]):
    """The facts of each path whose content is known, made when they are asked for; and the last Discovery."""

    def __init__(self, head: Mapping[str, Any], parts: Mapping[str, bytes]) -> None:
        self._head = head
        self._classes: list[_Class] = [
            (FileClass(Kind(kind), language, tuple(map(Trait, traits))), judged_by)
            for kind, language, traits, judged_by in head["classes"]
        ]
        sizes, self._marks = _numbers("q", parts["sizes"]), parts["marks"]
        texts = TextColumn(parts["paths"], len(sizes)), TextColumn(parts["blobs"], len(sizes))
        classes, dirty = [each for each, _ in self._classes], self._marks.translate(_IS_DIRTY)
        numbers, of_folder = _numbers("I", parts["class_numbers"]), _numbers("I", parts["folder_numbers"])
        self._files = FileTable(texts, (sizes, _numbers("q", parts["times"])), classes, numbers, dirty)
        if of_folder:
            self._files.folders = parts["folders"].decode("utf-8", "surrogateescape").split("\0"), of_folder
        self._skipped_sizes = _numbers("q", parts["skipped_sizes"])
        self._skipped_times = _numbers("q", parts["skipped_times"])
        self._skipped_paths = TextColumn(parts["skipped_paths"], len(self._skipped_sizes))
        self._reasons = [head["reasons"][number] for number in _numbers("I", parts["reason_numbers"])]
        self._skipped_marks = parts["skipped_marks"]
        self._contents = parts.get("folder_contents", b"")
        self._last: dict[Path, Discovery] = {}

    @classmethod
    def read(cls, data: bytes) -> Self:
        """Read what ``remember`` wrote."""
        place = data.index(b"\n") + 1
        head, parts = json.loads(data[:place]), dict[str, bytes]()
        for name, length in head["lengths"].items():
            parts[name] = data[place : place + length]
            place += length
        return cls(head, parts)

    def __getitem__(self, path: str) -> Known:
        number = self._places[path]
        if number >= len(self._files):
            return self._of_skipped(number - len(self._files))
        return self._of_file(number, self._files.blobs.listed[number])

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    @cached_property
    def _places(self) -> dict[str, int]:
        paths = zip(self._files.paths, self._marks, strict=True)
        places = {path: number for number, (path, mark) in enumerate(paths) if not mark & _UNKNOWN}
        return places | {path: len(self._files) + number for path, number in self._places_of_skipped.items()}

    @cached_property
    def _places_of_skipped(self) -> dict[str, int]:
        paths = zip(self._skipped_paths, self._skipped_marks, strict=True)
        return {path: number for number, (path, mark) in enumerate(paths) if not mark & _UNKNOWN}

    def _of_file(self, number: int, blob: str) -> Known:
        (kind, language, traits), judged_by = self._classes[self._files.class_numbers[number]]
        return Known(self._files.sizes[number], self._files.times[number], blob, language, traits, "", kind, judged_by)

    def _of_skipped(self, number: int) -> Known:
        facts = self._skipped_sizes[number], self._skipped_times[number]
        return Known(*facts, "", skip_reason=self._reasons[number])

    def find(self, path: str) -> Known | None:
        """Return what is known of one path: for a few of them all others need not be made findable.

        Of a content that may have changed since that is what its path says: no file has its size.
        """
        number = self._files.find(path)
        if number is not None:
            known = self._of_file(number, self._files.blobs[number])
            return known._replace(size=-1) if self._marks[number] & _UNKNOWN else known
        skipped = self._places_of_skipped.get(path)
        return None if skipped is None else self._of_skipped(skipped)

    @cached_property
    def seen(self) -> Seen | None:
        """What the last Discovery belongs to; None where there is none."""
        if self._head["seen"] is None:
            return None
        key, changed, ignore_files, (folders, others, digest) = self._head["seen"]
        stamps = Stamps(tuple(folders), tuple(others), digest) if digest else None
        return Seen(key, {path: tuple(record) for path, record in changed.items()}, tuple(ignore_files), stamps)

    @property
    def judged(self) -> tuple[str, str]:
        """The digest of the rules and paths of the last Discovery, and what its folders hold, as far as it is known."""
        return self._head["judged_by"], self._contents.decode("ascii")

    def last(self, root: Path) -> Discovery:
        """Return the last Discovery, of ``root``."""
        if root not in self._last:
            self._last[root] = self._make_last(root)
        return self._last[root]

    def _make_last(self, root: Path) -> Discovery:
        rows = zip(self._skipped_paths, self._reasons, self._skipped_sizes, self._skipped_times, strict=True)
        skipped = tuple(Skipped(*row) for row in rows)
        state = RepositoryState(root, *self._head["state"])
        its = state, self._head["judged_by"], self.seen
        folders = self.judged[1]
        return Discovery(self._files, skipped, *its, digest=self._head.get("digest", ""), folders=folders)


def _numbers(code: str, data: bytes) -> array[int]:
    found = array(code)
    found.frombytes(data)
    return found


def digest_of(discovery: Discovery) -> str:
    """Digest all that an answer may depend on of files: of two Discoveries with one digest these are the same."""
    files, is_git = FileTable.of(discovery.files), discovery.state.is_git
    skipped = "\0".join(f"{each.path}\0{each.reason}" for each in discovery.skipped).encode("utf-8", "surrogateescape")
    judged = "\0".join(f"{each.kind}\0{each.language}\0{','.join(each.traits)}" for each in files.classes).encode()
    times = array("q", compress(files.times, files.dirty)) if is_git else files.times  # git's blob id tells the content
    texts = files.paths.data, files.blobs.data, skipped, judged
    columns = files.sizes.tobytes(), times.tobytes(), files.class_numbers.tobytes(), files.dirty
    lengths = [len(files), is_git, *map(len, texts)]
    digest = hashlib.sha256(repr(lengths).encode("ascii"))
    for part in (*texts, *columns):
        digest.update(part)
    return digest.hexdigest()


def remember(discovery: Discovery) -> bytes:
    """Write all of a Discovery, for ``LastRun.read``."""
    now, skipped, files = time.time_ns(), discovery.skipped, FileTable.of(discovery.files)
    marks = files.dirty
    if not is_settled(max(files.times, default=0), now):
        marks = bytes(
            dirty | _UNKNOWN * (not is_settled(each, now)) for dirty, each in zip(marks, files.times, strict=True)
        )
    rows = [
        (each.path, each.reason, each.size, each.mtime_ns, each.mtime_ns > 0 and is_settled(each.mtime_ns, now))
        for each in skipped
    ]
    return _write(files, marks, [(each, discovery.judged_by) for each in files.classes], rows, discovery)


def remember_files(discovery: Discovery) -> LastRun:
    """Return what to hand to the next ``discover`` of the same root; of files changed just now nothing is known."""
    return LastRun.read(remember(discovery))


def remember_part(discovery: Discovery, before: LastRun) -> bytes:
    """Write what is known of a part of a repository into what was known before; there is no last Discovery then."""
    known = {**before, **remember_files(discovery)}
    taken = {path: its for path, its in sorted(known.items()) if its.kind is not None}
    classes, numbers = number_distinct(
        (FileClass(its.kind, its.language, its.traits), its.judged_by) for its in taken.values() if its.kind
    )
    facts = list(taken.values())
    texts = TextColumn.of(taken), TextColumn.of(its.blob for its in facts)
    sizes, times = array("q", [its.size for its in facts]), array("q", [its.mtime_ns for its in facts])
    files = FileTable(texts, (sizes, times), [each for each, _ in classes], numbers, bytes(len(facts)))
    rows = [(path, its.skip_reason, its.size, its.mtime_ns, True) for path, its in known.items() if its.kind is None]
    return _write(files, files.dirty, classes, rows, None)


def _write(
    files: FileTable,
    marks: bytes,
    classes: Iterable[_Class],
    skipped: Sequence[tuple[str, str, int, int, bool]],
    discovery: Discovery | None,
) -> bytes:
    folders, of_folder = files.folders
    reasons, reason_numbers = number_distinct(reason for _, reason, *_ in skipped)
    parts = {
        "paths": files.paths.data,
        "blobs": files.blobs.data,
        "folders": TextColumn.of(folders).data,
        "sizes": files.sizes.tobytes(),
        "times": files.times.tobytes(),
        "class_numbers": files.class_numbers.tobytes(),
        "folder_numbers": of_folder.tobytes(),
        "marks": marks,
        "skipped_paths": TextColumn.of(path for path, *_ in skipped).data,
        "skipped_sizes": array("q", [row[2] for row in skipped]).tobytes(),
        "skipped_times": array("q", [row[3] for row in skipped]).tobytes(),
        "reason_numbers": reason_numbers.tobytes(),
        "skipped_marks": bytes(_UNKNOWN * (not row[4]) for row in skipped),
        "folder_contents": (discovery.folders if discovery else "").encode("ascii"),
    }
    seen = discovery.seen if discovery else None
    state = discovery.state if discovery else None
    stamps = (seen.stamps.folders, seen.stamps.others, seen.stamps.digest) if seen and seen.stamps else ((), (), "")
    head = {
        "classes": [(*each, judged_by) for each, judged_by in classes],
        "reasons": reasons,
        "lengths": {name: len(part) for name, part in parts.items()},
        "seen": [seen.key, seen.changed, seen.ignore_files, stamps] if seen else None,
        "state": [*values_of(state).values()][1:-1] if state else None,  # one root has no members
        "judged_by": discovery.judged_by if discovery else "",
        "digest": (discovery.digest or digest_of(discovery)) if discovery else "",
    }
    return b"".join((json.dumps(head).encode("ascii"), b"\n", *parts.values()))
