"""Vectors on disk, one SQLite file a model: kept by a digest of the text, the longest unused dropped first.

Nothing here is precious: a file that cannot be read is deleted and made again, and where none can be written every
vector is computed anew. Every row carries a checksum; one that does not match is not there. Each call opens the file
for itself, so that threads and processes may share it.
"""

from __future__ import annotations

import hashlib
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from ctxpack.system.files import checksum

_FORMAT: Final = 2
_MOST_BYTES: Final = 1_000_000_000  # of one file: the vectors of 1.2 million texts, of 384 numbers each
_BUSY_SECONDS: Final = 5.0
_DAY: Final = 86_400  # seconds: when a vector was used last is known by the day
_UNUSABLE: Final = (sqlite3.Error, UnicodeDecodeError)  # what SQLite says of a damaged name may be no text
_NOT_DAMAGE: Final = frozenset(
    (
        *(sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY),
        *(sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR),
    )
)
_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS kept (
    key BLOB PRIMARY KEY, value BLOB NOT NULL, used INTEGER NOT NULL, seal INTEGER NOT NULL
) WITHOUT ROWID;
"""


def vector_file(cache_dir: Path, embedder: str) -> Path:
    """Return the file for the vectors of an embedder, by its name."""
    digest = hashlib.sha256(f"{_FORMAT}:{embedder}".encode("utf-8", "surrogateescape")).hexdigest()[:24]
    return cache_dir / "vectors" / f"{digest}.sqlite"


class VectorCache:
    """Keys → bytes on disk. ``now`` gives seconds since the epoch; it decides only what is dropped first."""

    def __init__(self, path: Path, most_bytes: int = _MOST_BYTES, now: Callable[[], float] = time.time) -> None:
        self._path, self._most_bytes = path, most_bytes
        self._day = int(now() // _DAY)

    def find(self, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """Read what is kept under some keys; nothing where the file cannot be read."""
        wanted = sorted(set(keys))
        if not wanted or not self._path.exists():
            return {}
        try:
            with closing(self._connect()) as connection:
                found = list(_rows(connection, wanted))
                _touch(connection, [(self._day, key) for key, _, used in found if used < self._day])
        except _UNUSABLE as error:
            self._forget(error)
            return {}
        return {key: value for key, value, _ in found}

    def keep(self, values: Mapping[bytes, bytes]) -> None:
        """Keep values under their keys; silently not where the file cannot be written."""
        rows = [(key, value, self._day, _seal_of(key, value)) for key, value in sorted(values.items())]
        try:
            self._write(rows)
        except _UNUSABLE as error:
            if self._forget(error):
                with suppress(*_UNUSABLE, OSError):
                    self._write(rows)
        except OSError:
            return

    def _write(self, rows: list[tuple[bytes, bytes, int, int]]) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with closing(self._connect()) as connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany("INSERT OR REPLACE INTO kept VALUES (?, ?, ?, ?)", rows)
            if _bytes_used(connection) > self._most_bytes:
                _drop_a_quarter(connection)
            connection.execute("COMMIT")

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, timeout=_BUSY_SECONDS, isolation_level=None)
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=NORMAL")
            connection.executescript(_SCHEMA)
        except BaseException:
            connection.close()
            raise
        return connection

    def _forget(self, error: Exception) -> bool:
        """Delete a file that cannot be read; one that is merely busy, full or read-only stays."""
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in _NOT_DAMAGE:
            return False
        for suffix in ("", "-wal", "-shm"):
            with suppress(OSError):
                self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)
        return True


def _rows(connection: sqlite3.Connection, keys: Iterable[bytes]) -> Iterator[tuple[bytes, bytes, int]]:
    for key in keys:
        for value, used, seal in connection.execute("SELECT value, used, seal FROM kept WHERE key=?", (key,)):
            if isinstance(value, bytes) and isinstance(used, int) and seal == _seal_of(key, value):
                yield key, value, used


def _seal_of(key: bytes, value: bytes) -> int:
    return checksum("", key, value)


def _touch(connection: sqlite3.Connection, rows: list[tuple[int, bytes]]) -> None:
    """Note the day of use, unless another process writes just now or nothing can be written."""
    if not rows:
        return
    with suppress(sqlite3.OperationalError):
        connection.execute("PRAGMA busy_timeout=0")
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany("UPDATE kept SET used=? WHERE key=?", rows)
        connection.execute("COMMIT")


def _bytes_used(connection: sqlite3.Connection) -> int:
    pages, free, size = (
        int(connection.execute(f"PRAGMA {name}").fetchone()[0])
        for name in ("page_count", "freelist_count", "page_size")
    )
    return (pages - free) * size


def _drop_a_quarter(connection: sqlite3.Connection) -> None:
    """Drop what was not used for longest: a quarter, so that it is seldom done."""
    held = int(connection.execute("SELECT count(*) FROM kept").fetchone()[0])
    gone = "DELETE FROM kept WHERE key IN (SELECT key FROM kept ORDER BY used, key LIMIT ?)"
    connection.execute(gone, (held // 4 + 1,))
