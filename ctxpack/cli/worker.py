"""A worker of the resident process: it runs one command at a time, as if it were the process that was asked.

It takes over the standard streams, the folder, the variables and the mask of permissions of that process. So nothing
that a command does is implemented twice, and no command disturbs another. A worker whose state a command has changed
is replaced by a new one.

What runs commands, ``serve`` among them, is above this module: it is asked for by name.
"""

from __future__ import annotations

import gc
import io
import os
import select
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any, Final, TextIO

from ctxpack.cli.options import CommandRunner
from ctxpack.cli.resident import (
    ACCEPTED,
    ALIVE,
    BEGUN,
    ENDED,
    GO,
    LENGTH,
    METRICS,
    STOP,
    identity_of,
    peer_of,
    pending_metrics,
)
from ctxpack.index.opening import hold_indexes
from ctxpack.light import dataclass
from ctxpack.system.version import installation

BUSY, IDLE, QUIT = b"b", b"i", b"q"
"""The messages of a worker to its supervisor: it has a command, it waits for one, all should end."""

_HELLO_SECONDS: Final = 0.5  # for a request to arrive
_HEARTBEAT_SECONDS: Final = 2.0  # between two signs of life
_GRACE_SECONDS: Final = 1.0  # until a command that nobody waits for is ended by force
_QUIET_SECONDS: Final = 0.3  # without a request, before a worker tidies up
_SPARE_SECONDS: Final = 60.0  # that a worker besides the first waits for work
_COURTESY_SECONDS: Final = 0.02  # that such a worker leaves a command to the first, which has more of it loaded
_MOST_BYTES: Final = 700_000_000  # resident set of a worker that stays
_LONGEST: Final = 8_000_000  # bytes of a request
_INTERRUPTED, _INTERNAL = 130, 4
_LOADED: Final = ("numpy", "numpy.linalg", "sqlite3")  # they may start threads, which do not outlive a fork
_FILES: Final = 3
_MOST_HELD: Final = 3  # indexes that stay open between commands


@dataclass(frozen=True, slots=True)
class ProcessState:
    """The state of the process at its start: it runs no commands for another environment or after an update.

    ``metrics`` is the file in which its workers add up what they count, ``runner`` what runs the commands.
    """

    key: bytes
    installed: tuple[object, ...]
    metrics: str
    runner: CommandRunner


@dataclass(frozen=True, slots=True)
class _Request:
    """A command with what it needs of the process that it is run for."""

    word: bytes
    key: bytes
    places: tuple[bytes, bytes]
    folder: bytes
    umask: int
    arguments: tuple[str, ...]
    variables: Mapping[bytes, bytes]


def detach_streams() -> None:
    """Connect the standard streams to nothing."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in range(_FILES):
        os.dup2(nothing, number)
    os.close(nothing)


class CommandWorker:
    """Runs the commands that come to a listener, one after another, and reports on a pipe whether it is busy."""

    def __init__(self, listener: socket.socket, lifeline: int, tells: int, own: ProcessState) -> None:
        self._listener = listener
        self._lifeline = lifeline
        self._tells = tells
        self._own = own
        self._is_running = False

    def run(self, *, is_spare: bool) -> None:
        """Run commands until the supervisor is gone, a command changes the state, or a spare worker is not needed."""
        os.setsid()  # the terminal's signals are for others
        detach_streams()
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, self._on_interrupt)
        for name in _LOADED:
            import_module(name)
        hold_indexes(_MOST_HELD)
        is_tidy = False
        while True:
            wait = _QUIET_SECONDS if not is_tidy else _SPARE_SECONDS if is_spare else None
            ready = select.select([self._listener.fileno(), self._lifeline], [], [], wait)[0]
            if self._listener.fileno() in ready:
                if is_spare:
                    time.sleep(_COURTESY_SECONDS)
                if not self._take():
                    return
                is_tidy = False
            elif ready or is_tidy:
                return
            else:
                gc.collect()
                is_tidy = True

    def _on_interrupt(self, _number: int, _frame: FrameType | None) -> None:
        if self._is_running:
            raise KeyboardInterrupt

    def _take(self) -> bool:
        """Take a connection and run what comes; returns whether the worker is as it was before."""
        try:
            connection, _ = self._listener.accept()
        except OSError:  # another worker has it, or its client is gone
            return True
        with connection:
            if peer_of(connection) not in {None, os.geteuid()}:
                return True
            os.write(self._tells, BUSY)
            goes_on = self._answer(connection) and _resident_bytes() < _MOST_BYTES
            os.chdir("/")  # nobody's folder is held
            if goes_on:
                os.write(self._tells, IDLE)
            return goes_on

    def _answer(self, connection: socket.socket) -> bool:
        connection.settimeout(_HELLO_SECONDS)
        with suppress(OSError, ValueError):  # it is gone, too slow, or speaks another protocol
            request = _receive(connection)
            if request.word == STOP:
                os.write(self._tells, QUIT)
                connection.sendall(ACCEPTED)
            elif request.word == METRICS:
                connection.sendall(ACCEPTED + self._metrics())
            elif self._adopt(request):
                connection.sendall(ACCEPTED)
                with _received_files(connection) as files:
                    return self._run(request, files, connection)
        return True

    def _adopt(self, request: _Request) -> bool:
        """Take over folder, variables and mask of the other process; False where that is impossible. Raises OSError."""
        if request.key != self._own.key:
            return False
        if installation() != self._own.installed:
            os.write(self._tells, QUIT)
            return False
        os.chdir(request.folder)
        if request.places != (identity_of("/"), identity_of(".")):
            return False
        if dict(os.environb) != request.variables:
            os.environb.clear()
            os.environb.update(request.variables)
            time.tzset()
        os.umask(request.umask)
        sys.argv[1:] = request.arguments
        return self._own.runner.is_plain(request.arguments)

    def _run(self, request: _Request, files: list[int], connection: socket.socket) -> bool:
        client = _Client(connection)
        pending_metrics.is_on = True

        def on_answer() -> None:
            with suppress(OSError):  # nobody waits any more
                connection.sendall(BEGUN)

        with standard_streams(files, on_answer):
            client.watch()
            try:
                self._is_running = True
                status = self._own.runner.run(request.arguments)
                self._is_running = False
            except KeyboardInterrupt:  # in the last moment
                status = _INTERRUPTED
            self._is_running = False
        client.end(status)
        self._count()
        return not client.is_gone and status != _INTERNAL and threading.active_count() == 1

    def _count(self) -> None:
        """Count what was made, now that nobody waits for it."""
        from ctxpack.workflows.metrics import METRICS as KNOWN
        from ctxpack.workflows.metrics import ForeignFileError, Samples, add_to_file

        work, pending_metrics.work = pending_metrics.work, []
        if work:
            samples = Samples()
            for made in (each() for each in work):
                if isinstance(made, Samples):
                    samples.add(made)
            with suppress(OSError, ForeignFileError):  # the answers do not rest on it
                add_to_file(Path(self._own.metrics), KNOWN, samples)

    def _metrics(self) -> bytes:
        with suppress(OSError):  # nothing was counted yet
            return Path(self._own.metrics).read_bytes()
        return b""


class _Client:
    """The process that waits for a command: it gets signs of life, and may end the command, also by ending itself."""

    def __init__(self, connection: socket.socket) -> None:
        self.is_gone = False
        self._connection = connection
        self._lock = threading.Lock()
        self._has_ended = threading.Event()
        self._thread = threading.Thread(target=self._listen, daemon=True)

    def watch(self) -> None:
        """Begin to listen."""
        self._connection.settimeout(_HEARTBEAT_SECONDS)
        self._thread.start()

    def end(self, status: int) -> None:
        """Tell the exit status."""
        with self._lock:
            self._has_ended.set()
        with suppress(OSError):  # nobody waits any more
            self._connection.sendall(ENDED + bytes((status & 0xFF,)))
            self._connection.shutdown(socket.SHUT_RDWR)
        self._thread.join()

    def _listen(self) -> None:
        while self._waits():
            with suppress(OSError):  # that is heard next
                self._connection.sendall(ALIVE)
        with self._lock:
            if self._has_ended.is_set():
                return
            self.is_gone = True
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        if not self._has_ended.wait(_GRACE_SECONDS):
            os._exit(_INTERRUPTED)

    def _waits(self) -> bool:
        """Whether nothing was heard for some time."""
        try:
            self._connection.recv(1)  # a word that interrupts, or the end
        except TimeoutError:  # it waits
            return True
        except OSError:  # it is gone
            return False
        return False


def _receive(connection: socket.socket) -> _Request:
    """Receive a request. Raises OSError, and ValueError if it is invalid."""
    length = int.from_bytes(_bytes(connection, LENGTH), "big")
    if length > _LONGEST:
        raise ValueError(length)
    return _read(_bytes(connection, length))


def _bytes(connection: socket.socket, count: int) -> bytes:
    data = bytearray()
    while len(data) < count:
        part = connection.recv(count - len(data))
        if not part:
            raise ValueError(count)
        data += part
    return bytes(data)


@contextmanager
def _received_files(connection: socket.socket) -> Iterator[list[int]]:
    """Receive the files of a command, which are closed afterwards. Raises OSError, and ValueError for anything else."""
    word, files, _, _ = socket.recv_fds(connection, 1, _FILES)
    try:
        if word != GO or len(files) != _FILES:
            raise ValueError(word)
        yield files
    finally:
        for number in files:
            os.close(number)


def _read(data: bytes) -> _Request:
    """Read what ``message_of`` wrote. Raises ValueError for anything else."""
    word, key, top, place, folder, umask, count, *rest = data.split(b"\0")
    arguments, variables = rest[: int(count)], rest[int(count) :]
    pairs = (each.partition(b"=") for each in variables)
    given = {name: value for name, _, value in pairs}
    return _Request(word, key, (top, place), folder, int(umask), tuple(map(os.fsdecode, arguments)), given)


def _resident_bytes() -> int:
    """The most bytes that this process had in memory."""
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


class _NotifyingFile(io.FileIO):
    """A file that calls ``on_write`` before something is written to it."""

    def __init__(self, number: int, on_write: Callable[[], None]) -> None:
        super().__init__(number, "wb", closefd=False)
        self._on_write = on_write

    def write(self, data: Any, /) -> int:  # noqa: ANN401 - whatever a buffer gives
        """Write, after word of it."""
        self._on_write()
        return super().write(data)


class _HeldFile(io.FileIO):
    """A file whose text waits until it is released; on a terminal it does not wait."""

    def __init__(self, number: int) -> None:
        super().__init__(number, "wb", closefd=False)
        self._waits = not self.isatty()
        self._held = bytearray()

    def write(self, data: Any, /) -> int:  # noqa: ANN401 - whatever a buffer gives
        """Write, or keep it."""
        if not self._waits:
            return super().write(data)
        self._held += memoryview(data)
        return memoryview(data).nbytes

    def release(self) -> None:
        """Write what waits, and all that follows at once."""
        self._waits = False
        held, self._held = bytes(self._held), bytearray()
        with suppress(OSError):  # nobody reads standard error
            while held:
                held = held[super().write(held) :]


@contextmanager
def standard_streams(files: Sequence[int], on_answer: Callable[[], None]) -> Iterator[None]:
    """Take three files for standard input, output and error until the block ends.

    ``on_answer`` is called before the first byte goes to standard output. Until then messages wait, unless on a
    terminal: a command that breaks off so far has written nothing, and can be run again. The order stays.
    """
    before = sys.stdin, sys.stdout, sys.stderr
    kept = [os.dup(number) for number in range(3)]
    for number, given in enumerate(files):
        os.dup2(given, number)
    held, has_begun = _HeldFile(2), False

    def begin() -> None:
        nonlocal has_begun
        if not has_begun:
            has_begun = True
            on_answer()
            held.release()

    sys.stdin = _text(before[0], io.BufferedReader(io.FileIO(0, "rb", closefd=False)))
    sys.stdout = _text(before[1], io.BufferedWriter(_NotifyingFile(1, begin)))
    sys.stderr = _text(before[2], io.BufferedWriter(held), is_line_buffered=True)
    try:
        yield
    finally:
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):  # nobody reads it any more
                stream.flush()
        held.release()
        sys.stdin, sys.stdout, sys.stderr = before
        for number, given in enumerate(kept):
            os.dup2(given, number)
            os.close(given)


def _text(like: TextIO, buffer: io.BufferedReader | io.BufferedWriter, *, is_line_buffered: bool = False) -> TextIO:
    """Wrap a buffer in the encoding of a stream of this process, which is that of processes like it."""
    is_terminal = is_line_buffered or buffer.isatty()
    return io.TextIOWrapper(
        buffer, encoding=like.encoding, errors=like.errors, newline="\n", line_buffering=is_terminal
    )
