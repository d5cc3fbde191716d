"""``ctxpack serve``: a resident process with everything loaded, which runs commands that other processes send.

The supervisor holds the socket and forks workers (``ctxpack.cli.worker``), which do the rest. It keeps one that waits,
and ends when no command came for some time, ctxpack was updated, or the socket is gone.
"""

from __future__ import annotations

import fcntl
import gc
import os
import select
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from types import FrameType
from typing import Final

from ctxpack.cli.options import CommandRunner
from ctxpack.cli.output import tell
from ctxpack.cli.resident import (
    ACCEPTED,
    METRICS,
    STOP,
    connect_to,
    identity_of,
    message_of,
    process_key,
    socket_place,
)
from ctxpack.cli.worker import BUSY, IDLE, QUIT, CommandWorker, ProcessState, detach_streams
from ctxpack.errors import InternalError, UsageError
from ctxpack.system.plugins import is_extended
from ctxpack.system.version import installation

_TICK_SECONDS: Final = 5.0  # between two looks whether the socket is still the one
_STOP_SECONDS: Final = 5.0  # for the answer to --stop
_MOST_WORKERS: Final = 4
_FAILURES: Final = 3  # workers in a row that end before they can work
_WAITING: Final = 16  # connections that nobody has taken yet
_LOADED: Final = ("ctxpack.cli.reporting", "ctxpack.cli.finding", "ctxpack.pipeline")


def run_supervisor(runner: CommandRunner, idle_seconds: float, *, background: bool, quiet: bool) -> None:
    """Be the resident process until nothing was asked for some time, or it is stopped. Raises CtxpackError."""
    place = _checked_place()
    lock = _lock(place)
    if not quiet:
        tell(
            "A resident process is already running. To stop it: ctxpack serve --stop"
            if lock is None
            else f"Running commands until none has come for {idle_seconds:g} s. To end it: ctxpack serve --stop"
        )
    if lock is None or (background and not _is_in_background()):
        return
    own = ProcessState(process_key(), installation(), f"{place}.prom", runner)
    with suppress(KeyboardInterrupt), _metrics_file(own.metrics), _listening(place) as listener:  # that is how it ends
        for name in _LOADED:
            import_module(name)
        gc.freeze()
        _Supervisor(listener, place, own, lock).run(idle_seconds)


def stop_serving() -> bool:
    """End the resident process, if there is one; what it runs is finished. Returns whether there was one."""
    connection = connect_to(socket_place(), _STOP_SECONDS)
    if connection is None:
        return False
    with suppress(OSError):  # it ends anyway
        connection.sendall(message_of((), word=STOP))
        connection.recv(1)
    connection.close()
    return True


def metrics_of_resident() -> str | None:
    """Return what the resident process has counted since it was started; None where none runs, or none answers."""
    connection = connect_to(socket_place(), _STOP_SECONDS)
    if connection is None:
        return None
    said = bytearray()
    with suppress(OSError):  # it ended
        connection.sendall(message_of((), word=METRICS))
        while part := connection.recv(1 << 16):
            said += part
    connection.close()
    return said[1:].decode("utf-8") if said[:1] == ACCEPTED else None


@contextmanager
def _metrics_file(place: str) -> Iterator[None]:
    """Count from nothing in a file, and leave none."""
    with suppress(FileNotFoundError):  # as it should be
        os.unlink(place)  # noqa: PTH108
    try:
        yield
    finally:
        with suppress(FileNotFoundError):  # nothing was counted
            os.unlink(place)  # noqa: PTH108


def _checked_place() -> str:
    """Return where the socket is to be, in a folder of the user alone. Raises CtxpackError."""
    if is_extended():
        raise UsageError(
            "ctxpack serve does not work with plug-ins.",
            hint="ctxpack doctor lists them.",
        )
    place = socket_place()
    if not place:
        raise UsageError("The path of the socket would be too long.", hint="Set XDG_RUNTIME_DIR to a shorter one.")
    folder = os.path.dirname(place)  # noqa: PTH120 - as text, like all below
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)  # noqa: PTH103
        found = os.lstat(folder)
    except OSError as error:
        hint = "Set XDG_RUNTIME_DIR to a folder of yours."
        raise InternalError(f"{folder} cannot be created: {error.strerror}.", hint=hint) from error
    if found.st_uid != os.geteuid() or found.st_mode & 0o077:
        raise InternalError(
            f"Other users have access to {folder}.", hint="Delete it, or set XDG_RUNTIME_DIR to a folder of yours."
        )
    return place


def _lock(place: str) -> int | None:
    """Take the lock of a socket; None where another process has it."""
    number = os.open(f"{place}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:  # it runs
        os.close(number)
        return None
    return number


def _is_in_background() -> bool:
    """Go on in a process without a terminal; False in the one that was started."""
    if os.fork():
        return False
    os.setsid()
    detach_streams()
    return True


@contextmanager
def _listening(place: str) -> Iterator[socket.socket]:
    """Listen at a place, whatever an earlier process left there, and leave nothing."""
    fresh = f"{place}.new"
    with suppress(FileNotFoundError):  # as it should be
        os.unlink(fresh)  # noqa: PTH108
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(fresh)
        os.chmod(fresh, 0o600)  # noqa: PTH101
        listener.listen(_WAITING)
        listener.setblocking(False)
        os.replace(fresh, place)  # noqa: PTH105
        its = identity_of(place)
        try:
            yield listener
        finally:
            if _is_at(place, its):
                os.unlink(place)  # noqa: PTH108


def _is_at(place: str, its: bytes) -> bool:
    try:
        return identity_of(place) == its
    except OSError:  # somebody took it away
        return False


class _Supervisor:
    """Keeps a worker that waits, and ends all when there is nothing to do."""

    def __init__(self, listener: socket.socket, place: str, own: ProcessState, lock: int) -> None:
        self._listener = listener
        self._place = place
        self._own = own
        self._lock = lock
        self._lifeline = os.pipe()  # workers see its end
        self._waits: dict[int, bool] = {}  # by the pipe of what a worker tells: whether it waits for a command
        self._pids: dict[int, int] = {}
        self._failures = 0

    def run(self, idle_seconds: float) -> None:
        """Go on until there was nothing to do for some time."""
        signal.signal(signal.SIGTERM, _interrupt)
        its, last = identity_of(self._place), time.monotonic()
        while self._failures < _FAILURES and _is_at(self._place, its):
            if not any(self._waits.values()) and len(self._waits) < _MOST_WORKERS:
                self._start()
            left = last + idle_seconds - time.monotonic() if all(self._waits.values()) else _TICK_SECONDS
            if left <= 0:
                return
            for number in select.select([*self._waits], [], [], min(left, _TICK_SECONDS))[0]:
                said = os.read(number, 64)
                if QUIT in said:
                    return
                self._hear(number, said)
                last = time.monotonic() if BUSY in said else last

    def _hear(self, number: int, said: bytes) -> None:
        if said:
            self._waits[number] = said[-1:] == IDLE
            self._failures = 0
            return
        os.close(number)
        del self._waits[number]
        _, status = os.waitpid(self._pids.pop(number), 0)
        self._failures += status != 0

    def _start(self) -> None:
        """Start a worker."""
        hears, tells = os.pipe()
        pid = os.fork()
        if pid:
            os.close(tells)
            self._waits[hears], self._pids[hears] = True, pid
            return
        status = 1
        try:
            for number in (*self._waits, hears, self._lifeline[1], self._lock):
                os.close(number)
            CommandWorker(self._listener, self._lifeline[0], tells, self._own).run(is_spare=bool(self._waits))
            status = 0
        finally:
            os._exit(status)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt
