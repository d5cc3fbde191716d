"""The nouns of ctxpack: what flows between the stages. Everything here is frozen and imports nothing of ctxpack.

A path is always relative to the repository root of the request, with ``/`` as separator; bytes that are not UTF-8
are kept as surrogate escapes. Lines are counted from 1 and spans include both ends. A score lies in 0..1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Protocol


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


class Scope(StrEnum):
    """What a request is about."""

    TASK = "task"
    FILE = "file"
    COMPONENT = "component"
    DIFF = "diff"


@dataclass(frozen=True, slots=True)
class Request:
    """What the user asked.

    Of a file, ``line`` (from 1; 0 for none) is where the cursor stands, ``lines`` are the first and last one selected,
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


class Part(StrEnum):
    """Where in the request a word stands; the parts weigh differently."""

    TITLE = "title"
    PROSE = "prose"
    CODE = "code"
    TRACEBACK = "traceback"


class Intent(StrEnum):
    """What the user wants to do with the pack."""

    LOOKUP = "lookup"
    TROUBLESHOOT = "troubleshoot"
    EXPLAIN = "explain"
    CHANGE = "change"
    REVIEW = "review"


class Shape(StrEnum):
    """How the request is written; the ranker weighs its signals by it."""

    SYMBOL = "symbol"  # one identifier
    QUESTION = "question"  # a few words
    ISSUE = "issue"  # a text of several sentences


@dataclass(frozen=True, slots=True)
class Expansion:
    """A term that the request does not contain, and where it comes from."""

    term: str
    source: str  # the word of the request it stands for
    origin: str  # synonym | translation | correction | abbreviation
    weight: float


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

    ``terms`` maps a token (as ``ctxpack.query.tokens`` cuts text) to its weight over all parts, ``title`` the same for
    the title alone; ``identifiers`` maps code-shaped words, as written, to their weight.
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


PATCH, LOG = "patch", "log"
"""Layers of a Fragment that speak about the lines of a file: a change of them, and who changed them before."""


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
    """A piece that just missed: why, and what it would cost in tokens."""

    path: str
    start_line: int
    end_line: int
    score: float
    reason: str
    tokens: int
    symbol: str = ""
    more: int = 0  # so many further pieces of the file, which this one line stands for


@dataclass(frozen=True, slots=True)
class Selection:
    """What fits the budget, in reading order."""

    fragments: tuple[Fragment, ...]
    omissions: tuple[Omission, ...] = ()


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation. ``role`` is ``user`` or ``assistant``."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Memory:
    """What is left of messages that a prompt had no room for: an extract, marked as such.

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
    """What stands around the pieces of a prompt, redacted: only the prompt formats show it."""

    instructions: str = ""
    system: str = ""
    history: tuple[Message, ...] = ()  # oldest first
    trimmed: int = 0  # older messages that had no room
    memories: tuple[Memory, ...] = ()  # best first


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
    first_source: int = 1  # the number of its first piece: the pages behind a pack count on
    model: str = ""  # whose tokens were counted, if one was named
    estimate: str = ""  # how that count was made and how far it can be off; empty where it is exact
    tree: str = ""  # a budgeted project tree
    considered: int = 0  # files that were searched
    skipped: tuple[Skipped, ...] = ()
    notes: tuple[str, ...] = ()  # sentences for the user: what was degraded, left out or redacted
    stats: Mapping[str, int] = field(default_factory=dict)
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
    """Knows what was gathered for a pack, and so what comes behind it."""

    def pages(self, pack: Pack) -> Iterator[Page]:
        """The pack and what follows, each as a page."""
