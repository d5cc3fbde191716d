"""Arrays on disk, and the postings that are made of them: which documents hold a term, and how often.

A file of arrays holds a checksum, a JSON directory, and the arrays, each at a multiple of 64 bytes. The checksum is
compared whenever a file is opened that may have changed, so that no later step has to doubt what it reads; of the
arrays only the parts that are needed are read.

The postings are not those of a search library, for two measured reasons. A library counts deleted documents until it
merges, so the same state of a repository would get other scores after another history of updates. And one pass over
exact counts serves every field, part and sum over files of the ranker.
"""

from __future__ import annotations

import json
import mmap
import os
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

from ctxpack.errors import BrokenIndexError
from ctxpack.index.terms import hash_keys, sealed_key, term_hash, term_key
from ctxpack.light import dataclass
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

    @cached_property
    def kept(self) -> NDArray[Any]:
        """All of it, read once."""
        return self[:]

    @cached_property
    def numbers(self) -> list[int]:
        """All of it as a list, read once: few numbers are found sooner there."""
        found: list[int] = self[:].tolist()
        return found


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


_MAX_COUNT = 255  # term frequencies are kept in a byte; BM25 saturates long before
_COUNT_BITS = 16
_HASH = 8  # bytes
_BLOCK = 256  # hashes, of which the first one is in ``firsts``
_FEW = 16  # to read all hashes costs less than to read a block of them for each term, where that is a 16th of all
_WORDS = 64  # terms of a vocabulary, of which the first one begins with the letters in ``heads``
_LETTERS = 8  # bytes of a number in ``heads``


@dataclass(frozen=True, slots=True)
class FieldPostings:
    """One field of one segment. Documents are numbered from 0 within the segment.

    ``hashes`` of terms are sorted, and ``firsts`` are the first of every ``_BLOCK`` of them; ``pointers`` cut ``docs``
    and ``counts`` by term; ``lengths`` is the sum of counts per document.
    """

    hashes: StoredArray
    firsts: StoredArray
    pointers: StoredArray
    docs: StoredArray
    counts: StoredArray
    lengths: StoredArray

    def find(self, term: str) -> tuple[NDArray[np.integer], NDArray[np.uint8]] | None:
        """Return the documents with ``term``, ascending, and their counts; None if there are none."""
        return None if (place := self._place(term_hash(term))) < 0 else self.documents(place)

    def _place(self, wanted: int) -> int:
        first = (bisect_right(self.firsts.numbers, wanted) - 1) * _BLOCK
        key, block = wanted.to_bytes(_HASH, sys.byteorder), self.hashes.read(max(first, 0), first + _BLOCK)
        at = block.find(key) if first >= 0 else -1
        while at > 0 and at % _HASH:  # the end of one hash and the beginning of the next
            at = block.find(key, at + 1)
        return -1 if at < 0 else first + at // _HASH

    def documents(self, place: int) -> tuple[NDArray[np.integer], NDArray[np.uint8]]:
        """Return the documents with the term that is at a place of ``hashes``, and their counts."""
        start, end = self.pointers[place : place + 2].tolist()
        return self.docs[start:end], self.counts[start:end]

    def places(self, hashes: NDArray[np.uint64]) -> list[int]:
        """Return the place of each of some hashes of terms, -1 for what is not held."""
        if len(hashes) * _BLOCK * _FEW < len(self.hashes):
            return list(map(self._place, hashes.tolist()))
        import numpy as np

        own = np.append(self.hashes[:], np.uint64(0))  # one more, for what is behind the last
        places = own[:-1].searchsorted(hashes)
        is_held = (own[places] == hashes) & (places < len(own) - 1)
        return [place if held else -1 for place, held in zip(places.tolist(), is_held.tolist(), strict=True)]


@dataclass(frozen=True, slots=True)
class TermList:
    """The terms of a field: sorted UTF-8 strings joined without separator in ``terms``, cut by ``offsets``.

    ``held`` says how many documents hold each; ``heads`` has the first letters of every term at a multiple of
    ``_WORDS``, as a number.
    """

    terms: StoredArray
    offsets: StoredArray
    held: StoredArray
    heads: StoredArray

    def beginning_with(self, prefix: str = "") -> tuple[list[str], NDArray[np.integer]]:
        """Return the terms that begin with ``prefix``, in the order of their bytes; how many documents hold each."""
        key = term_key(prefix)
        start, keys = self._read_around(key)
        first = bisect_left(keys, key)
        last = bisect_right(keys, key, first, key=lambda each: each[: len(key)])
        terms = [each.decode("utf-8", "surrogateescape") for each in keys[first:last]]
        return terms, self.held[start + first : start + last]

    def all_terms(self) -> list[bytes]:
        """Return all terms as they are held."""
        return self._read_terms(0, len(self.held))

    def _read_around(self, key: bytes) -> tuple[int, list[bytes]]:
        """Return some terms in order, with all that begin with ``key``, and the number of the first."""
        if not key:
            return 0, self.all_terms()
        least, most = (int.from_bytes(key[:_LETTERS].ljust(_LETTERS, each), "big") for each in (b"\0", b"\xff"))
        before, after = bisect_left(self.heads.numbers, least), bisect_right(self.heads.numbers, most)
        start = max(before - 1, 0) * _WORDS
        return start, self._read_terms(start, min(after * _WORDS, len(self.held)))

    def _read_terms(self, start: int, stop: int) -> list[bytes]:
        if start >= stop:
            return []
        cuts = self.offsets[start : stop + 1].tolist()
        blob, first = self.terms[cuts[0] : cuts[-1]].tobytes(), cuts[0]
        return [blob[a - first : b - first] for a, b in pairwise(cuts)]


def build_postings(keys: Sequence[bytes], rows: NDArray[np.int64], documents: int) -> Arrays:
    """Make the arrays of a ``FieldPostings`` over terms in UTF-8, or as ``term_key`` writes them.

    ``rows`` has three columns: index into ``keys``, document, count. Rows of the same term and document are summed;
    equal keys are one term.
    """
    return postings_of_hashes(hash_keys(list(map(sealed_key, keys))), rows, documents)


def postings_of_hashes(hashes: NDArray[np.uint64], rows: NDArray[np.int64], documents: int) -> Arrays:
    """Do what ``build_postings`` does for hashes of terms."""
    import numpy as np

    order = hashes.argsort(kind="stable")
    ordered = hashes[order]
    is_new = np.ones(len(hashes), bool)
    is_new[1:] = ordered[1:] != ordered[:-1]
    renumber = np.zeros(len(hashes), np.int64)
    renumber[order] = np.cumsum(is_new) - 1
    unique = ordered[is_new]
    packed = (renumber[rows[:, 0]] * documents + rows[:, 1] if len(hashes) else rows[:, 0]) << _COUNT_BITS
    packed |= np.minimum(rows[:, 2], (1 << _COUNT_BITS) - 1)
    packed.sort()  # one sort of plain integers is several times faster than an argsort
    combined, counts = packed >> _COUNT_BITS, packed & ((1 << _COUNT_BITS) - 1)
    starts = np.flatnonzero(np.diff(combined, prepend=-1))
    summed = np.add.reduceat(counts, starts) if len(starts) else counts
    term_of, doc_of = np.divmod(combined[starts], max(documents, 1))
    return arrays_of_postings(
        unique,
        np.bincount(term_of, minlength=len(unique)),
        narrow(doc_of, documents),
        np.minimum(summed, _MAX_COUNT).astype(np.uint8),
        np.bincount(doc_of, weights=summed, minlength=documents).astype(np.int64),
    )


def arrays_of_postings(
    hashes: NDArray[np.uint64],
    sizes: NDArray[np.int64],
    docs: NDArray[np.integer],
    counts: NDArray[np.uint8],
    lengths: NDArray[np.integer],
) -> Arrays:
    """Return the arrays of a ``FieldPostings``; ``sizes`` says how many documents hold each term."""
    return {
        "hashes": hashes,
        "firsts": hashes[::_BLOCK],
        "pointers": ends_of(sizes),
        "docs": docs,
        "counts": counts,
        "lengths": narrow(lengths, int(lengths.max(initial=0))),
    }


def vocabulary_of(listed: Iterable[bytes], postings: Arrays) -> Arrays:
    """Make the arrays of the ``TermList`` of some terms, whose postings are there."""
    import numpy as np

    terms = sorted(set(listed))
    places = postings["hashes"].searchsorted(hash_keys(terms))
    held = postings["pointers"][places + 1] - postings["pointers"][places]
    heads = [int.from_bytes(term[:_LETTERS].ljust(_LETTERS, b"\0"), "big") for term in terms[::_WORDS]]
    return {
        "terms": np.frombuffer(b"".join(terms), np.uint8),
        "offsets": ends_of(np.fromiter(map(len, terms), np.int64, len(terms))),
        "held": narrow(held, int(held.max(initial=0))),
        "heads": np.array(heads, np.uint64),
    }


def ends_of(sizes: NDArray[np.int64]) -> NDArray[np.integer]:
    """Return the offsets of consecutive parts, and the end of the last."""
    import numpy as np

    ends = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=ends[1:])
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
