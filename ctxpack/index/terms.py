"""Terms in postings: hashes of 64 bits, computed for many terms at once; and the written form of a term.

The terms themselves are kept only where similar terms are searched.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]
    Hashes = NDArray[np.uint64]

STEP: Final = 8  # bytes that are hashed at once; that many must follow the last term
_FACTORS: Final = (0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93)
_SHIFT: Final = 29
_MOST: Final = (1 << 64) - 1  # a hash
MIN_NUMBER: Final = 9  # digits
LONG_NUMBER: Final = re.compile(rb"[0-9]{9}")  # of a card, a phone, an account: nobody's is kept as it is
_DIGEST_BYTES: Final = 3  # so few that many numbers have the same one


def term_key(term: str) -> bytes:
    """Write a term as postings hold it."""
    return sealed_key(term.encode("utf-8", "surrogateescape"))


def sealed_key(key: bytes) -> bytes:
    """Replace a term with a long number by a digest, from which the number cannot be told."""
    if len(key) < MIN_NUMBER or not LONG_NUMBER.search(key):
        return key
    return b"#" + hashlib.blake2b(key, digest_size=_DIGEST_BYTES).hexdigest().encode()


@lru_cache(maxsize=50_000)
def term_hash(term: str) -> int:
    """Return the hash under which postings hold a term."""
    key = term_key(term)
    found = len(key) * _FACTORS[1]
    for step in range(0, len(key), STEP):  # as ``hash_spans`` does it for many
        mixed = (found ^ int.from_bytes(key[step : step + STEP], "little")) * _FACTORS[0] & _MOST
        found = (mixed ^ mixed >> _SHIFT) * _FACTORS[1] & _MOST
    return found


def hash_keys(keys: Sequence[bytes]) -> Hashes:
    """Return the hash of each key."""
    import numpy as np

    lengths = np.fromiter(map(len, keys), np.int64, len(keys))
    return hash_spans(b"".join((*keys, bytes(STEP))), np.cumsum(lengths) - lengths, lengths)


def hash_spans(data: bytes, starts: Numbers, lengths: Numbers) -> Hashes:
    """Return the hash of each of some spans of bytes; ``STEP`` bytes follow the last."""
    import numpy as np

    eight = by_eight(data)
    first, second = (np.uint64(factor) for factor in _FACTORS)
    hashes = lengths.astype(np.uint64) * second
    for step in range(0, int(lengths.max(initial=0)), STEP):
        which = np.flatnonzero(lengths > step) if step else slice(None)
        mixed = (hashes[which] ^ part_of(eight, starts[which], lengths[which], step)) * first
        mixed ^= mixed >> np.uint64(_SHIFT)
        hashes[which] = mixed * second
    return hashes


def by_eight(data: bytes) -> Hashes:
    """Return the number that the next eight bytes are, at every place."""
    import numpy as np

    return np.ndarray(max(len(data) - STEP + 1, 0), "<u8", data, strides=(1,))


def part_of(eight: Hashes, starts: Numbers, lengths: Numbers, step: int) -> Hashes:
    """Return the next eight bytes of each span, with zeros behind its end."""
    import numpy as np

    masks = np.array([(1 << 8 * size) - 1 for size in range(STEP + 1)], np.uint64)
    found: Hashes = eight[starts + step] & masks[np.minimum(lengths - step, STEP)]
    return found
