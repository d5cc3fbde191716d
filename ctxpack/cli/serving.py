"""The commands that stay: for agents by the Model Context Protocol, and for other processes of the user."""

from __future__ import annotations

import gc
import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from ctxpack.cli.options import CommandRunner
from ctxpack.cli.output import tell, write
from ctxpack.errors import NothingFoundError, UsageError
from ctxpack.system.version import MCP_PACKAGE, install_command
from ctxpack.tokens import parse_budget

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
    from ctxpack.mcp.desk import Desk
    from ctxpack.mcp.folders import default_roots, read_roots
    from ctxpack.mcp.server import Service, serve_http, serve_pipes
    from ctxpack.mcp.tools import MOST_TOKENS

    most = parse_budget(answer_tokens)
    if not _LEAST <= most <= MOST_TOKENS:
        raise UsageError(
            f"--answer-tokens must be from {_LEAST:,} to {MOST_TOKENS:,} tokens, not {most:,}.",
            hint="Clients refuse larger answers; the next page has the rest.",
        )
    gc.enable()  # the other commands end before it matters
    desk = Desk(read_roots(roots) or default_roots(Path.cwd(), Path.home(), os.environ), most)
    service = Service(desk, asks_roots=not (roots or http))  # whoever reaches the port could offer any folder
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
    from ctxpack.cli.residing import metrics_of_resident, reside, stop_serving

    if metrics:
        text = metrics_of_resident()
        if text is None:
            raise NothingFoundError("No resident process is running.", hint="To start one: ctxpack serve --background")
        write(text)
    elif not stop:
        reside(runner, int(idle), background=background, quiet=quiet)
    elif not stop_serving() and not quiet:
        tell("No resident process is running.")
