"""What a repository holds: files, what they are for, their symbols and chunks, and what was left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ctxpack.light import TextEnum, dataclass, field
from ctxpack.model.requests import Places


class Kind(TextEnum):
    """The purpose of a file."""

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
        """Whether such files are documents with sections."""
        return self in DOCUMENT_KINDS


class Lane(TextEnum):
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
DOCUMENT_KINDS = frozenset(kind for kind, lane in _LANES.items() if lane is Lane.DOCS)
"""Of ten thousands of files, to look here is quicker than to ask each kind."""


class Trait(TextEnum):
    """A reason to rank a file of any kind lower."""

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


@dataclass(frozen=True, slots=True)
class Skipped:
    """A path that was left out, and the rule that hid it."""

    path: str
    reason: str
    size: int = 0  # bytes; with the time, of a file that its content hid: lets the next run spare the reading
    mtime_ns: int = 0


@dataclass(frozen=True, slots=True)
class RepositoryState:
    """The state of the repository that a report describes. Outside git, ``commit`` is empty.

    That of a workspace is made of ``members``, the states of its roots by their label: it has no commit of its own.
    """

    root: Path
    name: str
    commit: str = ""
    branch: str = ""
    commit_time: int = 0  # seconds since the epoch, of HEAD: "now" for every recency
    dirty: bool = False
    is_git: bool = False
    address: str = ""  # where it was fetched from
    members: tuple[tuple[str, RepositoryState], ...] = ()

    def of(self, path: str) -> RepositoryState:
        """Return the state of the root that a path is in."""
        label = path.partition("/")[0]
        return next((state for name, state in self.members if name == label), self)

    @property
    def places(self) -> Places:
        """Where the files lie."""
        return Places(self.root, {label: state.root for label, state in self.members})

    @property
    def version(self) -> str:
        """One name for the commits of all roots: the commit itself where there is one root."""
        if not any(state.commit for _, state in self.members):
            return self.commit
        import hashlib

        states = "\0".join(f"{label}={state.commit}" for label, state in self.members)
        return hashlib.sha256(states.encode("utf-8", "surrogateescape")).hexdigest()


@dataclass(frozen=True, slots=True)
class Stamps:
    """The times of all that git looked at: while they are the same, git need not be asked.

    ``folders`` are those of the work tree in which git looks for files, ``others`` the files that it reads besides.
    """

    folders: tuple[str, ...]
    others: tuple[str, ...]
    digest: str


@dataclass(frozen=True, slots=True)
class Seen:
    """What git had recorded and not committed when the files were found: while it says the same, they are the same.

    ``changed`` has for each path what git and the disk said of it, and at last whether that can be relied on.
    ``stamps`` are there where nothing had changed just before.
    """

    key: str
    changed: Mapping[str, tuple[str | int, ...]]
    ignore_files: tuple[str, ...] = ()
    stamps: Stamps | None = None


@dataclass(frozen=True, slots=True)
class Discovery:
    """What discover found under a root, or under those of a workspace; sorted by path.

    ``before`` is what the last run found, where this is it, mended: then only the paths ``differing`` may differ.
    """

    files: Sequence[SourceFile]
    skipped: tuple[Skipped, ...]
    state: RepositoryState
    judged_by: str = ""  # digest of all that kinds, languages and traits depend on except the file itself
    seen: Seen | None = field(default=None, compare=False)
    is_partial: bool = False  # there was no time to look at all files
    members: tuple[Discovery, ...] = ()  # of a workspace: what was found under each root, by its own paths
    digest: str = field(default="", compare=False)  # of all files, where it is known already
    before: Discovery | None = field(default=None, compare=False)
    differing: tuple[str, ...] = field(default=(), compare=False)
    beginning: object | None = field(default=None, compare=False, repr=False)  # what indexes the first of them already
    folders: str = field(default="", compare=False, repr=False)  # what they hold, written; empty if nobody looked


@dataclass(frozen=True, slots=True)
class Symbol:
    """A definition. ``qualified`` joins the enclosing names and its own with dots: ``Uploader.retry``."""

    name: str
    qualified: str
    kind: str  # function, method, class, struct, interface, enum, trait, module, constant, field, type …
    start_line: int
    end_line: int
    signature: str = ""  # the first line of the definition, stripped


@dataclass(frozen=True, slots=True)
class Chunk:
    """Contiguous lines of one file. ``symbol`` is a qualified name, ``heading`` a heading path, or both are empty."""

    start_line: int
    end_line: int
    kind: str  # a Symbol kind, section, header (the lines before the first definition), window
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
    """The front matter of a document: what it says about itself."""

    title: str = ""
    description: str = ""
    tags: tuple[str, ...] = ()
    date: str = ""


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """A parsed file. The chunks cover every line exactly once, in order."""

    chunks: tuple[Chunk, ...]
    symbols: tuple[Symbol, ...] = ()
    imports: tuple[Import, ...] = ()
    tags: tuple[TagRegion, ...] = ()
    front_matter: FrontMatter = FrontMatter()
    is_exact: bool = False  # boundaries come from a syntax tree, not from a pattern
    is_late: bool = False  # a syntax tree took too long
    given_names: frozenset[str] = frozenset()  # of definitions, from a framework: they say nothing about the file

    def enclosing(self, start_line: int, end_line: int) -> Symbol | None:
        """Return the innermost symbol that covers the lines ``start_line..end_line``, None when none does."""
        covering = [item for item in self.symbols if item.start_line <= start_line and end_line <= item.end_line]
        return min(covering, key=lambda item: (item.end_line - item.start_line, -item.start_line), default=None)


HELD_WORDS = ("its name contains", "its path contains")
"""Beginnings of reasons that only say where matched keywords are, which the heading of a piece shows already."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why something is relevant: which signal, how many points it gave, in words a user understands."""

    signal: str
    points: float
    reason: str


class Confidence(TextEnum):
    """How sure the ranker is."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"

    @classmethod
    def of(cls, points: float, high: float, medium: float) -> Confidence:
        """Return the confidence for some points; ``high`` and ``medium`` are the least points for each."""
        if points >= high:
            return cls.HIGH
        return cls.MEDIUM if points >= medium else cls.LOW


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
    is_further: bool = False  # a place to open at most: an answer is unlikely so far behind the best ones
