"""What is known of a repository, on disk: a SQLite file of facts and, beside it, the segment files it names.

Nothing here is precious. A store that cannot be read, or of another version, is thrown away and made again.
"""

from __future__ import annotations

import hashlib
import shutil
import sqlite3
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from ctxpack.errors import BrokenIndexError, UnwritableIndexError

FORMAT: Final = 8  # raise when segments, facts or the outline parser change
_STALE_FILE_SECONDS: Final = 3600  # unreferenced files younger than this may belong to a running process
_BUSY_SECONDS: Final = 5.0
_HINT: Final = "Set CTXPACK_CACHE_DIR to a folder you can write."
_BUSY: Final = frozenset((sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED))
_UNWRITABLE: Final = frozenset(
    (sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN)
)
_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS file (
    path BLOB PRIMARY KEY, key TEXT NOT NULL, segment TEXT NOT NULL, slot INTEGER NOT NULL, facts TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS exact (key TEXT PRIMARY KEY, parsed TEXT NOT NULL) WITHOUT ROWID;
"""


class Row(NamedTuple):
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

    def __init__(self, folder: Path, connection: sqlite3.Connection, *, is_aside: bool = False) -> None:
        self.folder = folder
        self._is_aside = is_aside  # of what the real one names nothing is known
        self._connection = connection
        self._turn = threading.RLock()  # strategies read beside each other; a transaction is one thread's alone

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Open or make the store; a broken or older one is removed first. Raises BrokenIndexError.

        While another process locks the whole file, this is a store in memory: it answers, and nothing is recorded.
        """
        try:
            return cls._open(folder)
        except (sqlite3.Error, ValueError) as error:
            if _code(error) in _BUSY:
                return cls(folder, _connected(":memory:"), is_aside=True)
            if _code(error) in _UNWRITABLE:
                raise UnwritableIndexError(f"The index in {folder} cannot be written: {error}.", hint=_HINT) from error
            remove(folder)
        try:
            return cls._open(folder)
        except (sqlite3.Error, OSError, ValueError) as error:
            raise UnwritableIndexError(f"The index in {folder} cannot be written: {error}.", hint=_HINT) from error

    @classmethod
    def _open(cls, folder: Path) -> Self:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UnwritableIndexError(
                f"The index folder {folder} cannot be made: {error.strerror}.", hint=_HINT
            ) from error
        return cls(folder, _connected(folder / "facts.sqlite"))

    def close(self) -> None:
        """Close the connection; who asks later, such as a strategy that took too long, gets a BrokenIndexError."""
        with self._turn:
            self._connection.close()

    def rows(self) -> dict[str, Row]:
        """Every indexed file by path."""
        found = self._ask("SELECT path, key, segment, slot FROM file")
        return {(path := _decoded(raw)): Row(path, key, segment, slot) for raw, key, segment, slot in found}

    def facts(self, paths: Iterable[str] | None = None) -> dict[str, str]:
        """The facts of some or all files, as the lines the worker wrote."""
        if paths is None:
            return {_decoded(raw): facts for raw, facts in self._ask("SELECT path, facts FROM file")}
        found = {}
        for path in paths:
            for (facts,) in self._ask("SELECT facts FROM file WHERE path=?", _encoded(path)):
                found[path] = facts
        return found

    def meta(self, key: str) -> str:
        """A remembered value, or an empty string."""
        rows = self._ask("SELECT value FROM meta WHERE key=?", key)
        return str(rows[0][0]) if rows else ""

    def replace(
        self,
        expected: str,
        gone: Sequence[str],
        rows: Sequence[tuple[Row, str]],
        meta: Mapping[str, str],
    ) -> bool:
        """Record an update in one transaction; False when another process recorded one since ``expected`` was read.

        False also when the store is busy or its disk full. ``rows`` carry facts; ``meta`` must hold a new generation.
        """
        values = [(_encoded(r.path), r.key, r.segment, r.slot, facts) for r, facts in rows]
        steps: list[tuple[str, list[Any]]] = [
            ("DELETE FROM file WHERE path=?", [(_encoded(path),) for path in gone]),
            ("INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?, ?)", values),
            ("INSERT OR REPLACE INTO meta VALUES (?, ?)", list(meta.items())),
        ]
        return self._write(steps, expected)

    def remember(self, meta: Mapping[str, str]) -> None:
        """Record values that any process would compute alike; silently not, when the store is busy."""
        self._write([("INSERT OR REPLACE INTO meta VALUES (?, ?)", list(meta.items()))])

    def exact(self, key: str) -> str:
        """A syntax tree's chunks, cached by content, or an empty string."""
        rows = self._ask("SELECT parsed FROM exact WHERE key=?", key)
        return str(rows[0][0]) if rows else ""

    def remember_exact(self, parsed: Mapping[str, str]) -> None:
        """Cache syntax trees' chunks by content; silently not, when the store is busy."""
        self._write([("INSERT OR REPLACE INTO exact VALUES (?, ?)", list(parsed.items()))])

    def _ask(self, statement: str, *values: object) -> list[Any]:
        try:
            with self._turn:
                return self._connection.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            raise BrokenIndexError(
                f"The index in {self.folder} cannot be read: {error}.", hint="Make it anew: ctxpack index --rebuild"
            ) from error

    def _write(self, steps: Sequence[tuple[str, list[Any]]], expected: str | None = None) -> bool:
        """One transaction: every step, or none where the store is busy, its disk full or ``expected`` has passed."""
        with self._turn:
            return self._transact(steps, expected)

    def _transact(self, steps: Sequence[tuple[str, list[Any]]], expected: str | None) -> bool:
        connection = self._connection
        try:
            connection.execute("BEGIN IMMEDIATE")
            if expected is not None and self.meta("generation") != expected:
                return False
            for statement, values in steps:
                connection.executemany(statement, values)
            connection.execute("COMMIT")
        except sqlite3.OperationalError:
            connection.execute("PRAGMA busy_timeout=0")  # who waited in vain once does not wait again
            return False
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
        return True

    def names(self) -> frozenset[str]:
        """The names of the files in the folder."""
        try:
            return frozenset(path.name for path in self.folder.iterdir())
        except OSError:  # another process deleted the whole store
            return frozenset()

    def sweep(self, keep: Iterable[str]) -> None:
        """Delete files that no row names: what a killed process or an older update left."""
        wanted = {*keep, "facts.sqlite", "facts.sqlite-wal", "facts.sqlite-shm"}
        horizon = time.time() - _STALE_FILE_SECONDS
        for path in sorted(self.folder / name for name in self.names() - wanted if not self._is_aside):
            try:
                if path.stat().st_mtime < horizon:
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
        raise UnwritableIndexError(
            f"The index folder {folder} cannot be deleted: {error.strerror}.", hint=_HINT
        ) from error


def _connected(target: Path | str) -> sqlite3.Connection:
    """A connection with our tables. Raises sqlite3.Error, and ValueError for another format."""
    connection = sqlite3.connect(target, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.executescript(_SCHEMA)
        _check_format(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _check_format(connection: sqlite3.Connection) -> None:
    wanted = "SELECT value FROM meta WHERE key='format'"
    if connection.execute(wanted).fetchone() is None:  # asked first: a store that exists is opened without a lock
        connection.execute("INSERT OR IGNORE INTO meta VALUES ('format', ?)", (str(FORMAT),))
    found = connection.execute(wanted).fetchone()[0]
    if found != str(FORMAT):
        raise ValueError(f"index format {found}, not {FORMAT}")


def _code(error: Exception) -> int:
    """SQLite's primary result code of an error; 0 for another kind of error."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _encoded(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")


def _decoded(path: bytes) -> str:
    return path.decode("utf-8", "surrogateescape")
