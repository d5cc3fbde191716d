"""Read files in batches and write a segment for each, in several processes where that is faster; then join them.

Batches limit memory use and the loss when a run is interrupted; few segments make requests fast.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, Self

from ctxpack.discover.unchanged import is_untouched
from ctxpack.errors import InternalError, UnwritableIndexError
from ctxpack.index.merge import Join, join_segments, plan_joins
from ctxpack.index.store import IndexRow
from ctxpack.index.view import Facts
from ctxpack.index.workers import end_waiting, result_of, worker_pool, write_segment
from ctxpack.model import Discovery, Import, Kind, Places, SourceFile
from ctxpack.system.clock import Progress, Timekeeper, is_over, thread_pool

if TYPE_CHECKING:
    from concurrent.futures import Future
    from types import TracebackType

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
    """What an update of the index is made with: who hears of it, its time, and the request that it is made for.

    ``meanwhile`` is work in steps for the time in which interpreters index the last files.
    """

    progress: Progress | None
    keeper: Timekeeper
    about: str = ""
    meanwhile: Iterable[object] = ()


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
        imports = json.loads(self._lines[path])[1]  # as ``Facts.to_json`` writes them, without making the rest
        return tuple(Import(module, tuple(names), line) for module, names, line in imports)

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)


def slot_of(line: str) -> int:
    """Return the slot of facts as ``Facts.to_json`` writes them, without reading the rest."""
    return int(line[1 : line.index(",")])


class _Job(NamedTuple):
    """The segment of a batch that somebody indexes, and the facts of its files to come."""

    segment: str
    lines: Future[list[str]]


class Crew:
    """Whoever indexes batches for one index; ``jobs`` are those that were given to it, in order.

    To leave it waits for them all, after an error for none.
    """

    def __init__(self, folder: Path, places: Places, keeper: Timekeeper, size: int) -> None:
        self.folder, self.places, self.keeper = folder, places, keeper
        self.jobs: list[_Job] = []
        self._batches: list[Sequence[SourceFile]] = []
        self._ends = ExitStack()
        self.interpreters = self._ends.enter_context(worker_pool(size if size > 1 else 0))
        self.threads = self._ends.enter_context(thread_pool(size))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ends.__exit__(kind, error, trace)

    def index(self, batch: Sequence[SourceFile]) -> None:
        """Have a batch indexed into a segment of its own."""
        segment = f"segment-{os.urandom(16).hex()}"
        self._batches.append(batch)
        self.jobs.append(_Job(segment, self.threads.submit(self._run, len(self.jobs), self.folder / segment)))

    def _run(self, number: int, target: Path) -> list[str]:
        """Index a batch into a segment in a worker process, or in this one if there is none or it fails."""
        batch = self._batches[number]
        lines = self.interpreters.index(self.places, batch, target) if self.interpreters.size else None
        if lines is None and self.interpreters.is_closed:
            raise InterruptedError
        return _run_here(self.places, batch, target, self.keeper) if lines is None else lines

    def do_meanwhile(self, steps: Iterable[object]) -> list[Future[list[str]]]:
        """Do other work once interpreters are at the last batches; returns the jobs that are not done yet."""
        left = [job.lines for job in self.jobs if not job.lines.done()]
        if len(left) <= self.interpreters.size:
            for _ in steps:
                self.keeper.checkpoint()
        return left

    def goes_on_with(self, batches: Sequence[Sequence[SourceFile]]) -> bool:
        """Whether what it was given are the first of some batches, which then take its place: none is held twice."""
        first = batches[: len(self._batches)]
        if list(map(_list_names, self._batches)) != list(map(_list_names, first)):
            return False
        self._batches[:] = first
        return True


def _list_names(batch: Sequence[SourceFile]) -> list[tuple[str, str]]:
    return [(file.path, file.language) for file in batch]


class Beginning:
    """Indexes the first files of a new index while the others are still looked for, in the batches that all make.

    ``make_store`` makes what the index lies in and returns its folder; None where there is an index by now.
    """

    def __init__(self, places: Places, keeper: Timekeeper, make_store: Callable[[], Path | None]) -> None:
        self._places, self._keeper, self._make_store = places, keeper, make_store
        self._cut, self._size = _Cut(_BATCH_BYTES), 0
        self._whole: list[list[SourceFile]] = []  # batches that nobody has yet
        self._crew: Crew | None = None
        self._is_wanted = True

    def add(self, file: SourceFile) -> None:
        """Add the next file; what is before it is indexed from now on where it is much."""
        if self._whole and self._size > _PARALLEL_BYTES:
            self._begin()
        self._size += file.size
        if batch := self._cut.add(file):
            self._whole.append(batch)

    def _begin(self) -> None:
        if self._crew is None and self._is_wanted:
            folder = self._make_store()
            self._crew = Crew(folder, self._places, self._keeper, most_workers()) if folder else None
            self._is_wanted = folder is not None
        if crew := self._crew:
            for batch in self._whole:
                crew.index(batch)
        self._whole = []

    def take(self, folder: Path, batches: Sequence[Sequence[SourceFile]]) -> Crew | None:
        """Hand over who indexes the first of all batches; None, where these are others or nobody does so."""
        if self._crew is None or self._crew.folder != folder or not self._crew.goes_on_with(batches):
            self.close()
            return None
        crew, self._crew = self._crew, None
        return crew

    def close(self) -> None:
        """End the work that nobody has taken over, and delete what came of it."""
        crew, self._crew = self._crew, None
        if crew is None:
            return
        with suppress(InterruptedError), crew:  # left as after an error, it waits for nobody
            raise InterruptedError
        end_waiting()  # what is killed may write until it is dead
        for place in (place for job in crew.jobs for place in crew.folder.glob(f"{job.segment}*")):
            place.unlink(missing_ok=True)


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
    keeper, places = run.keeper, discovery.state.places
    is_patient = keeper.patience is None
    ordered = files if is_patient else _promising_first(files, run.about)
    batches = list(_batches(ordered, _BATCH_BYTES if is_patient else _IMPATIENT_BYTES))
    is_large = sum(file.size for file in files) > _PARALLEL_BYTES and len(batches) > 1
    workers = min(most_workers(), len(batches)) if is_large else 1
    begun = its.take(folder, batches) if isinstance(its := discovery.beginning, Beginning) else None
    with begun or Crew(folder, places, keeper, workers) as crew:
        before = {row.segment for row, _ in facts.values()}  # something else needs them as they are
        missing = _index_batches(crew, batches, run, facts)
        if missing:
            _tell_late(keeper, missing, len(files), len(discovery.files))
            return {}
        names = dict.fromkeys((*others, *(row.segment for row, _ in facts.values())))
        return _join(crew, names.keys() - before)


def _index_batches(
    crew: Crew,
    batches: Sequence[Sequence[SourceFile]],
    run: IndexRun,
    facts: dict[str, tuple[IndexRow, str]],
) -> int:
    """Index batches of files; return how many files are missing for lack of time."""
    total, done, progress = sum(map(len, batches)), 0, run.progress
    if progress:
        progress("index", 0, total)
    for batch in batches[len(crew.jobs) :]:
        crew.index(batch)
    missing, look_around = total, partial(crew.do_meanwhile, iter(run.meanwhile))
    try:
        for batch, job in zip(batches, crew.jobs, strict=True):
            its = job.lines, crew.keeper, crew.interpreters
            lines = result_of(*its, is_first=missing == total, look_around=look_around)
            found = _rows_of(crew.places, batch, job.segment, lines)
            facts |= found
            missing -= len(found)
            done += len(batch)
            if progress:
                progress("index", done, total)
    except BaseException:
        for batch, job in zip(batches, crew.jobs, strict=True):
            if job.lines.done() and not job.lines.cancelled() and job.lines.exception() is None:
                facts |= _rows_of(crew.places, batch, job.segment, job.lines.result())
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


def _join(crew: Crew, names: Iterable[str]) -> Moved:
    """Join segments as long as there is time; the others stay as they are."""
    folder, interpreters = crew.folder, crew.interpreters
    joins = [(join, f"segment-{os.urandom(16).hex()}") for join in plan_joins(folder, sorted(names))]

    def run(join: Join, name: str) -> list[str]:
        sources = [folder / source for source in join.sources]
        if not interpreters.join(sources, folder / name):
            if interpreters.is_closed:
                raise InterruptedError
            with writing(folder):
                join_segments(sources, folder / name)
        return [name]

    jobs = [crew.threads.submit(run, join, name) for join, name in joins]
    moved: dict[str, tuple[str, int]] = {}
    for (join, _), job in zip(joins, jobs, strict=True):
        for name in result_of(job, crew.keeper, interpreters):
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
    """The rows of a batch, or of its first files if time was up.

    A file that was written meanwhile may have held anything, also if it now holds again what was found.
    """
    return {
        file.path: (
            IndexRow(file.path, content_key(file) if is_untouched(places, file) else _CHANGING, name, slot_of(line)),
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


class _Cut:
    """Cuts files into batches, as they come."""

    def __init__(self, most: int) -> None:
        self.rest: list[SourceFile] = []  # of which no batch is made yet
        self._size, self._most = 0, most

    def add(self, file: SourceFile) -> list[SourceFile]:
        """Add a file; returns the batch that is whole with it, if one is."""
        self.rest.append(file)
        self._size += cost_of(file)
        if self._size < self._most:
            return []
        batch, self.rest, self._size = self.rest, [], 0
        return batch


def _batches(files: Iterable[SourceFile], most: int) -> Iterator[list[SourceFile]]:
    cut = _Cut(most)
    yield from filter(None, map(cut.add, files))
    if cut.rest:
        yield cut.rest


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
