"""What changed between two states of a repository, as git tells it: files, hunks, texts of both sides, messages."""

from __future__ import annotations

from ctxpack.changes.change import Change, CommitMessage, DiffLine, FileChange, Hunk, narrow_hunks
from ctxpack.changes.read import read_change
from ctxpack.changes.revisions import Revisions, resolve_revisions

__all__ = [
    "Change",
    "CommitMessage",
    "DiffLine",
    "FileChange",
    "Hunk",
    "Revisions",
    "narrow_hunks",
    "read_change",
    "resolve_revisions",
]
