"""What was asked, where its files are, and what was understood of it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from ctxpack.light import TextEnum, dataclass, field


class Scope(TextEnum):
    """What a request is about."""

    TASK = "task"
    FILE = "file"
    COMPONENT = "component"
    DIFF = "diff"


WHOLE_PROJECT = "."
"""The name of the component that is all of the project."""


@dataclass(frozen=True, slots=True)
class Request:
    """What the user asked.

    Of a file, ``line`` (from 1; 0 for none) is the line of the cursor, ``lines`` are the first and last one selected,
    and ``symbol`` is a definition; at most one of the three is given. ``hints`` are keys and values for strategies.
    Of a diff, ``revision`` is what git calls one (``main``, ``v1..v2``), empty for the last commit.
    """

    scope: Scope
    text: str = ""
    path: str = ""
    name: str = ""
    line: int = 0
    lines: tuple[int, int] | None = None
    symbol: str = ""
    hints: tuple[tuple[str, str], ...] = ()
    revision: str = ""
    is_staged: bool = False

    @classmethod
    def about(cls, scope: Scope, subject: str) -> Request:
        """Return the request for a text, a file, a component or a revision, by its scope."""
        fields = {Scope.TASK: "text", Scope.FILE: "path", Scope.COMPONENT: "name", Scope.DIFF: "revision"}
        return cls(scope, **{fields[scope]: subject})  # type: ignore[arg-type] # all four are texts


class Part(TextEnum):
    """The part of the request that a word is in; parts have different weights."""

    TITLE = "title"
    PROSE = "prose"
    CODE = "code"
    TRACEBACK = "traceback"


class Intent(TextEnum):
    """What the user wants to do with the pack."""

    LOOKUP = "lookup"
    TROUBLESHOOT = "troubleshoot"
    EXPLAIN = "explain"
    CHANGE = "change"
    REVIEW = "review"


class Shape(TextEnum):
    """How the request is written; the ranker weighs its signals by it."""

    SYMBOL = "symbol"  # one identifier
    QUESTION = "question"  # a few words
    ISSUE = "issue"  # a text of several sentences


class Complexity(TextEnum):
    """How much the request asks for at once; with the intent it chooses defaults."""

    SIMPLE = "simple"  # one symbol, or a short question about one thing
    MEDIUM = "medium"
    COMPLEX = "complex"  # long, in several parts, or about several places


@dataclass(frozen=True, slots=True)
class Expansion:
    """A term that the request does not contain, and where it comes from."""

    term: str
    source: str  # the word of the request that it replaces
    origin: str  # synonym | translation | correction | abbreviation | inflection | compound
    weight: float
    base: str = ""  # the translation that it is a form of: the two count as one term


@dataclass(frozen=True, slots=True)
class Mention:
    """Words of the request that name something of the repository."""

    text: str
    kind: str  # path | dotted | symbol | frame | commit
    weight: float
    line: int = 0  # of a traceback frame, if given
    function: str = ""  # of a traceback frame


@dataclass(frozen=True, slots=True)
class Query:
    """The understood request.

    ``terms`` maps a subtoken (as ``ctxpack.query.subtokens`` cuts text) to its weight over all parts, ``title`` the
    same for the title alone; ``identifiers`` maps code-shaped words, as written, to their weight.
    """

    text: str
    title_text: str
    shape: Shape
    intent: Intent
    terms: Mapping[str, float]
    title: Mapping[str, float]
    words: Mapping[str, float]
    identifiers: Mapping[str, float]
    mentions: tuple[Mention, ...] = ()
    phrases: tuple[tuple[str, ...], ...] = ()
    expansions: tuple[Expansion, ...] = ()
    complexity: Complexity = Complexity.MEDIUM


@dataclass(frozen=True, slots=True)
class Places:
    """The folders of a request: one ``root``, or several by the label that the paths of their files begin with.

    All folders are absolute, with their links followed.
    """

    root: Path
    labelled: Mapping[str, Path] = field(default_factory=dict)

    def of(self, path: str) -> Path:
        """Return where a path of a report leads."""
        label, _, inner = path.partition("/")
        folder = self.labelled.get(label)
        return self.root / path if folder is None else folder / inner

    def name_of(self, path: str) -> str:
        """The same as text, for one of thousands of files: in a sixth of the time."""
        label, _, inner = path.partition("/")
        folder = self.labelled.get(label) if self.labelled else None
        return f"{self.root}{os.sep}{path}" if folder is None else f"{folder}{os.sep}{inner}"

    def path_of(self, place: Path) -> str | None:
        """Return how a report writes an absolute path whose links were followed; None for one that is outside."""
        if not self.labelled:
            return place.relative_to(self.root).as_posix() if place.is_relative_to(self.root) else None
        around = [(label, folder) for label, folder in self.labelled.items() if place.is_relative_to(folder)]
        if not around:
            return None
        label, folder = max(around, key=lambda each: len(each[1].parts))  # one may lie within another
        return label if place == folder else f"{label}/{place.relative_to(folder).as_posix()}"

    def holds(self, place: Path) -> bool:
        """Whether a place is in one of the folders."""
        return self.path_of(place) is not None

    @property
    def folders(self) -> tuple[Path, ...]:
        """All folders."""
        return tuple(self.labelled.values()) or (self.root,)

    @property
    def description(self) -> str:
        """The folders, as a message names them."""
        return ", ".join(f"{label}={folder}" for label, folder in self.labelled.items()) or str(self.root)
