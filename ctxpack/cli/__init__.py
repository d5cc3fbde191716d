"""The command line: a thin face over ``ctxpack.pipeline``. Nothing heavy is imported before a command needs it.

``run`` runs what was typed, ``app`` has the commands, ``options`` their flags, ``typed`` and ``inputs`` read them. The
commands themselves are in ``packing`` (task, file, component, diff, ask), ``finding`` (search, why-not), ``listing``
(strategies, profiles, doctor), ``upkeep`` (index, refresh, memory), ``evaluating``; ``display`` and ``output`` show.
"""

from __future__ import annotations

import gc
import os
import sys
import threading
from contextlib import suppress
from importlib import import_module

from ctxpack.light import import_when_used
from ctxpack.system.version import write_version

import_when_used("typer")


def main() -> None:
    """Run the command in ``sys.argv`` and exit with its status."""
    gc.disable()  # a process of a second makes no cycles worth looking for among its hundred thousand objects
    if sys.argv[1:] in (["--version"], ["-V"]) and write_version():
        status = 0
    else:
        status = import_module("ctxpack.cli.run").run(sys.argv[1:])
    if threading.active_count() > 1:
        _leave(status)
    sys.exit(status)


def _leave(status: int) -> None:
    """Exit at once: a thread past its time limit, such as a model still loading, would delay or break a normal exit."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):
            stream.flush()
    os._exit(status)
