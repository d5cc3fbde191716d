"""The command line: a thin face over ``ctxpack.pipeline``. Nothing heavy is imported before a command needs it.

``entry`` begins, ``run`` runs what was typed, ``app`` has the commands, ``options`` their flags; ``typed``, ``inputs``,
``fetching`` read them. The commands are in ``reporting`` (task, file, component, diff, ask, preview),
``finding`` (search, why-not), ``looking`` (strategies, profiles, doctor, eval), ``upkeep`` (index, watch, refresh,
memory), ``verifying``, ``starting`` (init, config, mcp, serve); ``display`` shows, ``help_pages`` has the help.
``resident`` lets the process of ``serve`` run commands (``supervisor``, ``worker``).
"""

from __future__ import annotations

from ctxpack.cli.entry import import_when_used
from ctxpack.cli.entry import main as main

import_when_used("typer")
