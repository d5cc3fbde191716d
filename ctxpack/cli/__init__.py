"""The command line: a thin face over ``ctxpack.pipeline``. Nothing heavy is imported before a command needs it.

``run`` runs what was typed, ``app`` has the commands, ``options`` their flags; ``typed``, ``inputs``, ``fetching`` read
them. The commands are in ``packing`` (task, file, component, diff, ask), ``previewing``, ``finding`` (search, why-not),
``listing`` (strategies, profiles, doctor), ``upkeep`` (index, refresh, memory), ``evaluating``; ``display`` shows.
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
    try:
        is_version = sys.argv[1:] in (["--version"], ["-V"]) and write_version()
        status = 0 if is_version else import_module("ctxpack.cli.run").run(sys.argv[1:])
    except KeyboardInterrupt:  # before a command has begun
        sys.stderr.write("Error: Interrupted.\n")
        status = 130
    if threading.active_count() > 1:  # a thread past its time limit would delay or break a normal exit
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError):  # nobody reads it any more
                stream.flush()
        os._exit(status)
    sys.exit(status)
