"""The index as a thing that a user keeps: look at it, bring it up to date, make it anew, delete it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ctxpack.discover import discover
from ctxpack.index.build import Progress, is_fresh, open_index
from ctxpack.index.memory import known_files
from ctxpack.index.store import Store, folder_of, remove
from ctxpack.settings import Settings


@dataclass(frozen=True, slots=True)
class IndexStatus:
    """What is on disk for a repository. ``commit`` is the one that was last indexed, empty outside git."""

    path: Path
    files: int
    chunks: int
    size_bytes: int
    commit: str
    is_fresh: bool


def index_status(settings: Settings) -> IndexStatus:
    """What is on disk now; nothing is indexed. Raises UsageError if there is nothing to index at all."""
    folder = folder_of(settings.cache_dir, settings.root)
    if not (folder / "facts.sqlite").exists():
        return IndexStatus(folder, 0, 0, 0, "", is_fresh=False)
    discovery = discover(settings, known_files(settings))
    store = Store.open(folder)
    try:
        fresh = is_fresh(settings, discovery, store)
        chunks = int(store.meta("chunks") or 0)
        files, commit = len(store.rows()), store.meta("commit")
    finally:
        store.close()
    size = sum(path.stat().st_size for path in folder.iterdir())
    return IndexStatus(folder, files, chunks, size, commit, is_fresh=fresh)


def update(settings: Settings, *, on_progress: Progress | None = None) -> IndexStatus:
    """Index what has changed. Raises what ``discover`` and ``open_index`` raise."""
    open_index(settings, discover(settings, known_files(settings)), on_progress).close()
    return index_status(settings)


def rebuild(settings: Settings, *, on_progress: Progress | None = None) -> IndexStatus:
    """Throw the index away and make it anew. Raises what ``discover`` and ``open_index`` raise."""
    clear(settings)
    return update(settings, on_progress=on_progress)


def clear(settings: Settings) -> IndexStatus:
    """Delete the index of a repository. Raises BrokenIndexError if the folder cannot be deleted."""
    remove(folder_of(settings.cache_dir, settings.root))
    return IndexStatus(folder_of(settings.cache_dir, settings.root), 0, 0, 0, "", is_fresh=False)
