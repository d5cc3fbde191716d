"""From the start of the process to its exit status: another process runs the command where one stays, else this one."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence

from ctxpack.cli.resident import ask_resident, start_resident

_INTERRUPTED = 130


def main() -> None:
    """Run the command in ``sys.argv`` and exit with its status."""
    gc.disable()  # a process of a second makes no cycles worth looking for among its hundred thousand objects
    arguments = sys.argv[1:]
    status = ask_resident(arguments)
    if status is None:
        status = status_of(arguments)
        start_resident(arguments)
    _leave(status)


def status_of(arguments: Sequence[str]) -> int:
    """Run a command and return its exit status."""
    try:
        if list(arguments) in (["--version"], ["-V"]):
            from ctxpack.system.version import write_version

            if write_version():
                return 0
        from ctxpack.cli.run import run

        return run(arguments)
    except KeyboardInterrupt:  # before a command has begun
        sys.stderr.write("Error: Interrupted.\n")
        return _INTERRUPTED


def _leave(status: int) -> None:
    """End this process, whatever threads are left."""
    threading = sys.modules.get("threading")
    if threading and threading.active_count() > 1:  # past its time limit, it would delay or break a normal exit
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except OSError:  # nobody reads it any more
                continue
        os._exit(status)
    sys.exit(status)
