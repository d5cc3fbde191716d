"""Bring the index up to what discover found, and open it.

Only files whose content is new are read. Every process computes what it needs and then records it in one short
transaction; the one that comes second keeps its own answer and records nothing.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final

from ctxpack.errors import BrokenIndexError, UnwritableIndexError
from ctxpack.index.arrays import save_arrays
from ctxpack.index.batches import FILE_BYTES, IndexRun, WrittenImports, content_key, index_files, moved_row, writing
from ctxpack.index.commit_log import empty_history_arrays, history_arrays, load_history
from ctxpack.index.graph import graph_arrays, load_graph, with_imports
from ctxpack.index.known import (
    CHECKED,
    KNOWN,
    ROWS,
    CheckedFiles,
    FileSlots,
    IndexRows,
    known_rows,
    record_known,
    record_rows,
)
from ctxpack.index.postings import Postings
from ctxpack.index.segment import load_segment
from ctxpack.index.sharing import index_folder, take_over
from ctxpack.index.store import IndexRow, Recorded, Store, remove_store
from ctxpack.index.view import (
    UNREADABLE,
    Facts,
    Files,
    IndexView,
    OnDisk,
)
from ctxpack.index.workers import end_waiting
from ctxpack.light import dataclass, replace
from ctxpack.model import Discovery, Places, RepositoryState, Skipped, SourceFile
from ctxpack.model.columns import FileTable
from ctxpack.parse import resolve_imports
from ctxpack.settings import Settings
from ctxpack.system.clock import Progress, Timekeeper, thread_pool
from ctxpack.system.git import GitTimeoutError

_LEVELS: Final = (
    64_000,
    512_000,
    4_000_000,
)  # bytes below which a segment is of each level; larger ones are left alone
_MOST_OF_A_LEVEL: Final = 8  # segments; with one more their files are indexed again, into one of a higher level
_LEAST_SPARE: Final = 20  # files that an update replaces; of fewer, as somebody edits them, nothing is kept
_NO_HISTORY: Final = "history-none"
_WAITING: Final = "not indexed yet: the update took too long"
_ATTEMPTS: Final = 2  # to start over: another process may find the same damage and delete what this one just made


@dataclass(frozen=True, slots=True)
class _Plan:
    """What has to be indexed, which rows go, and the slots that stay those of the files that were found."""

    changed: tuple[SourceFile, ...]
    gone: tuple[str, ...]
    kept: FileSlots


def open_index(
    settings: Settings,
    discovery: Discovery,
    progress: Progress | None = None,
    keeper: Timekeeper | None = None,
    about: str = "",
    meanwhile: Callable[[FileTable], Iterable[object]] | None = None,
) -> IndexView:
    """Make or update the index of what discover found, and open it.

    ``progress`` hears ("index", files done, files to do). ``about`` is the request: where the time does not suffice
    for all, the files whose names fit it come first. ``meanwhile`` gives work for the time in which other processes
    index the last files, as for ``open_repository``. Raises BrokenIndexError when it can neither be read nor made.
    """
    keeper = keeper or Timekeeper()
    keeper.checkpoint()
    folder = index_folder(settings.cache_dir, discovery.state.root, pii=settings.pii)
    steps = meanwhile(FileTable.of(discovery.files)) if meanwhile else ()
    is_remade, run = False, IndexRun(progress, keeper, about, steps)
    for _ in range(_ATTEMPTS):
        try:
            view = _open(settings, discovery, folder, run)
        except UnwritableIndexError:
            raise
        except BrokenIndexError:  # a file vanished or is damaged: start over
            remove_store(folder)
            is_remade = True
        else:
            view.store.is_remade |= is_remade
            return view
        finally:
            end_waiting()
    return _open(settings, discovery, folder, run)


def _open(settings: Settings, discovery: Discovery, folder: Path, run: IndexRun) -> IndexView:
    take_over(settings.cache_dir, discovery.state.root, folder)
    store = Store.open(folder)
    try:
        return _update(settings, discovery, store, run)
    except BaseException:
        store.close()
        raise


def _update(settings: Settings, discovery: Discovery, store: Store, run: IndexRun) -> IndexView:
    keeper, files = run.keeper, FileTable.of(discovery.files)
    is_whole = _is_whole(settings, discovery)
    before = (_known_rows(store, discovery) if is_whole else None) or store.read_recorded()
    plan = _plan_few(discovery, before) or _plan(discovery, store, before.rows, is_whole=is_whole)
    spare = _from_spare(store, plan.changed)
    new = [file for file in plan.changed if file.path not in spare]
    facts = dict(spare)
    try:
        apart = store.spare_segments()
        others = frozenset(plan.kept.names) - apart if is_whole else frozenset()
        past = partial(_history, store, discovery.state, keeper, use=settings.use_history)
        with _while_running(past, is_long=bool(new)):
            moved = index_files(store.folder, discovery, new, run, facts, others) if new else {}
    except BaseException:  # interrupted, or nobody waits any more: what is finished need not be made again
        if facts.keys() - spare.keys():
            with suppress(BrokenIndexError):  # what interrupts is told, and only the work is lost
                store.replace(before.generation, (), list(facts.values()), "")
        raise
    named = _segments_of(before.rows)
    made = {row.segment for row, _ in facts.values()} - named - apart
    facts = {path: (moved_row(row, moved), line) for path, (row, line) in facts.items()}
    slots = _slots_with(plan.kept.after_moves(moved) if moved else plan.kept, files, facts)
    lines = {path: line for path, (_, line) in facts.items()}
    graph_name = _graph(store, discovery, lines, before.graph, is_whole=is_whole)
    to_record = graph_name if is_whole else before.graph * (not plan.changed)  # a part's graph is not the whole's
    generation = before.generation
    if plan.changed or plan.gone or to_record != before.graph:
        _keep_spare(store, before.rows, plan)
        generation = store.replace(before.generation, plan.gone, list(facts.values()), to_record, moved)
        store.drop(moved.keys() & made)
        if generation and is_whole:  # so that the next edit does not read them from the store
            _record_rows(store, before._replace(generation=generation, graph=to_record), discovery, slots, facts)
    record_known(settings, store.folder, discovery, is_whole=is_whole)
    is_recorded = is_whole and not (plan.changed or plan.gone) and graph_name == before.graph
    if is_recorded and not before.is_current:
        _record_rows(store, before, discovery, slots, facts)
    view = _view(discovery, store, slots, lines, graph_name, settings)
    view.files.keeper = keeper
    for file in (each for each in new if each.path in facts and facts[each.path][0].key != content_key(each)):
        view.files.note_changing(file.path)
    view.on_disk = replace(view.on_disk, generation=before.generation) if is_recorded and view.on_disk else None
    view.is_superseded = store.latest()[0] != generation
    named |= {*store.spare_segments(), before.graph}  # another process may be about to read what was replaced
    named |= {graph_name, _history_name(discovery.state), _NO_HISTORY, KNOWN, CHECKED, ROWS}
    store.sweep((*named, *view.postings.segment_names))
    if is_whole and (plan.changed or plan.gone or store.meta("commit") != discovery.state.version):
        store.remember({"commit": discovery.state.version, "chunks": str(view.postings.live_chunks)})
    return view


def _known_rows(store: Store, discovery: Discovery) -> Recorded | None:
    """Return the record of the last update where it is known besides the store, of these files or of those before."""
    found = known_rows(store, discovery)
    if found or discovery.before is None:
        return found
    earlier = known_rows(store, discovery.before)
    return earlier._replace(is_current=False) if earlier else None


def _is_whole(settings: Settings, discovery: Discovery) -> bool:
    members = (settings, *settings.members.values())
    is_narrow = any(its.include or its.exclude or its.paths is not None for its in members)
    return not (is_narrow or discovery.is_partial)


def is_fresh(settings: Settings, discovery: Discovery, store: Store) -> bool:
    """Return whether a store holds just what was discovered, so that the next run has nothing to index."""
    plan = _plan(discovery, store, store.rows(), is_whole=_is_whole(settings, discovery))
    return not (plan.changed or plan.gone) and store.meta("commit") == discovery.state.version


def _plan(discovery: Discovery, store: Store, rows: Mapping[str, IndexRow], *, is_whole: bool) -> _Plan:
    held, places, files = store.names(), discovery.state.places, FileTable.of(discovery.files)
    keyed = zip(files.paths, files.content_keys(), strict=True)
    stale = [number for number, its in enumerate(keyed) if _is_stale(its, rows.get(its[0]), held, places)]
    gone = tuple(sorted(rows.keys() - set(files.paths))) if is_whole else ()
    slots = FileSlots.of((row.segment, row.slot) if (row := rows.get(path)) else None for path in files.paths)
    return _plan_stale(files, slots, stale, gone, is_whole=is_whole)


def _plan_few(discovery: Discovery, before: Recorded) -> _Plan | None:
    """Plan without a look at each file, where it is known which of them may differ; None where that is not."""
    files, rows = FileTable.of(discovery.files), before.rows
    if not isinstance(rows, IndexRows):
        return None
    if before.is_current:
        return _Plan((), (), rows.slots)
    if discovery.before is None or rows.files.paths != files.paths:
        return None
    places = [at for path in discovery.differing if (at := files.find(path)) is not None]
    stale = [at for at in places if rows.files.content_key(at) != files.content_key(at)]
    return _plan_stale(files, rows.slots, stale, (), is_whole=True)


def _plan_stale(
    files: FileTable, slots: FileSlots, stale: Sequence[int], gone: tuple[str, ...], *, is_whole: bool
) -> _Plan:
    """Plan to index the files with some numbers, and with them those of segments that are joined."""
    kept = slots.with_slots(dict.fromkeys(stale))
    small = _of_small_segments(files, kept) if stale and is_whole else []
    kept = kept.with_slots(dict.fromkeys(small)) if small else kept
    return _Plan(tuple(files[number] for number in sorted((*stale, *small))), gone, kept)


def _slots_with(slots: FileSlots, files: FileTable, facts: Mapping[str, tuple[IndexRow, str]]) -> FileSlots:
    """Return the slots with those that files have now."""
    found = {files.find(path): (row.segment, row.slot) for path, (row, _) in facts.items()}
    return slots.with_slots({number: each for number, each in found.items() if number is not None})


def _record_rows(
    store: Store,
    recorded: Recorded,
    discovery: Discovery,
    slots: FileSlots,
    facts: Mapping[str, tuple[IndexRow, str]],
) -> None:
    """Keep the rows of an update, in which those of other files than ``facts`` are of the content that was found."""
    files = FileTable.of(discovery.files)
    numbers = ((files.find(path), row) for path, (row, _) in facts.items())
    if all(number is not None and row.key == files.content_key(number) for number, row in numbers):
        record_rows(store, recorded._replace(rows=IndexRows(files, slots)), discovery)


def _segments_of(rows: Mapping[str, IndexRow]) -> frozenset[str]:
    return frozenset(rows.slots.names if isinstance(rows, IndexRows) else (row.segment for row in rows.values()))


def _from_spare(store: Store, files: Sequence[SourceFile]) -> dict[str, tuple[IndexRow, str]]:
    """Return the rows and facts of files whose content the index held before, such as on another branch."""
    found, held = store.spare((file.path, content_key(file)) for file in files), store.names()
    return {path: (row, line) for path, (row, line) in found.items() if row.segment in held}


def _keep_spare(store: Store, before: Mapping[str, IndexRow], plan: _Plan) -> None:
    """Keep what is replaced or gone where that is much, as after a change of branches: it may well come back."""
    replaced = [
        file.path for file in plan.changed if file.path in before and before[file.path].key != content_key(file)
    ]
    rows = [before[path] for path in (*plan.gone, *replaced)]
    if len(rows) >= _LEAST_SPARE:
        store.keep_spare(row for row in rows if row.slot >= 0)


def _of_small_segments(files: FileTable, alive: FileSlots) -> list[int]:
    """Return the files of segments that are joined now: those of a level that has too many.

    What is judged is what is alive in a segment, by the measure that cuts segments: one that was just made of several
    is of a higher level, so that every file is indexed again but a few times.
    """
    import numpy as np

    costs = np.frombuffer(files.sizes, np.int64) + FILE_BYTES
    sums = np.bincount(alive.segments + 1, weights=costs, minlength=len(alive.names) + 1)[1:].tolist()
    levels: dict[int, list[int]] = {}
    for segment, cost in enumerate(sums):
        levels.setdefault(bisect_right(_LEVELS, cost), []).append(segment)
    joined = [levels.get(level, []) for level in range(len(_LEVELS))]
    wanted = [segment for segments in joined if len(segments) > _MOST_OF_A_LEVEL for segment in segments]
    found: list[int] = np.flatnonzero(np.isin(alive.segments, wanted)).tolist()
    return found


def _is_stale(its: tuple[str, str], row: IndexRow | None, held: frozenset[str], places: Places) -> bool:
    """Whether what is at a path, with some key, has to be indexed."""
    path, key = its
    if row is None or row.key != key or row.segment not in held:
        return True
    return row.slot < 0 and os.access(places.of(path), os.R_OK)  # what could not be read then can be now


# --- what is derived --------------------------------------------------------------------------------------------------


@contextmanager
def _while_running(work: Callable[[], None], *, is_long: bool) -> Iterator[None]:
    """Do some work while something else is done; before it, where that is not long."""
    if not is_long:
        work()
        yield
        return
    with thread_pool(1) as pool:
        running = pool.submit(work)
        yield
        running.result()


def _history(store: Store, state: RepositoryState, keeper: Timekeeper, *, use: bool) -> None:
    """Collect the history when HEAD has moved. In a thread: it only writes its own file."""
    target = store.folder / _history_name(state)
    if use and state.version and not target.exists():
        with writing(store.folder), suppress(GitTimeoutError):  # it was told; the next run asks again
            save_arrays(target, history_arrays(state, keeper=keeper))


def _history_name(state: RepositoryState) -> str:
    return f"history-{state.version}" if state.version else _NO_HISTORY


def _graph(store: Store, discovery: Discovery, fresh: dict[str, str], recorded: str, *, is_whole: bool) -> str:
    """Resolve the imports that are not known; returns the name of the graph file.

    It begins with digests of the paths and of the names of modules that files declare: among the same ones an import
    means the same file, and where the recorded graph was made among them, only the files that were indexed now are
    resolved.
    """
    from ctxpack.parse.languages.modules import declares_modules

    files = FileTable.of(discovery.files)
    head = f"graph-{_digest(files.paths.data)}-"
    is_known = is_whole and recorded.startswith(head) and (store.folder / recorded).exists()
    if is_known and not fresh:
        return recorded
    declaring = [(path, files.content_key(at)) for at, path in enumerate(files.paths.listed) if declares_modules(path)]
    facts = store.facts(declaring) | fresh
    declared = dict(WrittenImports(facts, [path for path, _ in declaring if path in facts]))
    head += f"{_digest(repr(declared).encode('utf-8', 'surrogateescape'))}-"
    known = store.folder / recorded if is_known and recorded.startswith(head) else None
    lines = fresh if known else store.facts(zip(files.paths, files.content_keys(), strict=True)) | fresh
    known_paths = sorted(lines) if known else [path for path in files.paths if path in lines]
    imports = WrittenImports(lines, known_paths)
    whole = "\0".join(map(repr, imports.items())).encode("utf-8", "surrogateescape") if not is_whole else b""
    name = head + (os.urandom(8).hex() if is_whole else _digest(whole))
    if (store.folder / name).exists():
        return name
    numbers = {path: number for path in imports if (number := files.find(path)) is not None}
    languages = {path: files.class_at(number).language for path, number in numbers.items()}
    edges = resolve_imports(imports, languages, files.paths.listed, declared)
    before = load_graph(known) if known else None
    graph = with_imports(before, {path: edges.get(path, ()) for path in imports})
    if graph is before:
        return recorded
    with writing(store.folder):
        save_arrays(store.folder / name, graph_arrays(graph))
    return name


def _digest(data: bytes) -> str:
    import hashlib

    return hashlib.sha256(data).hexdigest()[:16]


def _view(
    discovery: Discovery,
    store: Store,
    slots: FileSlots,
    fresh: dict[str, str],
    graph_name: str,
    settings: Settings,
) -> IndexView:
    import numpy as np

    names, all_files = tuple(sorted(slots.names)), FileTable.of(discovery.files)
    paths = {number: all_files.paths[number] for number in np.flatnonzero(slots.slots < 0).tolist()}
    broken = {path: all_files.content_key(number) for number, path in paths.items() if slots[number]}
    facts = store.facts(broken.items()) | fresh
    reasons = dict.fromkeys(paths.values(), _WAITING)
    reasons |= {path: f"{UNREADABLE}{Facts.from_json(facts[path]).error}" for path in broken if path in facts}
    past = store.folder / _history_name(discovery.state)
    if not (settings.use_history and past.exists()):
        past = store.folder / _NO_HISTORY
        if not past.exists():
            with writing(store.folder):
                save_arrays(past, empty_history_arrays())
    checked = CheckedFiles(store.folder)
    graph = load_graph(store.folder / graph_name, checked.load)
    segments = tuple(load_segment(store.folder / name, checked.load) for name in names)
    history = load_history(past, checked.load)
    on_disk = None if broken or fresh else OnDisk("", checked.stamps)
    checked.record()
    return IndexView(
        state=discovery.state,
        files=Files(discovery.state.places, all_files.without(paths), store, graph, fresh),
        postings=Postings(segments, names, slots.only(slots.slots >= 0)),
        history=history,
        graph=graph,
        store=store,
        skipped=(*discovery.skipped, *(Skipped(*each) for each in reasons.items())),
        on_disk=on_disk,
    )
