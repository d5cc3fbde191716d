"""Open the index of a repository for a request; or inspect, update, rebuild or delete it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, ParamSpec, Protocol, TypeVar

from ctxpack.discover import discover
from ctxpack.errors import BrokenIndexError, UnwritableIndexError
from ctxpack.index.known import known_files, stamp_of
from ctxpack.index.sharing import index_folder, take_over
from ctxpack.index.store import GENERATION, REMADE, Store, remove_store
from ctxpack.light import dataclass, replace
from ctxpack.model import Discovery
from ctxpack.model.columns import FileTable
from ctxpack.settings import Settings
from ctxpack.system.clock import PATIENCE_SECONDS, Progress, Timekeeper
from ctxpack.system.disk import can_write

if TYPE_CHECKING:
    from ctxpack.index.batches import Beginning
    from ctxpack.index.view import IndexView

_LARGE: Final = 400_000  # bytes of git's index, in which some thousand files are


def find_files(
    settings: Settings,
    keeper: Timekeeper | None = None,
    meanwhile: Iterable[object] | None = None,
    beginning: Beginning | None = None,
) -> Discovery:
    """Find the files of the repository, or of all roots, as they are now. Raises what ``discover`` raises.

    ``meanwhile`` is work for the time that git takes, in steps; not all of them may be done. ``beginning`` indexes
    files while others are looked for.
    """
    if settings.members:
        from ctxpack.discover.workspace import discover_workspace

        return discover_workspace(settings, known_files, keeper)
    on_file = beginning.add if beginning else None
    found = discover(settings, known_files(settings), keeper=keeper, meanwhile=meanwhile, on_file=on_file)
    return replace(found, beginning=beginning) if beginning else found


@contextmanager
def expecting_index(settings: Settings, keeper: Timekeeper) -> Iterator[Beginning | None]:
    """Give what indexes the first files while others are looked for, where there is no index; it ends with the block.

    Where git knows of many files, its interpreters are started at once.
    """
    if settings.members or has_index(settings):
        yield None
        return
    from ctxpack.index.batches import Beginning, most_workers
    from ctxpack.index.workers import end_waiting, start_ahead

    if (count := most_workers()) < 2:  # noqa: PLR2004 -- one that works beside this process
        yield None
        return
    with suppress(OSError):  # outside git it is found out when they are known
        if (settings.root / ".git" / "index").stat().st_size > _LARGE:
            start_ahead(count)
    beginning = Beginning(settings.places, keeper, partial(_make_store, settings))
    try:
        yield beginning if keeper.patience is None else None  # who does not wait for all has other batches
    finally:
        beginning.close()
        end_waiting()


def _make_store(settings: Settings) -> Path | None:
    """Make the store of a new index and return its folder; None where another process or work tree has one by now."""
    folder = index_folder(settings.cache_dir, settings.root, pii=settings.pii)
    try:
        take_over(settings.cache_dir, settings.root, folder)
        if has_index(settings):
            return None
        Store.open(folder).close()
    except BrokenIndexError:  # whoever opens it says so
        return None
    return folder


def keeper_of(settings: Settings) -> Timekeeper:
    """Return what keeps the time limits of the settings, from now on."""
    return Timekeeper(settings.time_limit, patience=PATIENCE_SECONDS if settings.wait is False else None)


def load_numpy() -> Iterator[None]:
    """Load what every opened index needs, as a step of work: it takes about as long as git does."""
    import numpy as np  # noqa: F401 - loaded for others

    yield


@contextmanager
def usable_cache(settings: Settings) -> Iterator[Settings]:
    """Return the settings with a cache folder that the run can write.

    Without ``use_cache``, or if the folder cannot be written, it is a temporary one.
    """
    if settings.use_cache and can_write(settings.cache_dir):
        yield settings
        return
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix="ctxpack-", ignore_cleanup_errors=True) as folder:
        yield replace(settings, cache_dir=Path(folder))


@contextmanager
def open_repository(
    settings: Settings,
    on_progress: Progress | None = None,
    discovery: Discovery | None = None,
    keeper: Timekeeper | None = None,
    about: str = "",
    meanwhile: Callable[[FileTable], Iterable[object]] | None = None,
) -> Iterator[IndexView]:
    """Open the repository as it is now; new knowledge is recorded on closing.

    ``discovery`` is what was just found with the same settings; without it the repository is looked through.
    ``keeper`` keeps the time of this, and of all that is done with what is opened; without one it may take any time.
    ``about`` is the request that it is opened for. ``meanwhile`` gives work on its files, in steps, for the time in
    which other processes index the last of them; it may not be done.
    Raises what ``discover`` and ``open_index`` raise.
    """
    from ctxpack.index.build import open_index

    keeper = keeper or Timekeeper()
    with usable_cache(settings) as its, expecting_index(its, keeper) if discovery is None else nullcontext() as begun:
        steps = None if "numpy" in sys.modules else load_numpy()
        found = discovery or find_files(its, keeper, steps, begun)
        view = _reopen(its, found, keeper) or open_index(its, found, on_progress, keeper, about, meanwhile)
        _hold(its, found, view)
        if its.buffers:  # an editor's; nobody else needs what parses them
            from ctxpack.index.buffers import with_buffers

            view = with_buffers(view, its)
        try:
            yield view
        except BrokenIndexError:
            view.store.is_damaged = True
            raise
        finally:
            view.close()


class _WithRemarks(Protocol):
    """A result from an opened repository, and sentences about damage on disk."""

    @property
    def remarks(self) -> tuple[str, ...]: ...


_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result", bound=_WithRemarks)


def mend_damage(work: Callable[_Parameters, _Result]) -> Callable[_Parameters, _Result]:
    """Run a function that opens a repository again, if it meets a damaged index on the way.

    The damaged index is deleted on closing; a remark says so.
    """

    @wraps(work)
    def work_twice(*args: _Parameters.args, **kwargs: _Parameters.kwargs) -> _Result:
        try:
            return work(*args, **kwargs)
        except UnwritableIndexError:
            raise
        except BrokenIndexError:  # a remark tells it
            again: Any = work(*args, **kwargs)
            mended: _Result = replace(again, remarks=tuple(dict.fromkeys((REMADE, *again.remarks))))
            return mended

    return work_twice


class _Held(NamedTuple):
    """An open index, and the settings and files it was opened for."""

    discovery: Discovery
    use_history: bool
    view: IndexView


class _HeldIndexes:
    """The indexes that this process keeps open for its next requests, most recently used last."""

    def __init__(self) -> None:
        self.most = 0
        self.of_folder: dict[Path, _Held] = {}


_held_indexes = _HeldIndexes()


def hold_indexes(most: int) -> None:
    """Keep this many indexes open between requests in this process; 0, the default, keeps none.

    An open index is used if nothing has changed: then a request reads no rows from disk.
    For processes that run one request at a time.
    """
    _held_indexes.most = most
    _drop_oldest()


def _drop_oldest() -> None:
    while len(_held_indexes.of_folder) > _held_indexes.most:
        del _held_indexes.of_folder[next(iter(_held_indexes.of_folder))]


def _hold(settings: Settings, discovery: Discovery, view: IndexView) -> None:
    folder = view.store.folder
    _held_indexes.of_folder.pop(folder, None)
    if _held_indexes.most and view.on_disk:
        _held_indexes.of_folder[folder] = _Held(discovery, settings.use_history, view)
        _drop_oldest()


def _reopen(settings: Settings, discovery: Discovery, keeper: Timekeeper) -> IndexView | None:
    """Return the open index of the files found; None if there is none, or if anything on disk has changed.

    The discovery is the same object if no time stamp differs: then the files need not be compared.
    """
    held = _held_indexes.of_folder.get(index_folder(settings.cache_dir, discovery.state.root, pii=settings.pii))
    if held is None or held.discovery is not discovery or held.use_history != settings.use_history:
        return None
    on_disk, folder = held.view.on_disk, held.view.store.folder
    if on_disk is None or not all(_is_same(folder / name, stamp) for name, stamp in on_disk.stamps.items()):
        return None
    store = Store.open(folder)
    if store.meta(GENERATION) == on_disk.generation and not store.remarks:
        view = held.view.again(store)
        view.files.keeper = keeper
        return view
    store.close()  # another process has indexed it, or it is damaged: who opens it anew says so
    return None


def _is_same(place: Path, stamp: Sequence[int]) -> bool:
    try:
        return stamp_of(place.stat()) == stamp
    except OSError:  # it is gone
        return False


@dataclass(frozen=True, slots=True)
class IndexStatus:
    """The state of the index on disk. ``commit`` is the one that was last indexed, empty outside git."""

    path: Path
    files: int
    chunks: int
    size_bytes: int
    commit: str
    is_fresh: bool


def has_index(settings: Settings) -> bool:
    """Whether there is an index of a repository on disk."""
    return (index_folder(settings.cache_dir, settings.root, pii=settings.pii) / "facts.sqlite").exists()


def index_status(settings: Settings) -> IndexStatus:
    """Inspect the index on disk without indexing. Raises UsageError if there is nothing to index at all."""
    folder = index_folder(settings.cache_dir, settings.root, pii=settings.pii)
    if not has_index(settings):
        return IndexStatus(folder, 0, 0, 0, "", is_fresh=False)
    from ctxpack.index.build import is_fresh

    discovery = find_files(settings)
    store = Store.open(folder)
    try:
        fresh = is_fresh(settings, discovery, store)
        chunks = int(store.meta("chunks") or 0)
        files, commit = len(store.rows()), store.meta("commit")
    finally:
        store.close()
    size = sum(path.stat().st_size for path in folder.iterdir())
    return IndexStatus(folder, files, chunks, size, commit, is_fresh=fresh)


def update_index(settings: Settings, *, on_progress: Progress | None = None) -> IndexStatus:
    """Index what has changed. Raises what ``discover`` and ``open_index`` raise."""
    from ctxpack.index.build import open_index

    with expecting_index(settings, Timekeeper()) as beginning:
        open_index(settings, find_files(settings, beginning=beginning), on_progress).close()
    return index_status(settings)


def rebuild_index(settings: Settings, *, on_progress: Progress | None = None) -> IndexStatus:
    """Delete the index and build it again. Raises what ``discover`` and ``open_index`` raise."""
    clear_index(settings)
    return update_index(settings, on_progress=on_progress)


def clear_index(settings: Settings) -> IndexStatus:
    """Delete the index of a repository. Raises BrokenIndexError if the folder cannot be deleted."""
    for pii in (False, True):  # whoever clears it wants nothing kept
        remove_store(index_folder(settings.cache_dir, settings.root, pii=pii))
    return IndexStatus(index_folder(settings.cache_dir, settings.root, pii=settings.pii), 0, 0, 0, "", is_fresh=False)
