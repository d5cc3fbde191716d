"""Where the index of a repository lies and what it may hold, and how a work tree takes over that of another one.

Work trees differ in few files. Segments are linked, not copied: they never change. The rows are a copy; those of other
paths and contents go with the update that follows.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from ctxpack.index.store import FACTS
from ctxpack.system.disk import read_regular

_LINKED: Final = ("segment-*", "graph-*", "history-*")
_CLEAN: Final = "-pii"  # the end of the name of a folder that holds an index without personal data


def index_folder(cache_dir: Path, root: Path, *, pii: bool = False) -> Path:
    """Return the cache folder of one repository root: readable name, then a digest of the full path.

    With ``pii`` it is that of the index without personal data.
    """
    whole = root.absolute()  # "." is another repository in another folder
    digest = hashlib.sha256(str(whole).encode("utf-8", "surrogateescape")).hexdigest()[:12]
    return cache_dir.absolute() / "index" / f"{whole.name or 'root'}-{digest}{_CLEAN * pii}"


def is_clean(folder: Path) -> bool:
    """Whether the index in a folder is one without personal data."""
    return folder.name.endswith(_CLEAN)


def text_to_keep(folder: Path, text: str) -> str:
    """Return what the index in a folder may hold of a text."""
    if not is_clean(folder):
        return text
    from ctxpack.redact import Rules, redact

    return redact(text, rules=Rules(secrets=False, personal=True)).text


def take_over(cache_dir: Path, root: Path, folder: Path) -> None:
    """Start the index of a work tree in ``folder`` from that of another one of its repository, if there is any."""
    if folder.exists():
        return
    others = (index_folder(cache_dir, other, pii=is_clean(folder)) for other in other_worktrees(root))
    known = [place for other in others if (place := other / FACTS).is_file()]
    if not known:
        return
    new = folder.with_name(f"{folder.name}.{os.urandom(8).hex()}.tmp")
    try:
        source = max(known, key=lambda place: place.stat().st_mtime_ns).parent
        new.mkdir(parents=True)
        _copy(source, new)
        new.rename(folder)
    except (OSError, sqlite3.Error):  # another process was faster, or the disk is full: every file is indexed
        shutil.rmtree(new, ignore_errors=True)


def other_worktrees(root: Path) -> Iterator[Path]:
    """Find the other work trees of a repository: those where git's records here and their own links agree."""
    common = common_folder(root)
    if common is None:
        return
    tops = [common.parent]
    for mark in sorted(common.glob("worktrees/*/gitdir")):
        with suppress(OSError):  # it was just removed
            tops.append(Path(os.fsdecode(read_regular(mark)).strip()).parent)
    for top in tops:
        if top != root.absolute() and common_folder(top) == common:
            yield top


def common_folder(root: Path) -> Path | None:
    """Return git's common folder of the work trees of a repository; None if ``root`` is not a work tree."""
    mark = root.absolute() / ".git"
    try:
        if mark.is_dir():
            return mark.resolve()
        own = os.fsdecode(read_regular(mark)).removeprefix("gitdir:").strip()
        private = mark.parent / own
        shared = os.fsdecode(read_regular(private / "commondir")).strip()
        return (private / shared).resolve()
    except (OSError, ValueError):  # no repository, or a submodule, which shares nothing
        return None


def _copy(source: Path, target: Path) -> None:
    with (
        closing(sqlite3.connect(f"{(source / FACTS).as_uri()}?mode=ro", uri=True)) as theirs,
        closing(sqlite3.connect(target / FACTS)) as own,
    ):
        theirs.backup(own)
    for pattern in _LINKED:
        for path in source.glob(pattern):
            with suppress(FileNotFoundError):  # what was swept meanwhile is indexed again
                _link(path, target / path.name)


def _link(source: Path, target: Path) -> None:
    try:
        os.link(source, target)
    except FileNotFoundError:
        raise
    except OSError:  # a file system without links
        shutil.copyfile(source, target)
