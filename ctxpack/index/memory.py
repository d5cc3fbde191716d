"""What one run leaves for the next: discover's facts about unchanged files; and an index that leaves nothing."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

from ctxpack.discover import Known, remember
from ctxpack.files import can_write
from ctxpack.index.store import FORMAT, Store, folder_of
from ctxpack.model import Discovery, Kind, Trait
from ctxpack.settings import Settings

_KEY, _STATE_KEY = f"judged-{FORMAT}", "judged-state"
_YOUNG_NS = 5_000_000_000  # discover does not trust the times of files that were changed within some seconds


@contextmanager
def cache_of(settings: Settings) -> Iterator[Settings]:
    """The settings with the cache folder that a run may use.

    Without ``use_cache``, or where the folder cannot be written, it is one that goes away afterwards.
    """
    if settings.use_cache and can_write(settings.cache_dir):
        yield settings
        return
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix="ctxpack-", ignore_cleanup_errors=True) as folder:
        yield replace(settings, cache_dir=Path(folder))


def known_files(settings: Settings) -> Mapping[str, Known]:
    """What the last run remembered of each path; empty if there was none or it cannot be read."""
    target = folder_of(settings.cache_dir, settings.root) / "facts.sqlite"
    try:
        with closing(sqlite3.connect(f"{target.as_uri()}?mode=ro", uri=True)) as connection:
            row = connection.execute("SELECT value FROM meta WHERE key=?", (_KEY,)).fetchone()
        return _decoded(row[0]) if row else {}
    except (sqlite3.Error, ValueError, TypeError, KeyError):
        return {}


def record_known(store: Store, discovery: Discovery, *, is_whole: bool) -> None:
    """Keep what the next run may know, if that has changed; of a part of the repository, beside what was known."""
    state = _digest(discovery, is_whole=is_whole)
    if state == store.meta(_STATE_KEY):
        return
    known = remember(discovery)
    before = "" if is_whole else store.meta(_KEY)
    if before:
        known = {**_decoded(before), **known}
    store.remember({_KEY: _encoded(known), _STATE_KEY: state})


def _digest(discovery: Discovery, *, is_whole: bool) -> str:
    """What tells cheaply whether anything has changed since it was recorded: paths, times, and what is too young."""
    seen = [(file.path, file.mtime_ns) for file in discovery.files]
    seen += [(skipped.path, skipped.mtime_ns) for skipped in discovery.skipped if skipped.mtime_ns]
    young = [path for path, mtime in seen if mtime > time.time_ns() - _YOUNG_NS]
    return hashlib.sha256(repr((is_whole, discovery.judged_by, seen, young)).encode()).hexdigest()


def _encoded(known: Mapping[str, Known]) -> str:
    """One line of JSON: rows grouped by what they were judged by."""
    groups: dict[str, list[tuple[object, ...]]] = {}
    for path, each in sorted(known.items()):
        groups.setdefault(each.judged_by, []).append((path, *each[:-1]))
    return json.dumps(groups, separators=(",", ":"))


def _decoded(line: str) -> dict[str, Known]:
    kinds: dict[str | None, Kind | None] = {None: None, **{str(kind): kind for kind in Kind}}
    return {
        path: Known(size, mtime, blob, language, tuple(map(Trait, traits)), reason, kinds[kind], judged_by)
        for judged_by, rows in json.loads(line).items()
        for path, size, mtime, blob, language, traits, reason, kind in rows
    }
