"""Finished packs: the same request on the same state, told the same, is answered from the last time.

What is kept is a text and what is said beside it, not how it came about: who asks for reasons, figures or a
``Report`` gets them from a run. Nothing is kept where outside parts, plug-ins, sessions or git's index have a say.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from ctxpack import __version__
from ctxpack.index.store import FORMAT
from ctxpack.model import Discovery, Request, Scope, SourceFile
from ctxpack.plugins import GROUPS, plugins
from ctxpack.settings import Settings
from ctxpack.writing import replace_file

_FOLDER: Final = "packs"
_NAMED_FILES: Final = ("instructions", "system", "history")
_OF_GITS_INDEX: Final = "changes"  # a strategy that sees more than the files that were found


@dataclass(frozen=True, slots=True)
class Finished:
    """The text of a pack, its notes, and the line that sums it up."""

    text: str
    notes: tuple[str, ...]
    total: str


def is_repeatable(request: Request, settings: Settings) -> bool:
    """Whether the answer rests on nothing but what ``key_of`` knows."""
    asked = (*settings.strategies, *settings.enable, *settings.require)
    outside = (settings.rerank, settings.semantic, settings.session, settings.buffers, settings.stats)
    if not settings.use_cache or request.scope is Scope.DIFF or settings.paths is not None or any(outside):
        return False
    if _OF_GITS_INDEX in asked or any(entry.command for entry in settings.strategy_entries):
        return False
    return not any(plugins(group) for group in GROUPS)


def key_of(request: Request, settings: Settings, discovery: Discovery) -> str:
    """The key of an answer: everything that it rests on, digested."""
    digest = hashlib.sha256()
    for part in (*_programs(), settings.digest, *_files(settings), asdict(request), asdict(discovery.state)):
        digest.update(f"{part!r}\n".encode("utf-8", "surrogateescape"))
    is_git = discovery.state.is_git
    told = [str(len(discovery.skipped))]
    told += [f"{each.path}\0{each.reason}" for each in discovery.skipped]
    told += [_told(file, 0 if is_git and not file.dirty else file.mtime_ns) for file in discovery.files]
    digest.update("\0".join(told).encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


def _told(file: SourceFile, time: int) -> str:
    """What an answer may rest on of a file. ``time`` is 0 where git's own word says when it changed."""
    traits = ",".join(file.traits)
    return f"{file.path}\0{file.blob}\0{file.kind}\0{file.language}\0{file.size}\0{traits}\0{file.dirty}\0{time}"


def find(settings: Settings, key: str) -> Finished | None:
    """The answer that was kept, if it can be read; it counts as used now."""
    place = settings.cache_dir / _FOLDER / f"{key}.json"
    try:
        kept = json.loads(place.read_bytes())
        found = Finished(str(kept["text"]), tuple(map(str, kept["notes"])), str(kept["total"]))
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None
    with suppress(OSError):
        os.utime(place)
    return found


def keep(settings: Settings, key: str, finished: Finished) -> None:
    """Keep an answer, and drop those that were not used for longest; silently not where nothing can be written."""
    folder = settings.cache_dir / _FOLDER
    data = json.dumps(asdict(finished)).encode()
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        replace_file(folder / f"{key}.json", data)
        _sweep(folder, settings.pack_cache)


def _sweep(folder: Path, most_bytes: int) -> None:
    kept = sorted((entry.stat().st_mtime_ns, entry.name, entry.stat().st_size) for entry in os.scandir(folder))
    total = sum(size for _, _, size in kept)
    for _, name, size in kept:
        if total <= most_bytes:
            return
        with suppress(FileNotFoundError):  # another process dropped it
            (folder / name).unlink()
        total -= size


def _files(settings: Settings) -> Iterator[str]:
    """Digests of the files that the settings name."""
    for name in _NAMED_FILES:
        place = getattr(settings, name)
        try:
            yield hashlib.sha256(Path(place).read_bytes()).hexdigest() if place else ""
        except OSError:
            yield "unreadable"


def _programs() -> Iterator[object]:
    """What makes the answer: versions, and for those who change or reinstall things, times of files."""
    yield __version__, FORMAT, sys.version
    package = os.path.dirname(__file__)  # noqa: PTH120 - as text, like all below
    for folder, _, names in sorted(os.walk(package)):
        for name in sorted(names):
            if name.endswith((".py", ".toml")):
                facts = os.stat(f"{folder}/{name}")  # noqa: PTH116 - some hundred files before every report
                yield folder[len(package) :], name, facts.st_size, facts.st_mtime_ns
    for folder in sys.path:
        if folder.endswith("-packages"):
            with suppress(OSError):
                yield folder, os.stat(folder).st_mtime_ns  # noqa: PTH116
