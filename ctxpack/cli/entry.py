"""Run a command, in the resident process if there is one, else in this one, and end with its exit status."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType

from ctxpack.cli.resident import ask_resident, start_resident

_INTERRUPTED = 130
_THREADS = "OPENBLAS_NUM_THREADS"


def main() -> None:
    """Run the command in ``sys.argv`` and exit with its status."""
    gc.disable()  # a process of a second makes no cycles worth looking for among its hundred thousand objects
    _have_one_thread_for_numpy()
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


def _have_one_thread_for_numpy() -> None:
    """Let its library of linear algebra start no threads: they take longer to start than all that they do here.

    Only what this process loads sees it: ``os.environ``, which other programs get, stays as it is.
    """
    if _THREADS not in os.environ:
        os.putenv(_THREADS, "1")


def _leave(status: int) -> None:
    """End this process at once, whatever threads are left: to tear it down takes longer than many commands.

    Where something that was written does not reach its place, Python itself ends, which says so.
    """
    threading = sys.modules.get("threading")
    is_late = bool(threading and threading.active_count() > 1)  # past its time limit: it would delay or break the end
    if not is_late:
        atexit._run_exitfuncs()  # noqa: SLF001 - as Python does first
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError):  # nobody reads it any more, it is closed, there is none
            if not is_late:
                sys.exit(status)
    os._exit(status)


class _Deferred(ModuleType):
    """A module that is imported when something of it is asked for."""

    def __getattr__(self, name: str) -> object:
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return getattr(import_module(self.__name__), name)


def import_when_used(name: str) -> None:
    """Let ``import name`` give what loads the module when something of it is asked for."""
    sys.modules.setdefault(name, _Deferred(name))
