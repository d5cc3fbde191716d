"""What may be in a pack, what was chosen, the finished pack with its pages, and the conversation it is part of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

from ctxpack.light import TextEnum, dataclass, field
from ctxpack.model.files import Confidence, Kind, Lane, RepositoryState, Skipped
from ctxpack.model.requests import Query, Request

PATCH, LOG = "patch", "log"
"""Layers of a Fragment about the lines of a file: a change of them, and who changed them before."""


RECORD = ".git"
"""The path of a piece that comes from git's history as a whole, not from a file."""


class Form(TextEnum):
    """How much of its lines a piece shows."""

    FULL = "full"
    EXCERPT = "excerpt"
    OUTLINE = "outline"
    MENTION = "mention"

    @property
    def holds_lines(self) -> bool:
        """Whether the text is lines of the file, not one made from them."""
        return self in (Form.FULL, Form.EXCERPT)


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
class CompressibleLines:
    """Whole lines that can be left out of a fragment, and the step that does so."""

    step: str  # of ctxpack.select.pieces.STEPS
    start_line: int
    end_line: int


@dataclass(frozen=True, slots=True)
class Fragment:
    """Text for the pack: the lines ``provenance.start_line..end_line`` of one file, redacted.

    A fragment is contiguous; the lines between two fragments of one file were omitted. ``required`` fragments stay
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
    compressible: tuple[CompressibleLines, ...] = ()  # lines that can be left out where room is short
    dropped: tuple[str, ...] = ()  # the steps that left lines out of the text
    numbers: tuple[int, ...] = ()  # of the lines of such a text, 0 for a mark of what is left out
    is_bridge: bool = False  # lines between two pieces of a file: worth something only where both are taken
    is_named: bool = False  # the request names its file, or what it uses: the file may take more than its share
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

    @property
    def paths(self) -> frozenset[str]:
        """The files that the pieces are of."""
        return frozenset(each.provenance.path for each in self.fragments)


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation. ``role`` is ``user`` or ``assistant``."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Memory:
    """An extract of messages that had no room in a prompt, marked as an extract.

    ``created`` is seconds since the epoch, ``covers`` the digests of the messages, ``score`` how well it answers the
    request that it was recalled for.
    """

    id: str
    text: str
    created: float
    covers: tuple[str, ...]
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class Conversation:
    """The text around the pieces of a prompt, redacted. Only the prompt formats show it."""

    instructions: str = ""
    system: str = ""
    history: tuple[Message, ...] = ()  # oldest first
    trimmed: int = 0  # older messages that had no room
    memories: tuple[Memory, ...] = ()  # best first


@dataclass(frozen=True, slots=True)
class Prompt:
    """A conversation, what the user should know of it, and what the session is to remember once the pack is made."""

    conversation: Conversation
    notes: tuple[str, ...] = ()
    fresh: Memory | None = None


@dataclass(frozen=True, slots=True)
class Pack:
    """A finished answer: everything a renderer needs, and nothing that depends on the clock."""

    request: Request
    query: Query
    state: RepositoryState
    selection: Selection
    budget: int
    encoding: str
    strategy: str
    order: str = "relevance"  # a name of ctxpack.select.order.ORDERS
    tokens_used: int = 0
    first_source: int = 1  # the number of its first piece: later pages continue the numbers
    model: str = ""  # whose tokens were counted, if one was named
    estimate: str = ""  # how that count was made and how far it can be off; empty where it is exact
    recipe: str = ""  # the command that makes it again, where neither its text nor the project says it
    tree: str = ""  # a budgeted project tree
    considered: int = 0  # files that were searched
    skipped: tuple[Skipped, ...] = ()
    notes: tuple[str, ...] = ()  # sentences for the user: what was degraded, left out or redacted
    stats: Mapping[str, int] = field(default_factory=dict)
    has_figures: bool = False  # whether all that is known in numbers was asked for
    conversation: Conversation = Conversation()
    rest: Rest | None = field(default=None, repr=False, compare=False)  # what was gathered for it

    def pages(self) -> Iterator[Page]:
        """This pack, then page by page what it left out, the best first; each within the budget, no line twice."""
        return self.rest.pages(self) if self.rest else iter(())


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a pack, a pack itself, and its text in the format of the first."""

    pack: Pack
    text: str


class Rest(Protocol):
    """What was gathered for a pack, from which its further pages are made."""

    def pages(self, pack: Pack) -> Iterator[Page]:
        """The pack and what follows, each as a page."""
