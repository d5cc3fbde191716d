"""Read files of a repository, which may be a stranger's, and write files so that nobody sees a half-written one.

What is stored is sealed, so that damage is detected. A seal is a checksum that also covers the name under which a thing
is stored: one file cannot replace another.
"""

from __future__ import annotations

import errno
import json
import os
import stat
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import Any, Final

# a file that has become a link since it was listed is not followed, one that has become a pipe does not block
_READ = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_BINARY", "O_NOFOLLOW", "O_NONBLOCK"))
_umask_lock = Lock()
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


def replace_file(path: Path, data: bytes) -> None:
    """Write ``data`` to a new file, then move it to ``path``; what a link points to is replaced, not the link.

    A file keeps its permissions. What is no regular file, such as a pipe or a device, is written to directly.
    Raises OSError; then ``path`` is as it was.
    """
    target = path.resolve()
    mode = _mode(target)
    if mode is not None and not stat.S_ISREG(mode):
        target.write_bytes(data)  # a folder raises IsADirectoryError, as it should
        return
    temporary = _new_name(target.parent, target.name)
    number = os.open(temporary, _NEW, 0o600)  # for this user alone, until the permissions are known
    try:
        with os.fdopen(number, "wb") as stream:
            stream.write(data)
        temporary.chmod(stat.S_IMODE(mode) if mode is not None else 0o666 & ~_umask())
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


_PAUSE_SECONDS: Final = 0.01
_MOST_NAMED: Final = 100_000_000  # bytes of a report, a chat or instructions


def open_regular(path: str | Path) -> int:
    """Open a regular file for reading and return its descriptor. Raises OSError for a link, a pipe or a device too."""
    number = os.open(path, _READ)
    if stat.S_ISREG(os.fstat(number).st_mode):
        return number
    os.close(number)
    raise OSError(errno.EINVAL, "not a regular file")


def read_regular(path: str | Path, most: int = -1) -> bytes:
    """Read a regular file, or its first ``most`` bytes. Raises OSError for a link, a pipe or a device too."""
    with os.fdopen(open_regular(path), "rb") as stream:
        return stream.read(most)


def read_whole(path: str | Path, most: int) -> bytes:
    """Read a regular file. Raises OSError for a link, a pipe or a device too, and for more than ``most`` bytes."""
    data = read_regular(path, most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, "it is too large")
    return data


def read_named(path: str | Path) -> bytes:
    """Read a file that the user names. Raises OSError, also for what has no end, such as a device.

    A link is followed, and a pipe is read; one into which nobody writes is empty instead of waited for.
    """
    number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    if stat.S_ISDIR(os.fstat(number).st_mode):
        os.close(number)
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if hasattr(os, "O_NONBLOCK"):
        os.set_blocking(number, True)
    with os.fdopen(number, "rb") as stream:
        data = stream.read(_MOST_NAMED + 1)
    if len(data) > _MOST_NAMED:
        raise OSError(errno.EFBIG, "it is too large")
    return data


def can_write(folder: Path) -> bool:
    """Return whether files can be made in a folder, which is made if it is missing."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = _new_name(folder, "probe")
        probe.touch(exist_ok=False)
        probe.unlink()
    except OSError:  # that is the answer
        return False
    return True


def publish(place: Path, make: Callable[[Path], None]) -> None:
    """Let a function make a file in a folder of its own, then move it to its place: nobody sees a part of it.

    Raises OSError, and what the function raises.
    """
    folder = _new_name(place.parent, place.name)
    folder.mkdir()
    try:
        make(folder / place.name)
        (folder / place.name).replace(place)
    finally:
        remove_folder(folder)


def remove_folder(folder: Path) -> None:
    """Delete a folder, if it is there: for other processes at once, not file by file. Raises OSError."""
    import shutil

    gone = folder.with_name(f"{folder.name}.{os.urandom(4).hex()}.tmp")
    try:
        folder.rename(gone)
    except FileNotFoundError:  # that is what is wanted
        return
    except OSError:  # on Windows, of a folder with open files: what can be deleted is
        gone = folder
    with suppress(FileNotFoundError):  # another process deleted it
        shutil.rmtree(gone)


@contextmanager
def alone(place: Path, seconds: float) -> Iterator[None]:
    """Run a block while no other process runs one for the same place; wait for that, but not longer than some seconds.

    Then the other one was killed in its block, or is so slow that it makes no difference.
    """
    lock, until = place.with_name(f"{place.name}.lock"), time.monotonic() + seconds
    with suppress(OSError):  # the block says what is wrong with the folder
        place.parent.mkdir(parents=True, exist_ok=True)
    while time.monotonic() < until:
        try:
            os.close(os.open(lock, _NEW))
            break
        except FileExistsError:  # its turn comes
            time.sleep(_PAUSE_SECONDS)
        except OSError:  # as above
            break
    try:
        yield
    finally:
        with suppress(OSError):  # another process took it for left behind
            lock.unlink()


def _new_name(folder: Path, name: str) -> Path:
    """A new, unused path; ``tempfile`` would take longer to load than all of this takes to run."""
    return folder / f".{name}.{os.urandom(4).hex()}.tmp"


def _mode(path: Path) -> int | None:
    """Return the type and permissions of what is at a path, if anything is."""
    try:
        return path.stat().st_mode
    except FileNotFoundError:  # that is the answer
        return None


def _umask() -> int:
    """Return the permissions that new files of this process lack; it can only be read by setting it."""
    with _umask_lock:  # a thread between the two lines of another would read 0, and leave it so
        mask = os.umask(0)
        os.umask(mask)
    return mask


_DIGITS: Final = 8  # of a checksum, in base 16


class DamagedError(ValueError):
    """Stored data differs from what was written; the message never quotes it."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} is damaged")


def checksum(name: str, *parts: bytes | memoryview) -> int:
    """Return the checksum of some data, one part after the other, under a name."""
    return checksum_of(name, parts)


def checksum_of(name: str, parts: Iterable[bytes | memoryview]) -> int:
    """Return what ``checksum`` does, of parts of which only one has to be there at a time."""
    found = zlib.crc32(name.encode("utf-8", "surrogatepass"))
    for part in parts:
        found = zlib.crc32(part, found)
    return found


def seal(text: str, name: str) -> str:
    """Return a text that ``unseal`` accepts under the same name."""
    return f"{_checksum_of(text, name)}{text}"


def unseal(sealed: object, name: str) -> str:
    """Return the text that was sealed. Raises DamagedError for anything else."""
    if isinstance(sealed, str):
        text = sealed[_DIGITS:]
        if sealed[:_DIGITS] == _checksum_of(text, name):
            return text
    raise DamagedError(name)


def _checksum_of(text: str, name: str) -> str:
    return f"{checksum(name, text.encode('utf-8', 'surrogatepass')):0{_DIGITS}x}"


def write_sealed(path: Path, data: bytes) -> None:
    """Write ``data`` with its seal, whole or not at all. Raises OSError."""
    replace_file(path, f"{checksum(path.name, data):0{_DIGITS}x}\n".encode("ascii") + data)


def write_sealed_json(path: Path, document: object) -> None:
    """Write a document as JSON with its seal, whole or not at all. Raises OSError."""
    write_sealed(path, json.dumps(document, sort_keys=True).encode())


def read_sealed_json(path: Path) -> dict[str, Any]:
    """Read what ``write_sealed_json`` wrote of an object; nothing where that cannot be read or is damaged."""
    try:
        document = json.loads(read_sealed(path))
    except (OSError, DamagedError):  # what was kept is made again
        return {}
    return document if isinstance(document, dict) else {}


def read_sealed(path: Path) -> bytes:
    """Read what ``write_sealed`` wrote. Raises OSError, and DamagedError for anything else."""
    with path.open("rb", buffering=0) as file:
        mark, data = file.read(_DIGITS + 1), file.readall()  # apart: a copy takes longer than to read and check
    if mark != f"{checksum(path.name, data):0{_DIGITS}x}\n".encode("ascii"):
        raise DamagedError(path.name)
    return data
