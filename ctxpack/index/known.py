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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from ctxpack.discover import Known
from ctxpack.discover.last_run import LastRun, remember, remember_part
from ctxpack.discover.listing import is_settled
from ctxpack.index.arrays import StoredArray, load_arrays
from ctxpack.index.sharing import index_folder
from ctxpack.index.store import FORMAT, IndexRow, Recorded, Store
from ctxpack.model import Discovery
from ctxpack.model.columns import FileTable, number_distinct
from ctxpack.settings import Settings
from ctxpack.system.disk import DamagedError, read_sealed, read_sealed_json, write_sealed, write_sealed_json

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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


class Slot(NamedTuple):
    """Where the chunks of a file are: a segment, and the slot in it; that of what could not be read is -1."""

    segment: str
    slot: int


class FileSlots:
    """The slots of some files as columns: ``segments`` are numbers into ``names``, -1 for a file without one."""

    def __init__(self, names: Sequence[str], segments: NDArray[np.int32], slots: NDArray[np.int32]) -> None:
        self.names = tuple(names)
        self.segments = segments
        self.slots = slots

    @classmethod
    def of(cls, given: Iterable[tuple[str, int] | None]) -> FileSlots:
        """Return some slots as columns."""
        import numpy as np

        names, slots = dict[str, int](), list(given)
        segments = [-1 if each is None else names.setdefault(each[0], len(names)) for each in slots]
        numbers = [-1 if each is None else each[1] for each in slots]
        return cls(tuple(names), np.array(segments, np.int32), np.array(numbers, np.int32))

    def __len__(self) -> int:
        return len(self.slots)

    def __getitem__(self, number: int) -> Slot | None:
        segment, slot = int(self.segments[number]), int(self.slots[number])
        return Slot(self.names[segment], slot) if segment >= 0 else None

    def __iter__(self) -> Iterator[Slot | None]:
        return map(self.__getitem__, range(len(self)))

    def without_empty(self) -> FileSlots:
        """Return the slots without the names of segments that no file is in."""
        import numpy as np

        counts = np.bincount(self.segments + 1, minlength=len(self.names) + 1)[1:]
        numbers = np.append(np.cumsum(counts > 0) - 1, -1).astype(np.int32)  # the last is that of -1
        names = [name for name, count in zip(self.names, counts.tolist(), strict=True) if count]
        return FileSlots(names, numbers[self.segments], self.slots)

    def only(self, is_wanted: NDArray[np.bool_]) -> FileSlots:
        """Return the slots of some of the files."""
        return self if is_wanted.all() else FileSlots(self.names, self.segments[is_wanted], self.slots[is_wanted])

    def spread(self, is_taken: NDArray[np.bool_]) -> FileSlots:
        """Return the slots of more files: these where that is marked, and none between them."""
        import numpy as np

        segments, slots = np.full((2, len(is_taken)), -1, np.int32)
        segments[is_taken], slots[is_taken] = self.segments, self.slots
        return FileSlots(self.names, segments, slots)

    def with_slots(self, changes: Mapping[int, tuple[str, int] | None]) -> FileSlots:
        """Return the slots with others at some numbers."""
        names = {name: number for number, name in enumerate(self.names)}
        segments, slots = self.segments.copy(), self.slots.copy()
        for number, each in changes.items():
            segments[number] = -1 if each is None else names.setdefault(each[0], len(names))
            slots[number] = -1 if each is None else each[1]
        return FileSlots(tuple(names), segments, slots).without_empty()

    def after_moves(self, moved: Mapping[str, tuple[str, int]]) -> FileSlots:
        """Return the slots after segments became parts of others, from some slot on."""
        import numpy as np

        places = [moved.get(name, (name, 0)) for name in self.names]
        names, numbers = number_distinct(name for name, _ in places)
        firsts = np.array([*(first for _, first in places), 0], np.int32)
        segments = np.array([*numbers, -1], np.int32)[self.segments]  # of -1 the last
        return FileSlots(names, segments, np.where(self.slots < 0, self.slots, self.slots + firsts[self.segments]))


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
