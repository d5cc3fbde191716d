"""Checksums over what is kept on disk: what was damaged there is seen before anything of it is used.

A seal also covers the name under which a thing is kept, so that one cannot stand in the place of another.
"""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Final

from ctxpack.system.files import replace_file

_DIGITS: Final = 8  # of a checksum, in base 16


class DamagedError(ValueError):
    """What was kept is not what was written; the message never says what it is instead."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} is damaged")


def checksum(name: str, *parts: bytes | memoryview) -> int:
    """Return the checksum of some data, one part after the other, under a name."""
    found = zlib.crc32(name.encode("utf-8", "surrogatepass"))
    for part in parts:
        found = zlib.crc32(part, found)
    return found


def seal(text: str, name: str) -> str:
    """Return a text that ``unseal`` knows again, under the same name."""
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


def read_sealed(path: Path) -> bytes:
    """Read what ``write_sealed`` wrote. Raises OSError, and DamagedError for anything else."""
    sealed = path.read_bytes()
    data = sealed[_DIGITS + 1 :]
    if sealed[: _DIGITS + 1] != f"{checksum(path.name, data):0{_DIGITS}x}\n".encode("ascii"):
        raise DamagedError(path.name)
    return data
