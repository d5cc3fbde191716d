"""Everything a run can be told, as one frozen value. ``ctxpack.configuration`` fills it from flags, files and the rest.

A key of a configuration file has the name of its field here; lists are tuples.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path

from ctxpack.policy import Policy

DEFAULT_AROUND = 20  # lines
DEFAULT_BUDGET = 8_000
DEFAULT_DUPLICATE, DEFAULT_OVERLAP = 0.95, 0.8
DEFAULT_MARKERS = ("<!-- ctxpack:start -->", "<!-- ctxpack:end -->")
DEFAULT_MORE_MARKERS = (
    "NEED MORE:", "НУЖНО ЕЩЁ:", "НУЖНО ЕЩЕ:",
    "need more context", "need more information", "need additional context", "need to see the ", "not enough context",
    "not enough information", "insufficient context", "insufficient information", "more context is needed",
    "нужно больше контекста", "нужен дополнительный контекст", "нужна дополнительная информация",
    "не хватает контекста", "не хватает информации", "недостаточно контекста", "недостаточно информации",
)  # fmt: skip
"""What an answer says when pieces are missing. One with a colon begins a line, and what is wanted stands behind it."""
_NOT_IN_DIGEST = frozenset({"root", "cache_dir", "data_dir", "use_cache", "contexts", "origins", "notes", "pack_cache"})


@dataclass(frozen=True, slots=True)
class ContextFile:
    """An agent context file that ``ctxpack refresh`` keeps: one ``[[context]]`` entry.

    ``markers`` enclose the part of the file that ctxpack manages; without them it manages the whole file.
    """

    path: str
    request: str = ""  # without one the file tells how the project is worked on
    scope: str = "task"
    budget: int | None = None
    format: str | None = None
    markers: tuple[str, str] | None = DEFAULT_MARKERS


@dataclass(frozen=True, slots=True)
class StrategyEntry:
    """One ``[[strategy]]`` entry: a program that gathers, or other limits for a strategy that there is anyway.

    ``command`` is a command line, run in ``folder``; without one the entry only sets limits.
    """

    id: str
    command: str = ""
    name: str = ""
    scopes: tuple[str, ...] = ()
    priority: int | None = None
    max_tokens: int | None = None
    timeout_s: float | None = None
    is_default: bool = True
    folder: str = ""  # where the file lies that names the program
    is_own: bool = False  # from the user's own file, not from a repository's


@dataclass(frozen=True, slots=True)
class Settings:
    """What the stages read. ``root`` is absolute; budgets are tokens, sizes bytes."""

    root: Path
    cache_dir: Path
    budget: int = DEFAULT_BUDGET
    encoding: str = "o200k_base"
    model: str = ""  # whose window and tokens count; empty for none
    window: int = 0  # tokens of a context window; 0 for that of the model, if there is one
    reserve: Mapping[str, int | float] = field(default_factory=dict)  # part of the window -> tokens, or a share
    models: Mapping[str, Mapping[str, int | float | str]] = field(default_factory=dict)  # the user's own, by name
    require: tuple[str, ...] = ()  # files, PATH:A-B, folders, globs and strategies that must be in the pack
    format: str = "markdown"
    order: str = "relevance"
    instructions: str = ""  # a file that stands for the built-in instructions
    use_instructions: bool = True
    intent: str = ""  # an Intent that the built-in instructions are for; empty for that of the request
    system: str = ""  # a file with a system prompt
    history: str = ""  # a file with the messages of a chat, as JSON
    session: str = ""  # whose memory is asked and added to; empty for none
    remember: bool = True  # False asks a session's memory without adding to it
    memory_relevance: float = 0.7  # memories rank by relevance · score + recency · exp(-age / days)
    memory_recency: float = 0.3
    memory_days: float = 30.0
    data_dir: Path | None = None  # where sessions are kept
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    use_gitignore: bool = True
    use_dot_ignore: bool = True
    max_file_size: int = 1_000_000
    kinds: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # kind -> globs, before the built-in ones
    synonyms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    use_synonyms: bool = True
    use_typos: bool = True
    use_history: bool = True
    use_redaction: bool = True
    use_tree: bool = True
    use_readme: bool = True
    use_cache: bool = True
    line_numbers: bool = False
    stats: bool = False  # say how long each stage took, in JSON too
    limit: int = 20  # results of a search
    rerank: str = ""  # a command line that reads a prompt and puts the best candidates into order
    rerank_timeout: float = 60.0  # seconds
    rerank_top: int = 30  # candidates that it sees
    llm: str = ""  # a command line that reads a prompt and answers it
    llm_timeout: float = 600.0  # seconds for each answer
    max_rounds: int = 3  # so often the command is asked, each time with more pieces
    more_markers: tuple[str, ...] = DEFAULT_MORE_MARKERS
    paths: tuple[str, ...] | None = None  # only these files (--stdin)
    shares: Mapping[str, float] = field(default_factory=dict)  # lane or kind -> soft share of the budget
    duplicate_threshold: float = DEFAULT_DUPLICATE  # a piece so much like one in the pack stays out (0..1)
    overlap_threshold: float = DEFAULT_OVERLAP  # and so does one of which another holds so much
    min_score: float | None = None  # pieces that are less relevant stay out; None chooses by the request
    max_files: int | None = None  # files in a pack; 0 for as many as there is room for, None chooses by the request
    compress: bool = False  # pieces may stand without comments, blank lines and the like where the room is short
    stable: bool = False  # leave out what a commit alone changes: commit id, branch, dirty state, dates
    strategies: tuple[str, ...] = ()  # exactly these; empty for those of the request's scope
    enable: tuple[str, ...] = ()  # these too
    disable: tuple[str, ...] = ()  # not these
    strategy_entries: tuple[StrategyEntry, ...] = ()
    allow_commands: bool = False  # run programs that a repository's own configuration names
    around: int = DEFAULT_AROUND  # lines shown before and behind a cursor
    buffers: Mapping[str, str] = field(default_factory=dict)  # path -> text that stands for the file's on disk
    unseen: tuple[str, ...] = ()  # paths passed over without a word: the files that a refresh itself writes
    semantic: bool = False  # compare meanings too, by the embedder
    embedder: str = "sentence-transformers"
    embedding_model: str = ""  # a name or local path; empty for the embedder's own default
    embedding_url: str = ""  # of a service: what stands before /embeddings
    embedding_key_variable: str = ""  # the environment variable that holds the key of the service
    embedding_timeout: float = 60.0  # seconds that meanings may take in one run
    embedding_missing: int = 200  # compute so many missing vectors so that every chunk can be compared
    pack_cache: int = 50_000_000  # bytes that finished packs may take on disk
    circuit_failures: int = 3  # so often in a row an outside part fails before it is left alone ...
    circuit_seconds: float = 15.0  # ... for so long
    degraded_share: float = 0.375  # of what is usually asked of an outside part, once it failed: of 8 results 3
    contexts: tuple[ContextFile, ...] = ()
    policies: tuple[Policy, ...] = ()  # of an organisation: what may not be loosened
    notes: tuple[str, ...] = ()  # sentences for the user: what the policies changed
    origins: Mapping[str, str] = field(default_factory=dict, compare=False)  # field -> who set it, if not the default

    @property
    def digest(self) -> str:
        """Hexadecimal digest of every value that influences a report; the same in every process and place."""
        import hashlib
        import json

        values = {each.name: getattr(self, each.name) for each in fields(self) if each.name not in _NOT_IN_DIGEST}
        return hashlib.sha256(json.dumps(values, sort_keys=True, default=asdict).encode()).hexdigest()
