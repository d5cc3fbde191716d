"""All settings of a run: each field of ``Settings`` is declared with its reader, meaning, flag and sources.

``loading`` fills them. A key of a configuration file has the name of its field unless ``key`` says
another; lists are tuples, budgets are tokens, sizes are bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from ctxpack.light import dataclass, field, values_of
from ctxpack.model.requests import Places
from ctxpack.settings.declaration import (
    CONVERSATION,
    ENTRIES,
    FILES,
    OUTPUT,
    PACK,
    PLACES,
    PROGRAM,
    PROMPT,
    RANKING,
    RUN,
    TABLES,
    USER_ONLY,
    Flag,
    Origin,
    Setting,
    declarations,
    declare,
    setting,
)
from ctxpack.settings.readers import (
    DEFAULT_MORE_MARKERS,
    ORDER_NAMES,
    Reserve,
    absolute_file,
    amount,
    boolean,
    command_line,
    days,
    enum_value,
    folder,
    format_name,
    model_entry,
    one_of,
    read_table,
    reserve_table,
    seconds,
    share,
    table_by,
    text,
    text_list,
    whole_number,
    workspace_table,
)
from ctxpack.settings.tables import (
    AllowEntry,
    ContextFile,
    Policy,
    StrategyEntry,
    allow_entries,
    context_entries,
    strategy_entries,
)
from ctxpack.system.tokens import DEFAULT_ENCODING, ENCODINGS

DEFAULT_AROUND: Final = 20
DEFAULT_BUDGET: Final = 8_000
DEFAULT_FILE_SIZE: Final = 1_000_000
DEFAULT_DUPLICATE: Final[float] = 0.95
DEFAULT_OVERLAP: Final[float] = 0.8


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a run, a table of declarations. ``root`` is absolute."""

    # fmt: off
    root: Path = field(metadata=declare(None, "The repository.", sources=PROGRAM, in_digest=False))
    cache_dir: Path = field(metadata=declare(folder, "Folder of the caches.", sources=PLACES, in_digest=False))
    data_dir: Path | None = setting(None, folder, "Folder of the sessions.", sources=PLACES, in_digest=False)

    include: tuple[str, ...] = setting(
        (), text_list, "Only files that match; repeat it or separate by commas.",
        Flag("--include", FILES, "GLOB", "list", foreign="--include-pattern --no-default-patterns"),
    )
    exclude: tuple[str, ...] = setting(
        (), text_list, "Skip files that match.",
        Flag("--exclude", FILES, "GLOB", "list", also="--ignore", foreign="--exclude-pattern --ignore-patterns"),
        is_added_up=True,
    )
    use_gitignore: bool = setting(
        True, boolean, "Skip what git ignores.",
        Flag("--no-gitignore", FILES, kind="switch", foreign="--include-gitignored", help="Include what git ignores."),
    )
    use_dot_ignore: bool = setting(
        True, boolean, "Skip what .ignore and .ctxpackignore name.",
        Flag("--no-dot-ignore", FILES, kind="switch", help="Include files that .ignore and .ctxpackignore list."),
    )
    max_file_size: int = setting(
        DEFAULT_FILE_SIZE, amount, "Skip larger files; by default code may have 4M. 500k and 2M are understood.",
        Flag("--max-file-size", FILES, "BYTES", foreign="--max-size"), rule="limits",
    )
    kinds: Mapping[str, tuple[str, ...]] = setting(
        {}, table_by("Kind", of=text_list), "Globs of a kind's files, tried before the built-in rules.", sources=TABLES,
    )

    budget: int = setting(
        DEFAULT_BUDGET, amount, "Token budget of the pack, everything counted; 8k and 1M are understood.",
        Flag("--budget -b", PACK, "TOKENS", also="--max-tokens --token-budget --tokens", foreign="--map-tokens"),
        rule="limits",
    )
    model: str = setting(
        "", text, "Fill what is free of this model's context window, counted in its tokens.",
        Flag("--model", PACK, "NAME", foreign="--llm-model"),
    )
    models: Mapping[str, Mapping[str, int | float | str]] = setting(
        {}, read_table(model_entry), "Models of your own: window, encoding, factor and error of each.", sources=TABLES,
    )
    window: int = setting(
        0, amount, "Size of the context window, where the model's is wrong or unknown.",
        Flag("--window", PACK, "TOKENS", foreign="--context-window --context-length --max-context"),
    )
    reserve: Mapping[str, Reserve] = setting(
        {}, reserve_table,
        "Tokens or percentage of the window to keep free for system, request, history, memory, answer or buffer; "
        "repeat it or separate by commas.",
        Flag("--reserve", PACK, "NAME=N", "list"),
    )
    require: tuple[str, ...] = setting(
        (), text_list,
        "Put this into the pack first: a file, PATH:10-20, a folder, a glob, or the best pieces of a strategy; repeat "
        "it or separate by commas.",
        Flag("--require", PACK, "PATH|STRATEGY", "list", foreign="--must-include --required"), rule="strategies",
    )
    encoding: str = setting(
        DEFAULT_ENCODING, one_of(*ENCODINGS), "Tokenizer that counts the tokens.",
        Flag("--encoding", PACK, "NAME", foreign="--token-count-encoding --tokenizer"),
    )
    line_numbers: bool = setting(
        False, boolean, "Show line numbers.",
        Flag("--line-numbers -n", PACK, kind="switch", foreign="--output-show-line-numbers --line-number -l"),
    )
    stats: bool = setting(
        False, boolean, "Print figures of the run on standard error: pieces, tokens, times. JSON has them too.",
        Flag("--stats", PACK, kind="switch", foreign="--show-stats --summary --timing"),
    )
    metrics: str = setting(
        "", absolute_file, "File to which the figures of every run are added, for Prometheus' textfile collector.",
        Flag("--metrics", PACK, "FILE", "file"), sources=USER_ONLY, in_digest=False,
    )
    strategies: tuple[str, ...] = setting(
        (), text_list, "Use only these strategies; ctxpack strategies lists them.",
        Flag("--strategies", PACK, "NAME", "list"), rule="strategies",
    )
    enable: tuple[str, ...] = setting(
        (), text_list, "Use these strategies as well.", Flag("--enable", PACK, "NAME", "list", also="--with"),
        rule="strategies", is_added_up=True,
    )
    disable: tuple[str, ...] = setting(
        (), text_list, "Do not use these strategies.", Flag("--without", PACK, "NAME", "list", also="--disable"),
        is_added_up=True,
    )
    strategy_entries: tuple[StrategyEntry, ...] = setting(
        (), strategy_entries, "Programs that gather, and other limits for strategies.", sources=ENTRIES, key="strategy",
        is_added_up=True,
    )
    around: int = setting(
        DEFAULT_AROUND, whole_number(1), "Number of lines before and after a cursor.",
        Flag("--around", PACK, "N"), rule="limits",
    )
    allow_commands: bool = setting(
        False, boolean, "Run the programs that the repository's own configuration names.",
        Flag("--allow-commands", PACK, kind="switch"), sources=USER_ONLY,
    )
    compress: bool = setting(
        False, boolean, "Leave out comments, blank lines and the like where the budget is short.",
        Flag("--compress", PACK, kind="switch"),
    )
    min_score: float | None = setting(
        None, share, "Leave out pieces that score less, 0 to 1. Default: depends on the request.",
        Flag("--min-score", PACK, "N"),
    )
    max_files: int | None = setting(
        None, whole_number(0), "Maximum number of files in the pack, 0 for any. Default: depends on the request.",
        Flag("--max-files", PACK, "N"),
    )
    use_tree: bool = setting(
        True, boolean, "Show the project tree.",
        Flag("--no-tree", PACK, kind="switch", help="Leave out the project tree."),
    )
    use_readme: bool = setting(
        True, boolean, "Include what the main readme says of the project, where that helps to read the pack.",
        Flag("--no-readme", PACK, kind="switch", help="Include the main readme only if it is relevant."),
    )
    use_redaction: bool = setting(
        True, boolean, "Replace secrets with placeholders.",
        Flag("--no-redact", PACK, kind="switch", help="Do not redact secrets.", foreign="--no-security-check"),
        sources=USER_ONLY, rule="redaction",
    )
    pii: bool = setting(
        False, boolean,
        "Replace personal data with placeholders too: e-mail, phone, card, IBAN, IP, passport, INN, SNILS, SSN.",
        Flag("--pii/--no-pii", PACK, kind="pair", foreign="--redact-pii"), rule="pii", only_user_stops=True,
    )
    pii_engines: tuple[str, ...] = setting(
        (), text_list, "Engines that find more personal data: presidio, or a plug-in.", sources=USER_ONLY,
    )
    pii_timeout: float = setting(60.0, seconds, "Maximum seconds for an engine and one text.", rule="limits")
    allow: tuple[AllowEntry, ...] = setting(
        (), allow_entries, "What redaction lets through, each with a reason.", sources=ENTRIES, is_added_up=True,
    )
    flag_injections: bool = setting(
        False, boolean, "Mark passages that read like instructions to a model, with the reason.",
        Flag("--flag-injections", PACK, kind="switch"), sources=USER_ONLY,
    )
    shares: Mapping[str, float] = setting(
        {}, table_by("Lane", "Kind", of=share), "Soft share of the budget for a lane or a kind of files, 0 to 1.",
        sources=TABLES,
    )
    duplicate_threshold: float = setting(
        DEFAULT_DUPLICATE, share, "Leave out a piece that is at least this similar to one in the pack, 0 to 1.",
    )
    overlap_threshold: float = setting(
        DEFAULT_OVERLAP, share,
        "Leave out a piece of which another one holds at least this share, 0 to 1, unless half of the room stays "
        "free.",
    )

    order: str = setting(
        "relevance", one_of(*ORDER_NAMES),
        "Order of the pieces: relevance, path, edges (the best first and last) or hierarchical (overview, details, "
        "code, tests).",
        Flag("--order", PROMPT, "ORDER", foreign="--sort"),
    )
    instructions: str = setting(
        "", absolute_file, "File with instructions for the model, instead of the built-in ones.",
        Flag("--instructions", PROMPT, "FILE", "file", foreign="--instruction-file-path"), sources=USER_ONLY,
    )
    intent: str = setting(
        "", enum_value("Intent"),
        "Purpose of the built-in instructions: lookup, troubleshoot, explain, change or review. Default: depends on "
        "the request.",
        Flag("--intent", PROMPT, "INTENT"),
    )
    use_instructions: bool = setting(
        True, boolean, "Give the model instructions.",
        Flag("--no-instructions", PROMPT, kind="switch", help="Give the model no instructions."),
    )
    system: str = setting(
        "", absolute_file, "File with a system prompt, for messages and markdown-narrative.",
        Flag("--system", PROMPT, "FILE", "file", foreign="--system-prompt"), sources=USER_ONLY,
    )
    history: str = setting(
        "", text, "File with the chat so far, as JSON; the newest messages that fit are included.",
        Flag("--history", PROMPT, "FILE", "file", foreign="--chat"), sources=CONVERSATION,
    )
    session: str = setting(
        "", text, "Session that remembers what did not fit and recalls what is relevant.",
        Flag("--session", PROMPT, "NAME"), sources=CONVERSATION,
    )
    remember: bool = setting(True, None, "Add to the memory of the session.", sources=PROGRAM)
    memory_relevance: float = setting(0.7, share, "Weight of relevance when memories are ranked.")
    memory_recency: float = setting(0.3, share, "Weight of recency when memories are ranked: exp(-age / memory_days).")
    memory_days: float = setting(30.0, days, "Days after which recency has fallen to a third.")

    format: str = setting(
        "markdown", format_name,
        "Format of the report: markdown (or md), markdown-compact, markdown-narrative, messages (for chat APIs), xml, "
        "json, plain or html (a page for a browser).",
        Flag("--format", OUTPUT, "FORMAT", also="--style", foreign="--output-format -F"), rule="formats",
    )
    limit: int = setting(
        20, whole_number(1), "Maximum number of results of a search.",
        Flag("--limit -k", "", "N", also="--max-results --top-k"), rule="limits",
    )

    rerank: str = setting(
        "", command_line, "Command that reads a prompt and puts the best matches in order.",
        Flag("--rerank", RANKING, "CMD"), sources=USER_ONLY, rule="commands",
    )
    rerank_timeout: float = setting(60.0, seconds, "Maximum seconds for the reranking command.", rule="limits")
    rerank_top: int = setting(30, whole_number(1), "Number of matches that the reranking command sees.", rule="limits")
    llm: str = setting(
        "", command_line, "Command that reads the prompt and answers.", Flag("--llm", "", "CMD"), sources=USER_ONLY,
        rule="commands",
    )
    llm_timeout: float = setting(600.0, seconds, "Maximum seconds for each answer.", rule="limits")
    max_rounds: int = setting(
        3, whole_number(1), "Maximum number of times the command is asked.", Flag("--max-rounds", "", "N"),
        sources=USER_ONLY, rule="limits",
    )
    more_markers: tuple[str, ...] = setting(
        DEFAULT_MORE_MARKERS, text_list, "Phrases by which an answer asks for more pieces.", sources=USER_ONLY,
    )

    use_history: bool = setting(
        True, boolean, "Use the history of git.",
        Flag("--no-history", RANKING, kind="switch", help="Do not use the history of git.", foreign="--no-git"),
    )
    synonyms: Mapping[str, tuple[str, ...]] = setting(
        {}, read_table(text_list), "Synonyms of this project.", sources=TABLES,
    )
    use_synonyms: bool = setting(
        True, boolean, "Search for synonyms too.",
        Flag("--no-synonyms", RANKING, kind="switch", help="Do not search for synonyms."),
    )
    use_typos: bool = setting(
        True, boolean, "Correct misspelt words.",
        Flag("--no-typos", RANKING, kind="switch", help="Do not correct misspelt words."),
    )
    semantic: bool = setting(
        False, boolean, "Compare meanings too, with an embedding model; needs the extra semantic.",
        Flag("--semantic/--no-semantic", RANKING, kind="pair"),
    )
    embedder: str = setting(
        "sentence-transformers", text, "Embedding backend: sentence-transformers, http, or a plug-in.",
        sources=USER_ONLY, rule="embedders",
    )
    embedding_model: str = setting(
        "", text, "Embedding model: a name, or a folder. Default: the embedder's own.",
        Flag("--embedding-model", RANKING, "NAME|DIR", implies="semantic"), sources=USER_ONLY,
    )
    embedding_url: str = setting(
        "", text, "Address of an embedding service, without /embeddings.", sources=USER_ONLY, rule="services",
    )
    embedding_key_variable: str = setting(
        "", text, "Environment variable that holds the key of the embedding service.", sources=USER_ONLY,
    )
    embedding_timeout: float = setting(60.0, seconds, "Maximum seconds for meanings in one run.", rule="limits")
    embedding_missing: int = setting(200, whole_number(1), "Most vectors to compute in one run.", rule="limits")
    time_limit: float = setting(
        900.0, seconds, "Maximum seconds for a report; what does not fit into them is left out, with a note.",
        Flag("--time-limit", RUN, "SECONDS"), sources=USER_ONLY, rule="limits", in_digest=False,
    )
    wait: bool | None = setting(
        None, boolean, "Wait until everything is indexed. Default: for 8 s on a terminal, else always.",
        Flag("--wait/--no-wait", RUN, kind="pair"), sources=USER_ONLY, in_digest=False,
    )
    use_cache: bool = setting(
        True, boolean, "Keep the index and finished packs on disk.",
        Flag("--no-cache", RUN, kind="switch", help="Do not read or write the caches on disk."), in_digest=False,
    )
    pack_cache: int = setting(
        50_000_000, amount, "Maximum bytes of finished packs on disk.", sources=PLACES, in_digest=False,
    )
    circuit_failures: int = setting(
        3, whole_number(1), "Number of failures in a row after which an outside part is not used for a while.",
    )
    circuit_seconds: float = setting(15.0, seconds, "Seconds for which a failing outside part is not used.")
    degraded_share: float = setting(0.375, share, "Share of the usual work that an outside part gets after a failure.")

    remote_timeout: float = setting(
        300.0, seconds, "Maximum seconds to fetch a repository that --root names by its address.", sources=USER_ONLY,
        in_digest=False,
    )
    address: str = setting("", None, "Where the repository was fetched from.", sources=PROGRAM)
    workspace: Mapping[str, str] = setting(
        {}, workspace_table, "Folders to search together, by label.", sources=Origin.PROJECT, in_digest=False,
    )
    members: Mapping[str, Settings] = setting({}, None, "Settings of each root.", sources=PROGRAM, in_digest=False)

    contexts: tuple[ContextFile, ...] = setting(
        (), context_entries, "Agent context files that ctxpack refresh keeps up to date.", sources=TABLES,
        key="context", in_digest=False,
    )
    paths: tuple[str, ...] | None = setting(None, None, "Only these files (--stdin).", sources=PROGRAM)
    buffers: Mapping[str, str] = setting({}, None, "Texts that replace files on disk, by path.", sources=PROGRAM)
    unseen: tuple[str, ...] = setting((), None, "Paths skipped silently: what refresh writes.", sources=PROGRAM)
    stable: bool = setting(False, None, "Leave out commit, branch, dirty state and dates.", sources=PROGRAM)
    policies: tuple[Policy, ...] = setting((), None, "Policies in force.", sources=PROGRAM)
    notes: tuple[str, ...] = setting((), None, "What the policies changed.", sources=PROGRAM, in_digest=False)
    origins: Mapping[str, str] = field(
        default_factory=dict, compare=False,  # who set a field says nothing about its value
        metadata=declare(None, "Who set a field, if not the default.", sources=PROGRAM, in_digest=False),
    )

    # fmt: on
    @property
    def places(self) -> Places:
        """Where the files lie."""
        return Places(self.root, {label: each.root for label, each in self.members.items()})

    @property
    def digest(self) -> str:
        """Hexadecimal digest of every value that influences a report; the same in every process and place."""
        import hashlib
        import json

        values = {name: getattr(self, name) for name, each in SETTINGS.items() if each.in_digest}
        return hashlib.sha256(json.dumps(values, sort_keys=True, default=values_of).encode()).hexdigest()


SETTINGS: Final[Mapping[str, Setting]] = declarations(Settings)
"""The declaration of each field."""
BY_KEY: Final[Mapping[str, Setting]] = {each.key: each for each in SETTINGS.values() if each.reader is not None}
"""The declarations of what users may set, by the key of a configuration file."""
