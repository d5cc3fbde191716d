"""The files as the last run found them, in one sealed file next to the store, which does not depend on it.

Sizes and times, or git, tell which entries are still valid. Damaged entries are ignored. Another file has the rows of
the store once more: where no file has changed since, none has to be read from there, compared and checked.

A third has which files of the index were compared with their checksums: one that has not changed since is not read
whole again, so that a request reads the pages that it needs and no others. What tells that is the time of the last
change (ctime), which nobody can set; a file that was written just now is compared every time.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ctxpack.discover import Known
from ctxpack.discover.last_run import LastRun, remember, remember_part
from ctxpack.discover.listing import is_settled
from ctxpack.index.arrays import StoredArray, load_arrays
from ctxpack.index.sharing import index_folder
from ctxpack.index.store import FORMAT, IndexRow, Recorded, Store
from ctxpack.model import Discovery
from ctxpack.model.columns import FileTable
from ctxpack.settings import Settings
from ctxpack.system.disk import DamagedError, read_sealed, read_sealed_json, write_sealed, write_sealed_json

if TYPE_CHECKING:
    from ctxpack.index.segment import FileSlots

KNOWN: Final = f"known-{FORMAT}"
ROWS: Final = f"rows-{FORMAT}"
CHECKED: Final = f"checked-{FORMAT}"


def known_files(settings: Settings) -> Mapping[str, Known]:
    """Read what the last run recorded for each path; empty if there was none or it cannot be read."""
    found = _last_run(index_folder(settings.cache_dir, settings.root, pii=settings.pii))
    return {} if found is None else found  # one in which all files were just changed is as empty, but tells of the rest


def last_found(settings: Settings) -> Discovery | None:
    """Return what the last run found where it kept all of it: nobody has looked whether it still holds."""
    found = None if settings.members else _last_run(index_folder(settings.cache_dir, settings.root, pii=settings.pii))
    return found.last(settings.root) if found is not None and found.seen else None


def record_known(settings: Settings, folder: Path, discovery: Discovery, *, is_whole: bool) -> None:
    """Record the files for the next run in ``folder``; for a workspace, in the folder of each root."""
    for part in discovery.members:
        its = index_folder(settings.cache_dir, part.state.root, pii=settings.pii)
        with suppress(OSError):  # the next run reads the files
            its.mkdir(parents=True, exist_ok=True)
            _record(its, part, is_whole=is_whole)
    if not discovery.members:
        _record(folder, discovery, is_whole=is_whole)


def _record(folder: Path, discovery: Discovery, *, is_whole: bool) -> None:
    """Record what was found, if it has changed; a part of the repository is merged into what was known."""
    last_run = _last_run(folder)
    is_in_git = is_whole and discovery.seen is not None  # then it has changed if and only if that has
    if is_in_git and last_run is not None and last_run.seen == discovery.seen:
        return
    before = b"" if is_in_git else _read(folder)
    data = _add_part(before, discovery) if before and not is_whole else remember(discovery)
    if data != before:
        with suppress(OSError):  # where the disk is full, the next run reads the files
            write_sealed(folder / KNOWN, data)


def _add_part(before: bytes, discovery: Discovery) -> bytes:
    last_run = LastRun.read(before)
    pairs = ((last_run.get(file.path), file) for file in FileTable.of(discovery.files))
    is_known = all(known and (known.size, known.mtime_ns) == (file.size, file.mtime_ns) for known, file in pairs)
    return before if is_known else remember_part(discovery, last_run)


def _last_run(folder: Path) -> LastRun | None:
    try:
        status = (folder / KNOWN).stat()
    except OSError:  # every file is looked at instead
        return None
    return _parse(folder, (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns))


@lru_cache(maxsize=4)
def _parse(folder: Path, _stamp: tuple[int, ...]) -> LastRun | None:
    """Parse the file once, though each request asks for it at least twice."""
    data = _read(folder)
    return LastRun.read(data) if data else None


def _read(folder: Path) -> bytes:
    try:
        return read_sealed(folder / KNOWN)
    except (OSError, DamagedError):  # every file is looked at instead
        return b""


class IndexRows(Mapping[str, IndexRow]):
    """The rows of files by path, made of the very content that the files were found with."""

    def __init__(self, files: FileTable, slots: FileSlots) -> None:
        self.files = files
        self.slots = slots

    def __getitem__(self, path: str) -> IndexRow:
        number = self.files.find(path)
        slot = None if number is None else self.slots[number]
        if number is None or slot is None:
            raise KeyError(path)
        return IndexRow(path, self.files.content_key(number), *slot)

    def __iter__(self) -> Iterator[str]:
        return (path for number, path in enumerate(self.files.paths) if self.slots[number])

    def __len__(self) -> int:
        return int((self.slots.segments >= 0).sum())


def known_rows(store: Store, discovery: Discovery) -> Recorded | None:
    """Return the record of the last update where it holds just what was discovered; None where nothing tells that."""
    import numpy as np

    from ctxpack.index.segment import FileSlots

    kept = read_sealed_json(store.folder / ROWS) if discovery.digest else {}
    generation, graph = store.latest()
    if not kept or kept["of"] != [generation, discovery.digest] or store.latest() != (generation, graph):
        return None
    if not store.names().issuperset(kept["segments"]):
        return None
    segments, firsts, counts = np.array(kept["runs"], np.int32).reshape(-1, 3).T
    slots = np.repeat(firsts - np.cumsum(counts) + counts, counts) + np.arange(counts.sum())
    found = FileSlots(kept["segments"], np.repeat(segments, counts), slots.astype(np.int32))
    return Recorded(generation, graph, IndexRows(FileTable.of(discovery.files), found), is_current=True)


def record_rows(store: Store, recorded: Recorded, discovery: Discovery) -> None:
    """Keep a record that holds just what was discovered; where a file could not be read, the next run tries again.

    So does it where a file was another content when it was read.
    """
    import numpy as np

    slots = _slots_of(recorded.rows, FileTable.of(discovery.files)) if discovery.digest else None
    if slots is None or (slots.slots < 0).any():
        return
    is_new = np.ones(len(slots), bool)  # whether a run begins
    is_new[1:] = (np.diff(slots.segments) != 0) | (np.diff(slots.slots) != 1)
    begins = np.flatnonzero(is_new)
    columns = slots.segments[begins], slots.slots[begins], np.diff(begins, append=len(slots))
    runs = np.stack([column.astype(np.int64) for column in columns], 1).tolist()
    kept = {"of": [recorded.generation, discovery.digest], "segments": slots.names, "runs": runs}
    with suppress(OSError):  # where the disk is full, the next run reads the rows
        write_sealed_json(store.folder / ROWS, kept)


def _slots_of(rows: Mapping[str, IndexRow], files: FileTable) -> FileSlots | None:
    """Return the slots of files; None where a row is missing, or of another content."""
    from ctxpack.index.segment import FileSlots

    if isinstance(rows, IndexRows) and rows.files is files:
        return rows.slots
    found = [rows.get(path) for path in files.paths]
    is_exact = all(row is not None and row.key == key for row, key in zip(found, files.content_keys(), strict=True))
    return FileSlots.of(row and (row.segment, row.slot) for row in found) if is_exact else None


def stamp_of(status: os.stat_result) -> list[int]:
    """What changes whenever a file does."""
    return [status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns]


class CheckedFiles:
    """The files of one index folder, loaded with as little reading as can be."""

    def __init__(self, folder: Path, now_ns: int | None = None) -> None:
        self._folder = folder
        self._now_ns = time.time_ns() if now_ns is None else now_ns
        self._known = read_sealed_json(folder / CHECKED)
        self.stamps: dict[str, list[int]] = {}  # of what was loaded
        self._found: dict[str, list[int]] = {}  # the same, empty of what was written just now

    def load(self, path: Path) -> dict[str, StoredArray]:
        """Open the arrays of a file. Raises BrokenIndexError."""

        def is_known(status: os.stat_result) -> bool:
            stamp = stamp_of(status)
            self.stamps[path.name] = stamp
            is_final = os.name == "posix" and is_settled(status.st_ctime_ns, self._now_ns)
            self._found[path.name] = stamp if is_final else []
            return is_final and self._known.get(path.name) == stamp

        return load_arrays(path, is_known)

    def record(self) -> None:
        """Keep for the next run which files were compared. Does nothing where no file can be written."""
        stamps = {**self._known, **self._found}
        if stamps == self._known:
            return
        with suppress(OSError):  # they are checked again
            there = {each.name for each in self._folder.iterdir()}
            kept = {name: stamp for name, stamp in stamps.items() if name in there}
            write_sealed_json(self._folder / CHECKED, kept)
