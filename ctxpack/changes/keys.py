"""Private keys out of hunks: of a key that is longer than its hunk neither the beginning nor the end is in the diff."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ctxpack.changes.change import Change, FileChange
from ctxpack.changes.hunks import DiffLine, Hunk
from ctxpack.index import IndexView
from ctxpack.redact.redaction import redact
from ctxpack.text import lines_of

_KEY = "PRIVATE KEY"


def without_keys(change: Change, view: IndexView) -> Change:
    """The change with the lines of private keys as they are once the whole file has been redacted."""
    return replace(change, files=tuple(_without(change, file, view) for file in change.files))


def _without(change: Change, file: FileChange, view: IndexView) -> FileChange:
    old = change.texts.get(file.old_blob, "")
    new = change.texts.get(file.new_blob, "")
    if change.revisions.is_work_tree and view.file(file.path) is not None:
        new = view.text(file.path)
    if not file.hunks or (_KEY not in old and _KEY not in new):
        return file
    olds, news = _redacted(old), _redacted(new)
    return replace(
        file, hunks=tuple(Hunk(tuple(_line(each, olds, news) for each in hunk.lines)) for hunk in file.hunks)
    )


def _redacted(text: str) -> Mapping[int, str]:
    """The lines that redaction changes, by number."""
    lines, clean = lines_of(text), lines_of(redact(text).text)
    return {at: row for at, (line, row) in enumerate(zip(lines, clean, strict=False), 1) if line != row}


def _line(line: DiffLine, olds: Mapping[int, str], news: Mapping[int, str]) -> DiffLine:
    if line.mark not in " +-":
        return line
    row = olds.get(line.old) if line.mark == "-" else news.get(line.new)
    return line if row is None else replace(line, text=row)
