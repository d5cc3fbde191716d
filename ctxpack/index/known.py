"""What the last run found out about every file, so that the next one need not read it: columns in one sealed file.

Whatever is damaged is not there. A file is written beside the store, not into it: it is true by itself, as long as the
sizes and times that it names are still those on disk.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, Self

from ctxpack.discover.listing import Known, remember_files
from ctxpack.index.store import FORMAT, index_folder
from ctxpack.model import Discovery, Kind, Trait
from ctxpack.settings import Settings
from ctxpack.system.files import DamagedError, read_sealed, write_sealed

KNOWN: Final = f"known-{FORMAT}"
_NUMBERS: Final = ("q", "q", "I")  # sizes, times, judgements: numbers into the table of judgements

_Judgement = tuple[str, tuple[Trait, ...], str, Kind | None, str]
"""Language, traits, reason to skip, kind, and what they were judged by: few rows, which many files share."""


class KnownFiles(Mapping[str, Known]):
    """The facts of each path, made when they are asked for."""

    def __init__(
        self, judgements: list[_Judgement], paths: list[str], blobs: list[str], columns: list[array[int]]
    ) -> None:
        self._judgements = judgements
        self._numbers = {path: number for number, path in enumerate(paths)}
        self._blobs = blobs
        self._sizes, self._times, self._judged = columns

    @classmethod
    def read(cls, data: bytes) -> Self:
        """Read what ``columns_of`` wrote."""
        head, _, rest = data.partition(b"\n")
        judgements, lengths = json.loads(head)
        parts, place = [], 0
        for length in lengths:
            parts.append(rest[place : place + length])
            place += length
        columns = [array(code) for code in _NUMBERS]
        for column, part in zip(columns, parts[2:], strict=True):
            column.frombytes(part)
        paths, blobs = (part.decode("utf-8", "surrogateescape").split("\0") for part in parts[:2])
        return cls([_read_judgement(row) for row in judgements], paths if columns[0] else [], blobs, columns)

    def __getitem__(self, path: str) -> Known:
        number = self._numbers[path]
        judgement = self._judgements[self._judged[number]]
        return Known(self._sizes[number], self._times[number], self._blobs[number], *judgement)

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)


def columns_of(known: Mapping[str, Known]) -> bytes:
    """Write the facts of each path, for ``KnownFiles.read``."""
    judgements: dict[tuple[object, ...], int] = {}
    paths = sorted(known)
    rows = [known[path] for path in paths]
    numbers = [
        array("q", [row.size for row in rows]),
        array("q", [row.mtime_ns for row in rows]),
        array("I", [judgements.setdefault(row[3:], len(judgements)) for row in rows]),
    ]
    parts = [_join(paths), _join([row.blob for row in rows]), *(column.tobytes() for column in numbers)]
    head = json.dumps([list(judgements), [len(part) for part in parts]]).encode("ascii")
    return b"\n".join((head, b"".join(parts)))


def known_files(settings: Settings) -> Mapping[str, Known]:
    """Read what the last run remembered of each path; empty if there was none or it cannot be read."""
    data = _read(index_folder(settings.cache_dir, settings.root))
    return KnownFiles.read(data) if data else {}


def record_known(folder: Path, discovery: Discovery, *, is_whole: bool) -> None:
    """Keep what the next run may know, if that has changed; a part of the repository is added to what was known."""
    before, known = _read(folder), remember_files(discovery)
    if before and not is_whole:
        known = {**KnownFiles.read(before), **known}
    data = columns_of(known)
    if data != before:
        with suppress(OSError):  # where the disk is full, the next run reads the files
            write_sealed(folder / KNOWN, data)


def _read(folder: Path) -> bytes:
    """Read the file; empty where there is none or it is damaged: then every file is read again."""
    try:
        return read_sealed(folder / KNOWN)
    except (OSError, DamagedError):
        return b""


def _read_judgement(row: tuple[str, list[str], str, str, str]) -> _Judgement:
    language, traits, reason, kind, judged_by = row
    return language, tuple(map(Trait, traits)), reason, Kind(kind) if kind else None, judged_by


def _join(texts: list[str]) -> bytes:
    return "\0".join(texts).encode("utf-8", "surrogateescape")
