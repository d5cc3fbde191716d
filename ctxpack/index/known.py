"""The files as the last run found them, in one sealed file next to the store, which does not depend on it.

Sizes and times, or git, tell which entries are still valid. Damaged entries are ignored.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Final

from ctxpack.discover import Known
from ctxpack.discover.last_run import LastRun, remember, remember_part
from ctxpack.index.store import FORMAT, index_folder
from ctxpack.model import Discovery
from ctxpack.settings import Settings
from ctxpack.system.files import DamagedError, read_sealed, write_sealed

KNOWN: Final = f"known-{FORMAT}"


def known_files(settings: Settings) -> Mapping[str, Known]:
    """Read what the last run recorded for each path; empty if there was none or it cannot be read."""
    found = _last_run(index_folder(settings.cache_dir, settings.root))
    return {} if found is None else found  # one in which all files were just changed is as empty, but tells of the rest


def last_found(settings: Settings) -> Discovery | None:
    """Return what the last run found where it kept all of it: nobody has looked whether it still holds."""
    found = None if settings.members else _last_run(index_folder(settings.cache_dir, settings.root))
    return found.last(settings.root) if found and found.seen else None


def record_known(caches: Path, folder: Path, discovery: Discovery, *, is_whole: bool) -> None:
    """Record the files for the next run in ``folder``; for a workspace, in the folder of each root."""
    for part in discovery.members:
        its = index_folder(caches, part.state.root)
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
