"""Why git is not run in a work tree: its ``.git`` leads to another repository, or makes git wait for ever.

The record is the ``.git`` of the work tree. An archive of a stranger's may hold any, which leads to a repository of the
user's: what git then shows of its history would be read outside the root. So a record elsewhere counts only where it
knows the work tree. What git reads besides the work tree must be regular files.
"""

# ruff: noqa: PTH112, PTH113, PTH114, PTH116, PTH118, PTH120 -- names with surrogate escapes, and speed

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Final

from ctxpack.light import lazy_pattern
from ctxpack.system.disk import read_whole

NamedFiles = Callable[[str], Iterator[tuple[str, str]]]
"""Gives the keys of a configuration file that name files, with the names. Raises OSError where it cannot be read."""

_MOST_READ: Final = 32_000_000  # bytes of a configuration
_MOST_INCLUDED: Final = 100  # files
_LEADING: Final = ("HEAD", "index", "packed-refs", "refs", "logs")  # what of another record would be shown
_READ: Final = (*_LEADING, "config", "config.worktree", "commondir", "shallow")
_DEEPER: Final = ("info/exclude", "info/attributes", "info/grafts", "objects/info/alternates")
_NAMES_FILE: Final = lazy_pattern(r"(?<!hooks)(?:file|path)[ \t]*=", re.IGNORECASE)
_WORKTREE: Final = lazy_pattern(r'\bworktree[ \t]*=[ \t]*"?([^"\r\n]+)', re.IGNORECASE)
_OVERRULED: Final = ("core.hookspath", "blame.ignorerevsfile")  # by our own options
_ELSEWHERE: Final = "its .git leads to {}, which does not know this folder (git config core.worktree names it)"


def why_refused(top: str, named_files: NamedFiles) -> str:
    """Return why git is not asked about the work tree ``top``; empty where it is."""
    mark = os.path.join(top, ".git")
    try:
        record = mark
        if not stat.S_ISDIR(os.lstat(mark).st_mode):
            record = _named_record(mark)
            if not os.path.isdir(record):
                return ""  # git says so itself
            if not _is_below(record, os.path.realpath(top)) and not _knows(record, top):
                return _ELSEWHERE.format(record)
        common = _common(record)
        if common != record and not _is_below(os.path.realpath(record), common):
            return _ELSEWHERE.format(common)
        folders = tuple(dict.fromkeys((record, common)))
        odd = [os.path.join(folder, name) for folder in folders for name in _odd_names(folder)]
        return (
            _foreign_link(odd, common)
            or _unreadable_entry(top, odd, folders)
            or _unreadable_named_file(top, folders, named_files)
        )
    except (OSError, ValueError) as error:
        return f"its .git cannot be read: {error.strerror if isinstance(error, OSError) else error}"


def _named_record(mark: str) -> str:
    """The folder that a ``.git`` leads to which is a link or a file."""
    if os.path.isdir(mark):
        return os.path.realpath(mark)
    return os.path.realpath(os.path.join(os.path.dirname(mark), _text(mark).removeprefix("gitdir:").strip()))


def _knows(record: str, top: str) -> bool:
    """Whether a record elsewhere is that of a work tree: a linked one, a submodule, or a project of Android's repo."""
    back, config = os.path.join(record, "gitdir"), os.path.join(record, "config")
    named: list[str] = []
    if os.path.isfile(back):
        named += [os.path.dirname(_text(back).strip())]
    elif os.path.isfile(config):
        named += _WORKTREE.findall(_text(config))
    client, found, project = record.rpartition(f"{os.sep}.repo{os.sep}projects{os.sep}")
    named += [os.path.join(client, project.removesuffix(".git"))] if found else []
    here = os.path.realpath(top)
    return any(os.path.realpath(os.path.join(record, name.strip())) == here for name in named)


def _common(record: str) -> str:
    """The folder of what the work trees of a repository share."""
    place = os.path.join(record, "commondir")
    if not os.path.isfile(place):
        return record
    return os.path.realpath(os.path.join(record, _text(place).strip()))


def _text(place: str) -> str:
    return os.fsdecode(read_whole(os.path.realpath(place), _MOST_READ))


def _is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(os.path.join(folder, ""))


def _odd_names(folder: str) -> list[str]:
    """What git reads directly in a folder and is neither a file nor a folder, such as links and pipes."""
    with os.scandir(folder) as entries:
        return [
            entry.name
            for entry in entries
            if entry.name in _READ and not (entry.is_file(follow_symlinks=False) or entry.is_dir(follow_symlinks=False))
        ]


def _foreign_link(odd: Sequence[str], common: str) -> str:
    """Why a link in a record shows another repository."""
    for place in odd:
        if place.endswith(_LEADING) and os.path.islink(place) and (real := _outside(place, common)):
            return _ELSEWHERE.format(real)
    return next(_odd_refs(os.path.join(common, "refs"), common), "")


def _outside(link: str, folder: str) -> str:
    """Where a link leads; empty where that is in a folder."""
    real = os.path.realpath(link)
    return "" if _is_below(real, os.path.realpath(folder)) else real


def _odd_refs(folder: str, common: str) -> Iterator[str]:
    """Why refs are not used: links that leave the record, pipes and devices."""
    left = [folder]
    while left:
        with suppress(FileNotFoundError), os.scandir(left.pop()) as entries:  # git packs refs meanwhile
            for entry in entries:
                if entry.is_symlink():
                    if real := _outside(entry.path, common):
                        yield _ELSEWHERE.format(real)
                elif entry.is_dir(follow_symlinks=False):
                    left.append(entry.path)
                elif not entry.is_file(follow_symlinks=False):
                    yield f".git{entry.path.removeprefix(common)} is a pipe or a device, no file"


def _unreadable_entry(top: str, odd: Sequence[str], folders: Sequence[str]) -> str:
    """What git would read in a record that is a pipe or a device."""
    for place in (*odd, *(os.path.join(folder, name) for folder in folders for name in _DEEPER)):
        if not _is_readable(place):
            return f"{os.path.relpath(place, top)} is a pipe or a device, no file"
    return ""


def _unreadable_named_file(top: str, folders: Sequence[str], named_files: NamedFiles) -> str:
    """What the configuration names, or another one that it includes, that is a pipe or a device."""
    left = [os.path.join(folder, name) for folder in folders for name in ("config", "config.worktree")]
    for place in left:
        if len(left) > _MOST_INCLUDED:
            return "its configuration includes too many files"
        if not os.path.isfile(place) or not _NAMES_FILE.search(_text(place)):
            continue
        for key, name in named_files(place):
            places = [os.path.join(folder, name) for folder in (os.path.dirname(place), top)]
            if key not in _OVERRULED and not all(map(_is_readable, places)):
                return f"its configuration names {name}, which is a pipe or a device, no file"
            left += places[:1] if key.startswith("include") and places[0] not in left else []
    return ""


def _is_readable(place: str) -> bool:
    """Whether a file, if there is one, can be read to its end, unlike a pipe or a device."""
    try:
        mode = os.stat(place).st_mode
    except OSError:  # git does without it, or says why it cannot
        return True
    return stat.S_ISREG(mode) or stat.S_ISDIR(mode)
