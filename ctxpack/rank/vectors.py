"""The vectors of texts: from the cache, else from the embedder, in batches and within a time limit.

The cache is on disk, one SQLite file for each model, keyed by a digest of the text; least recently used goes first.

It can be rebuilt at any time: a file that cannot be read is deleted and made again; where none can be written, every
vector is computed anew. Every row has a checksum; one that does not match is ignored. Each call opens the file
for itself, so that threads and processes may share it.
"""

from __future__ import annotations

import atexit
import hashlib
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from ctxpack.errors import EmbeddingError
from ctxpack.rank.embedders import Embedder
from ctxpack.system.clock import Progress

if TYPE_CHECKING:
    from ctxpack.rank.embedders import Matrix


from ctxpack.system.disk import checksum

_FORMAT: Final = 2
_MOST_BYTES: Final = 1_000_000_000  # of one file: the vectors of 1.2 million texts, of 384 numbers each
_BUSY_SECONDS: Final = 5.0
_PAUSE_SECONDS: Final = 0.02
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
        """Read the values of some keys; nothing if the file cannot be read."""
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
        """Store values by key; do nothing if the file cannot be written."""
        rows = [(key, value, self._day, _seal_of(key, value)) for key, value in sorted(values.items())]
        try:
            self._write_when_free(rows)
        except _UNUSABLE as error:
            if self._forget(error):
                with suppress(*_UNUSABLE, OSError):  # they are computed again
                    self._write(rows)
        except OSError:  # they are computed again
            return

    def _write_when_free(self, rows: list[tuple[bytes, bytes, int, int]]) -> None:
        """Write, with a retry where another process is creating the file: SQLite does not wait for that."""
        end = time.monotonic() + _BUSY_SECONDS
        while True:
            try:
                self._write(rows)
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                    raise
                time.sleep(_PAUSE_SECONDS)
            else:
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
            connection.execute("PRAGMA synchronous=OFF")  # rows carry checksums: nobody waits for the disk
            connection.execute("PRAGMA journal_mode=WAL")
            connection.executescript(_SCHEMA)
        except BaseException:
            connection.close()
            raise
        return connection

    def _forget(self, error: Exception) -> bool:
        """Delete a file that cannot be read, but not one that is only busy, full or read-only."""
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in _NOT_DAMAGE:
            return False
        for suffix in ("", "-wal", "-shm"):
            with suppress(OSError):  # what cannot be deleted is found damaged again
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
    """Record the day of use, unless another process is writing or nothing can be written."""
    if not rows:
        return
    with suppress(sqlite3.OperationalError):  # only which vectors are dropped first depends on it
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
    """Drop the least recently used quarter, so that this happens rarely."""
    held = int(connection.execute("SELECT count(*) FROM kept").fetchone()[0])
    gone = "DELETE FROM kept WHERE key IN (SELECT key FROM kept ORDER BY used, key LIMIT ?)"
    connection.execute(gone, (held // 4 + 1,))


KEY_BYTES: Final = 16
_BATCH: Final = 32  # texts at once: models gain nothing from more, and these are lost when a run ends early
_MOST_CHARACTERS: Final = 6_000  # of a text: few models read more than 2,000 tokens
_MOST_SHOWN: Final = 200  # characters of a stranger's error, which may be a page
_SMALLEST_LENGTH: Final = 1e-12  # of a vector that says anything
_Result = TypeVar("_Result")
_PATIENCE_SECONDS: Final = 10.0  # at the end of a process: native code that is torn down while it loads aborts it


class Lookup:
    """One embedder and the cache of its vectors. ``check`` is called between batches and may raise."""

    def __init__(self, embedder: Embedder, cache: VectorCache | None, check: Callable[[], None] = lambda: None) -> None:
        self.cache = cache
        self._embedder, self._check = embedder, check
        self._here: dict[bytes, bytes] = {}  # of this run: a cache may be missing, or locked

    def find_known(self, keys: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """Return the cached vectors of some texts, as ``stack_vectors`` reads them."""
        asked = [key for key in dict.fromkeys(keys) if key not in self._here]
        if self.cache is not None and asked:
            self._here.update(self.cache.find(asked))
        return {key: self._here[key] for key in keys if key in self._here}

    def vectors(
        self, texts: Sequence[str], *, is_query: bool = False, on_progress: Progress | None = None
    ) -> Mapping[bytes, bytes]:
        """Find the vectors of texts by their keys; compute and keep what is missing. Raises EmbeddingError.

        ``on_progress`` is called with ("embed", texts done, total).
        """
        by_key = {text_key(text, is_query=is_query): text for text in texts}
        found = dict(self.find_known(list(by_key)))
        missing = {key: text for key, text in by_key.items() if key not in found}
        done = 0
        for keys in _batches(list(missing)):
            self._check()
            made = dict(zip(keys, self._compute([missing[key] for key in keys], is_query=is_query), strict=True))
            self._here |= made
            found |= made
            if self.cache is not None:
                self.cache.keep(made)
            done += len(keys)
            if on_progress:
                on_progress("embed", done, len(missing))
        return found

    def _compute(self, texts: Sequence[str], *, is_query: bool) -> Iterator[bytes]:
        import numpy as np

        try:
            rows = self._embedder.embed([text[:_MOST_CHARACTERS] for text in texts], is_query=is_query)
            made = np.asarray(rows, np.float32)
        except EmbeddingError:
            raise
        except Exception as error:  # whatever a stranger's model raises: words alone still rank
            reason = " ".join(f"{type(error).__name__}: {error}".split())[:_MOST_SHOWN]
            raise EmbeddingError(f"The embedding model failed: {reason}.") from error
        if made.ndim != 2 or len(made) != len(texts) or not made.shape[1] or not np.isfinite(made).all():  # noqa: PLR2004
            raise EmbeddingError(f"The embedding model gave no vector for each of {len(texts)} texts.")
        lengths = np.maximum(np.linalg.norm(made, axis=1, keepdims=True), _SMALLEST_LENGTH)
        return (row.tobytes() for row in (made / lengths).astype("<f2"))


def text_key(text: str, *, is_query: bool = False) -> bytes:
    """Return the key of a text, a digest; a request and a piece with the same text have different keys."""
    kind = b"query" if is_query else b"piece"
    return hashlib.blake2b(text.encode("utf-8", "surrogateescape"), digest_size=KEY_BYTES, person=kind).digest()


def stack_vectors(vectors: Sequence[bytes]) -> Matrix:
    """Return vectors as rows of length 1. Raises EmbeddingError if their lengths differ."""
    import numpy as np

    if len({len(each) for each in vectors}) > 1:
        raise EmbeddingError(
            "The embedding model gave vectors of different lengths.",
            hint="Another model may answer to its name now: delete the folder vectors in the cache folder.",
        )
    joined = np.frombuffer(b"".join(vectors), "<f2").astype(np.float32)
    return joined.reshape(len(vectors), -1) if vectors else joined.reshape(0, 0)


def _batches(keys: Sequence[bytes]) -> Iterator[Sequence[bytes]]:
    for start in range(0, len(keys), _BATCH):
        yield keys[start : start + _BATCH]


class TimeLimit:
    """A time limit for several tasks together, counted from the first."""

    def __init__(
        self,
        seconds: float,
        clock: Callable[[], float] = time.monotonic,
        on_late: Callable[[], None] | None = None,
    ) -> None:
        self._seconds, self._clock, self._on_late = seconds, clock, on_late
        self._end: float | None = None

    def check(self) -> None:
        """For work that can stop by itself. Raises EmbeddingError when the time is up."""
        if self._remaining() <= 0:
            raise self._late_error()

    def run(self, work: Callable[[], _Result]) -> _Result:
        """Run ``work`` and return its result. Raises what it raises, and EmbeddingError if the time is up first."""
        done = _Done(work)
        thread = Thread(target=done.run, name="ctxpack-embed", daemon=True)
        left = self._remaining()
        if left > 0:
            thread.start()
            thread.join(left)
        if thread.is_alive():
            atexit.register(thread.join, _PATIENCE_SECONDS)
        if left <= 0 or thread.is_alive():
            raise self._late_error()
        return done.result()

    def _late_error(self) -> EmbeddingError:
        """Return the error for being late, for the waiting side and for the work; the first call runs ``on_late``."""
        on_late, self._on_late = self._on_late, None
        if on_late:
            on_late()
        return EmbeddingError(
            f"It took longer than {self._seconds:g} seconds.",
            hint="What was computed is kept for the next run; ctxpack index --embed computes all of it.",
        )

    def _remaining(self) -> float:
        now = self._clock()
        if self._end is None:
            self._end = now + self._seconds
        return self._end - now


class _Done(Generic[_Result]):
    """The result of work in a thread."""

    def __init__(self, work: Callable[[], _Result]) -> None:
        self._work = work
        self._results: list[_Result] = []
        self._error: BaseException | None = None

    def run(self) -> None:
        try:
            self._results.append(self._work())
        except BaseException as error:  # noqa: BLE001 - raised again where it is waited for
            self._error = error

    def result(self) -> _Result:
        if self._error is not None:
            raise self._error
        return self._results[0]
