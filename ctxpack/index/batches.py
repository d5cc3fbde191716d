"""Read files in batches and write a segment for each, in several processes where that is faster; then join them.

Batches limit memory use and the loss when a run is interrupted; few segments make requests fast.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from ctxpack.errors import InternalError, UnwritableIndexError
from ctxpack.index.merge import Join, join_segments, plan_joins
from ctxpack.index.store import IndexRow
from ctxpack.index.view import Facts, is_as_found
from ctxpack.index.workers import WorkerPool, result_of, worker_pool, write_segment
from ctxpack.model import Discovery, Import, Kind, Places, SourceFile
from ctxpack.system.clock import Progress, Timekeeper, is_over, thread_pool

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

    _Hands = tuple[WorkerPool, ThreadPoolExecutor, Timekeeper]

_BATCH_BYTES: Final = 6_000_000  # one segment's text: bounds memory, and cuts a cold index into parallel parts
_SHORTEST_STEM: Final = 3  # letters, to be looked for in paths
_PARALLEL_BYTES: Final = 3_000_000  # below it a second interpreter's start costs more than it saves
_MAX_WORKERS: Final = 8
_CHANGING: Final = "changing"  # the key of what was read while it changed: no content has it, so it is read again
FILE_BYTES: Final = 4_000  # that a file costs besides its text
_LATE: Final = (
    "The update of the index took longer than {:g} s: {:,} of {:,} files are missing; the next run goes on with them."
)
_NOT_ALL: Final = (
    "Made of what was indexed in {:g} s, first the files whose names fit the request: {:,} of {:,} files are missing."
    " The next run goes on with them; --wait waits for all."
)
_IMPATIENT_BYTES: Final = 4_100_000  # of a batch where nobody waits for all: just so many that none is joined again


def most_workers() -> int:
    """Return how many interpreters may index at the same time."""
    return min(os.cpu_count() or 1, _MAX_WORKERS) if sys.executable else 1


class IndexRun(NamedTuple):
    """What an update of the index is made with: who hears of it, its time, and the request that it is made for."""

    progress: Progress | None
    keeper: Timekeeper
    about: str = ""


Moved = Mapping[str, tuple[str, int]]
"""Old segment -> the segment that it is part of now, and its first slot there."""


def cost_of(file: SourceFile) -> int:
    """Return what a file adds to a segment, in bytes."""
    return file.size + FILE_BYTES


def content_key(file: SourceFile) -> str:
    """Return the key of a file's chunks: its content and its language."""
    return f"{file.blob}:{file.language}"


class WrittenImports(Mapping[str, tuple[Import, ...]]):
    """The imports of some files, read lazily from their facts: all at once would need too much memory."""

    def __init__(self, lines: Mapping[str, str], paths: Sequence[str]) -> None:
        self._lines = lines
        self._paths = paths

    def __getitem__(self, path: str) -> tuple[Import, ...]:
        return Facts.from_json(self._lines[path]).imports

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)


def slot_of(line: str) -> int:
    """Return the slot of facts as ``Facts.to_json`` writes them, without reading the rest."""
    return int(line[1 : line.index(",")])


def index_files(
    folder: Path,
    discovery: Discovery,
    files: Sequence[SourceFile],
    run: IndexRun,
    facts: dict[str, tuple[IndexRow, str]],
    others: Collection[str] = (),
) -> Moved:
    """Index files, and put the row and facts of each into ``facts``, even if an error ends it.

    Then segments are joined, these and ``others``. Returns where they went; the rows are not updated.
    """
    progress, keeper = run.progress, run.keeper
    is_patient = keeper.patience is None
    ordered = files if is_patient else _promising_first(files, run.about)
    batches = list(_batches(ordered, _BATCH_BYTES if is_patient else _IMPATIENT_BYTES))
    is_large = sum(file.size for file in files) > _PARALLEL_BYTES and len(batches) > 1
    workers = min(most_workers(), len(batches)) if is_large else 1
    with worker_pool(workers if workers > 1 else 0) as interpreters, thread_pool(workers) as pool:
        before = {row.segment for row, _ in facts.values()}  # something else needs them as they are
        missing = _index_batches(folder, discovery, batches, (interpreters, pool, keeper), progress, facts)
        if missing:
            _tell_late(keeper, missing, len(files), len(discovery.files))
            return {}
        names = dict.fromkeys((*others, *(row.segment for row, _ in facts.values())))
        return _join(folder, names.keys() - before, (interpreters, pool, keeper))


def _index_batches(
    folder: Path,
    discovery: Discovery,
    batches: Sequence[Sequence[SourceFile]],
    hands: _Hands,
    progress: Progress | None,
    facts: dict[str, tuple[IndexRow, str]],
) -> int:
    """Index batches of files; return how many files are missing for lack of time."""
    interpreters, pool, keeper = hands
    total, done, places = sum(map(len, batches)), 0, discovery.state.places
    if progress:
        progress("index", 0, total)
    names = [f"segment-{os.urandom(16).hex()}" for _ in batches]
    jobs = [
        pool.submit(_run, interpreters, places, (batch, folder / name), keeper)
        for batch, name in zip(batches, names, strict=True)
    ]
    missing = total
    try:
        for batch, name, job in zip(batches, names, jobs, strict=True):
            lines = result_of(job, keeper, interpreters, is_first=missing == total)
            found = _rows_of(places, batch, name, lines)
            facts |= found
            missing -= len(found)
            done += len(batch)
            if progress:
                progress("index", done, total)
    except BaseException:
        for batch, name, job in zip(batches, names, jobs, strict=True):
            if job.done() and not job.cancelled() and job.exception() is None:
                facts |= _rows_of(places, batch, name, job.result())
        raise
    return missing


def _tell_late(keeper: Timekeeper, missing: int, total: int, of_all: int) -> None:
    deadline = keeper.for_index()
    if deadline is None:
        return
    sentence = _NOT_ALL if deadline.seconds == keeper.patience else _LATE
    said = sentence.format(deadline.seconds, missing, total)
    if missing == of_all:
        raise InternalError(said, hint="Give it more time with --time-limit, or make it with: ctxpack index")
    keeper.cut(said)


def _join(folder: Path, names: Iterable[str], hands: _Hands) -> Moved:
    """Join segments as long as there is time; the others stay as they are."""
    interpreters, pool, keeper = hands
    joins = [(join, f"segment-{os.urandom(16).hex()}") for join in plan_joins(folder, sorted(names))]

    def run(join: Join, name: str) -> list[str]:
        sources = [folder / source for source in join.sources]
        if not interpreters.join(sources, folder / name):
            if interpreters.is_closed:
                raise InterruptedError
            with writing(folder):
                join_segments(sources, folder / name)
        return [name]

    jobs = [pool.submit(run, join, name) for join, name in joins]
    moved: dict[str, tuple[str, int]] = {}
    for (join, _), job in zip(joins, jobs, strict=True):
        for name in result_of(job, keeper, interpreters):
            moved |= {source: (name, slot) for source, slot in zip(join.sources, join.slots, strict=True)}
    return moved


def moved_row(row: IndexRow, moved: Moved) -> IndexRow:
    """Return the row of a file whose segment may have been joined with others."""
    if row.segment not in moved:
        return row
    name, slot = moved[row.segment]
    return row._replace(segment=name, slot=row.slot if row.slot < 0 else row.slot + slot)


def _rows_of(
    places: Places, batch: Sequence[SourceFile], name: str, lines: Sequence[str]
) -> dict[str, tuple[IndexRow, str]]:
    """The rows of a batch, or of its first files if time was up."""
    return {
        file.path: (
            IndexRow(file.path, content_key(file) if is_as_found(places, file) else _CHANGING, name, slot_of(line)),
            line,
        )
        for file, line in zip(batch, lines, strict=False)
    }


def _promising_first(files: Sequence[SourceFile], about: str) -> list[SourceFile]:
    """Files in the order in which somebody would look into them by their names alone."""
    from ctxpack.index.commit_log import message_tokens
    from ctxpack.query.dictionary import of_russian
    from ctxpack.query.subtokens import STOPWORDS, raw_words

    said = [word.lower() for word in raw_words(about) if word.lower() not in STOPWORDS]
    meant = [english for each in of_russian(said) for english in each.english[:1]]
    stems = {stem for stem in message_tokens(" ".join([*said, *meant])) if len(stem) >= _SHORTEST_STEM}

    def key(file: SourceFile) -> tuple[int, bool, int, str]:
        path = file.path.lower()
        is_apart = bool(file.traits) or file.kind is Kind.TEST
        return -sum(stem in path for stem in stems), is_apart, path.count("/"), file.path

    return sorted(files, key=key)


def _batches(files: Sequence[SourceFile], most: int = _BATCH_BYTES) -> Iterable[list[SourceFile]]:
    batch: list[SourceFile] = []
    size = 0
    for file in files:
        batch.append(file)
        size += cost_of(file)
        if size >= most:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _run(
    interpreters: WorkerPool, places: Places, job: tuple[Sequence[SourceFile], Path], keeper: Timekeeper
) -> list[str]:
    """Index a batch into a segment in a worker process, or in this one if there is none or it fails."""
    batch, target = job
    lines = interpreters.index(places, batch, target) if interpreters.size else None
    if lines is None and interpreters.is_closed:
        raise InterruptedError
    return _run_here(places, batch, target, keeper) if lines is None else lines


def _run_here(places: Places, batch: Sequence[SourceFile], target: Path, keeper: Timekeeper) -> list[str]:
    lines: list[str] = []
    deadline = keeper.for_index()

    def note(facts: Facts) -> bool:
        keeper.checkpoint()
        lines.append(facts.to_json())
        return not is_over(deadline)

    with writing(target.parent):
        write_segment(places, [(f.path, f.language) for f in batch], target, note)
    return lines


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Turn a disk error into an error of ctxpack with advice."""
    try:
        yield
    except OSError as error:
        hint = "Free some space, or set CTXPACK_CACHE_DIR to a folder you can write."
        raise UnwritableIndexError(f"The index in {folder} cannot be written: {error.strerror}.", hint=hint) from error
