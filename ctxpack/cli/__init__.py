"""The command line: a thin face over ``ctxpack.pipeline``. Nothing heavy is imported before a command needs it.

``run`` runs what was typed, ``app`` has the commands, ``options`` their flags and ``inputs`` their arguments. The
commands themselves are in ``packing`` (task, file, component, diff, ask), ``finding`` (search, why-not), ``listing``
(strategies, profiles, doctor), ``upkeep`` (index, refresh, memory) and ``evaluating``; ``display`` and ``output``
show the results.
"""

from __future__ import annotations

import gc
import os
import sys
import threading
from contextlib import suppress


def main() -> None:
    """Run the command in ``sys.argv`` and exit with its status."""
    from ctxpack.cli.run import run

    gc.disable()  # a process of a second makes no cycles worth looking for among its hundred thousand objects
    status = run(sys.argv[1:])
    if threading.active_count() > 1:
        _leave(status)
    sys.exit(status)


def _leave(status: int) -> None:
    """Exit at once: a thread past its time limit, such as a model still loading, would delay or break a normal exit."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):
            stream.flush()
    os._exit(status)
