"""The nouns of a diff: what changed between two states of a repository. Frozen, and free of git."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ctxpack.changes.hunks import Hunk
from ctxpack.changes.revisions import Revisions
from ctxpack.model import Kind, Trait


@dataclass(frozen=True, slots=True)
class CommitMessage:
    """A commit of a range: abbreviated hash, day (ISO), first line and the rest of its message."""

    hash: str
    day: str
    subject: str
    body: str = ""


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file that differs.

    ``old_path`` differs from ``path`` after a rename. ``remark`` says why no hunk is there to be shown: a binary, a
    submodule, a rename alone; it is empty where ``hunks`` tell all.
    """

    path: str
    old_path: str
    status: str  # A added, D deleted, M modified, R renamed, T another type, U in conflict
    kind: Kind
    language: str
    traits: tuple[Trait, ...] = ()
    added: int = 0
    removed: int = 0
    hunks: tuple[Hunk, ...] = ()
    remark: str = ""
    modes: tuple[str, str] = ("", "")  # before and after, where they differ
    old_blob: str = ""  # empty where there is no such side, or where git knows no blob of it
    new_blob: str = ""

    @property
    def counts(self) -> str:
        """``+12 −3``."""
        return counted(self.added, self.removed)


@dataclass(frozen=True)
class Change:
    """All that differs between two states, its files in git's order, and the commits that lie between, newest first."""

    revisions: Revisions
    files: tuple[FileChange, ...]
    messages: tuple[CommitMessage, ...] = ()
    more_messages: int = 0  # further commits that are only counted
    texts: Mapping[str, str] = field(default_factory=dict)  # of the blobs that the work tree does not hold

    @property
    def title(self) -> str:
        """What is compared, as the user would say it."""
        return self.revisions.title

    @cached_property
    def counts(self) -> str:
        """``3 files, +12 −3``."""
        added, removed = sum(each.added for each in self.files), sum(each.removed for each in self.files)
        files = f"{len(self.files):,} {'file' if len(self.files) == 1 else 'files'}"
        return f"{files}, {counted(added, removed)}" if added or removed else files

    @property
    def subjects(self) -> Sequence[str]:
        """The first lines of the commit messages."""
        return [message.subject for message in self.messages]


def counted(added: int, removed: int) -> str:
    """``+12 −3``; a side without lines is left out, and nothing is ``no lines``."""
    sides = (f"+{added:,}" if added else "", f"−{removed:,}" if removed else "")
    return " ".join(side for side in sides if side) or "no lines"
