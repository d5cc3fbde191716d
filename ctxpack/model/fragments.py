"""What may stand in a pack, and what was chosen of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ctxpack.model.chunks import Confidence
from ctxpack.model.files import Kind, Lane

PATCH, LOG = "patch", "log"
"""Layers of a Fragment that speak about the lines of a file: a change of them, and who changed them before."""


RECORD = ".git"
"""The path of a piece that is made from git's record as a whole, and from no file."""


class Form(StrEnum):
    """In which form a piece stands in the pack."""

    FULL = "full"
    EXCERPT = "excerpt"
    OUTLINE = "outline"
    MENTION = "mention"


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a fragment comes from and why it is there. ``modified`` is an ISO date or empty."""

    path: str
    start_line: int
    end_line: int
    kind: Kind
    blob: str = ""
    commit: str = ""
    dirty: bool = False
    score: float = 0.0
    confidence: Confidence = Confidence.LOW
    reasons: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    modified: str = ""
    symbol: str = ""
    size: int = 0  # bytes of the whole file


@dataclass(frozen=True, slots=True)
class Spare:
    """Whole lines that a fragment can do without, and the step that leaves them out."""

    step: str  # of ctxpack.select.compression.STEPS
    start_line: int
    end_line: int


@dataclass(frozen=True, slots=True)
class Fragment:
    """Text for the pack: the lines ``provenance.start_line..end_line`` of one file, redacted.

    A fragment is contiguous; what stands between two fragments of one file was omitted. ``required`` fragments stay
    whatever their score. ``value`` is what ``select`` maximises per token.
    """

    text: str
    form: Form
    strategy: str
    provenance: Provenance
    language: str = ""
    priority: int = 50  # strategies with a higher priority come first
    required: bool = False
    value: float = 0.0
    tokens: int = 0  # of the text alone; counted by select
    cut_from: tuple[int, int] | None = None  # of an excerpt: the lines it was cut from
    spare: tuple[Spare, ...] = ()  # lines it can do without where the room is short
    dropped: tuple[str, ...] = ()  # the steps that left lines out of the text
    numbers: tuple[int, ...] = ()  # of the lines of such a text, 0 for a mark of what is left out
    is_bridge: bool = False  # lines between two pieces of a file: worth something only where both are taken
    is_named: bool = False  # the request names its file, which may take more than its share
    is_listed: bool = False  # a place to open: it is listed behind the pieces, and packed only where all is wanted
    layer: str = ""  # which text the lines are of: the file as it is, PATCH, LOG, or the blob of another state of it

    @property
    def home(self) -> tuple[str, str]:
        """The text that the lines are of: only lines of one text can overlap, follow each other or be merged."""
        return self.provenance.path, self.layer

    @property
    def lane(self) -> Lane:
        """The lane of the file."""
        return self.provenance.kind.lane


@dataclass(frozen=True, slots=True)
class Omission:
    """A place that is not in the pack, to look at next: why it is not, and what it would cost in tokens."""

    path: str
    start_line: int
    end_line: int
    score: float
    reason: str
    tokens: int
    symbol: str = ""
    is_double: bool = False  # its text is, all but a little, in the pack: there is no need to open it


@dataclass(frozen=True, slots=True)
class Selection:
    """What fits the budget, in reading order."""

    fragments: tuple[Fragment, ...]
    omissions: tuple[Omission, ...] = ()
