"""The files as the last run found them, in one sealed file next to the store, which does not depend on it.

Sizes and times, or git, tell which entries are still valid. Damaged entries are ignored. Another file has the rows of
the store once more: where no file has changed since, none has to be read from there, compared and checked.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from itertools import chain, repeat
from pathlib import Path
from typing import Final

from ctxpack.discover import Known
from ctxpack.discover.last_run import LastRun, remember, remember_part
from ctxpack.index.batches import content_key
from ctxpack.index.sharing import index_folder
from ctxpack.index.store import FORMAT, Recorded, Store, rows_by_path
from ctxpack.model import Discovery
from ctxpack.settings import Settings
from ctxpack.system.disk import DamagedError, read_sealed, read_sealed_json, write_sealed, write_sealed_json

KNOWN: Final = f"known-{FORMAT}"
ROWS: Final = f"rows-{FORMAT}"


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
    if is_whole and last_run and discovery.seen is not None and last_run.seen == discovery.seen:
        return
    before = _read(folder)
    data = _add_part(before, discovery) if before and not is_whole else remember(discovery)
    if data != before:
        with suppress(OSError):  # where the disk is full, the next run reads the files
            write_sealed(folder / KNOWN, data)


def _add_part(before: bytes, discovery: Discovery) -> bytes:
    last_run = LastRun.read(before)
    pairs = ((last_run.get(file.path), file) for file in discovery.files)
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


def known_rows(store: Store, discovery: Discovery) -> Recorded | None:
    """Return the record of the last update where it holds just what was discovered; None where nothing tells that."""
    kept = read_sealed_json(store.folder / ROWS) if discovery.digest else {}
    generation, graph = store.latest()
    if not kept or kept["of"] != [generation, discovery.digest] or store.latest() != (generation, graph):
        return None
    if not store.names().issuperset(kept["segments"]):
        return None
    names, runs = kept["segments"], kept["runs"]
    segments = chain.from_iterable(repeat(names[segment], count) for segment, _, count in runs)
    slots = chain.from_iterable(range(first, first + count) for _, first, count in runs)
    paths = [file.path for file in discovery.files]
    rows = rows_by_path(paths, map(content_key, discovery.files), segments, slots)
    return Recorded(generation, graph, rows, is_current=True)


def record_rows(store: Store, recorded: Recorded, discovery: Discovery) -> None:
    """Keep a record that holds just what was discovered; where a file could not be read, the next run tries again.

    So does it where a file was another content when it was read.
    """
    segments: dict[str, int] = {}
    runs: list[list[int]] = []
    for file in discovery.files:
        row = recorded.rows.get(file.path)
        if row is None or row.slot < 0 or row.key != content_key(file) or not discovery.digest:
            return
        segment = segments.setdefault(row.segment, len(segments))
        if runs and (runs[-1][0], sum(runs[-1][1:])) == (segment, row.slot):
            runs[-1][2] += 1
        else:
            runs.append([segment, row.slot, 1])
    kept = {"of": [recorded.generation, discovery.digest], "segments": list(segments), "runs": runs}
    with suppress(OSError):  # where the disk is full, the next run reads the rows
        write_sealed_json(store.folder / ROWS, kept)
