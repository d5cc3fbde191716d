"""Named arrays in one file that is mapped, not copied: a JSON directory, then the arrays, each at a multiple of 64.

A checksum over all of it comes first and is compared whenever a file is mapped: at some 4 GB a second that takes less
than a hundredth of a run, and nothing later has to doubt what it reads.
"""

from __future__ import annotations

import json
import math
import mmap
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ctxpack.errors import BrokenIndexError
from ctxpack.system.files import checksum

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

_MAGIC = b"CTXPACK2"
_ALIGNMENT = 64
_NUMBER = 8  # bytes of the checksum, and of the directory's length behind it
_CHECKED = len(_MAGIC) + _NUMBER  # from here on
_FIRST = _CHECKED + _NUMBER  # byte of the directory


def save_arrays(path: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write the arrays to a new file, then put it in the place of ``path``. Raises OSError."""
    directory, offset = [], 0
    for name, array in arrays.items():
        directory.append((name, array.dtype.str, array.shape, offset))
        offset += _align(array.nbytes)
    head = json.dumps(directory).encode()
    start = _align(_FIRST + len(head))
    parts = [(len(head).to_bytes(_NUMBER, "little") + head).ljust(start - _CHECKED, b"\0")]
    for array in arrays.values():
        parts += (array.tobytes(), b"\0" * (_align(array.nbytes) - array.nbytes))
    temporary = path.with_name(f"{path.name}.{os.urandom(16).hex()}.tmp")  # two threads may write the same
    try:
        with temporary.open("wb") as file:
            file.write(_MAGIC + checksum(path.name, *parts).to_bytes(_NUMBER, "little"))
            file.writelines(parts)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def load_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """Map the arrays of a file. Raises BrokenIndexError when it is missing, or not what was written under its name."""
    import numpy as np

    try:
        with path.open("rb") as file:
            data = _map(file.fileno())
    except (OSError, ValueError) as error:  # what is empty cannot be mapped
        raise BrokenIndexError(f"The index file {path.name} cannot be read.") from error
    if data[: len(_MAGIC)] != _MAGIC:
        raise BrokenIndexError(f"The index file {path.name} is of another format.")
    if checksum(path.name, memoryview(data)[_CHECKED:]).to_bytes(_NUMBER, "little") != data[len(_MAGIC) : _CHECKED]:
        raise BrokenIndexError(f"The index file {path.name} is damaged.")
    size = int.from_bytes(data[_CHECKED:_FIRST], "little")
    start = _align(_FIRST + size)
    return {
        name: np.frombuffer(data, dtype, math.prod(shape), start + offset).reshape(shape)
        for name, dtype, shape, offset in json.loads(data[_FIRST : _FIRST + size])
    }


def _map(file: int) -> mmap.mmap:
    """Map a file for reading; all of its pages at once, where the system can: every one is about to be read."""
    if sys.platform == "linux":
        return mmap.mmap(file, 0, flags=mmap.MAP_SHARED | mmap.MAP_POPULATE, prot=mmap.PROT_READ)
    return mmap.mmap(file, 0, access=mmap.ACCESS_READ)


def _align(size: int) -> int:
    return -(-size // _ALIGNMENT) * _ALIGNMENT
