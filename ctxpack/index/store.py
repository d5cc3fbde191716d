"""What is known of a repository, on disk: a SQLite file of facts and, beside it, the segment files it names.

Nothing here is precious. A store that cannot be read, or of another version, is thrown away and made again.
"""

from __future__ import annotations

import hashlib
import shutil
import sqlite3
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from ctxpack.errors import BrokenIndexError

FORMAT: Final = 2  # raise when segments, facts or the outline parser change
_STALE_FILE_SECONDS: Final = 3600  # unreferenced files younger than this may belong to a running process
_BUSY_SECONDS: Final = 5.0
_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS file (
    path BLOB PRIMARY KEY, key TEXT NOT NULL, segment TEXT NOT NULL, slot INTEGER NOT NULL, facts TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS exact (key TEXT PRIMARY KEY, parsed TEXT NOT NULL) WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True)
class Row:
    """Where a file's chunks are. ``key`` says of which content, language and name they were made."""

    path: str
    key: str
    segment: str
    slot: int


def folder_of(cache_dir: Path, root: Path) -> Path:
    """The cache folder of one repository root: readable name, then a digest of the full path."""
    digest = hashlib.sha256(str(root).encode("utf-8", "surrogateescape")).hexdigest()[:12]
    return cache_dir / "index" / f"{root.name or 'root'}-{digest}"


class Store:
    """The facts of one repository root."""

    def __init__(self, folder: Path, connection: sqlite3.Connection) -> None:
        self.folder = folder
        self._connection = connection

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Open or make the store; a broken or older one is removed first. Raises BrokenIndexError."""
        try:
            return cls._open(folder)
        except (sqlite3.DatabaseError, ValueError):
            remove(folder)
        try:
            return cls._open(folder)
        except (sqlite3.Error, OSError, ValueError) as error:
            message = f"cannot write the index in {folder}: {error}"
            raise BrokenIndexError(message, hint="set CTXPACK_CACHE_DIR to a folder you can write") from error

    @classmethod
    def _open(cls, folder: Path) -> Self:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            message = f"cannot make the index folder {folder}: {error.strerror}"
            raise BrokenIndexError(message, hint="set CTXPACK_CACHE_DIR to a folder you can write") from error
        connection = sqlite3.connect(folder / "facts.sqlite", timeout=_BUSY_SECONDS, isolation_level=None)
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=NORMAL")
            connection.executescript(_SCHEMA)
            connection.execute("INSERT OR IGNORE INTO meta VALUES ('format', ?)", (str(FORMAT),))
            _check_format(connection)
        except BaseException:
            connection.close()
            raise
        return cls(folder, connection)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def rows(self) -> dict[str, Row]:
        """Every indexed file by path."""
        found = self._connection.execute("SELECT path, key, segment, slot FROM file")
        return {(path := _decoded(raw)): Row(path, key, segment, slot) for raw, key, segment, slot in found}

    def facts(self, paths: Iterable[str] | None = None) -> dict[str, str]:
        """The facts of some or all files, as the lines the worker wrote."""
        if paths is None:
            return {_decoded(raw): facts for raw, facts in self._connection.execute("SELECT path, facts FROM file")}
        found = {}
        for path in paths:
            row = self._connection.execute("SELECT facts FROM file WHERE path=?", (_encoded(path),)).fetchone()
            if row:
                found[path] = row[0]
        return found

    def meta(self, key: str) -> str:
        """A remembered value, or an empty string."""
        row = self._connection.execute("SELECT value FROM meta WHERE key=?", (key,)).fetchone()
        return row[0] if row else ""

    def replace(
        self,
        expected: str,
        gone: Sequence[str],
        rows: Sequence[tuple[Row, str]],
        meta: Mapping[str, str],
    ) -> bool:
        """Record an update in one transaction; False when another process recorded one since ``expected`` was read.

        ``rows`` carry facts. ``meta`` must hold a new ``generation``.
        """
        try:
            self._connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return False
        try:
            if self.meta("generation") != expected:
                self._connection.execute("ROLLBACK")
                return False
            execute = self._connection.executemany
            execute("DELETE FROM file WHERE path=?", [(_encoded(path),) for path in gone])
            values = [(_encoded(r.path), r.key, r.segment, r.slot, facts) for r, facts in rows]
            execute("INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?, ?)", values)
            execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", list(meta.items()))
            self._connection.execute("COMMIT")
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        return True

    def remember(self, meta: Mapping[str, str]) -> None:
        """Record values that any process would compute alike; silently not, when the store is busy."""
        try:
            self._connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", list(meta.items()))
        except sqlite3.OperationalError:
            return

    def exact(self, key: str) -> str:
        """A syntax tree's chunks, cached by content, or an empty string."""
        row = self._connection.execute("SELECT parsed FROM exact WHERE key=?", (key,)).fetchone()
        return row[0] if row else ""

    def remember_exact(self, parsed: Mapping[str, str]) -> None:
        """Cache syntax trees' chunks by content; silently not, when the store is busy."""
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany("INSERT OR REPLACE INTO exact VALUES (?, ?)", list(parsed.items()))
            self._connection.execute("COMMIT")
        except sqlite3.OperationalError:
            return

    def sweep(self, keep: Iterable[str]) -> None:
        """Delete files that no row names: what a killed process or an older update left."""
        wanted = {*keep, "facts.sqlite", "facts.sqlite-wal", "facts.sqlite-shm"}
        horizon = time.time() - _STALE_FILE_SECONDS
        for path in self.folder.iterdir():
            try:
                if path.name not in wanted and path.stat().st_mtime < horizon:
                    path.unlink()
            except OSError:  # another process deleted it first, or Windows still maps it
                continue


def remove(folder: Path) -> None:
    """Delete a store. Raises BrokenIndexError when the folder cannot be deleted."""
    try:
        shutil.rmtree(folder)
    except FileNotFoundError:
        return
    except OSError as error:
        raise BrokenIndexError(f"cannot delete the index folder {folder}: {error.strerror}") from error


def _check_format(connection: sqlite3.Connection) -> None:
    found = connection.execute("SELECT value FROM meta WHERE key='format'").fetchone()[0]
    if found != str(FORMAT):
        raise ValueError(f"index format {found}, not {FORMAT}")


def _encoded(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")


def _decoded(path: bytes) -> str:
    return path.decode("utf-8", "surrogateescape")
