"""The command line, and its commands that pack and find; every command is a few lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import typer

from ctxpack.cli.completion import complete_path, complete_scope, complete_symbol, complete_words
from ctxpack.cli.keeping import KEEPING
from ctxpack.cli.options import (
    COMMAND_GROUPS,
    NEEDED,
    CommandRunner,
    CommandSpec,
    Flags,
    OwnParameter,
    command,
    typer_parameter,
)
from ctxpack.settings.declaration import FILES, OUTPUT, PACK, PROMPT, RANKING, RUN, WATCH

COMMANDS: dict[str, CommandSpec] = dict(KEEPING)
"""All commands by name, in the order of the help."""

ALL = (FILES, RANKING, PACK, PROMPT, OUTPUT, RUN)
_TEXT = OwnParameter("text", "Request in words; - reads it from standard input.", "TEXT", kind="list", default=NEEDED)
_OPTIONAL_TEXT = OwnParameter(
    "text", "Request in words, or a link to an issue; - reads it from standard input.", "TEXT", kind="list"
)
_PATH = OwnParameter("path", "File of the repository.", "PATH", default=NEEDED, complete=complete_path)
_SPOT = (
    OwnParameter("line", "Line of the cursor.", "N", ("--line",)),
    OwnParameter("lines", "Selected lines.", "A:B", ("--lines",)),
    OwnParameter("symbol", "Name of a definition in the file.", "NAME", ("--symbol",), complete=complete_symbol),
)
_STAGED = OwnParameter("staged", "Only staged changes. Also --cached.", "", ("--staged",), "switch", default=False)


def app_for(arguments: Sequence[str], runner: CommandRunner | None = None) -> typer.Typer:
    """Return the command line with only the command that was typed, or with all if Typer has to find out.

    Making the parameters of all of them takes longer than running many of them.
    """
    app = typer.Typer(
        name="ctxpack",
        rich_markup_mode="rich",
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(invoke_without_command=True)(_callback())
    for name in _typed_commands(arguments):
        COMMANDS[name].register(app, name, runner)
    return app


def _typed_commands(arguments: Sequence[str]) -> Iterable[str]:
    if arguments and arguments[0] in COMMANDS:
        return arguments[:1]
    if list(arguments) in (["--version"], ["-V"]):
        return ()
    return sorted(COMMANDS, key=lambda name: COMMAND_GROUPS.index(COMMANDS[name].group))


def _callback() -> Callable[..., None]:
    """Return what Typer calls before a command, with the parameters of the program itself."""
    import inspect

    def run(context: typer.Context, **typed: bool) -> None:
        ctxpack(context, **typed)

    context = inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)
    run.__signature__ = inspect.Signature([context, *map(typer_parameter, WHOLE_PROGRAM.own)])  # type: ignore[attr-defined] # inspect looks for it
    run.__doc__ = ctxpack.__doc__
    return run


def ctxpack(context: typer.Context, *, version: bool) -> None:
    """Pick the parts of a repository that a task needs, within a token budget, and say why.

    Start with: ctxpack task "fix the retry bug in the uploader"
    """
    from ctxpack.cli.output import write
    from ctxpack.system.version import __version__

    if version:
        write(f"ctxpack {__version__}\n")
        raise typer.Exit
    if context.invoked_subcommand is None:
        write(context.get_help() + "\n")


WHOLE_PROGRAM = CommandSpec(
    ctxpack,
    (),
    own=(
        OwnParameter("version", "Print the version and exit.", names=("--version", "-V"), kind="switch", default=False),
    ),
)
"""The program without a command."""


@command(
    COMMANDS, *ALL, WATCH, group="Pack",
    own=(_OPTIONAL_TEXT,),
    examples=(
        '"fix the retry bug in the uploader"',
        "- < issue.md",
        '"why are events counted twice" -b 16k --copy',
        '"fix the retry bug" --format html -o pack.html',
    ),
)  # fmt: skip
def task(flags: Flags, text: list[str] | None) -> None:
    """Pack what a task needs. The task is a sentence, a whole issue, a link to one, or a traceback."""
    from ctxpack.cli.inputs import request_text
    from ctxpack.cli.reporting import pack_and_deliver
    from ctxpack.model import Request, Scope

    pack_and_deliver(Request(Scope.TASK, text=request_text(text or (), flags)), flags)


@command(
    COMMANDS, *ALL, WATCH, group="Pack",
    own=(
        _PATH, *_SPOT,
        OwnParameter(
            "stdin_content", "Read the text of the file from standard input, for a buffer that is not saved.",
            names=("--stdin-content",), kind="switch", default=False,
        ),
    ),
    examples=(
        "processing/uploader.py",
        "processing/uploader.py --line 42",
        "processing/uploader.py --symbol Uploader.send_with_retry",
    ),
)  # fmt: skip
def file(
    path: str, line: str | None, lines: str | None, symbol: str | None, *, stdin_content: bool, flags: Flags
) -> None:
    """Pack a file with what belongs to it: imports and importers, tests, specification."""
    from ctxpack.cli.inputs import Spot, request_at
    from ctxpack.cli.reporting import pack_and_deliver

    spot = Spot(line, lines, symbol, stdin_content)
    pack_and_deliver(request_at(path, spot), flags, spot)


@command(
    COMMANDS, *ALL, group="Pack",
    own=(OwnParameter("name", "Name of a folder, module, class or page.", "NAME", default=NEEDED),),
    examples=(
        "analytics",
        "Uploader -b 16k",
    ),
)  # fmt: skip
def component(name: str, flags: Flags) -> None:
    """Pack the files, symbols, specs and wiki pages of a component."""
    from ctxpack.cli.inputs import request_text
    from ctxpack.cli.reporting import pack_and_deliver
    from ctxpack.model import Request, Scope

    hint = "Name a folder, module, class or page: ctxpack component uploader"
    pack_and_deliver(Request(Scope.COMPONENT, name=request_text([name], flags, hint)), flags)


@command(
    COMMANDS, *ALL, group="Pack",
    own=(
        OwnParameter("revision", "Commit to compare the files with, or a range.", "[REV|A..B]", default=""), _STAGED,
    ),
    examples=(
        "",
        "main...HEAD",
        "HEAD^! --format html -o change.html",
        "--staged",
    ),
)  # fmt: skip
def diff(revision: str, *, staged: bool, flags: Flags) -> None:
    """Pack a diff for its reviewer: the change itself, the changed definitions in full, callers, tests, specs.

    Without a revision: everything that is not committed yet. A...B and COMMIT^! are understood as by git.
    """
    from ctxpack.cli.reporting import pack_and_deliver
    from ctxpack.model import Request, Scope

    pack_and_deliver(Request(Scope.DIFF, revision=revision, is_staged=staged), flags)


@command(
    COMMANDS, FILES, RANKING, OUTPUT, RUN, name="search", settings=("limit",), lists=True, group="Find",
    own=(_TEXT,),
    examples=(
        '"where are retries delayed"',
        "Uploader.send_with_retry -k 5",
        '"retry delay" --format json',
    ),
)  # fmt: skip
def search_command(text: list[str], flags: Flags) -> None:
    """List the best matches with lines, scores and reasons, without content."""
    from ctxpack.cli.finding import search_and_deliver
    from ctxpack.cli.inputs import request_text

    search_and_deliver(request_text(text, flags), flags)


@command(
    COMMANDS, FILES, RANKING, PACK, RUN, group="Pack",
    own=(
        OwnParameter("scope", "What to pack.", "task|file|component|diff", default=NEEDED, complete=complete_scope),
        OwnParameter("words", "Its arguments and options.", "[WORDS]", kind="list", complete=complete_words),
        *_SPOT, _STAGED,
    ),
    examples=(
        'task "fix the retry bug in the uploader"',
        "file processing/uploader.py --line 42",
        "diff main...HEAD -b 16k",
    ),
)  # fmt: skip
def preview(  # noqa: PLR0913 - the places of file and diff are options here too
    scope: str,
    words: list[str] | None,
    line: str | None,
    lines: str | None,
    symbol: str | None,
    *,
    staged: bool,
    flags: Flags,
) -> None:
    """Preview a pack in the terminal: remove or add pieces, change its size, save or copy it."""
    from ctxpack.cli.inputs import Spot
    from ctxpack.cli.reporting import preview_pack

    preview_pack(scope, words or [], flags, Spot(line, lines, symbol), is_staged=staged)


@command(
    COMMANDS, FILES, RANKING, PACK, RUN, settings=("llm", "max_rounds"), group="Pack",
    own=(_TEXT,),
    examples=(
        '"where are retries delayed" --llm "llm"',
        '"why are events counted twice" --llm "claude -p" -b 32k',
    ),
)  # fmt: skip
def ask(text: list[str], flags: Flags) -> None:
    """Ask a language model through a command, and add pieces when the answer says that some are missing."""
    from ctxpack.cli.inputs import request_text
    from ctxpack.cli.reporting import ask_and_deliver

    hint = 'Say what you want to know: ctxpack ask "where are retries delayed" --llm "llm"'
    ask_and_deliver(request_text(text, flags, hint), flags)


@command(
    COMMANDS, FILES, RANKING, OUTPUT, RUN, name="why-not", settings=("budget",), lists=True, group="Find",
    own=(_PATH, _TEXT),
    examples=(
        'docs/wiki/retries.md "fix the retry bug"',
        'processing/uploader.py "fix the retry bug" -b 4k',
    ),
)  # fmt: skip
def why_not(path: str, text: list[str], flags: Flags) -> None:
    """Explain why a file is or is not in the pack for a task, and what would include it."""
    from ctxpack.cli.finding import explain_and_deliver
    from ctxpack.cli.inputs import request_text

    explain_and_deliver(path, request_text(text, flags), flags)
