"""Arrays and texts on disk.

A file of arrays holds a checksum, a JSON directory, and the arrays, each at a multiple of 64 bytes. The checksum is
compared whenever a file is opened that may have changed, so that no later step has to doubt what it reads; of the
arrays only the parts that are needed are read.
"""

from __future__ import annotations

import json
import mmap
import os
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final
from zlib import crc32

from ctxpack.errors import BrokenIndexError
from ctxpack.system.disk import checksum, checksum_of

if TYPE_CHECKING:
    from typing import Any, BinaryIO, Protocol

    import numpy as np
    from numpy.typing import NDArray

    Arrays = dict[str, NDArray[Any]]
    Load = Callable[[Path], Mapping[str, "StoredArray"]]
    """Gives the arrays of a file."""

    class _Source(Protocol):
        def read(self, offset: int, size: int) -> bytes: ...


_MAGIC = b"CTXPACK3"
_ALIGNMENT = 64
_NUMBER = 8  # bytes of the checksum, and of the directory's length behind it
_CHECKED = len(_MAGIC) + _NUMBER  # from here on
_FIRST = _CHECKED + _NUMBER  # byte of the directory
_PIECE = 1 << 20  # bytes that are read at once
_SHORT = 1 << 12  # bytes of an array for each part of it that is asked for, up to which it is read whole


def save_arrays(path: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write arrays of one dimension to a new file, then put it in the place of ``path``. Raises OSError."""
    directory, offset = [], 0
    for name, array in arrays.items():
        directory.append((name, array.dtype.str, len(array), offset))
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


class StoredArray:
    """An array of one dimension, in a file or in memory, of which a part is read when it is asked for.

    In a map, every page that is touched brings its neighbours with it, so that the few hundred terms of a request would
    make the whole index part of the memory of this process.
    """

    def __init__(self, source: _Source, dtype: np.dtype[Any], offset: int, length: int) -> None:
        self._source = source
        self._offset = offset
        self._length = length
        self.dtype = dtype

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, place: slice) -> NDArray[Any]:
        import numpy as np

        start, stop, _ = place.indices(self._length)
        return np.frombuffer(self.read(start, stop), self.dtype)

    def read(self, start: int, stop: int) -> bytes:
        """Return the bytes of the numbers ``start..stop - 1``. Raises BrokenIndexError."""
        size = self.dtype.itemsize
        return self._source.read(self._offset + start * size, max(min(stop, self._length) - start, 0) * size)

    def read_for(self, times: int) -> StoredArray:
        """Return the array for so many parts of it: in memory if it is so short that to read each takes longer."""
        if self._length * self.dtype.itemsize > times * _SHORT:
            return self
        return StoredArray(_Memory(self.read(0, self._length)), self.dtype, 0, self._length)

    @cached_property
    def kept(self) -> NDArray[Any]:
        """All of it, read once."""
        return self[:]

    @cached_property
    def numbers(self) -> memoryview:
        """All of it, read once, of which few numbers are looked at: only these are made."""
        return self[:].data


def hold_arrays(arrays: Mapping[str, NDArray[Any]]) -> dict[str, StoredArray]:
    """Return arrays in memory as ``load_arrays`` gives those of a file."""
    return {name: StoredArray(_Memory(array.tobytes()), array.dtype, 0, len(array)) for name, array in arrays.items()}


class _Memory:
    def __init__(self, data: bytes) -> None:
        self._data = data

    def read(self, offset: int, size: int) -> bytes:
        return self._data[offset : offset + size]


class _File:
    """A file that stays open, even if another takes its place, and is read at any place by several threads."""

    def __init__(self, file: BinaryIO, name: str) -> None:
        self._name = name
        self._map: mmap.mmap | None = None
        self._descriptor = -1
        if hasattr(os, "pread"):
            self._descriptor = os.dup(file.fileno())
        else:
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)

    def read(self, offset: int, size: int) -> bytes:
        """Read some bytes. Raises BrokenIndexError."""
        try:
            data = self._pread(offset, size) if self._map is None else self._map[offset : offset + size]
        except OSError as error:
            raise BrokenIndexError(f"The index file {self._name} cannot be read.") from error
        if len(data) < size:
            raise BrokenIndexError(f"The index file {self._name} is damaged.")
        return data

    def _pread(self, offset: int, size: int) -> bytes:
        data = os.pread(self._descriptor, size, offset)
        while len(data) < size and (more := os.pread(self._descriptor, size - len(data), offset + len(data))):
            data += more  # no system reads more than some 2 GB at once
        return data

    def __del__(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)


def load_arrays(path: Path, is_checked: Callable[[os.stat_result], bool] = lambda _: False) -> dict[str, StoredArray]:
    """Open the arrays of a file. Raises BrokenIndexError if it is missing or not what was written under its name.

    The checksum is not compared for a file that ``is_checked``.
    """
    import numpy as np

    try:
        with path.open("rb") as file:
            is_known = is_checked(os.fstat(file.fileno()))
            head = file.read(_FIRST)
            if head[: len(_MAGIC)] != _MAGIC:
                raise BrokenIndexError(f"The index file {path.name} has another format.")
            if not is_known and _checksum(path.name, file) != head[len(_MAGIC) : _CHECKED]:
                raise BrokenIndexError(f"The index file {path.name} is damaged.")
            size = int.from_bytes(head[_CHECKED:], "little")
            file.seek(_FIRST)
            directory, start = json.loads(file.read(size)), _align(_FIRST + size)
            source = _File(file, path.name)
    except (OSError, ValueError) as error:  # its directory is no JSON
        raise BrokenIndexError(f"The index file {path.name} cannot be read.") from error
    return {
        name: StoredArray(source, np.dtype(dtype), start + offset, length) for name, dtype, length, offset in directory
    }


def read_lengths(path: Path) -> dict[str, int]:
    """Read the length of each array of a file, unchecked. Raises BrokenIndexError."""
    try:
        with path.open("rb") as file:
            head = file.read(_FIRST)
            directory = json.loads(file.read(int.from_bytes(head[_CHECKED:_FIRST], "little")))
        return {name: length for name, _, length, _ in directory}
    except (OSError, ValueError, TypeError, OverflowError, MemoryError) as error:
        raise BrokenIndexError(f"The index file {path.name} cannot be read.") from error


def _checksum(name: str, file: BinaryIO) -> bytes:
    """Read the file piece by piece, so that not all of it has to be in memory."""
    file.seek(_CHECKED)
    pieces = iter(lambda: file.read(_PIECE), b"")
    return checksum_of(name, pieces).to_bytes(_NUMBER, "little")


def _align(size: int) -> int:
    return -(-size // _ALIGNMENT) * _ALIGNMENT


TEXTS: Final = 64  # of a block of packed texts
BETWEEN: Final = "\0"  # two of them
COMPRESSION: Final = 1  # the fastest
_MOST_BLOCKS = 256  # that are kept


class PackedTexts:
    """Texts without null characters, of which ``TEXTS`` are compressed together; ``ends`` cuts the ``blocks``."""

    __match_args__ = ("blocks", "ends")

    def __init__(self, blocks: StoredArray, ends: StoredArray) -> None:
        self.blocks = blocks
        self.ends = ends
        self._kept: dict[int, list[bytes]] = {}

    def __getitem__(self, number: int) -> bytes:
        block, at = divmod(number, TEXTS)
        if block not in self._kept:
            if len(self._kept) >= _MOST_BLOCKS:
                self._kept.clear()
            self._kept[block] = self.read(block, block + 1)
        return self._kept[block][at]

    def read(self, first: int, stop: int) -> list[bytes]:
        """Return the texts of some blocks."""
        ends, texts = self.ends.numbers[first : stop + 1], list[bytes]()
        if ends:
            data = self.blocks.read(ends[0], ends[-1])
            for start, end in pairwise(ends):
                texts += zlib.decompress(data[start - ends[0] : end - ends[0]]).split(BETWEEN.encode())
        return texts

    def all_texts(self) -> list[bytes]:
        """Return all of them."""
        return self.read(0, len(self.ends) - 1)


def pack_texts(texts: Sequence[bytes], level: int = COMPRESSION) -> Arrays:
    """Make the arrays of ``PackedTexts``; with the level 0 their blocks are not compressed."""
    import numpy as np

    starts = range(0, len(texts), TEXTS)
    blocks = [zlib.compress(BETWEEN.encode().join(texts[start : start + TEXTS]), level) for start in starts]
    sizes = np.fromiter(map(len, blocks), np.int64, len(blocks))
    return {"blocks": np.frombuffer(b"".join(blocks), np.uint8), "ends": ends_of(sizes)}


def ends_of(sizes: NDArray[np.int64], first: int = 0) -> NDArray[np.integer]:
    """Return the offsets of consecutive parts from ``first`` on, and the end of the last."""
    import numpy as np

    ends = np.full(len(sizes) + 1, first, np.int64)
    ends[1:] += np.cumsum(sizes)
    return narrow(ends, int(ends[-1]))


def narrow(numbers: NDArray[np.integer], highest: int) -> NDArray[np.integer]:
    """Return numbers in as few bytes as they need: the index is read whole, so its size costs time."""
    import numpy as np

    return numbers.astype(np.min_scalar_type(max(highest, 1 << 8)))


def checksum_of_rows(rows: Iterable[tuple[bytes, str, str, int]]) -> int:
    """Compute one checksum of some rows, in any order; -1 if a value has the wrong type.

    It is a sum over the rows: what an update replaces can be taken out of it, and what is new be added. A checksum is
    linear, so that of rows that exchange a value the sum would often be the same: that of their squares is not.
    """
    try:
        return sum(crc32(path, crc32(f"{key}\0{segment}\0{slot}".encode())) ** 2 for path, key, segment, slot in rows)
    except (TypeError, UnicodeEncodeError):  # no checksum is this one
        return -1
