"""What the last run found of the files, in one sealed file beside the store: it is true by itself.

Sizes and times, or git, tell what of it still holds. Whatever is damaged is not there.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
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
    """Read what the last run remembered of each path; empty if there was none or it cannot be read."""
    data = _read(index_folder(settings.cache_dir, settings.root))
    return LastRun.read(data) if data else {}


def record_known(folder: Path, discovery: Discovery, *, is_whole: bool) -> None:
    """Keep what the next run may know, if that has changed; a part of the repository is added to what was known."""
    before = _read(folder)
    data = _add_part(before, discovery) if before and not is_whole else _renew(before, discovery)
    if data != before:
        with suppress(OSError):  # where the disk is full, the next run reads the files
            write_sealed(folder / KNOWN, data)


def _renew(before: bytes, discovery: Discovery) -> bytes:
    is_same = discovery.seen is not None and before and LastRun.read(before).seen == discovery.seen
    return before if is_same else remember(discovery)


def _add_part(before: bytes, discovery: Discovery) -> bytes:
    last_run = LastRun.read(before)
    pairs = ((last_run.get(file.path), file) for file in discovery.files)
    is_known = all(known and (known.size, known.mtime_ns) == (file.size, file.mtime_ns) for known, file in pairs)
    return before if is_known else remember_part(discovery, last_run)


def _read(folder: Path) -> bytes:
    try:
        return read_sealed(folder / KNOWN)
    except (OSError, DamagedError):
        return b""
