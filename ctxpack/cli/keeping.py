"""The commands that look at a repository, keep reports and files fresh, and set things up; each is a few lines."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ctxpack.cli.options import CommandRunner, CommandSpec, Flags, command
from ctxpack.errors import UsageError
from ctxpack.settings.declaration import FILES, OUTPUT, PACK, RANKING, RUN

KEEPING: dict[str, CommandSpec] = {}
"""These commands by name, in the order of the help."""


@command(
    KEEPING, FILES, RUN, settings=("use_history", "semantic", "embedding_model"), group="Keep",
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
    KEEPING, FILES, RUN, settings=("use_history", "semantic", "embedding_model"), group="Keep",
    examples=("", "--root ../api --quiet"),
)  # fmt: skip
def watch(flags: Flags) -> None:
    """Update the index whenever a file changes, until Ctrl-C. No request has to wait for it then."""
    from ctxpack.cli.upkeep import follow_index

    follow_index(flags)


@command(
    KEEPING, FILES, RANKING, PACK, OUTPUT, RUN, lists=True, group="Look",
    examples=("", "--format json"),
)  # fmt: skip
def strategies(flags: Flags) -> None:
    """List the strategies that gather pieces, with state, limits and time of the last run."""
    from ctxpack.cli.looking import list_strategies

    list_strategies(flags)


@command(
    KEEPING, FILES, RANKING, OUTPUT, RUN, lists=True, group="Set up",
    examples=("", "--format json"),
)  # fmt: skip
def doctor(flags: Flags) -> None:
    """Check the installation: versions, folders, settings in force, policies, plug-ins. Exits with 1 on a problem."""
    from ctxpack.cli.looking import diagnose_and_deliver

    diagnose_and_deliver(flags)


@command(
    KEEPING, FILES, OUTPUT, RUN, lists=True, group="Look",
    examples=("", "--format json"),
)  # fmt: skip
def profiles(flags: Flags) -> None:
    """List the profiles for --profile, the values they set, and the files they come from."""
    from ctxpack.cli.looking import deliver_profiles

    deliver_profiles(flags)


@command(
    KEEPING, FILES, RANKING, RUN, group="Keep",
    examples=("", "--check"),
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
    KEEPING, FILES, RANKING, OUTPUT, RUN, lists=True, group="Keep",
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
        bool,
        typer.Option("--update", help="Update an outdated report, with the request and settings it was made with."),
    ] = False,
    *,
    flags: Flags,
) -> None:
    """Check a report against the repository. Exits with 1 if a piece has moved, changed, is missing or was edited."""
    from ctxpack.cli.verifying import verify_and_deliver

    verify_and_deliver(report, text or (), flags, update=update)


@command(
    KEEPING, OUTPUT, lists=True, group="Keep",
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
    KEEPING, FILES, RANKING, OUTPUT, RUN, name="eval", settings=("budget",), lists=True, group="Look",
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
    from ctxpack.cli.looking import EvalOptions, evaluate_and_deliver

    evaluate_and_deliver(EvalOptions(commits, tuple(compare or ()), compare_profile), flags)


@command(
    KEEPING, FILES, RUN, group="Set up",
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
    remove: Annotated[bool, typer.Option("--remove", help="With --agent: undo the registration.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Write nothing; print what would change.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that somebody else wrote.")] = False,
    *,
    flags: Flags,
) -> None:
    """Propose a ctxpack.toml for the repository; with --agent, register the server and a skill with agents."""
    from ctxpack.cli.starting import InitOptions, set_up

    set_up(tuple(agent or ()), InitOptions(remove, dry_run, force), flags)


@command(
    KEEPING, FILES, RANKING, OUTPUT, RUN, lists=True, group="Set up",
    examples=("show --origin", "check"),
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
    KEEPING, group="Set up",
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
        str,
        typer.Option(metavar="TOKENS", help="Maximum tokens of an answer, everything counted, up to 25k."),
    ] = "25k",
    http: Annotated[
        bool,
        typer.Option("--http", help="Serve streamable HTTP on this machine, instead of standard input and output."),
    ] = False,
    *,
    flags: Flags,  # noqa: ARG001 - it has none of the shared options
) -> None:
    """Serve agents over the Model Context Protocol: pack_context, search_code, read_chunk, why_not."""
    from ctxpack.cli.starting import serve_agents

    serve_agents(port, tuple(root or ()), answer_tokens, http=http)


@command(
    KEEPING, group="Set up",
    examples=(
        "--background",
        "--idle 3600",
        "--metrics",
        "--stop",
    ),
)  # fmt: skip
def serve(  # noqa: PLR0913 - each option is a parameter
    idle: Annotated[
        str, typer.Option(metavar="SECONDS", help="Exit after this many seconds without a command. Default: 900.")
    ] = "900",
    background: Annotated[bool, typer.Option("--background", help="Run in the background.")] = False,
    metrics: Annotated[
        bool, typer.Option("--metrics", help="Print what the running process has counted, for Prometheus.")
    ] = False,
    stop: Annotated[bool, typer.Option("--stop", help="Stop the running process.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print no messages.")] = False,
    *,
    runner: CommandRunner,
    flags: Flags,  # noqa: ARG001 - it has none of the shared options
) -> None:
    """Run commands in a background process that keeps everything loaded: the same answers, faster."""
    from ctxpack.cli.starting import serve_commands

    serve_commands(runner, idle, background=background, stop=stop, metrics=metrics, quiet=quiet)
