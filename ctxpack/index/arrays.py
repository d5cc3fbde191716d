"""Arrays on disk, and the postings that are made of them: which documents hold a term, and how often.

A file of arrays is mapped, not copied. It holds a checksum, a JSON directory, and the arrays, each at a multiple of 64
bytes. The checksum is compared whenever a file is mapped that may have changed, so that no later step has to doubt what
it reads.

The postings are not those of a search library, for two measured reasons. A library counts deleted documents until it
merges, so the same state of a repository would get other scores after another history of updates. And one pass over
exact counts serves every field, part and sum over files of the ranker.
"""

from __future__ import annotations

import hashlib
import json
import math
import mmap
import os
import re
import sys
import zlib
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from itertools import compress, pairwise
from operator import ne
from pathlib import Path
from typing import TYPE_CHECKING

from ctxpack.errors import BrokenIndexError
from ctxpack.light import dataclass
from ctxpack.system.files import checksum

if TYPE_CHECKING:
    from typing import Any

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
    """Map the arrays of a file. Raises BrokenIndexError when it is missing, or not what was written under its name.

    The latter is not compared of a file that ``is_checked``.
    """
    import numpy as np

    try:
        with path.open("rb") as file:
            is_known = is_checked(os.fstat(file.fileno()))
            data = _map(file.fileno(), is_whole=not is_known)
    except (OSError, ValueError) as error:  # what is empty cannot be mapped
        raise BrokenIndexError(f"The index file {path.name} cannot be read.") from error
    if data[: len(_MAGIC)] != _MAGIC:
        raise BrokenIndexError(f"The index file {path.name} is of another format.")
    if not is_known and _checksum(path, data) != data[len(_MAGIC) : _CHECKED]:
        raise BrokenIndexError(f"The index file {path.name} is damaged.")
    size = int.from_bytes(data[_CHECKED:_FIRST], "little")
    start = _align(_FIRST + size)
    return {
        name: np.frombuffer(data, dtype, math.prod(shape), start + offset).reshape(shape)
        for name, dtype, shape, offset in json.loads(data[_FIRST : _FIRST + size])
    }


def _checksum(path: Path, data: mmap.mmap) -> bytes:
    return checksum(path.name, memoryview(data)[_CHECKED:]).to_bytes(_NUMBER, "little")


def _map(file: int, *, is_whole: bool) -> mmap.mmap:
    """Map a file for reading; all of its pages at once, where the system can and every one is about to be read."""
    if is_whole and sys.platform == "linux":
        return mmap.mmap(file, 0, flags=mmap.MAP_SHARED | mmap.MAP_POPULATE, prot=mmap.PROT_READ)
    return mmap.mmap(file, 0, access=mmap.ACCESS_READ)


def _align(size: int) -> int:
    return -(-size // _ALIGNMENT) * _ALIGNMENT


_MAX_COUNT = 255  # term frequencies are kept in a byte; BM25 saturates long before
_COUNT_BITS = 16


_FEWEST_DIGITS = 9
_LONG_NUMBER = re.compile(rb"[0-9]{9}")  # of a card, a phone, an account: nobody's is kept as it is
_DIGEST_BYTES = 3  # so few that many numbers have the same one


def term_key(term: str) -> bytes:
    """Write a term as postings hold it."""
    return sealed_key(term.encode("utf-8", "surrogateescape"))


def sealed_key(key: bytes) -> bytes:
    """Replace a term with a long number by a digest, from which the number cannot be told."""
    if len(key) < _FEWEST_DIGITS or not _LONG_NUMBER.search(key):
        return key
    return b"#" + hashlib.blake2b(key, digest_size=_DIGEST_BYTES).hexdigest().encode()


@dataclass(frozen=True, slots=True)
class FieldPostings:
    """One field of one segment. Documents are numbered from 0 within the segment.

    ``terms`` are sorted UTF-8 strings joined without separator, cut by ``offsets``; ``pointers`` cut ``docs`` and
    ``counts`` by term; ``lengths`` is the sum of counts per document.
    """

    terms: NDArray[np.uint8]
    offsets: NDArray[np.integer]
    hashes: NDArray[np.uint32]
    hash_order: NDArray[np.int32]
    pointers: NDArray[np.integer]
    docs: NDArray[np.integer]
    counts: NDArray[np.uint8]
    lengths: NDArray[np.int32]

    def find(self, term: str) -> tuple[NDArray[np.integer], NDArray[np.uint8]] | None:
        """Return the documents that hold ``term``, ascending, and their counts; None where there are none."""
        key = term_key(term)
        digest = zlib.crc32(key)
        place = int(self.hashes.searchsorted(digest))
        while place < len(self.hashes) and self.hashes[place] == digest:
            number = int(self.hash_order[place])
            if self._term(number) == key:
                start, end = self.pointers[number], self.pointers[number + 1]
                return self.docs[start:end], self.counts[start:end]
            place += 1
        return None

    def with_prefix(self, prefix: str) -> list[tuple[str, int]]:
        """Return the terms that begin with ``prefix``, and how many documents hold each."""
        key = term_key(prefix)
        number = bisect_left(range(len(self.offsets) - 1), key, key=self._term)
        found = []
        while number < len(self.offsets) - 1 and (term := self._term(number)).startswith(key):
            held = int(self.pointers[number + 1] - self.pointers[number])
            found.append((term.decode("utf-8", "surrogateescape"), held))
            number += 1
        return found

    def vocabulary(self) -> list[str]:
        """Return all terms, in the order of their UTF-8 bytes."""
        blob, cuts = self.terms.tobytes(), self.offsets.tolist()
        return [blob[a:b].decode("utf-8", "surrogateescape") for a, b in pairwise(cuts)]

    def holding(self, alive: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return how many of the ``alive`` documents hold each term, in the order of ``vocabulary``."""
        import numpy as np

        before = np.zeros(len(self.docs) + 1, np.int64)
        np.cumsum(alive[self.docs], out=before[1:])
        found: NDArray[np.int64] = np.diff(before[self.pointers])
        return found

    def _term(self, number: int) -> bytes:
        return self.terms[self.offsets[number] : self.offsets[number + 1]].tobytes()


def build_postings(keys: Sequence[bytes], rows: NDArray[np.int64], documents: int) -> Arrays:
    """Make the arrays of a ``Postings``.

    ``keys`` are terms in UTF-8, or as ``term_key`` writes them. ``rows`` has three columns: index into ``keys``,
    document, count. Rows of the same term and document are summed; equal keys are one term.
    """
    import numpy as np

    keys = list(map(sealed_key, keys))
    order = sorted(range(len(keys)), key=keys.__getitem__)
    ordered = [keys[number] for number in order]
    is_new = np.fromiter(map(ne, ordered, [None, *ordered]), bool, len(keys))
    renumber = np.zeros(len(keys), np.int64)
    renumber[order] = np.cumsum(is_new) - 1
    unique = list(compress(ordered, is_new.tolist()))
    packed = (renumber[rows[:, 0]] * documents + rows[:, 1] if keys else rows[:, 0]) << _COUNT_BITS
    packed |= np.minimum(rows[:, 2], (1 << _COUNT_BITS) - 1)
    packed.sort()  # one sort of plain integers is several times faster than an argsort
    combined, counts = packed >> _COUNT_BITS, packed & ((1 << _COUNT_BITS) - 1)
    starts = np.flatnonzero(np.diff(combined, prepend=-1))
    summed = np.add.reduceat(counts, starts) if len(starts) else counts
    term_of, doc_of = np.divmod(combined[starts], max(documents, 1))
    hashes = np.fromiter(map(zlib.crc32, unique), np.uint32, len(unique))
    hash_order = np.argsort(hashes, kind="stable").astype(np.int32)
    return {
        "terms": np.frombuffer(b"".join(unique), np.uint8),
        "offsets": _ends([*map(len, unique)]),
        "hashes": hashes[hash_order],
        "hash_order": hash_order,
        "pointers": _ends(np.bincount(term_of, minlength=len(unique)).tolist()),
        "docs": _narrow(doc_of, documents),
        "counts": np.minimum(summed, _MAX_COUNT).astype(np.uint8),
        "lengths": np.bincount(doc_of, weights=summed, minlength=documents).astype(np.int32),
    }


def _ends(sizes: Sequence[int]) -> NDArray[np.integer]:
    import numpy as np

    ends = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(np.asarray(sizes, np.int64), out=ends[1:])
    return _narrow(ends, int(ends[-1]))


def _narrow(numbers: NDArray[np.int64], highest: int) -> NDArray[np.integer]:
    """Return numbers in as few bytes as they need: the index is read whole, so its size is time."""
    import numpy as np

    return numbers.astype(np.min_scalar_type(max(highest, 1 << 8)))
