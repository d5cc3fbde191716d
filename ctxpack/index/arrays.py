"""Arrays on disk, and the postings that are made of them: which documents hold a term, and how often.

A file of arrays is mapped, not copied. It holds a checksum, a JSON directory, and the arrays, each at a multiple of 64
bytes. The checksum is compared whenever a file is mapped that may have changed, so that no later step has to doubt what
it reads.

The postings are not those of a search library, for two measured reasons. A library counts deleted documents until it
merges, so the same state of a repository would get other scores after another history of updates. And one pass over
exact counts serves every field, part and sum over files of the ranker.
"""

from __future__ import annotations

import json
import math
import mmap
import os
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

from ctxpack.errors import BrokenIndexError
from ctxpack.index.terms import hash_keys, sealed_key, term_hash, term_key
from ctxpack.light import dataclass
from ctxpack.system.disk import checksum, checksum_of

if TYPE_CHECKING:
    from typing import Any, BinaryIO

    import numpy as np
    from numpy.typing import NDArray

    Arrays = dict[str, NDArray[np.generic]]
    Load = Callable[[Path], dict[str, NDArray[Any]]]
    """Gives the arrays of a file."""


_MAGIC = b"CTXPACK2"
_ALIGNMENT = 64
_NUMBER = 8  # bytes of the checksum, and of the directory's length behind it
_CHECKED = len(_MAGIC) + _NUMBER  # from here on
_FIRST = _CHECKED + _NUMBER  # byte of the directory
_PIECE = 1 << 20  # bytes that are read at once


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


def load_arrays(path: Path, is_checked: Callable[[os.stat_result], bool] = lambda _: False) -> dict[str, NDArray[Any]]:
    """Map the arrays of a file. Raises BrokenIndexError if it is missing or not what was written under its name.

    The checksum is not compared for a file that ``is_checked``.
    """
    import numpy as np

    try:
        with path.open("rb") as file:
            is_known = is_checked(os.fstat(file.fileno()))
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            if data[: len(_MAGIC)] != _MAGIC:
                raise BrokenIndexError(f"The index file {path.name} has another format.")
            if not is_known and _checksum(path.name, file) != data[len(_MAGIC) : _CHECKED]:
                raise BrokenIndexError(f"The index file {path.name} is damaged.")
    except (OSError, ValueError) as error:  # what is empty cannot be mapped
        raise BrokenIndexError(f"The index file {path.name} cannot be read.") from error
    size = int.from_bytes(data[_CHECKED:_FIRST], "little")
    start = _align(_FIRST + size)
    return {
        name: np.frombuffer(data, dtype, math.prod(shape), start + offset).reshape(shape)
        for name, dtype, shape, offset in json.loads(data[_FIRST : _FIRST + size])
    }


def forget_pages(array: NDArray[Any]) -> None:
    """Release the pages of an array's file from the memory of this process.

    They stay in the cache of the system, so that a second access does not read the disk. A page
    that is touched brings its neighbours with it, so that a few hundred terms would otherwise make up the whole index.
    """
    found: Any = array
    while not isinstance(found, mmap.mmap):
        found = found.obj if isinstance(found, memoryview) else getattr(found, "base", None)
        if found is None:  # it was not loaded from a file
            return
    if hasattr(mmap, "MADV_DONTNEED"):
        found.madvise(mmap.MADV_DONTNEED)


def read_shapes(path: Path) -> dict[str, Sequence[int]]:
    """Read the shape of each array of a file, unchecked. Raises BrokenIndexError."""
    try:
        with path.open("rb") as file:
            head = file.read(_FIRST)
            directory = json.loads(file.read(int.from_bytes(head[_CHECKED:_FIRST], "little")))
        return {name: shape for name, _, shape, _ in directory}
    except (OSError, ValueError, TypeError, OverflowError, MemoryError) as error:
        raise BrokenIndexError(f"The index file {path.name} cannot be read.") from error


def _checksum(name: str, file: BinaryIO) -> bytes:
    """Read the file piece by piece: through a map, all of it would count as memory of this process."""
    file.seek(_CHECKED)
    pieces = iter(lambda: file.read(_PIECE), b"")
    return checksum_of(name, pieces).to_bytes(_NUMBER, "little")


def _align(size: int) -> int:
    return -(-size // _ALIGNMENT) * _ALIGNMENT


_MAX_COUNT = 255  # term frequencies are kept in a byte; BM25 saturates long before
_COUNT_BITS = 16


@dataclass(frozen=True, slots=True)
class FieldPostings:
    """One field of one segment. Documents are numbered from 0 within the segment.

    ``hashes`` of terms are sorted; ``pointers`` cut ``docs`` and ``counts`` by term; ``lengths`` is the sum of counts
    per document. The terms that are listed are sorted UTF-8 strings joined without separator in ``terms``, cut by
    ``offsets``; ``places`` has the place of the hash of each.
    """

    hashes: NDArray[np.uint64]
    pointers: NDArray[np.integer]
    docs: NDArray[np.integer]
    counts: NDArray[np.uint8]
    lengths: NDArray[np.int32]
    terms: NDArray[np.uint8]
    offsets: NDArray[np.integer]
    places: NDArray[np.int32]

    def find(self, term: str) -> tuple[NDArray[np.integer], NDArray[np.uint8]] | None:
        """Return the documents with ``term``, ascending, and their counts; None if there are none."""
        wanted = term_hash(term)
        place = int(self.hashes.searchsorted(wanted))
        if place == len(self.hashes) or self.hashes[place] != wanted:
            return None
        start, end = self.pointers[place], self.pointers[place + 1]
        return self.docs[start:end], self.counts[start:end]

    def holds(self, hashes: NDArray[np.uint64]) -> NDArray[np.bool_]:
        """Test each of some hashes of terms for being held."""
        import numpy as np

        if not len(self.hashes):
            return np.zeros(len(hashes), bool)
        places = np.minimum(self.hashes.searchsorted(hashes), len(self.hashes) - 1)
        found: NDArray[np.bool_] = self.hashes[places] == hashes
        return found

    def beginning_with(self, prefix: str) -> range:
        """Return the numbers of the listed terms that begin with ``prefix``."""
        numbers, key = range(len(self.places)), term_key(prefix)
        first = bisect_left(numbers, key, key=self._term)
        return range(first, bisect_right(numbers, key, first, key=lambda number: self._term(number)[: len(key)]))

    def with_prefix(self, prefix: str) -> list[tuple[str, int]]:
        """Return the listed terms that begin with ``prefix``, and how many documents hold each."""
        numbers = self.beginning_with(prefix)
        return list(zip(self.vocabulary(numbers), self.holding(None, numbers).tolist(), strict=True))

    def vocabulary(self, numbers: range | None = None) -> list[str]:
        """Return all listed terms, or those with some numbers, in the order of their UTF-8 bytes."""
        return [key.decode("utf-8", "surrogateescape") for key in self.listed_terms(numbers)]

    def listed_terms(self, numbers: range | None = None) -> list[bytes]:
        """Return the listed terms as they are held, sorted."""
        numbers = range(len(self.places)) if numbers is None else numbers
        cuts = self.offsets[numbers.start : numbers.stop + 1].tolist()
        blob, first = self.terms[cuts[0] : cuts[-1]].tobytes(), cuts[0]
        return [blob[a - first : b - first] for a, b in pairwise(cuts)]

    def holding(self, alive: NDArray[np.bool_] | None, numbers: range | None = None) -> NDArray[np.int64]:
        """Return how many of the ``alive`` documents, or of all, hold each term, in the order of ``vocabulary``."""
        import numpy as np

        places = self.places if numbers is None else self.places[numbers.start : numbers.stop]
        if alive is None:
            return self.pointers[places + 1].astype(np.int64) - self.pointers[places].astype(np.int64)
        before = np.zeros(len(self.docs) + 1, np.int64)
        np.cumsum(alive[self.docs], out=before[1:])
        found: NDArray[np.int64] = before[self.pointers[places + 1]] - before[self.pointers[places]]
        return found

    def _term(self, number: int) -> bytes:
        return self.terms[self.offsets[number] : self.offsets[number + 1]].tobytes()


def build_postings(
    keys: Sequence[bytes], rows: NDArray[np.int64], documents: int, is_listed: Callable[[bytes], bool] = bool
) -> Arrays:
    """Make the arrays of a ``FieldPostings`` over terms in UTF-8, or as ``term_key`` writes them.

    ``rows`` has three columns: index into ``keys``, document, count. Rows of the same term and document are summed;
    equal keys are one term. ``is_listed`` says which terms the vocabulary has.
    """
    keys = list(map(sealed_key, keys))
    return postings_of_hashes(hash_keys(keys), rows, documents, list(filter(is_listed, keys)))


def postings_of_hashes(
    hashes: NDArray[np.uint64], rows: NDArray[np.int64], documents: int, listed: Collection[bytes]
) -> Arrays:
    """Do what ``build_postings`` does for hashes of terms; ``listed`` are the terms of the vocabulary."""
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
    return {
        "hashes": unique,
        "pointers": ends_of(np.bincount(term_of, minlength=len(unique))),
        "docs": narrow(doc_of, documents),
        "counts": np.minimum(summed, _MAX_COUNT).astype(np.uint8),
        "lengths": np.bincount(doc_of, weights=summed, minlength=documents).astype(np.int32),
        **vocabulary_of(listed, unique),
    }


def vocabulary_of(listed: Iterable[bytes], hashes: NDArray[np.uint64]) -> Arrays:
    """Make the arrays of the vocabulary of some terms, whose sorted ``hashes`` are there."""
    import numpy as np

    terms = sorted(set(listed))
    return {
        "terms": np.frombuffer(b"".join(terms), np.uint8),
        "offsets": ends_of(np.fromiter(map(len, terms), np.int64, len(terms))),
        "places": hashes.searchsorted(hash_keys(terms)).astype(np.int32),
    }


def ends_of(sizes: NDArray[np.int64]) -> NDArray[np.integer]:
    """Return the offsets of consecutive parts, and the end of the last."""
    import numpy as np

    ends = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=ends[1:])
    return narrow(ends, int(ends[-1]))


def narrow(numbers: NDArray[np.int64], highest: int) -> NDArray[np.integer]:
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
