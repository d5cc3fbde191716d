"""What lies in a repository: files, what they are for, and what was left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


class Kind(StrEnum):
    """What a file is for."""

    README = "readme"
    SPEC = "spec"
    WIKI = "wiki"
    RUNBOOK = "runbook"
    DOC = "doc"
    CODE = "code"
    TEST = "test"
    CONFIG = "config"
    CONVENTIONS = "conventions"
    DEPENDENCY_MAP = "dependency_map"
    DATA = "data"

    @property
    def lane(self) -> Lane:
        """The group of kinds this kind is ranked with."""
        return _LANES[self]

    @property
    def is_document(self) -> bool:
        """Whether such files are texts for people, in sections."""
        return self.lane is Lane.DOCS


class Lane(StrEnum):
    """A group of kinds that is ranked together."""

    CODE = "code"
    DOCS = "docs"
    TESTS = "tests"
    CONFIG = "config"


_LANES: Mapping[Kind, Lane] = {
    Kind.README: Lane.DOCS,
    Kind.SPEC: Lane.DOCS,
    Kind.WIKI: Lane.DOCS,
    Kind.RUNBOOK: Lane.DOCS,
    Kind.DOC: Lane.DOCS,
    Kind.CONVENTIONS: Lane.DOCS,
    Kind.DEPENDENCY_MAP: Lane.DOCS,
    Kind.CODE: Lane.CODE,
    Kind.TEST: Lane.TESTS,
    Kind.CONFIG: Lane.CONFIG,
    Kind.DATA: Lane.CONFIG,
}


class Trait(StrEnum):
    """Why a file of any kind is ranked lower than its words deserve."""

    GENERATED = "generated"
    VENDORED = "vendored"
    MINIFIED = "minified"
    LOCK = "lock"
    EXAMPLE = "example"
    TRANSLATION = "translation"


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One text file of the repository.

    ``blob`` is a digest of the content: git's blob id where git knows it, else the same SHA-1 computed here.
    ``language`` is a lower-case name such as ``python`` or ``markdown``, or ``""`` for unknown text.
    """

    path: str
    kind: Kind
    language: str
    size: int
    blob: str
    mtime_ns: int
    traits: tuple[Trait, ...] = ()
    dirty: bool = False
    is_explicit: bool = False  # the user named this very path


@dataclass(frozen=True, slots=True)
class Skipped:
    """A path that was left out, and the rule that hid it."""

    path: str
    reason: str
    size: int = 0  # bytes; with the time, of a file that its content hid: lets the next run spare the reading
    mtime_ns: int = 0


@dataclass(frozen=True, slots=True)
class RepositoryState:
    """Which state of which repository a report speaks of. Outside git, ``commit`` is empty."""

    root: Path
    name: str
    commit: str = ""
    branch: str = ""
    commit_time: int = 0  # seconds since the epoch, of HEAD: "now" for every recency
    dirty: bool = False
    is_git: bool = False


@dataclass(frozen=True, slots=True)
class Discovery:
    """What discover found under a root, sorted by path."""

    files: tuple[SourceFile, ...]
    skipped: tuple[Skipped, ...]
    state: RepositoryState
    judged_by: str = ""  # digest of all that kinds, languages and traits rest on beside each file itself
