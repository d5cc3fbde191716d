"""What changed between two states of a repository, as git tells it: files, hunks, texts of both sides, messages."""

from __future__ import annotations

from ctxpack.changes.change import Change, CommitMessage, FileChange
from ctxpack.changes.hunks import DiffLine, Hunk, narrowed
from ctxpack.changes.read import read_change
from ctxpack.changes.revisions import Revisions, resolve

__all__ = [
    "Change",
    "CommitMessage",
    "DiffLine",
    "FileChange",
    "Hunk",
    "Revisions",
    "narrowed",
    "read_change",
    "resolve",
]
