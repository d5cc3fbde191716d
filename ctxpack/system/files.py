"""Write files so that nobody ever sees a half-written one."""

from __future__ import annotations

import os
import stat
from pathlib import Path

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


def can_write(folder: Path) -> bool:
    """Return whether files can be made in a folder, which is made if it is missing."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = _new_name(folder, "probe")
        probe.touch(exist_ok=False)
        probe.unlink()
    except OSError:
        return False
    return True


def _new_name(folder: Path, name: str) -> Path:
    """A new, unused path; ``tempfile`` would take longer to load than all of this takes to run."""
    return folder / f".{name}.{os.urandom(4).hex()}.tmp"


def _mode(path: Path) -> int | None:
    """Return the type and permissions of what is at a path, if anything is."""
    try:
        return path.stat().st_mode
    except FileNotFoundError:
        return None


def _umask() -> int:
    """Return the permissions that new files of this process lack; it can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
