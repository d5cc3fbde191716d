"""Named arrays in one file that is mapped, not read: a JSON directory, then the arrays, each at a multiple of 64."""

from __future__ import annotations

import json
import mmap
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ctxpack.errors import BrokenIndexError

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

_MAGIC = b"CTXPACK1"
_ALIGNMENT = 64
_LENGTH_BYTES = 8


def save_arrays(path: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write the arrays to a new file, then put it in the place of ``path``. Raises OSError."""
    directory, offset = [], 0
    for name, array in arrays.items():
        directory.append((name, array.dtype.str, array.shape, offset))
        offset += _align(array.nbytes)
    head = json.dumps(directory).encode()
    start = _align(len(_MAGIC) + _LENGTH_BYTES + len(head))
    temporary = path.with_name(f"{path.name}.{os.urandom(16).hex()}.tmp")  # two threads may write the same
    with temporary.open("wb") as file:
        file.write((_MAGIC + len(head).to_bytes(_LENGTH_BYTES, "little") + head).ljust(start, b"\0"))
        for array in arrays.values():
            file.write(array.tobytes())
            file.write(b"\0" * (_align(array.nbytes) - array.nbytes))
    temporary.replace(path)


def load_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """Map the arrays of a file. Raises BrokenIndexError when the file is missing, cut short or of another format."""
    import numpy as np

    try:
        with path.open("rb") as file:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as error:
        raise BrokenIndexError(f"The index file {path.name} cannot be read: {error}.") from error
    first = len(_MAGIC) + _LENGTH_BYTES
    if data[: len(_MAGIC)] != _MAGIC:
        raise BrokenIndexError(f"The index file {path.name} is of another format.")
    size = int.from_bytes(data[len(_MAGIC) : first], "little")
    try:
        directory = json.loads(data[first : first + size] if size < len(data) else b"")
        start = _align(first + size)
        return {
            name: np.frombuffer(data, dtype, _product(shape), start + offset).reshape(shape)
            for name, dtype, shape, offset in directory
        }
    except (ValueError, TypeError, OverflowError) as error:
        raise BrokenIndexError(f"The index file {path.name} is damaged: {error}.") from error


def _align(size: int) -> int:
    return -(-size // _ALIGNMENT) * _ALIGNMENT


def _product(shape: list[int]) -> int:
    result = 1
    for size in shape:
        if size < 0:
            raise ValueError(f"a size of {size}")
        result *= size
    return result
