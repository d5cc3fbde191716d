"""Ask the resident process to run a command, where one runs (``ctxpack serve``): the same bytes, without a start.

A request goes over a socket that only its user can open, together with the files of its input and output. If anything
is not as expected, the command runs here instead. This is loaded before every command, so it imports next to
nothing: ``socket`` alone takes half as long as all that it needs.

The other side is ``ctxpack.cli.worker``. It says ``ACCEPTED`` or closes, hears ``GO`` with the files, says
``BEGUN`` before the first byte on standard output, ``ALIVE`` while nothing happens, at last ``ENDED`` and the status.
"""

# ruff: noqa: PTH109, PTH116, PTH120 -- pathlib takes as long to load as all of this
from __future__ import annotations

import _socket
import os
import sys
from collections.abc import Callable, Sequence

from ctxpack.system.version import __version__

VARIABLE = "CTXPACK_SERVE"
OFF, ON_DEMAND = "off", "on-demand"
SERVED = ("task", "file", "component", "diff", "search", "why-not")
"""What it runs. All else is about this process: its terminal, its input, files that it sets up."""

ACCEPTED, GO, BEGUN, ALIVE, ENDED, INTERRUPT = b"A", b"G", b"W", b".", b"E", b"I"
STOP, METRICS = b"S", b"M"  # words to the resident process itself
LENGTH = 4  # bytes in front of a request that say how long it is
_OF_THIS_PROCESS = frozenset(
    ("-", "--", "-h", "--help", "--stdin", "--stdin-content", "--watch", "--install-completion", "--show-completion")
)
_MINE = 0o077  # permissions that nobody else may have
_PATIENCE = 0.2  # seconds until it has to accept: a start takes no longer
_SILENCE = 10.0  # seconds without a sign of life
_FAREWELL = 2.0  # seconds for what was interrupted
_INTERRUPTED, _INTERNAL = 130, 4
_LONGEST = 100  # characters of the path of a socket: systems take 104 to 108


class PendingMetrics:
    """Reports that the resident process has not counted yet: it does so after the answer."""

    def __init__(self) -> None:
        self.is_on = False
        self.work: list[Callable[[], object]] = []


pending_metrics = PendingMetrics()


def ask_resident(arguments: Sequence[str]) -> int | None:
    """Let the resident process run a command, and return its exit status; None where it has to run here."""
    if not _may_be_asked(arguments):
        return None
    connection = connect_to(socket_place(), _PATIENCE)
    if connection is None:
        return None
    try:
        connection.sendall(message_of(arguments))
        if connection.recv(1) != ACCEPTED:
            return None
        files = b"".join(number.to_bytes(4, sys.byteorder) for number in (0, 1, 2))
        connection.sendmsg([GO], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, files)])  # not before: it may hang
        return _wait(connection)
    except OSError:  # it is gone, too busy, or somebody else's: the command runs here
        return None
    finally:
        connection.close()


def connect_to(place: str, seconds: float) -> _socket.socket | None:
    """Return a connection to the resident process of this user, with a time limit; None if there is none."""
    if not place or not _is_mine(place):
        return None
    connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        connection.settimeout(seconds)
        connection.connect(place)
        is_ours = peer_of(connection) in {None, os.geteuid()}
    except OSError:  # it is gone, or has too much to do
        is_ours = False
    if is_ours:
        return connection
    connection.close()
    return None


def _wait(connection: _socket.socket) -> int | None:
    """Wait for the exit status; None where the process ended, or fell silent, before it wrote anything."""
    has_begun = False
    connection.settimeout(_SILENCE)
    try:
        while sign := _next_sign(connection):
            if sign == ENDED:
                status = connection.recv(1)
                if status:
                    return status[0]
                break
            has_begun |= sign == BEGUN
    except KeyboardInterrupt:  # the other process reports it
        return _interrupt(connection)
    if not has_begun:
        return None
    sys.stderr.write("Error: The resident process ended while it wrote the answer.\nHint: Run the command again.\n")
    return _INTERNAL


def _next_sign(connection: _socket.socket) -> bytes:
    try:
        return connection.recv(1)
    except OSError:  # it fell silent, or was ended
        return b""


def _interrupt(connection: _socket.socket) -> int:
    """Interrupt the command there; report the interruption here if it does not."""
    try:
        connection.settimeout(_FAREWELL)
        connection.sendall(INTERRUPT)
        while sign := connection.recv(1):
            if sign == ENDED and connection.recv(1):
                return _INTERRUPTED
    except (OSError, KeyboardInterrupt):  # it does not hear, or somebody is in a hurry
        pass
    sys.stderr.write("Error: Interrupted.\n")
    return _INTERRUPTED


def start_resident(arguments: Sequence[str]) -> None:
    """Start the resident process, where that is wished, after a command that it may run next time.

    It has the same Python. Where one runs already, the new one ends at once.
    """
    if os.environ.get(VARIABLE) != ON_DEMAND or not _may_be_asked(arguments):
        return
    connection = connect_to(socket_place(), _PATIENCE)
    if connection is not None:
        connection.close()
        return
    from subprocess import DEVNULL, Popen

    command = [*sys.orig_argv[: len(sys.orig_argv) - len(arguments)], "serve", "--background", "--quiet"]
    try:
        Popen(command, stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL, cwd="/", start_new_session=True)
    except OSError:  # the next command runs as this one did
        return


def _may_be_asked(arguments: Sequence[str]) -> bool:
    """Whether a command depends only on what is sent to the other process."""
    if sys.platform == "win32" or not arguments or arguments[0] not in SERVED:
        return False
    if os.environ.get(VARIABLE) == OFF or "_CTXPACK_COMPLETE" in os.environ:
        return False
    return _OF_THIS_PROCESS.isdisjoint(arguments) and all(map(os.path.isdir, _roots(arguments)))


def _roots(arguments: Sequence[str]) -> list[str]:
    """The folders that are named as roots; an address is none, and fetching it may need this terminal."""
    found = [arguments[at + 1] for at, each in enumerate(arguments[:-1]) if each == "--root"]
    return found + [each.partition("=")[2] for each in arguments if each.startswith("--root=")]


def message_of(arguments: Sequence[str], *, word: bytes = b"") -> bytes:
    """Return a command as it is sent: what the process is like, where it is, its arguments, its variables.

    With a ``word`` it is no command but this one, to the resident process itself.
    """
    umask = os.umask(0o077)
    os.umask(umask)
    fields = [word, process_key(), identity_of("/"), identity_of("."), os.fsencode(os.getcwd()), b"%d" % umask]
    given = [os.fsencode(each) for each in arguments]
    fields += [b"%d" % len(given), *given, *(b"%s=%s" % each for each in os.environb.items())]
    data = b"\0".join(fields)
    return len(data).to_bytes(LENGTH, "big") + data


def identity_of(folder: str) -> bytes:
    """The identity of a folder, which differs from one of the same name in a container."""
    found = os.stat(folder)
    return b"%d:%d" % (found.st_dev, found.st_ino)


def process_key() -> bytes:
    """Return what two processes must have in common so that one may answer for the other.

    The version, Python, where both are, whose process it is, and the variables that Python itself reads.
    """
    variables = sorted(each for each in os.environ.items() if each[0].startswith(("PYTHON", "LC_", "LANG")))
    libraries = [each for each in sys.path if each.endswith("-packages")]
    who = os.geteuid(), os.getegid(), sorted(os.getgroups())
    what = __version__, sys.version, sys.executable, tuple(sys.flags), os.path.dirname(__file__), libraries
    return repr((what, who, variables)).encode("utf-8", "backslashreplace")


def socket_place() -> str:
    """Return the path of the socket of processes like this one; empty where it would be too long."""
    from zlib import crc32

    place = f"{socket_folder()}/{crc32(process_key()):08x}"
    return place if len(os.fsencode(place)) <= _LONGEST else ""


def socket_folder() -> str:
    """Return the folder of the sockets of this user."""
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    return f"{runtime}/ctxpack" if runtime else f"{os.environ.get('TMPDIR', '') or '/tmp'}/ctxpack-{os.geteuid()}"  # noqa: S108 - a folder in it that is checked


def _is_mine(place: str) -> bool:
    """Whether a socket and its folder belong to this user, and nobody else may use them."""
    try:
        found = [os.lstat(each) for each in (os.path.dirname(place), place)]
    except OSError:  # no process runs
        return False
    return all(each.st_uid == os.geteuid() and not each.st_mode & _MINE for each in found)


def peer_of(connection: _socket.socket) -> int | None:
    """Return the user at the other end; None if the system does not tell, so that only the folder's mode protects."""
    if sys.platform == "linux":
        data = connection.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 12)
        return int.from_bytes(data[4:8], sys.byteorder)
    if sys.platform == "darwin":
        data = connection.getsockopt(0, 1, 76)  # LOCAL_PEERCRED, which gives a struct xucred
        return int.from_bytes(data[4:8], sys.byteorder)
    return None
