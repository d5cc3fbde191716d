"""The commands that look at a repository, keep reports and files fresh, and set things up; each is a few lines."""

from __future__ import annotations

from pathlib import Path

from ctxpack.cli.options import NEEDED, CommandRunner, CommandSpec, Flags, OwnParameter, command
from ctxpack.errors import UsageError
from ctxpack.settings.declaration import FILES, OUTPUT, PACK, RANKING, RUN


def _switch(name: str, meaning: str) -> OwnParameter:
    return OwnParameter(name.replace("-", "_"), meaning, names=(f"--{name}",), kind="switch", default=False)


KEEPING: dict[str, CommandSpec] = {}
"""These commands by name, in the order of the help."""


@command(
    KEEPING, FILES, RUN, settings=("use_history", "semantic", "embedding_model"), group="Keep",
    own=(
        _switch("status", "Show the state of the index, without updating it."),
        _switch("rebuild", "Build the index from scratch."),
        _switch("clear", "Delete the index."),
        _switch("embed", "Compute the embeddings for --semantic too."),
    ),
    examples=(
        "",
        "--status",
        "--rebuild",
        "--embed",
    ),
)  # fmt: skip
def index(*, status: bool, rebuild: bool, clear: bool, embed: bool, flags: Flags) -> None:
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
    own=(_switch("check", "Write nothing; print a diff and exit with 1 if a file is out of date."),),
    examples=("", "--check"),
)  # fmt: skip
def refresh(*, check: bool, flags: Flags) -> None:
    """Update the agent context files that the configuration lists, such as AGENTS.md."""
    from ctxpack.cli.upkeep import refresh_files

    refresh_files(flags, check=check)


@command(
    KEEPING, FILES, RANKING, OUTPUT, RUN, lists=True, group="Keep",
    own=(
        OwnParameter("report", "File with a report; - reads standard input.", "REPORT", default=NEEDED),
        OwnParameter("text", "The request, where a report shows only a part.", "[TEXT]", kind="list"),
        _switch("update", "Update an outdated report, with the request and settings it was made with."),
    ),
    examples=(
        "report.md",
        "report.md --update",
        "report.json --format json",
    ),
)  # fmt: skip
def verify(report: str, text: list[str] | None, *, update: bool, flags: Flags) -> None:
    """Check a report against the repository. Exits with 1 if a piece has moved, changed, is missing or was edited."""
    from ctxpack.cli.verifying import verify_and_deliver

    verify_and_deliver(report, text or (), flags, update=update)


@command(
    KEEPING, OUTPUT, lists=True, group="Keep",
    own=(
        OwnParameter("action", "list, show or delete.", "list|show|delete", default=NEEDED),
        OwnParameter("session", "Name of the session.", "[SESSION]", default=""),
        OwnParameter("memory_id", "Id of a memory of the session.", "[MEMORY]", default=""),
    ),
    examples=(
        "list",
        "show courier",
        "delete courier",
    ),
)  # fmt: skip
def memory(action: str, session: str, memory_id: str, flags: Flags) -> None:
    """List, show or delete what sessions remember: extracts of chat messages that did not fit."""
    from ctxpack.cli.upkeep import manage_memory

    manage_memory(action, session, memory_id, flags)


@command(
    KEEPING, FILES, RANKING, OUTPUT, RUN, name="eval", settings=("budget",), lists=True, group="Look",
    own=(
        OwnParameter("commits", "Maximum number of commits, newest first.", "N", ("--commits",), "number", 50),
        OwnParameter(
            "compare", "Settings to compare with; repeat it or separate by commas.", "KEY=VALUE",
            ("--compare",), "list",
        ),
        OwnParameter("compare_profile", "Profile to compare with.", "NAME", ("--compare-profile",)),
    ),
    examples=(
        "--commits 50",
        "--compare use_synonyms=false",
        "--compare-profile review",
    ),
)  # fmt: skip
def evaluate(commits: int, compare: list[str] | None, compare_profile: str | None, flags: Flags) -> None:
    """Measure, on the repository's own commits, how well their messages find the changed files."""
    from ctxpack.cli.looking import EvalOptions, evaluate_and_deliver

    evaluate_and_deliver(EvalOptions(commits, tuple(compare or ()), compare_profile), flags)


@command(
    KEEPING, FILES, RUN, group="Set up",
    own=(
        OwnParameter(
            "agent", "Register with an agent: claude, codex, cursor, vscode, gemini, zed, opencode or all.", "NAME",
            ("--agent",), "list",
        ),
        _switch("remove", "With --agent: undo the registration."),
        _switch("dry-run", "Write nothing; print what would change."),
        _switch("force", "Replace a file that somebody else wrote."),
    ),
    examples=(
        "",
        "--agent claude",
        "--agent all --dry-run",
    ),
)  # fmt: skip
def init(agent: list[str] | None, *, remove: bool, dry_run: bool, force: bool, flags: Flags) -> None:
    """Propose a ctxpack.toml for the repository; with --agent, register the server and a skill with agents."""
    from ctxpack.cli.starting import InitOptions, set_up

    set_up(tuple(agent or ()), InitOptions(remove, dry_run, force), flags)


@command(
    KEEPING, FILES, RANKING, OUTPUT, RUN, lists=True, group="Set up",
    own=(
        OwnParameter("action", "show or check.", "show|check", default=NEEDED),
        _switch("origin", "With show: where each value comes from."),
    ),
    examples=("show --origin", "check"),
)  # fmt: skip
def config(action: str, *, origin: bool, flags: Flags) -> None:
    """Show the settings that are in force, or check the configuration. Exits with 2 if something in it is wrong."""
    from ctxpack.cli.starting import deliver_settings

    deliver_settings(action, flags, with_origin=origin)


@command(
    KEEPING, group="Set up",
    own=(
        OwnParameter("port", "With --http: the port, or 0 for any that is free. Default: 8765.", "[PORT]", default=""),
        OwnParameter(
            "root",
            "Folder that may be read; repeat it for more. Default: the client's folders, else the repository around "
            "the current folder.",
            "DIR", ("--root",), "list",
        ),
        OwnParameter(
            "answer_tokens", "Maximum tokens of an answer, everything counted, up to 25k.", "TOKENS",
            ("--answer-tokens",), default="25k",
        ),
        _switch("http", "Serve streamable HTTP on this machine, instead of standard input and output."),
    ),
    examples=(
        "",
        "--root ../api --root ../web",
        "--http 8765",
    ),
)  # fmt: skip
def mcp(
    port: str,
    root: list[str] | None,
    answer_tokens: str,
    *,
    http: bool,
    flags: Flags,  # noqa: ARG001 - it has none of the shared options
) -> None:
    """Serve agents over the Model Context Protocol: pack_context, search_code, read_chunk, why_not."""
    from ctxpack.cli.starting import serve_agents

    serve_agents(port, tuple(map(Path, root or ())), answer_tokens, http=http)


@command(
    KEEPING, group="Set up",
    own=(
        OwnParameter(
            "idle", "Exit after this many seconds without a command. Default: 900.", "SECONDS", ("--idle",),
            default="900",
        ),
        _switch("background", "Run in the background."),
        _switch("metrics", "Print what the running process has counted, for Prometheus."),
        _switch("stop", "Stop the running process."),
        OwnParameter("quiet", "Print no messages.", "", ("--quiet", "-q"), "switch", default=False),
    ),
    takes_runner=True,
    examples=(
        "--background",
        "--idle 3600",
        "--metrics",
        "--stop",
    ),
)  # fmt: skip
def serve(  # noqa: PLR0913 - each option is a parameter
    idle: str,
    *,
    background: bool,
    metrics: bool,
    stop: bool,
    quiet: bool,
    runner: CommandRunner,
    flags: Flags,  # noqa: ARG001 - it has none of the shared options
) -> None:
    """Run commands in a background process that keeps everything loaded: the same answers, faster."""
    from ctxpack.cli.starting import serve_commands

    serve_commands(runner, idle, background=background, stop=stop, metrics=metrics, quiet=quiet)
