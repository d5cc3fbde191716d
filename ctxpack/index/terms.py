"""Terms and their postings: which documents hold a term, and how often.

A term has a hash, computed for many terms at once, and a written form; the terms themselves are kept only where similar
terms are searched.

The postings are not those of a search library, for two measured reasons. A library counts deleted documents until it
merges, so the same state of a repository would get other scores after another history of updates. And one pass over
exact counts serves every field, part and sum over files of the ranker.
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from ctxpack.index.arrays import TEXTS, PackedTexts, ends_of, narrow, pack_texts
from ctxpack.light import dataclass, replace

if TYPE_CHECKING:
    from typing import Self, TypeVar

    import numpy as np
    from numpy.typing import NDArray

    from ctxpack.index.arrays import Arrays, StoredArray

    Numbers = NDArray[np.int64]
    Hashes = NDArray[np.uint64]
    Times = NDArray[np.uint8]
    _Number = TypeVar("_Number", bound=np.generic)

STEP: Final = 8  # bytes that are hashed at once; that many must follow the last term
_FACTORS: Final = (0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93)
_SHIFT: Final = 29
_SPANS: Final = 1 << 15  # that are hashed at once: what is worked out of them stays in the cache of a processor
_MOST: Final = (1 << 64) - 1  # a hash
MIN_NUMBER: Final = 9  # digits
LONG_NUMBER: Final = re.compile(rb"[0-9]{9}")  # of a card, a phone, an account: nobody's is kept as it is
_ZEROS: Final = bytes.maketrans(b"123456789", b"0" * 9)  # a pattern takes five times as long to find many digits
_DIGEST_BYTES: Final = 3  # so few that many numbers have the same one


def term_key(term: str) -> bytes:
    """Write a term as postings hold it."""
    return sealed_key(term.encode("utf-8", "surrogateescape"))


def sealed_key(key: bytes) -> bytes:
    """Replace a term with a long number by a digest, from which the number cannot be told."""
    if len(key) < MIN_NUMBER or not LONG_NUMBER.search(key):
        return key
    return b"#" + hashlib.blake2b(key, digest_size=_DIGEST_BYTES).hexdigest().encode()


def keys_of(terms: Iterable[str]) -> list[bytes]:
    """Write many terms as ``term_key`` does."""
    listed = list(terms)
    joined = "\0".join(listed).encode("utf-8", "surrogateescape")
    keys = joined.split(b"\0")
    is_simple = len(keys) == len(listed) and b"0" * MIN_NUMBER not in joined.translate(_ZEROS)
    return keys if is_simple else list(map(term_key, listed))


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

    eight, hashes = by_eight(data), np.empty(len(starts), np.uint64)
    for first in range(0, len(starts), _SPANS):
        part = slice(first, first + _SPANS)
        _hash_into(hashes[part], eight, starts[part], lengths[part])
    return hashes


def _hash_into(hashes: Hashes, eight: Hashes, starts: Numbers, lengths: Numbers) -> None:
    import numpy as np

    first, second = (np.uint64(factor) for factor in _FACTORS)
    np.multiply(lengths.astype(np.uint64), second, out=hashes)
    which: slice | Numbers = slice(None)
    for step in range(0, int(lengths.max(initial=0)), STEP):
        if step:
            longer = np.flatnonzero(lengths > step)
            which = longer if isinstance(which, slice) else which[longer]
            starts, lengths = starts[longer], lengths[longer]
        mixed = (part_of(eight, starts, lengths, step) ^ hashes[which]) * first
        mixed ^= mixed >> np.uint64(_SHIFT)
        np.multiply(mixed, second, out=mixed)
        hashes[which] = mixed


def by_eight(data: bytes) -> Hashes:
    """Return the number that the next eight bytes are, at every place."""
    import numpy as np

    return np.ndarray(max(len(data) - STEP + 1, 0), "<u8", data, strides=(1,))


def part_of(eight: Hashes, starts: Numbers, lengths: Numbers, step: int) -> Hashes:
    """Return the next eight bytes of each span, with zeros behind its end."""
    import numpy as np

    masks = np.array([(1 << 8 * size) - 1 for size in range(STEP + 1)], np.uint64)
    found: Hashes = eight[starts + step if step else starts]
    found &= masks[np.minimum(lengths - step, STEP)]
    return found


# --- postings ---------------------------------------------------------------------------------------------------------

_MAX_COUNT = 255  # term frequencies are kept in a byte; BM25 saturates long before
_COUNT_BITS, _HALF = 16, 32
_KEY = 6  # bytes of a hash that are kept: two of some hundred thousand terms hardly ever have the same
_DROPPED = 8 * (STEP - _KEY)  # bits
_BLOCK = 256  # terms, of which the first hash is in ``firsts``
_FEW = 16  # to read all hashes costs less than to read a block of them for each term, where that is a 16th of all
_MOST_OF_SMALL = 255  # documents of a term, so that those of a block can be counted in two bytes
_LETTERS = 8  # bytes of a number in ``heads``


class TermRows(NamedTuple):
    """What postings hold, term by term in the order of their kept hashes.

    ``sizes`` says how many documents hold each, ``docs`` which, ``counts`` how often, in one or two ways (a column
    without numbers is one of which nobody asks that); ``lengths`` has the sums by document of each of these.
    """

    hashes: Hashes
    sizes: Numbers
    docs: NDArray[np.integer]
    counts: tuple[Times, ...]
    lengths: tuple[NDArray[np.integer], ...]


@dataclass(frozen=True, slots=True)
class FieldPostings:
    """One field of one segment. Documents are numbered from 0 within the segment.

    ``hashes`` of terms are sorted, their highest byte first, and ``firsts`` are the first of every ``_BLOCK`` of them.
    ``docs`` and ``counts`` (none where all are 1) are cut by term: ``ends`` are counted from where those of the block
    start, which is in ``starts``. The terms at the places ``large`` have nothing there, but behind all others, up to
    ``large_ends``. ``lengths`` is the sum of counts per document.
    """

    hashes: StoredArray
    firsts: StoredArray
    starts: StoredArray
    ends: StoredArray
    large: StoredArray
    large_ends: StoredArray
    docs: StoredArray
    counts: StoredArray
    lengths: StoredArray

    def find(self, term: str) -> tuple[NDArray[np.integer], Times] | None:
        """Return the documents with ``term``, ascending, and their counts; None if there are none."""
        return None if (place := self.place(term_hash(term))) < 0 else self.documents(place)

    def place(self, wanted: int) -> int:
        """Return the place of the hash of a term, -1 if it is not held."""
        kept = wanted >> _DROPPED
        first = (bisect_right(self.firsts.numbers, kept) - 1) * _BLOCK
        if first < 0:
            return -1
        key, block = kept.to_bytes(_KEY, "big"), self.hashes.read(first, first + _BLOCK)
        at = block.find(key)
        while at > 0 and at % _KEY:  # the end of one hash and the beginning of the next
            at = block.find(key, at + 1)
        return -1 if at < 0 else first + at // _KEY

    def span(self, place: int) -> tuple[int, int]:
        """Return where the documents of the term at a place of ``hashes`` are in ``docs``."""
        block, at = divmod(place, _BLOCK)
        ends: list[int] = self.ends[place - (at > 0) : place + 1].tolist()
        if (start := ends[0] if at else 0) == ends[-1]:
            number, cuts = bisect_left(self.large.numbers, place), self.large_ends.numbers
            return cuts[number], cuts[number + 1]
        base = self.starts.numbers[block]
        return base + start, base + ends[-1]

    def documents(self, place: int) -> tuple[NDArray[np.integer], Times]:
        """Return the documents with the term that is at a place of ``hashes``, and their counts."""
        start, end = self.span(place)
        docs = self.docs[start:end]
        if len(self.counts):
            return docs, self.counts[start:end]
        import numpy as np

        return docs, np.ones(len(docs), np.uint8)

    def places(self, hashes: Hashes) -> list[int]:
        """Return the place of each of some hashes of terms, -1 for what is not held."""
        if not len(self.hashes) or len(hashes) * _BLOCK * _FEW < len(self.hashes):
            return list(map(self.place, hashes.tolist()))
        import numpy as np

        own, wanted = self.hashes[:], _write_hashes(hashes >> np.uint64(_DROPPED))
        places = np.minimum(own.searchsorted(wanted), len(own) - 1)
        is_held = own[places] == wanted
        return [place if held else -1 for place, held in zip(places.tolist(), is_held.tolist(), strict=True)]

    def read_for(self, terms: int) -> Self:
        """Return the same for so many terms, with what is short in memory."""
        return replace(self, **{name: getattr(self, name).read_for(terms) for name in ("ends", "docs", "counts")})

    def rows(self, *counts: Times) -> TermRows:
        """Return all that is held, with other columns of counts if some are given; lengths are those of the first."""
        import numpy as np

        ends = self.ends[:].astype(np.int64)
        sizes = np.diff(ends, prepend=0)
        sizes[::_BLOCK] = ends[::_BLOCK]
        sizes[self.large[:]] = np.diff(self.large_ends[:].astype(np.int64))
        behind = is_behind(sizes)
        columns = tuple(_put_back(each, behind) for each in counts or (self.counts[:],))
        return TermRows(_read_hashes(self.hashes), sizes, _put_back(self.docs[:], behind), columns, (self.lengths[:],))


def is_behind(sizes: Numbers) -> NDArray[np.bool_]:
    """Say of each document, in the order of terms, whether it is of a large term: it is kept behind all others."""
    import numpy as np

    return np.repeat(sizes > _MOST_OF_SMALL, sizes)


def put_behind(column: NDArray[_Number], behind: NDArray[np.bool_]) -> NDArray[_Number]:
    """Return a column in the order in which it is kept."""
    import numpy as np

    return np.concatenate([column[~behind], column[behind]]) if len(column) else column


def _put_back(column: NDArray[_Number], behind: NDArray[np.bool_]) -> NDArray[_Number]:
    import numpy as np

    if not len(column):
        return column
    made, before = np.empty_like(column), len(column) - int(behind.sum())
    made[~behind], made[behind] = column[:before], column[before:]
    return made


def _write_hashes(kept: Hashes) -> NDArray[np.bytes_]:
    import numpy as np

    data = kept.astype(">u8").view(np.uint8).reshape(-1, STEP)[:, STEP - _KEY :]
    return np.frombuffer(data.tobytes(), f"S{_KEY}")


def _read_hashes(stored: StoredArray) -> Hashes:
    import numpy as np

    data = np.zeros((len(stored), STEP), np.uint8)
    data[:, STEP - _KEY :] = np.frombuffer(stored.read(0, len(stored)), np.uint8).reshape(-1, _KEY)
    return data.view(">u8").ravel().astype(np.uint64)


def arrays_of_rows(rows: TermRows) -> Arrays:
    """Return the arrays of a ``FieldPostings`` that holds rows with one column of counts."""
    import numpy as np

    is_large, behind = rows.sizes > _MOST_OF_SMALL, is_behind(rows.sizes)
    small = np.where(is_large, 0, rows.sizes)
    ends = np.cumsum(small)
    starts, (counts,), (lengths,) = (ends - small)[::_BLOCK], rows.counts, rows.lengths
    return {
        "hashes": _write_hashes(rows.hashes),
        "firsts": rows.hashes[::_BLOCK],
        "starts": narrow(starts, int(starts.max(initial=0))),
        "ends": (ends - np.repeat(starts, _BLOCK)[: len(ends)]).astype(np.uint16),
        "large": narrow(np.flatnonzero(is_large), len(is_large)),
        "large_ends": ends_of(rows.sizes[is_large], int(small.sum())),
        "docs": put_behind(rows.docs, behind),
        "counts": put_behind(counts, behind),
        "lengths": narrow(lengths, int(lengths.max(initial=0))),
    }


def build_postings(keys: Sequence[bytes], rows: Numbers, documents: int) -> Arrays:
    """Make the arrays of a ``FieldPostings`` over terms in UTF-8, or as ``term_key`` writes them.

    ``rows`` has three columns: index into ``keys``, document, count. Rows of the same term and document are summed;
    equal keys are one term.
    """
    return arrays_of_rows(rows_of_hashes(hash_keys(list(map(sealed_key, keys))), (rows,), documents))


def rows_of_hashes(hashes: Hashes, tables: Sequence[Numbers], documents: int) -> TermRows:
    """Put rows together as ``build_postings`` does, for hashes of terms: a column of counts for each table."""
    import numpy as np

    kept = hashes >> np.uint64(_DROPPED)
    order = kept.argsort(kind="stable")
    ordered = kept[order]
    is_new = np.append(True, ordered[1:] != ordered[:-1])[: len(kept)]
    renumber = np.zeros(len(kept), np.int64)
    renumber[order] = np.cumsum(is_new) - 1
    bits = documents.bit_length()
    packed = np.concatenate([_pack(rows, renumber, bits, way) for way, rows in enumerate(tables)])
    packed.sort(kind="stable")  # most rows are in order already: that is seen
    pairs = packed >> _COUNT_BITS + 1
    begins = np.ones(len(pairs), bool)
    begins[1:] = pairs[1:] != pairs[:-1]
    starts = np.flatnonzero(begins)
    pairs = pairs[starts]
    term_of, doc_of = pairs >> bits, pairs & ((1 << bits) - 1)
    times = packed & ((1 << _COUNT_BITS) - 1)
    times <<= (packed >> _COUNT_BITS & 1) * _HALF  # a number has both: no texts have so many words
    both = np.diff(times.cumsum()[np.append(starts, len(times))[1:] - 1], prepend=0)
    sums = (both & ((1 << _HALF) - 1), both >> _HALF)[: len(tables)]
    return TermRows(
        ordered[is_new],
        np.bincount(term_of, minlength=int(is_new.sum())),
        narrow(doc_of, documents),
        tuple(np.minimum(each, _MAX_COUNT).astype(np.uint8) for each in sums),
        tuple(np.bincount(doc_of, weights=each, minlength=documents).astype(np.int64) for each in sums),
    )


def _pack(rows: Numbers, renumber: Numbers, bits: int, way: int) -> Numbers:
    """Pack each row into one number: term, document in some bits, to which column it adds, count."""
    import numpy as np

    packed = (renumber[rows[:, 0]] << bits | rows[:, 1] if len(renumber) else rows[:, 0]) << _COUNT_BITS + 1
    packed |= way << _COUNT_BITS | np.minimum(rows[:, 2], (1 << _COUNT_BITS) - 1)
    return packed


# --- vocabulary -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TermList:
    """The terms of a field as sorted UTF-8 strings: ``blocks`` and ``ends`` are those of ``PackedTexts``.

    ``held`` says how many documents hold each; ``heads`` has the first letters of the first term of every block, as a
    number.
    """

    blocks: StoredArray
    ends: StoredArray
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
        return PackedTexts(self.blocks, self.ends).all_texts()

    def _read_around(self, key: bytes) -> tuple[int, list[bytes]]:
        """Return some terms in order, with all that begin with ``key``, and the number of the first."""
        if not key:
            return 0, self.all_terms()
        least, most = (int.from_bytes(key[:_LETTERS].ljust(_LETTERS, each), "big") for each in (b"\0", b"\xff"))
        before, after = bisect_left(self.heads.numbers, least), bisect_right(self.heads.numbers, most)
        first = max(before - 1, 0)
        return first * TEXTS, PackedTexts(self.blocks, self.ends).read(first, after) if first < after else []


def vocabulary_of(listed: Iterable[bytes], hashes: Hashes, held: Numbers) -> Arrays:
    """Make the arrays of the ``TermList`` of some terms, whose kept ``hashes`` are there: ``held`` by how many."""
    import numpy as np

    terms = sorted(dict.fromkeys(listed))  # of segments that are joined they come sorted: that is seen
    its = held[hashes.searchsorted(hash_keys(terms) >> np.uint64(_DROPPED))]
    heads = [int.from_bytes(term[:_LETTERS].ljust(_LETTERS, b"\0"), "big") for term in terms[::TEXTS]]
    packed = pack_texts(terms, level=0)  # a request reads hundreds of blocks
    return {**packed, "held": narrow(its, int(its.max(initial=0))), "heads": np.array(heads, np.uint64)}
