"""Bring the index up to what discover found, and open it.

Only files whose content is new are read. Every process computes what it needs and then records it in one short
transaction; the one that comes second keeps its own answer and records nothing.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import copy_context
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ctxpack.errors import BrokenIndexError, UnwritableIndexError
from ctxpack.index.arrays import save_arrays
from ctxpack.index.files import Facts, Files, IndexView, graph_arrays, load_graph
from ctxpack.index.history import empty_history_arrays, history_arrays, load_history
from ctxpack.index.postings import Postings
from ctxpack.index.segment import load_segment
from ctxpack.index.store import IndexRow, Store, index_folder, record_known, remove_store
from ctxpack.index.workers import WorkerPool, worker_pool, write_segment
from ctxpack.model import Discovery, RepositoryState, Skipped, SourceFile
from ctxpack.parse import resolve_imports
from ctxpack.settings import Settings
from ctxpack.system.cancelling import checkpoint
from ctxpack.system.clock import Progress
from ctxpack.system.threads import thread_pool

if TYPE_CHECKING:
    from concurrent.futures import Future

_BATCH_BYTES: Final = 6_000_000  # one segment's text: bounds memory, and cuts a cold index into parallel parts
_BATCH_FILES: Final = 1_500
_PARALLEL_BYTES: Final = 3_000_000  # below it a second interpreter's start costs more than it saves
_MAX_WORKERS: Final = 8
_SMALL_SEGMENT: Final = 64  # files; so small segments are joined with the next update ...
_MANY_SEGMENTS: Final = 12  # ... once there are this many segments
_NO_HISTORY: Final = "history-none"
_SLICE: Final = 0.2  # seconds between two looks whether anybody still waits for the index
_ATTEMPTS: Final = 2  # to start over: another process may find the same damage and delete what this one just made


@dataclass(frozen=True, slots=True)
class _Plan:
    """What has to be indexed, and which rows stay."""

    changed: tuple[SourceFile, ...]
    gone: tuple[str, ...]
    kept: dict[str, IndexRow]


def open_index(settings: Settings, discovery: Discovery, progress: Progress | None = None) -> IndexView:
    """Make or update the index of what discover found, and open it.

    ``progress`` hears ("index", files done, files to do). Raises BrokenIndexError when it can neither be read nor made.
    """
    checkpoint()
    folder = index_folder(settings.cache_dir, discovery.state.root)
    is_remade = False
    for _ in range(_ATTEMPTS):
        try:
            view = _open(settings, discovery, folder, progress)
        except UnwritableIndexError:
            raise
        except BrokenIndexError:  # a file vanished or is damaged: start over
            remove_store(folder)
            is_remade = True
        else:
            view.store.is_remade |= is_remade
            return view
    return _open(settings, discovery, folder, progress)


def _open(settings: Settings, discovery: Discovery, folder: Path, progress: Progress | None) -> IndexView:
    store = Store.open(folder)
    try:
        return _update(settings, discovery, store, progress)
    except BaseException:
        store.close()
        raise


def _update(settings: Settings, discovery: Discovery, store: Store, progress: Progress | None) -> IndexView:
    generation, recorded = store.meta("generation"), store.meta("graph")
    is_whole, before = _is_whole(settings), store.rows()
    plan = _plan(discovery, store, before, is_whole=is_whole)
    facts = _index_and_history(settings, discovery, plan.changed, store, progress)
    rows = plan.kept | {path: row for path, (row, _) in facts.items()}
    lines = {path: line for path, (_, line) in facts.items()}
    is_same = is_whole and not (plan.changed or plan.gone) and (store.folder / (recorded or "none")).exists()
    graph_name = recorded if is_same else _graph(store, discovery, lines)
    to_record = graph_name if is_whole else recorded * (not plan.changed)  # a part's graph is not the whole's
    if plan.changed or plan.gone or to_record != recorded:
        store.replace(
            generation, plan.gone, list(facts.values()), {"generation": os.urandom(16).hex(), "graph": to_record}
        )
    record_known(store, discovery, is_whole=is_whole)
    view = _view(discovery, store, rows, lines, graph_name, settings)
    names = {row.segment for row in before.values()}  # what was replaced just now another process may be about to read
    store.sweep(
        (*names, *view.postings.segment_names, recorded, graph_name, _history_name(discovery.state), _NO_HISTORY)
    )
    if is_whole and (plan.changed or plan.gone or store.meta("commit") != discovery.state.commit):
        store.remember({"commit": discovery.state.commit, "chunks": str(view.postings.live_chunks)})
    return view


def _is_whole(settings: Settings) -> bool:
    return not (settings.include or settings.exclude) and settings.paths is None


def is_fresh(settings: Settings, discovery: Discovery, store: Store) -> bool:
    """Return whether a store holds just what was discovered, so that the next run has nothing to index."""
    plan = _plan(discovery, store, store.rows(), is_whole=_is_whole(settings))
    return not (plan.changed or plan.gone) and store.meta("commit") == discovery.state.commit


def _plan(discovery: Discovery, store: Store, rows: dict[str, IndexRow], *, is_whole: bool) -> _Plan:
    held = store.names()
    stale = {file.path for file in discovery.files if _is_stale(file, rows.get(file.path), held, discovery.state.root)}
    present = {file.path for file in discovery.files}
    gone = tuple(sorted(path for path in rows if path not in present)) if is_whole else ()
    if stale:
        alive = Counter(row.segment for path, row in rows.items() if path in present and path not in stale)
        if len(alive) > _MANY_SEGMENTS:
            small = {name for name, files in alive.items() if files < _SMALL_SEGMENT}
            stale |= {path for path, row in rows.items() if row.segment in small and path in present}
    changed = tuple(file for file in discovery.files if file.path in stale)
    return _Plan(changed, gone, {path: row for path, row in rows.items() if path in present and path not in stale})


def _is_stale(file: SourceFile, row: IndexRow | None, held: frozenset[str], root: Path) -> bool:
    if row is None or row.key != _key(file) or row.segment not in held:
        return True
    return row.slot < 0 and os.access(root / file.path, os.R_OK)  # what could not be read then can be now


def _key(file: SourceFile) -> str:
    return f"{file.blob}:{file.language}"


# --- segments -------------------------------------------------------------------------------------------------------


def _index_and_history(
    settings: Settings,
    discovery: Discovery,
    files: Sequence[SourceFile],
    store: Store,
    progress: Progress | None,
) -> dict[str, tuple[IndexRow, str]]:
    if not files:
        _history(store, discovery.state, use=settings.use_history)
        return {}
    with thread_pool(1) as pool:
        past = pool.submit(copy_context().run, _history, store, discovery.state, use=settings.use_history)
        rows = _index(store.folder, discovery, files, progress)
        past.result()
    return rows


def _index(
    folder: Path, discovery: Discovery, files: Sequence[SourceFile], progress: Progress | None
) -> dict[str, tuple[IndexRow, str]]:
    batches = list(_batches(files))
    total, done = len(files), 0
    rows: dict[str, tuple[IndexRow, str]] = {}
    is_large = sum(file.size for file in files) > _PARALLEL_BYTES and len(batches) > 1
    workers = min(os.cpu_count() or 1, _MAX_WORKERS, len(batches)) if is_large and sys.executable else 1
    with worker_pool(workers if workers > 1 else 0) as interpreters, thread_pool(workers) as pool:
        names = [f"segment-{os.urandom(16).hex()}" for _ in batches]
        jobs = [
            pool.submit(copy_context().run, _run, interpreters, discovery.state.root, batch, folder / name)
            for batch, name in zip(batches, names, strict=True)
        ]
        for batch, name, job in zip(batches, names, jobs, strict=True):
            for file, line in zip(batch, _result(job), strict=True):
                rows[file.path] = (IndexRow(file.path, _key(file), name, Facts.from_json(line).slot), line)
            done += len(batch)
            if progress:
                progress("index", done, total)
    return rows


def _result(job: Future[list[str]]) -> list[str]:
    """What a job gives, as long as somebody waits for it."""
    from concurrent.futures import wait

    while not job.done():
        wait((job,), _SLICE)
        checkpoint()
    return job.result()


def _batches(files: Sequence[SourceFile]) -> Iterable[list[SourceFile]]:
    batch: list[SourceFile] = []
    size = 0
    for file in files:
        batch.append(file)
        size += file.size
        if size >= _BATCH_BYTES or len(batch) >= _BATCH_FILES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _run(interpreters: WorkerPool, root: Path, batch: Sequence[SourceFile], target: Path) -> list[str]:
    """Index a batch by an interpreter of its own; here, where there is none or it fails."""
    lines = interpreters.index(root, batch, target) if interpreters.size else None
    if lines is None and interpreters.is_closed:
        raise InterruptedError
    return _run_here(root, batch, target) if lines is None else lines


def _run_here(root: Path, batch: Sequence[SourceFile], target: Path) -> list[str]:
    lines: list[str] = []

    def note(facts: Facts) -> None:
        checkpoint()
        lines.append(facts.to_json())

    with _writing(target.parent):
        write_segment(root, [(f.path, f.language) for f in batch], target, note)
    return lines


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        hint = "Free some space, or set CTXPACK_CACHE_DIR to a folder you can write."
        raise UnwritableIndexError(f"The index in {folder} cannot be written: {error.strerror}.", hint=hint) from error


# --- what is derived --------------------------------------------------------------------------------------------------


def _history(store: Store, state: RepositoryState, *, use: bool) -> None:
    """Collect the history when HEAD has moved. In a thread: it only writes its own file."""
    target = store.folder / _history_name(state)
    if use and state.is_git and state.commit and not target.exists():
        with _writing(store.folder):
            save_arrays(target, history_arrays(state.root))


def _history_name(state: RepositoryState) -> str:
    return f"history-{state.commit}" if state.commit else _NO_HISTORY


def _graph(store: Store, discovery: Discovery, fresh: dict[str, str]) -> str:
    """Resolve the imports, unless that was done for the same paths and imports; returns the graph file's name."""
    import hashlib

    lines = store.facts() | fresh
    paths = [file.path for file in discovery.files]
    imports = {path: Facts.from_json(lines[path]).imports for path in paths if path in lines}
    digest = hashlib.sha256()
    for file in discovery.files:
        row = (file.path, file.language, imports.get(file.path))
        digest.update(repr(row).encode("utf-8", "surrogateescape"))
    name = f"graph-{digest.hexdigest()[:24]}"
    if not (store.folder / name).exists():
        languages = {file.path: file.language for file in discovery.files}
        edges = resolve_imports(imports, languages, paths)
        with _writing(store.folder):
            save_arrays(store.folder / name, graph_arrays(edges))
    return name


def _view(
    discovery: Discovery,
    store: Store,
    rows: dict[str, IndexRow],
    fresh: dict[str, str],
    graph_name: str,
    settings: Settings,
) -> IndexView:
    names = tuple(sorted({row.segment for row in rows.values()}))
    broken = sorted(path for path, row in rows.items() if row.slot < 0)
    facts = store.facts(broken) | fresh
    unreadable = [Skipped(path, f"unreadable: {Facts.from_json(facts[path]).error}") for path in broken]
    gone = {item.path for item in unreadable}
    files = tuple(file for file in discovery.files if file.path not in gone)
    past = store.folder / _history_name(discovery.state)
    if not (settings.use_history and past.exists()):
        past = store.folder / _NO_HISTORY
        if not past.exists():
            with _writing(store.folder):
                save_arrays(past, empty_history_arrays())
    graph = load_graph(store.folder / graph_name)
    return IndexView(
        state=discovery.state,
        files=Files(discovery.state.root, files, store, graph, fresh),
        postings=Postings(
            tuple(load_segment(store.folder / name) for name in names), names, [rows.get(file.path) for file in files]
        ),
        history=load_history(past),
        graph=graph,
        store=store,
        skipped=(*discovery.skipped, *unreadable),
    )
