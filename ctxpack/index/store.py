"""The index on disk: a SQLite file of facts, and the segment files that it names.

It can be rebuilt at any time: a store that is unreadable or of another version is deleted and made again. SQLite sees
a malformed page, but not one with wrong content, so values have checksums, and the rows of all files have one
together, which is compared whenever they are read. A cached syntax tree that does not match is ignored.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from sys import intern
from typing import Any, Final, NamedTuple, Self, cast

from ctxpack.errors import BrokenIndexError, UnwritableIndexError
from ctxpack.index.arrays import checksum_of_rows
from ctxpack.system.disk import DamagedError, alone, publish, remove_folder, seal, unseal

REMADE: Final = "The index was damaged or made by another version of ctxpack, and has been rebuilt."
FORMAT: Final = 48  # raise when segments, facts or the outline parser change
FACTS: Final = "facts.sqlite"
GENERATION: Final = "generation"  # what the last update is called
_FORMAT_KEY, _GRAPH = "format", "graph"
_ROWS: Final = "rows"  # the checksum of them all: a page that was lost may leave no other trace
_STALE_FILE_SECONDS: Final = 3600  # unreferenced files younger than this may belong to a running process
_BUSY_SECONDS, _TRIES, _PAUSE = 5.0, 3, 0.1  # to wait for others; to make a store again, and seconds before the last
_HINT: Final = "Set CTXPACK_CACHE_DIR to a folder you can write."
_BUSY: Final = frozenset((sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED))
_UNWRITABLE: Final = frozenset((sqlite3.SQLITE_PERM, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN))
_UNUSABLE: Final = (sqlite3.Error, ValueError)  # what SQLite says of a damaged name may be no text: UnicodeDecodeError
_REBUILD: Final = "Rebuild it: ctxpack index --rebuild"
_REMEMBER: Final = "INSERT OR REPLACE INTO meta VALUES (?, ?)"
_NEW_MOVES: Final = "CREATE TEMP TABLE moved (source TEXT PRIMARY KEY, target TEXT, first INTEGER)"
_NOTE_MOVE: Final = "INSERT INTO temp.moved VALUES (?, ?, ?)"
_MOVE: Final = """UPDATE file SET
slot = CASE WHEN slot < 0 THEN slot ELSE slot + (SELECT first FROM temp.moved WHERE source = segment) END,
segment = (SELECT target FROM temp.moved WHERE source = segment) WHERE segment IN (SELECT source FROM temp.moved)"""
_KEEP: Final = "INSERT OR REPLACE INTO spare VALUES (?, ?, ?, ?, ?)"
_ALL_ROWS: Final = "SELECT path, key, segment, slot FROM file ORDER BY path"
_FACTS_OF: Final = "SELECT path, key, facts FROM file"
_ROW: Final = "SELECT path, key, segment, slot FROM file WHERE path=?"
_FEW_ROWS: Final = 500  # that an update touches: to look at each costs less than to read all
_Step = tuple[str, Iterable[Any]]
_STAMPS: Final = 4  # branches that were left last, of which all is kept
_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS file (
    path BLOB PRIMARY KEY, key TEXT NOT NULL, segment TEXT NOT NULL, slot INTEGER NOT NULL, facts TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS spare (
    path BLOB NOT NULL, key TEXT NOT NULL, stamp INTEGER NOT NULL, segment TEXT NOT NULL, entry TEXT NOT NULL,
    PRIMARY KEY (path, key)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS exact (key TEXT PRIMARY KEY, parsed TEXT NOT NULL) WITHOUT ROWID;
"""


class IndexRow(NamedTuple):
    """The location of a file's chunks. ``key`` identifies the content, language and name they were made from."""

    path: str
    key: str
    segment: str
    slot: int


class Recorded(NamedTuple):
    """The record of an update: its generation, its graph's name, every file's row; and if that is all that there is."""

    generation: str
    graph: str
    rows: Mapping[str, IndexRow]
    is_current: bool = False


class Store:
    """The facts of one repository root. ``is_remade``: the former store could not be used and was replaced."""

    def __init__(self, folder: Path, connection: sqlite3.Connection, *, is_aside: bool = False) -> None:
        self.folder = folder
        self.is_remade = False
        self.is_damaged = False  # it goes away when it is closed: whoever meets damage says so
        self._is_aside = is_aside  # of what the real one names nothing is known
        self._connection = connection
        self._turn = threading.RLock()  # strategies read at the same time; a transaction is one thread's alone

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Open or make the store; a damaged or older one is removed first. Raises UnwritableIndexError.

        While another process locks the whole file, this is a store in memory: it can be read, and nothing is recorded.
        """
        with suppress(*_UNUSABLE):  # another process may replace it right now: nothing is made here
            if (folder / FACTS).exists():
                return cls(folder, _connect(folder / FACTS))
        with alone(folder, _BUSY_SECONDS):
            for tried in range(_TRIES):
                try:
                    store = cls._open(folder)  # another process may have replaced it meanwhile
                except (*_UNUSABLE, OSError) as error:
                    if _code(error) in _BUSY:
                        break  # it is read in memory
                    if tried + 1 == _TRIES or not _is_damage(error, folder):
                        raise _unwritable(folder, error) from error
                    time.sleep(tried * _PAUSE)  # whoever was opening the new one just now ("disk I/O error") is done
                    remove_store(folder)
                else:
                    store.is_remade |= tried > 0
                    return store
        return cls(folder, _connect(":memory:"), is_aside=True)

    @classmethod
    def _open(cls, folder: Path) -> Self:
        is_there = (folder / FACTS).exists()
        is_lost = not is_there and any(folder.glob("segment-*"))
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            said = f"The index folder {folder} cannot be created: {error.strerror}."
            raise UnwritableIndexError(said, hint=_HINT) from error
        if not is_there:
            publish(folder / FACTS, lambda place: _connect(place).close())
        store = cls(folder, _connect(folder / FACTS))
        store.is_remade = is_lost
        return store

    @property
    def remarks(self) -> tuple[str, ...]:
        """A sentence about damage that was found, if any."""
        if self.is_remade:
            return (REMADE,)
        return ("The index is damaged; the next run rebuilds it.",) * self.is_damaged

    def close(self) -> None:
        """Close the connection; later calls, such as by a strategy that took too long, get a BrokenIndexError."""
        with self._turn:
            self._connection.close()
        if self.is_damaged and not self._is_aside:
            with suppress(UnwritableIndexError):  # it was told; the next run tries again
                remove_store(self.folder)

    def rows(self) -> Mapping[str, IndexRow]:
        """Return every indexed file by path. Raises BrokenIndexError if a row was lost or changed."""
        return self.read_recorded().rows

    def read_recorded(self) -> Recorded:
        """Return the record of the last update, read in one transaction. Raises BrokenIndexError."""
        with self._turn:
            self._ask("BEGIN")
            try:
                found, expected, latest = self._ask(_ALL_ROWS), self.meta(_ROWS), self.latest()
            finally:
                if self._connection.in_transaction:
                    self._ask("COMMIT")
        if found and ((checksum := checksum_of_rows(found)) < 0 or str(checksum) != expected):
            raise self._damage()
        raw, keys, segments, slots = zip(*found, strict=True) if found else ((),) * len(IndexRow._fields)
        paths = _decode(b"\0".join(raw)).split("\0")[: len(raw)]
        make = cast("Callable[[object], IndexRow]", partial(tuple.__new__, IndexRow))
        rows = map(make, zip(paths, keys, map(intern, segments), slots, strict=True))
        return Recorded(*latest, dict(zip(paths, rows, strict=True)))

    def latest(self) -> tuple[str, str]:
        """Return the generation of the last update and the name of its graph. Raises BrokenIndexError."""
        return self.meta(GENERATION), self.meta(_GRAPH)

    def facts(self, wanted: Iterable[tuple[str, str]]) -> dict[str, str]:
        """Return the facts of paths with some key, as the lines the worker wrote. Raises BrokenIndexError."""
        keys, found = dict(wanted), dict[str, str]()
        few = (row for path in keys for row in self._ask(f"{_FACTS_OF} WHERE path=?", _encode(path)))
        for raw, key, facts in few if len(keys) <= _FEW_ROWS else self._ask(_FACTS_OF):
            if keys.get(path := _decode(raw)) == key:
                found[path] = self._unseal(facts, path)
        replaced = self.spare(item for item in keys.items() if item[0] not in found)  # since it was read
        return found | {path: facts for path, (_, facts) in replaced.items()}

    def meta(self, key: str) -> str:
        """Return a remembered value, or an empty string."""
        rows = self._ask("SELECT value FROM meta WHERE key=?", key)
        return self._unseal(rows[0][0], key) if rows else ""

    def spare(self, wanted: Iterable[tuple[str, str]]) -> dict[str, tuple[IndexRow, str]]:
        """Return the kept entries of paths with an earlier content, by path, in the form of ``replace``."""
        found: dict[str, tuple[IndexRow, str]] = {}
        if not self._ask("SELECT EXISTS (SELECT * FROM spare)")[0][0]:
            return found
        for path, key in wanted:
            for (entry,) in self._ask("SELECT entry FROM spare WHERE path=? AND key=?", _encode(path), key):
                segment, slot, facts = self._unseal(entry, f"{path}\0{key}").split("\n", 2)
                found[path] = IndexRow(path, key, segment, int(slot)), facts
        return found

    def spare_segments(self) -> frozenset[str]:
        """Return the segments that spare rows need."""
        return frozenset(segment for (segment,) in self._ask("SELECT DISTINCT segment FROM spare"))

    def keep_spare(self, rows: Iterable[IndexRow]) -> None:
        """Keep rows that an update will replace, in case their content comes back; not if the store is busy."""
        stamp = self._ask("SELECT coalesce(max(stamp), 0) FROM spare")[0][0] + 1
        values, kept = [], {row.path: row for row in rows}
        for path, facts in self.facts(row[:2] for row in kept.values()).items():  # others may have replaced it
            _, key, segment, slot = kept[path]
            values.append((_encode(path), key, stamp, segment, seal(f"{segment}\n{slot}\n{facts}", f"{path}\0{key}")))
        self._write([("DELETE FROM spare WHERE stamp <= ?", [(stamp - _STAMPS,)]), (_KEEP, values)])

    def replace(
        self,
        expected: str,
        gone: Sequence[str],
        rows: Sequence[tuple[IndexRow, str]],
        graph: str,
        moved: Mapping[str, tuple[str, int]] | None = None,
    ) -> str:
        """Record an update in one transaction; returns its generation. ``rows`` carry facts, ``moved`` where rows went.

        Empty when another process recorded one since ``expected``, when the store is busy or its disk full.
        """
        values, generation = ((_encode(r.path), *r[1:], seal(facts, r.path)) for r, facts in rows), os.urandom(16).hex()
        steps: list[_Step] = [
            ("DELETE FROM file WHERE path=?", [(_encode(path),) for path in gone]),
            ("INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?, ?)", values),
            (_REMEMBER, _seal_all({GENERATION: generation, _GRAPH: graph})),
        ]
        if moved:  # in one pass over the rows
            noted = [(segment, *place) for segment, place in moved.items()]
            steps = [(_NEW_MOVES, [()]), (_NOTE_MOVE, noted), (_MOVE, [()]), *steps, ("DROP TABLE temp.moved", [()])]
        touched = {_encode(path) for path in (*gone, *(row.path for row, _ in rows))}
        is_small = len(touched) <= _FEW_ROWS and not moved
        return generation if self._write(steps, expected, touched if is_small else None) else ""

    def remember(self, meta: Mapping[str, str]) -> None:
        """Record values that any process would compute identically; not if the store is busy."""
        self._write([(_REMEMBER, _seal_all(meta))])

    def exact(self, key: str) -> str:
        """Return a syntax tree's chunks, cached by content, or an empty string."""
        try:
            rows = self._ask("SELECT parsed FROM exact WHERE key=?", key)
            return unseal(rows[0][0], key) if rows else ""
        except (BrokenIndexError, DamagedError):  # it is parsed again
            return ""

    def remember_exact(self, parsed: Mapping[str, str]) -> None:
        """Cache syntax trees' chunks by content; not if the store is busy."""
        self._write([("INSERT OR REPLACE INTO exact VALUES (?, ?)", _seal_all(parsed))])

    def _ask(self, statement: str, *values: object) -> list[Any]:
        try:
            with self._turn:
                return self._connection.execute(statement, values).fetchall()
        except _UNUSABLE as error:
            self._note(error)
            raise self._damage() from error

    def _unseal(self, value: object, name: str) -> str:
        try:
            return unseal(value, name)
        except DamagedError as error:
            self.is_damaged = not self._is_aside
            raise self._damage() from error

    def _damage(self) -> BrokenIndexError:
        """The error for a store that cannot be used, without its contents."""
        return BrokenIndexError(f"The index in {self.folder} cannot be read.", hint=_REBUILD)

    def _note(self, error: Exception) -> None:
        """Remember whether an error means damage."""
        if not (self._is_aside or isinstance(error, sqlite3.ProgrammingError)):  # it is closed
            self.is_damaged |= _is_damage(error, self.folder)

    def _write(self, steps: Sequence[_Step], expected: str | None = None, touched: set[bytes] | None = None) -> bool:
        """Do all steps in one transaction; none if the store is busy, its disk full or ``expected`` outdated.

        ``touched`` are the paths of the rows that may change, where these are few: damage of others stays visible.
        """
        connection = self._connection
        with self._turn:
            try:
                connection.execute("BEGIN IMMEDIATE")
                if expected is not None and self.meta(GENERATION) != expected:
                    return False
                kept = self.meta(_ROWS) if touched is not None else ""
                before = self._checksum_at(touched) if kept else 0
                for statement, values in steps:
                    connection.executemany(statement, values)
                if expected is not None:
                    found = int(kept) - before + self._checksum_at(touched) if kept else self._checksum_at(None)
                    connection.executemany(_REMEMBER, _seal_all({_ROWS: str(found)}))
                connection.execute("COMMIT")
            except sqlite3.ProgrammingError:
                raise
            except _UNUSABLE as error:
                self._note(error)
                connection.execute("PRAGMA busy_timeout=0")  # who waited in vain once does not wait again
                return False
            finally:
                if connection.in_transaction:
                    with suppress(sqlite3.Error):  # the answer does not rest on it
                        connection.execute("ROLLBACK")
        return True

    def _checksum_at(self, paths: Iterable[bytes] | None) -> int:
        """Compute the checksum of the rows of some paths, or of all."""
        rows = self._ask(_ALL_ROWS) if paths is None else [row for path in paths for row in self._ask(_ROW, path)]
        return checksum_of_rows(rows)

    def names(self) -> frozenset[str]:
        """Return the names of the files in the folder."""
        try:
            return frozenset(path.name for path in self.folder.iterdir())
        except OSError:  # another process deleted the whole store
            return frozenset()

    def drop(self, names: Iterable[str]) -> None:
        """Delete files that no other process knows."""
        for path in map(self.folder.joinpath, names):
            with suppress(OSError):  # Windows still maps it: the next sweep deletes it
                path.unlink()

    def sweep(self, keep: Iterable[str]) -> None:
        """Delete files that no row names: left by a killed process or an older update."""
        wanted = {*keep, FACTS, f"{FACTS}-wal", f"{FACTS}-shm"}
        horizon = time.time() - _STALE_FILE_SECONDS
        for path in sorted(self.folder / name for name in self.names() - wanted if not self._is_aside):
            try:
                if path.stat().st_mtime < horizon:
                    path.unlink()
            except OSError:  # another process deleted it first, or Windows still maps it
                continue


def remove_store(folder: Path) -> None:
    """Delete a store. Raises BrokenIndexError when the folder cannot be deleted."""
    try:
        remove_folder(folder)
    except OSError as error:
        said = f"The index folder {folder} cannot be deleted: {error.strerror}."
        raise UnwritableIndexError(said, hint=_HINT) from error


def _connect(target: Path | str) -> sqlite3.Connection:
    """Connect to a database with our tables. Raises sqlite3.Error, and DamagedError for values that are not ours."""
    connection = sqlite3.connect(target, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA synchronous=OFF")  # values and rows carry checksums: nobody waits for the disk
        connection.execute("PRAGMA journal_mode=WAL")
        connection.executescript(_SCHEMA)
        _check_meta(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _check_meta(connection: sqlite3.Connection) -> None:
    wanted = "SELECT key, value FROM meta"
    found = connection.execute(wanted).fetchall()
    if not any(key == _FORMAT_KEY for key, _ in found):  # asked first: a store that exists is opened without a lock
        connection.executemany("INSERT OR IGNORE INTO meta VALUES (?, ?)", _seal_all({_FORMAT_KEY: str(FORMAT)}))
        found = connection.execute(wanted).fetchall()
    values = {key: unseal(value, str(key)) for key, value in found}
    if values[_FORMAT_KEY] != str(FORMAT):
        raise DamagedError(_FORMAT_KEY)


def _seal_all(values: Mapping[str, str]) -> list[tuple[str, str]]:
    return [(key, seal(value, key)) for key, value in values.items()]


def _is_damage(error: Exception, folder: Path) -> bool:
    """Whether an error is about the contents of the file, not about a full or read-only disk."""
    code = _code(error)
    if code == sqlite3.SQLITE_READONLY:  # a changed byte of its head can mean that too
        return all(os.access(place, os.W_OK) for place in (folder, folder / FACTS))
    return code not in _UNWRITABLE and code not in _BUSY


def _unwritable(folder: Path, error: Exception) -> UnwritableIndexError:
    name = getattr(error, "sqlite_errorname", "") or type(error).__name__
    return UnwritableIndexError(f"The index in {folder} cannot be written ({name}).", hint=_HINT)


def _code(error: Exception) -> int:
    """SQLite's primary result code of an error; 0 for another kind of error."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _encode(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")


def _decode(path: bytes) -> str:
    return path.decode("utf-8", "surrogateescape")
