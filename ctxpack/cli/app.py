"""The command line, and its commands that pack and find; every command is a few lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, TypeAlias

import typer

from ctxpack.cli.completion import complete_path, complete_scope, complete_symbol, complete_words
from ctxpack.cli.keeping import KEEPING
from ctxpack.cli.options import COMMAND_GROUPS, CommandRunner, CommandSpec, Flags, command
from ctxpack.settings.declaration import FILES, OUTPUT, PACK, PROMPT, RANKING, RUN, WATCH

COMMANDS: dict[str, CommandSpec] = dict(KEEPING)
"""All commands by name, in the order of the help."""

ALL = (FILES, RANKING, PACK, PROMPT, OUTPUT, RUN)
Text: TypeAlias = (  # as text, since Typer is loaded for help and slips only
    "Annotated[list[str], typer.Argument(metavar='TEXT', help='Request in words; - reads it from standard input.')]"
)

OptionalText: TypeAlias = (
    "Annotated[list[str] | None, typer.Argument(metavar='TEXT', help='Request in words, or a link to an issue; - reads "
    "it from standard input.')]"
)
LineOption: TypeAlias = "Annotated[str | None, typer.Option(metavar='N', help='Line of the cursor.')]"
LinesOption: TypeAlias = "Annotated[str | None, typer.Option(metavar='A:B', help='Selected lines.')]"
SymbolOption: TypeAlias = (
    "Annotated[str | None, typer.Option(metavar='NAME', help='Name of a definition in the file.', "
    "autocompletion=complete_symbol)]"
)
StagedOption: TypeAlias = "Annotated[bool, typer.Option('--staged', help='Only staged changes. Also --cached.')]"


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
    app.callback(invoke_without_command=True)(ctxpack)
    for name in _typed_commands(arguments):
        COMMANDS[name].register(app, name, runner)
    return app


def _typed_commands(arguments: Sequence[str]) -> Iterable[str]:
    if arguments and arguments[0] in COMMANDS:
        return arguments[:1]
    if list(arguments) in (["--version"], ["-V"]):
        return ()
    return sorted(COMMANDS, key=lambda name: COMMAND_GROUPS.index(COMMANDS[name].group))


def ctxpack(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", "-V", help="Print the version and exit.")] = False,
) -> None:
    """Pick the parts of a repository that a task needs, within a token budget, and say why.

    Start with: ctxpack task "fix the retry bug in the uploader"
    """
    from ctxpack.cli.output import write
    from ctxpack.system.version import __version__

    if version:
        write(f"ctxpack {__version__}\n")
    elif context.invoked_subcommand is None:
        write(context.get_help() + "\n")
    if version:
        raise typer.Exit


@command(
    COMMANDS, *ALL, WATCH, group="Pack",
    examples=(
        '"fix the retry bug in the uploader"',
        "- < issue.md",
        '"why are events counted twice" -b 16k --copy',
        '"fix the retry bug" --format html -o pack.html',
    ),
)  # fmt: skip
def task(flags: Flags, text: OptionalText = None) -> None:
    """Pack what a task needs. The task is a sentence, a whole issue, a link to one, or a traceback."""
    from ctxpack.cli.inputs import request_text
    from ctxpack.cli.reporting import pack_and_deliver
    from ctxpack.model import Request, Scope

    pack_and_deliver(Request(Scope.TASK, text=request_text(text or (), flags)), flags)


@command(
    COMMANDS, *ALL, WATCH, group="Pack",
    examples=(
        "processing/uploader.py",
        "processing/uploader.py --line 42",
        "processing/uploader.py --symbol Uploader.send_with_retry",
    ),
)  # fmt: skip
def file(
    path: Annotated[str, typer.Argument(metavar="PATH", help="File of the repository.", autocompletion=complete_path)],
    line: LineOption = None,
    lines: LinesOption = None,
    symbol: SymbolOption = None,
    stdin_content: Annotated[
        bool,
        typer.Option(
            "--stdin-content", help="Read the text of the file from standard input, for a buffer that is not saved."
        ),
    ] = False,
    *,
    flags: Flags,
) -> None:
    """Pack a file with what belongs to it: imports and importers, tests, specification."""
    from ctxpack.cli.inputs import Spot, request_at
    from ctxpack.cli.reporting import pack_and_deliver

    spot = Spot(line, lines, symbol, stdin_content)
    pack_and_deliver(request_at(path, spot), flags, spot)


@command(
    COMMANDS, *ALL, group="Pack",
    examples=(
        "analytics",
        "Uploader -b 16k",
    ),
)  # fmt: skip
def component(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of a folder, module, class or page.")], flags: Flags
) -> None:
    """Pack the files, symbols, specs and wiki pages of a component."""
    from ctxpack.cli.inputs import request_text
    from ctxpack.cli.reporting import pack_and_deliver
    from ctxpack.model import Request, Scope

    hint = "Name a folder, module, class or page: ctxpack component uploader"
    pack_and_deliver(Request(Scope.COMPONENT, name=request_text([name], flags, hint)), flags)


@command(
    COMMANDS, *ALL, group="Pack",
    examples=(
        "",
        "main...HEAD",
        "HEAD^! --format html -o change.html",
        "--staged",
    ),
)  # fmt: skip
def diff(
    revision: Annotated[
        str, typer.Argument(metavar="[REV|A..B]", help="Commit to compare the files with, or a range.")
    ] = "",
    staged: StagedOption = False,
    *,
    flags: Flags,
) -> None:
    """Pack a diff for its reviewer: the change itself, the changed definitions in full, callers, tests, specs.

    Without a revision: everything that is not committed yet. A...B and COMMIT^! are understood as by git.
    """
    from ctxpack.cli.reporting import pack_and_deliver
    from ctxpack.model import Request, Scope

    pack_and_deliver(Request(Scope.DIFF, revision=revision, is_staged=staged), flags)


@command(
    COMMANDS, FILES, RANKING, OUTPUT, RUN, name="search", settings=("limit",), lists=True, group="Find",
    examples=(
        '"where are retries delayed"',
        "Uploader.send_with_retry -k 5",
        '"retry delay" --format json',
    ),
)  # fmt: skip
def search_command(text: Text, flags: Flags) -> None:
    """List the best matches with lines, scores and reasons, without content."""
    from ctxpack.cli.finding import search_and_deliver
    from ctxpack.cli.inputs import request_text

    search_and_deliver(request_text(text, flags), flags)


@command(
    COMMANDS, FILES, RANKING, PACK, RUN, group="Pack",
    examples=(
        'task "fix the retry bug in the uploader"',
        "file processing/uploader.py --line 42",
        "diff main...HEAD -b 16k",
    ),
)  # fmt: skip
def preview(  # noqa: PLR0913 - the places of file and diff are options here too
    scope: Annotated[
        str, typer.Argument(metavar="task|file|component|diff", help="What to pack.", autocompletion=complete_scope)
    ],
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[WORDS]", help="Its arguments and options.", autocompletion=complete_words),
    ] = None,
    line: LineOption = None,
    lines: LinesOption = None,
    symbol: SymbolOption = None,
    staged: StagedOption = False,
    *,
    flags: Flags,
) -> None:
    """Preview a pack in the terminal: remove or add pieces, change its size, save or copy it."""
    from ctxpack.cli.inputs import Spot
    from ctxpack.cli.previewing import preview_pack

    preview_pack(scope, words or [], flags, Spot(line, lines, symbol), is_staged=staged)


@command(
    COMMANDS, FILES, RANKING, PACK, RUN, settings=("llm", "max_rounds"), group="Pack",
    examples=(
        '"where are retries delayed" --llm "llm"',
        '"why are events counted twice" --llm "claude -p" -b 32k',
    ),
)  # fmt: skip
def ask(text: Text, flags: Flags) -> None:
    """Ask a language model through a command, and add pieces when the answer says that some are missing."""
    from ctxpack.cli.inputs import request_text
    from ctxpack.cli.reporting import ask_and_deliver

    hint = 'Say what you want to know: ctxpack ask "where are retries delayed" --llm "llm"'
    ask_and_deliver(request_text(text, flags, hint), flags)


@command(
    COMMANDS, FILES, RANKING, OUTPUT, RUN, name="why-not", settings=("budget",), lists=True, group="Find",
    examples=(
        'docs/wiki/retries.md "fix the retry bug"',
        'processing/uploader.py "fix the retry bug" -b 4k',
    ),
)  # fmt: skip
def why_not(
    path: Annotated[str, typer.Argument(metavar="PATH", help="File of the repository.", autocompletion=complete_path)],
    text: Text,
    flags: Flags,
) -> None:
    """Explain why a file is or is not in the pack for a task, and what would include it."""
    from ctxpack.cli.finding import explain_and_deliver
    from ctxpack.cli.inputs import request_text

    explain_and_deliver(path, request_text(text, flags), flags)
