"""What one run leaves for the next: discover's facts about unchanged files; and an index that leaves nothing."""

from __future__ import annotations

import json
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

from ctxpack.discover import Known, remember
from ctxpack.index.store import FORMAT, Store, folder_of
from ctxpack.model import Discovery, Trait
from ctxpack.settings import Settings

_KEY = f"known-{FORMAT}"


@contextmanager
def cache_of(settings: Settings) -> Iterator[Settings]:
    """The settings with the cache folder that a run may use: without ``use_cache`` one that goes away afterwards."""
    if settings.use_cache:
        yield settings
        return
    with tempfile.TemporaryDirectory(prefix="ctxpack-", ignore_cleanup_errors=True) as folder:
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
    before = store.meta(_KEY)
    known = remember(discovery)
    if not is_whole and before:
        known = {**_decoded(before), **known}
    line = _encoded(known)
    if line != before:
        store.remember({_KEY: line})


def _encoded(known: Mapping[str, Known]) -> str:
    rows = [
        (path, each.size, each.mtime_ns, each.blob, each.language, each.traits, each.skip_reason)
        for path, each in sorted(known.items())
    ]
    return json.dumps(rows, separators=(",", ":"))


def _decoded(line: str) -> dict[str, Known]:
    return {
        path: Known(size, mtime, blob, language, tuple(map(Trait, traits)), reason)
        for path, size, mtime, blob, language, traits, reason in json.loads(line)
    }
