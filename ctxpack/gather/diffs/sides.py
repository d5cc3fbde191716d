"""Both sides of a changed file: its lines and definitions as they are after the change, and as they were before it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from ctxpack.index import IndexView
from ctxpack.model import ParsedFile
from ctxpack.parse import exact
from ctxpack.text import lines_of

if TYPE_CHECKING:
    from ctxpack.changes import Change, FileChange


@dataclass(frozen=True, slots=True)
class Side:
    """One state of a file. ``is_current`` tells whether the files on disk have it."""

    lines: list[str]
    parsed: ParsedFile
    is_current: bool = False


def after(view: IndexView, change: Change, file: FileChange) -> Side | None:
    """The file after the change; None where it is gone, or where its text is not at hand."""
    current = view.files.get(file.path)
    if file.status == "D":
        return None
    if current is not None and (change.revisions.is_work_tree or current.blob == file.new_blob):
        return Side(view.files.all_lines(file.path), view.files.exact(file.path), is_current=True)
    return _of_blob(change, file.new_blob, file.language, file.path)


def before(change: Change, file: FileChange) -> Side | None:
    """The file before the change; None where it is new, or where its text is not at hand."""
    return _of_blob(change, file.old_blob, file.language, file.old_path)


def _of_blob(change: Change, blob: str, language: str, path: str) -> Side | None:
    text = change.texts.get(blob) if blob else None
    return None if text is None else Side(lines_of(text), _parsed(text, language, path))


@lru_cache(maxsize=256)  # several strategies ask for the same sides
def _parsed(text: str, language: str, path: str) -> ParsedFile:
    return exact(text, language, path)
