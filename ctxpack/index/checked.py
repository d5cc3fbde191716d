"""Which files of an index were compared with their checksums and have not changed since: they are not read whole again.

Of a file that is as it was, a request then reads the pages that it needs and no others. What tells that is the time of
the last change (ctime), which nobody can set; a file that was written just now is compared every time.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ctxpack.discover.listing import is_settled
from ctxpack.index.arrays import load_arrays
from ctxpack.index.store import FORMAT
from ctxpack.system.disk import read_sealed_json, write_sealed_json

if TYPE_CHECKING:
    from numpy.typing import NDArray

CHECKED: Final = f"checked-{FORMAT}"


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

    def load(self, path: Path) -> dict[str, NDArray[Any]]:
        """Map the arrays of a file. Raises BrokenIndexError."""

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
