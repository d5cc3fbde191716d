"""The commands, each in a few lines; what they share is in other modules of this folder."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from ctxpack.cli.completion import complete_path, complete_symbol
from ctxpack.cli.options import COMMAND_GROUPS, CommandSpec, Flags, command
from ctxpack.errors import UsageError
from ctxpack.settings.declaration import FILES, OUTPUT, PACK, PROMPT, RANKING, RUN, WATCH

COMMANDS: dict[str, CommandSpec] = {}
"""All commands by name, in the order of the help."""

ALL = (FILES, RANKING, PACK, PROMPT, OUTPUT, RUN)
Text: TypeAlias = (  # as text, since Typer is loaded for help and slips only
    "Annotated[list[str], typer.Argument(metavar='TEXT', help='Request in words; - reads it from standard input.')]"
)


def app_for(arguments: Sequence[str]) -> typer.Typer:
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
        COMMANDS[name].register(app, name)
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
def task(text: Text, flags: Flags) -> None:
    """Pack what a task needs. The task is a sentence, a whole issue or a traceback."""
    from ctxpack.cli.inputs import request_text
    from ctxpack.cli.packing import pack_and_deliver
    from ctxpack.model import Request, Scope

    pack_and_deliver(Request(Scope.TASK, text=request_text(text, flags)), flags)


@command(
    COMMANDS, *ALL, WATCH, group="Pack",
    examples=(
        "processing/uploader.py",
        "processing/uploader.py --line 42",
        "processing/uploader.py --symbol Uploader.send -b 16k",
    ),
)  # fmt: skip
def file(
    path: Annotated[str, typer.Argument(metavar="PATH", help="File of the repository.", autocompletion=complete_path)],
    line: Annotated[str | None, typer.Option(metavar="N", help="Line of the cursor.")] = None,
    lines: Annotated[str | None, typer.Option(metavar="A:B", help="Selected lines.")] = None,
    symbol: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Name of a definition in the file.", autocompletion=complete_symbol),
    ] = None,
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
    from ctxpack.cli.packing import pack_and_deliver

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
    from ctxpack.cli.packing import pack_and_deliver
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
    staged: Annotated[bool, typer.Option("--staged", help="Only staged changes. Also --cached.")] = False,
    *,
    flags: Flags,
) -> None:
    """Pack a diff for its reviewer: the change itself, the changed definitions in full, callers, tests, specs.

    Without a revision: everything that is not committed yet. A...B and COMMIT^! are understood as by git.
    """
    from ctxpack.cli.packing import pack_and_deliver
    from ctxpack.model import Request, Scope

    pack_and_deliver(Request(Scope.DIFF, revision=revision, is_staged=staged), flags)


@command(
    COMMANDS, FILES, RANKING, OUTPUT, RUN, name="search", settings=("limit",), lists=True, group="Find",
    examples=(
        '"where are retries delayed"',
        "Uploader.send -k 5",
        '"retry delay" --format json',
    ),
)  # fmt: skip
def search_command(text: Text, flags: Flags) -> None:
    """List the best matches with lines, scores and reasons, without content."""
    from ctxpack.cli.finding import search_and_deliver
    from ctxpack.cli.inputs import request_text

    search_and_deliver(request_text(text, flags), flags)


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
    from ctxpack.cli.packing import ask_and_deliver

    hint = 'Say what you want to know: ctxpack ask "where are retries delayed" --llm "llm"'
    ask_and_deliver(request_text(text, flags, hint), flags)


@command(
    COMMANDS, FILES, RUN, group="Keep",
    examples=(
        "",
        "--status",
        "--rebuild",
        "--embed",
    ),
)  # fmt: skip
def index(
    status: Annotated[bool, typer.Option("--status", help="Show the state of the index, without updating it.")] = False,
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Build the index from scratch.")] = False,
    clear: Annotated[bool, typer.Option("--clear", help="Delete the index.")] = False,
    embed: Annotated[bool, typer.Option("--embed", help="Compute the embeddings for --semantic too.")] = False,
    *,
    flags: Flags,
) -> None:
    """Update the index of a repository, or show, rebuild or delete it. Other commands update it themselves."""
    from ctxpack.cli.upkeep import keep_index

    actions = {"status": status, "rebuild": rebuild, "clear": clear, "embed": embed}
    chosen = [name for name, given in actions.items() if given]
    if len(chosen) > 1:
        raise UsageError(f"--{chosen[0]} and --{chosen[1]} cannot be combined.")
    keep_index(chosen[0] if chosen else "update", flags)


@command(
    COMMANDS, FILES, PACK, OUTPUT, RUN, lists=True, group="Look",
    examples=(
        "",
        "--format json",
    ),
)  # fmt: skip
def strategies(flags: Flags) -> None:
    """List the strategies that gather pieces, with state, limits and time of the last run."""
    from ctxpack.cli.listing import list_strategies

    list_strategies(flags)


@command(
    COMMANDS, FILES, OUTPUT, RUN, lists=True, group="Set up",
    examples=(
        "",
        "--format json",
    ),
)  # fmt: skip
def doctor(flags: Flags) -> None:
    """Check the installation: versions, folders, settings in force, policies, plug-ins. Exits with 1 on a problem."""
    from ctxpack.cli.listing import diagnose_and_deliver

    diagnose_and_deliver(flags)


@command(
    COMMANDS, FILES, OUTPUT, RUN, lists=True, group="Look",
    examples=(
        "",
        "--format json",
    ),
)  # fmt: skip
def profiles(flags: Flags) -> None:
    """List the profiles for --profile, the values they set, and the files they come from."""
    from ctxpack.cli.listing import deliver_profiles

    deliver_profiles(flags)


@command(
    COMMANDS, FILES, RUN, group="Keep",
    examples=(
        "",
        "--check",
    ),
)  # fmt: skip
def refresh(
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; print a diff and exit with 1 if a file is out of date.")
    ] = False,
    *,
    flags: Flags,
) -> None:
    """Update the agent context files that the configuration lists, such as AGENTS.md."""
    from ctxpack.cli.upkeep import refresh_files

    refresh_files(flags, check=check)


@command(
    COMMANDS, FILES, RANKING, OUTPUT, RUN, lists=True, group="Keep",
    examples=(
        "report.md",
        "report.md --update",
        "report.json --format json",
    ),
)  # fmt: skip
def verify(
    report: Annotated[str, typer.Argument(metavar="REPORT", help="File with a report; - reads standard input.")],
    text: Annotated[
        list[str] | None,
        typer.Argument(metavar="[TEXT]", help="The request, where a report shows only a part."),
    ] = None,
    update: Annotated[
        bool, typer.Option("--update", help="Make a stale report anew, with the request and settings it was made with.")
    ] = False,
    *,
    flags: Flags,
) -> None:
    """Check a report against the repository. Exits with 1 if a piece has moved, changed, gone or was edited."""
    from ctxpack.cli.verifying import verify_and_deliver

    verify_and_deliver(report, text or (), flags, update=update)


@command(
    COMMANDS, OUTPUT, lists=True, group="Keep",
    examples=(
        "list",
        "show courier",
        "delete courier",
    ),
)  # fmt: skip
def memory(
    action: Annotated[str, typer.Argument(metavar="list|show|delete", help="list, show or delete.")],
    session: Annotated[str, typer.Argument(metavar="[SESSION]", help="Name of the session.")] = "",
    memory_id: Annotated[str, typer.Argument(metavar="[MEMORY]", help="Id of a memory of the session.")] = "",
    *,
    flags: Flags,
) -> None:
    """List, show or delete what sessions remember: extracts of chat messages that did not fit."""
    from ctxpack.cli.upkeep import manage_memory

    manage_memory(action, session, memory_id, flags)


@command(
    COMMANDS, FILES, OUTPUT, RUN, name="why-not", settings=("budget",), lists=True, group="Find",
    examples=(
        'docs/retries.md "fix the retry bug"',
        'processing/uploader.py "fix the retry bug" -b 4k',
    ),
)  # fmt: skip
def why_not(
    path: Annotated[str, typer.Argument(metavar="PATH", help="File of the repository.", autocompletion=complete_path)],
    text: Text,
    flags: Flags,
) -> None:
    """Explain why a file is or is not in the pack for a task, and what would bring it in."""
    from ctxpack.cli.finding import explain_and_deliver
    from ctxpack.cli.inputs import request_text

    explain_and_deliver(path, request_text(text, flags), flags)


@command(
    COMMANDS, FILES, RANKING, OUTPUT, RUN, name="eval", settings=("budget",), lists=True, group="Look",
    examples=(
        "--commits 50",
        "--compare use_synonyms=false",
        "--compare-profile review",
    ),
)  # fmt: skip
def evaluate(
    commits: Annotated[int, typer.Option(metavar="N", min=1, help="Maximum number of commits, newest first.")] = 50,
    compare: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=VALUE", help="Settings to compare with; repeat it or separate by commas."),
    ] = None,
    compare_profile: Annotated[str | None, typer.Option(metavar="NAME", help="Profile to compare with.")] = None,
    *,
    flags: Flags,
) -> None:
    """Measure, on the repository's own commits, how well their messages find the changed files."""
    from ctxpack.cli.evaluating import EvalOptions, evaluate_and_deliver

    evaluate_and_deliver(EvalOptions(commits, tuple(compare or ()), compare_profile), flags)


@command(
    COMMANDS, FILES, RUN, group="Set up",
    examples=(
        "",
        "--agent claude",
        "--agent all --dry-run",
    ),
)  # fmt: skip
def init(
    agent: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="Register with an agent: claude, codex, cursor, vscode, gemini, zed, opencode or all."
        ),
    ] = None,
    remove: Annotated[bool, typer.Option("--remove", help="With --agent: take it back.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Write nothing; print what would change.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that somebody else wrote.")] = False,
    *,
    flags: Flags,
) -> None:
    """Propose a ctxpack.toml for the repository; with --agent, register the server and a skill with agents."""
    from ctxpack.cli.starting import Wishes, set_up

    set_up(tuple(agent or ()), Wishes(remove, dry_run, force), flags)


@command(
    COMMANDS, FILES, OUTPUT, RUN, lists=True, group="Set up",
    examples=(
        "show --origin",
        "check",
    ),
)  # fmt: skip
def config(
    action: Annotated[str, typer.Argument(metavar="show|check", help="show or check.")],
    origin: Annotated[bool, typer.Option("--origin", help="With show: where each value comes from.")] = False,
    *,
    flags: Flags,
) -> None:
    """Show the settings that are in force, or check the configuration. Exits with 2 if something in it is wrong."""
    from ctxpack.cli.starting import deliver_settings

    deliver_settings(action, flags, with_origin=origin)


@command(
    COMMANDS, group="Set up",
    examples=(
        "",
        "--root ../api --root ../web",
        "--http 8765",
    ),
)  # fmt: skip
def mcp(
    port: Annotated[
        str, typer.Argument(metavar="[PORT]", help="With --http: the port, or 0 for any that is free. Default: 8765.")
    ] = "",
    root: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="DIR",
            help="Folder that may be read; repeat it for more. Default: the client's folders, else the repository "
            "around the current folder.",
        ),
    ] = None,
    answer_tokens: Annotated[
        str, typer.Option(metavar="TOKENS", help="Most tokens of an answer, everything counted, up to 25k.")
    ] = "25k",
    http: Annotated[
        bool,
        typer.Option("--http", help="Serve streamable HTTP on this machine, instead of standard input and output."),
    ] = False,
    *,
    flags: Flags,  # noqa: ARG001 - it has none of the shared options
) -> None:
    """Serve agents by the Model Context Protocol: pack_context, search_code, read_chunk, why_not."""
    from ctxpack.cli.serving import serve

    serve(port, tuple(root or ()), answer_tokens, http=http)
