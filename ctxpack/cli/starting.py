"""The commands that set up and serve: init, config, mcp for agents, and serve for other processes of the user."""

from __future__ import annotations

import gc
import json
import os
import sys
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from ctxpack.cli.fetching import check_is_ours
from ctxpack.cli.inputs import folder_meant, settings_of
from ctxpack.cli.options import CommandRunner, Flags
from ctxpack.cli.output import check_output, deliver, tell, write, write_file
from ctxpack.errors import NothingFoundError, UsageError, did_you_mean
from ctxpack.light import dataclass
from ctxpack.settings import SETTINGS, Settings
from ctxpack.settings.declaration import PROGRAM
from ctxpack.settings.sources import PROJECT_FILE
from ctxpack.system.tokens import parse_budget
from ctxpack.system.version import MCP_PACKAGE, install_command
from ctxpack.text import json_text, printable

CONFIG_SCHEMA = 1
_ACTIONS = ("show", "check")
_DEFAULT = "the default"


@dataclass(frozen=True, slots=True)
class InitOptions:
    """The options of ``init``."""

    remove: bool
    dry_run: bool
    force: bool


def set_up(agents: tuple[str, ...], options: InitOptions, flags: Flags) -> None:
    """Write a proposed configuration, or what agents read. Raises CtxpackError."""
    if options.remove and not agents:
        raise UsageError("--remove needs --agent.", hint="Name one, or all: ctxpack init --agent all --remove")
    settings = settings_of(flags)
    if agents and settings.workspace:  # the server reads it in the folder that says so
        _register(folder_meant(flags), agents, options, flags)
        return
    check_is_ours(settings)
    if agents:
        _register(settings.root, agents, options, flags)
    else:
        _propose(settings, options, flags)


def _propose(settings: Settings, options: InitOptions, flags: Flags) -> None:
    from ctxpack.settings.sources import read_project_file
    from ctxpack.workflows.proposal import propose_configuration

    target = settings.root / PROJECT_FILE
    there = next((each.name for each in read_project_file(settings.root, None)), "")
    if there and not (options.force or options.dry_run):
        raise UsageError(f"There is a configuration already: {there}.", hint="Add --dry-run to see a proposal.")
    text = propose_configuration(settings)
    if options.dry_run:
        write(text)
        return
    write_file("init", target, text)
    if not flags.quiet:
        tell(f"created {PROJECT_FILE}: everything in it is a comment, except the entry for ctxpack refresh")
        tell("Next: ctxpack init --agent claude (or codex, cursor, vscode, gemini, zed, opencode, all)")


def _register(root: Path, names: tuple[str, ...], options: InitOptions, flags: Flags) -> None:
    from ctxpack.agents.catalogue import chosen_agents
    from ctxpack.agents.setup import plan_removal, plan_setup
    from ctxpack.workflows.refresh import save_edits

    agents = chosen_agents(names)
    edits = plan_removal(root, agents) if options.remove else plan_setup(root, agents, force=options.force)
    if options.dry_run:
        write("".join(each.diff for each in edits))
        return
    save_edits(root, edits)
    if flags.quiet:
        return
    for each in edits:
        tell(f"{each.verb} {printable(each.path)}")
    if not edits:
        tell("There is nothing to remove." if options.remove else "Everything is already set up.")
    if not options.remove:
        _tell_library()
    for agent in agents if edits and not options.remove else ():
        if agent.next:
            tell(agent.next)


def _tell_library() -> None:
    """Name the missing package of the server: an agent would only report that it does not start."""
    from ctxpack.cli.starting import is_library_there
    from ctxpack.system.version import MCP_PACKAGE, install_command

    if not is_library_there():
        tell(f"The server needs one more library: {install_command(MCP_PACKAGE)}")


def deliver_settings(action: str, flags: Flags, *, with_origin: bool) -> None:
    """Show the settings, or check that they can be read. Raises UsageError, and ConfigError for mistakes."""
    if action not in _ACTIONS:
        hint = did_you_mean(action, _ACTIONS) or "Write ctxpack config show, or ctxpack config check."
        raise UsageError(f"There is no action {action!r}.", hint=hint)
    settings = settings_of(flags, **({} if flags.format == "json" else {"format": "markdown"}))
    check_output(flags)
    if action == "check":
        notes = "".join(f"Note: {printable(note)}\n" for note in settings.notes)
        deliver(f"{notes}The configuration of {printable(settings.places.description)} is in order.\n", flags)
        return
    rows = list(_rows(settings, flags))
    if flags.format == "json":
        values = {key: {"value": value, "origin": origin} for key, value, origin in rows}
        deliver(json_text({"schema": CONFIG_SCHEMA, "settings": values}), flags)
        return
    lines = (f"{key} = {_on_one_line(value)}{f'  # {origin}' if with_origin else ''}\n" for key, value, origin in rows)
    deliver("".join(lines), flags)


def _rows(settings: Settings, flags: Flags) -> Iterable[tuple[str, object, str]]:
    """Every setting that a user may set: its key, its value in JSON, and its source."""
    for name, each in sorted(SETTINGS.items(), key=lambda item: item[1].key):
        if each.sources == PROGRAM or (name == "format" and not flags.has("format")):
            continue
        value = json.loads(json.dumps(getattr(settings, name), default=_plain))
        yield each.key, value, settings.origins.get(name, _DEFAULT)


def _plain(value: object) -> object:
    from dataclasses import asdict, is_dataclass

    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    return dict(value) if isinstance(value, Mapping) else str(value)


def _on_one_line(value: object) -> str:
    """A value on one line, as JSON, without unnecessary quotes."""
    return value if isinstance(value, str) and value else json.dumps(value, ensure_ascii=False)


_PORT: Final = 8765
_LAST_PORT: Final = 65_535
_LEAST: Final = 2_000  # tokens: an answer with less holds no piece worth reading


def serve_agents(port: str, roots: tuple[Path, ...], answer_tokens: str, *, http: bool) -> None:
    """Serve until the client leaves or the process is stopped. Raises CtxpackError."""
    number = _port(port, http=http)
    if not is_library_there():
        raise UsageError(
            "The library of the Model Context Protocol is not installed.",
            hint=f"Run {install_command(MCP_PACKAGE)}.",
        )
    from ctxpack.agents.folders import default_roots, read_roots
    from ctxpack.agents.handler import CallHandler
    from ctxpack.agents.server import Service, serve_http, serve_pipes
    from ctxpack.agents.tools import MOST_TOKENS

    most = parse_budget(answer_tokens)
    if not _LEAST <= most <= MOST_TOKENS:
        raise UsageError(
            f"--answer-tokens must be from {_LEAST:,} to {MOST_TOKENS:,} tokens, not {most:,}.",
            hint="Clients refuse larger answers; the next page has the rest.",
        )
    gc.enable()  # the other commands end before it matters
    handler = CallHandler(read_roots(roots) or default_roots(Path.cwd(), Path.home(), os.environ), most)
    service = Service(handler, asks_roots=not (roots or http))  # anyone who reaches the port could offer any folder
    if http:
        serve_http(service, number, tell)
        return
    if sys.stdin is not None and sys.stdin.isatty():
        tell("Waiting for a client on standard input. Agents start this themselves: ctxpack init --agent claude")
    serve_pipes(service)


def is_library_there() -> bool:
    """Whether the library of the protocol is installed."""
    return find_spec("mcp") is not None and find_spec("mcp_types") is not None


def _port(written: str, *, http: bool) -> int:
    if written and not http:
        raise UsageError(f"{written} is a port, which needs --http.", hint="Write: ctxpack mcp --http 8765")
    if written and not (written.isdecimal() and int(written) <= _LAST_PORT):
        raise UsageError(f"{written!r} is not a port.", hint=f"Write a number from 0 to {_LAST_PORT}.")
    return int(written or _PORT)


def serve_commands(
    runner: CommandRunner, idle: str, *, background: bool, stop: bool, metrics: bool, quiet: bool
) -> None:
    """Run commands of other processes until none comes, or end the process that does, or print what it counted.

    Raises CtxpackError.
    """
    if not idle.isdecimal() or int(idle) < 1:
        raise UsageError(f"{idle!r} is not a number of seconds.", hint="Write: ctxpack serve --idle 900")
    if not hasattr(os, "fork"):
        raise UsageError("ctxpack serve needs Linux or macOS.", hint="Run the commands without it.")
    from ctxpack.cli.supervisor import metrics_of_resident, run_supervisor, stop_serving

    if metrics:
        text = metrics_of_resident()
        if text is None:
            raise NothingFoundError("No resident process is running.", hint="To start one: ctxpack serve --background")
        write(text)
    elif not stop:
        run_supervisor(runner, int(idle), background=background, quiet=quiet)
    elif not stop_serving() and not quiet:
        tell("No resident process is running.")
