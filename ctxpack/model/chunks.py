"""Parts of files, and parts that a ranking found."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ctxpack.model.files import SourceFile


@dataclass(frozen=True, slots=True)
class Symbol:
    """A definition. ``qualified`` joins the enclosing names and its own with dots: ``Uploader.retry``."""

    name: str
    qualified: str
    kind: str  # function, method, class, struct, interface, enum, trait, module, constant, type, macro …
    start_line: int
    end_line: int
    signature: str = ""  # the first line of the definition, stripped


@dataclass(frozen=True, slots=True)
class Chunk:
    """Contiguous lines of one file. ``symbol`` is a qualified name, ``heading`` a heading path, or both are empty."""

    start_line: int
    end_line: int
    kind: str  # a Symbol kind, section, header (what stands before the first definition), window
    symbol: str = ""
    heading: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Import:
    """What a file imports, as written (``module``), and the names taken from it."""

    module: str
    names: tuple[str, ...] = ()
    line: int = 0


@dataclass(frozen=True, slots=True)
class TagRegion:
    """A ``<!--TAG:name-->…<!--/TAG:name-->`` region; the lines are those between the two marks."""

    name: str
    start_line: int
    end_line: int


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The document's own words about itself."""

    title: str = ""
    description: str = ""
    tags: tuple[str, ...] = ()
    date: str = ""


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """A file taken apart. The chunks cover every line exactly once, in order."""

    chunks: tuple[Chunk, ...]
    symbols: tuple[Symbol, ...] = ()
    imports: tuple[Import, ...] = ()
    tags: tuple[TagRegion, ...] = ()
    front_matter: FrontMatter = FrontMatter()
    is_exact: bool = False  # boundaries come from a syntax tree, not from a pattern
    is_late: bool = False  # a syntax tree took too long

    def enclosing(self, start_line: int, end_line: int) -> Symbol | None:
        """Return the innermost symbol that covers the lines ``start_line..end_line``, None when none does."""
        covering = [item for item in self.symbols if item.start_line <= start_line and end_line <= item.end_line]
        return min(covering, key=lambda item: (item.end_line - item.start_line, -item.start_line), default=None)


HELD_WORDS = ("its name holds", "its path holds")
"""Beginnings of reasons that only say where matched keywords stand: a piece's heading shows both already."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why something is relevant: which signal, how many points it gave, in words a user understands."""

    signal: str
    points: float
    reason: str


class Confidence(StrEnum):
    """How sure the ranker is."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk with its score. Lists of candidates are sorted by ``(-score, path, start_line)``."""

    file: SourceFile
    chunk: Chunk
    score: float
    confidence: Confidence
    evidence: tuple[Evidence, ...]
    keywords: tuple[str, ...] = ()
    value: float = 0.0  # 0..1 on a linear scale: what select maximises
