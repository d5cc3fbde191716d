"""Count the words of many texts at once, with numpy: a cold index spends most of its time on them.

The words and their parts are those of ``ctxpack.query.tokens``, whose patterns see only what has letters outside ASCII.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from ctxpack.query.tokens import MAX_WORD, MIN_PART, find_words, split

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

_MARK, _LOWER, _UPPER, _DIGIT, _FOREIGN = 1, 2, 3, 4, 5  # classes of bytes; 0 is what parts words


def _class_of(byte: int) -> int:
    if byte > 0x7F:  # noqa: PLR2004 -- of a character outside ASCII
        return _FOREIGN
    char = chr(byte)
    named = ((char == "_", _MARK), (char.islower(), _LOWER), (char.isupper(), _UPPER), (char.isdigit(), _DIGIT))
    return next((number for holds, number in named if holds), 0)


_CLASSES: Final = bytes(map(_class_of, range(256)))
_STEP: Final = 8  # bytes that are hashed at once
_LONGEST_RUN: Final = 96  # bytes; longer runs with foreign letters are looked at one by one
_TAIL: Final = bytes(_LONGEST_RUN + _STEP)  # so that what is read behind the last word is there
_FACTORS: Final = (0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93)
_SHIFT: Final = 29


class Counts(NamedTuple):
    """Terms, and rows of three columns: index into ``terms``, document, count. A term may be there twice."""

    terms: list[bytes]
    rows: Numbers


class WordCounts(NamedTuple):
    """What the chunks of some texts hold: whole words and subtokens, both in lower case."""

    words: Counts
    parts: Counts


def count_words(data: bytes, ends: Numbers) -> WordCounts:
    """Count the words of texts in UTF-8 by chunk; the chunks follow each other and end before the bytes ``ends``."""
    import numpy as np

    padded = b"".join((b"\n", data, _TAIL))
    classes = np.frombuffer(padded.translate(_CLASSES), np.uint8)
    edges = np.flatnonzero(np.diff(classes != 0)) + 1
    starts, lengths = edges[::2], edges[1::2] - edges[::2]
    documents = np.repeat(np.arange(len(ends)), np.diff(np.searchsorted(starts, ends + 1), prepend=0))
    is_foreign = np.zeros(len(starts), bool)
    is_foreign[np.searchsorted(starts, np.flatnonzero(classes == _FOREIGN), "right") - 1] = True
    fits = (lengths >= MIN_PART) & (lengths <= np.where(is_foreign, _LONGEST_RUN, MAX_WORD))
    runs = _count_runs(padded, starts[fits], lengths[fits], documents[fits])
    others = np.flatnonzero(is_foreign & (lengths > _LONGEST_RUN))
    runs = _with_long_runs(runs, padded, starts[others], lengths[others], documents[others])
    return _by_words(runs)


def _count_runs(data: bytes, starts: Numbers, lengths: Numbers, documents: Numbers) -> Counts:
    """Count equal runs of bytes by document."""
    import numpy as np

    order, is_first = _group(data, starts, lengths)
    terms, held = np.cumsum(is_first) - 1, documents[order]
    begins = is_first.copy()
    begins[1:] |= held[1:] != held[:-1]
    places = np.flatnonzero(begins)
    firsts = order[is_first]
    spans = zip(starts[firsts].tolist(), (starts[firsts] + lengths[firsts]).tolist(), strict=True)
    rows = np.stack([terms[places], held[places], np.diff(places, append=len(order))], axis=1)
    return Counts([data[start:end] for start, end in spans], rows)


def _group(data: bytes, starts: Numbers, lengths: Numbers) -> tuple[Numbers, NDArray[np.bool_]]:
    """Order runs of bytes so that equal ones follow each other, by place; and say which are the first of their kind.

    One plain sort of the upper bits of their hashes with their numbers; what has one hash is then compared.
    """
    import numpy as np

    eight = np.ndarray(max(len(data) - _STEP + 1, 0), "<u8", data, strides=(1,))
    bits = np.uint64(max(len(starts), 1).bit_length())
    hashes = _hash(eight, starts, lengths) >> bits << bits
    keys = hashes | np.arange(len(starts), dtype=np.uint64)
    keys.sort()
    order = (keys & ((np.uint64(1) << bits) - np.uint64(1))).astype(np.int64)
    is_first = np.diff(keys >> bits, prepend=np.uint64(0)) != 0
    is_first[:1] = True
    if not _are_equal(eight, starts[order], lengths[order], is_first):
        return _group_slowly(data, starts, lengths)
    return order, is_first


def _hash(eight: NDArray[np.uint64], starts: Numbers, lengths: Numbers) -> NDArray[np.uint64]:
    import numpy as np

    first, second = (np.uint64(factor) for factor in _FACTORS)
    hashes = lengths.astype(np.uint64) * second
    for step in range(0, int(lengths.max(initial=0)), _STEP):
        which = np.flatnonzero(lengths > step) if step else slice(None)
        mixed = (hashes[which] ^ _part(eight, starts[which], lengths[which], step)) * first
        mixed ^= mixed >> np.uint64(_SHIFT)
        hashes[which] = mixed * second
    return hashes


def _part(eight: NDArray[np.uint64], starts: Numbers, lengths: Numbers, step: int) -> NDArray[np.uint64]:
    """Return the next eight bytes of each run, with zeros behind its end."""
    import numpy as np

    masks = np.array([(1 << 8 * size) - 1 for size in range(_STEP + 1)], np.uint64)
    return eight[starts + step] & masks[np.minimum(lengths - step, _STEP)]


def _are_equal(eight: NDArray[np.uint64], starts: Numbers, lengths: Numbers, is_first: NDArray[np.bool_]) -> bool:
    """Whether each of some runs is the same as the one before it, or the first of its kind."""
    import numpy as np

    if not np.all((lengths[1:] == lengths[:-1]) | is_first[1:]):
        return False
    for step in range(0, int(lengths.max(initial=0)), _STEP):
        which = np.flatnonzero(lengths > step) if step else slice(None)  # equal runs have one length
        part = _part(eight, starts[which], lengths[which], step)
        if not np.all((part[1:] == part[:-1]) | is_first[which][1:]):
            return False
    return True


def _group_slowly(data: bytes, starts: Numbers, lengths: Numbers) -> tuple[Numbers, NDArray[np.bool_]]:
    """Do what ``_group`` does where two runs have one hash."""
    import numpy as np

    held: dict[bytes, list[int]] = {}
    for number, (start, end) in enumerate(zip(starts.tolist(), (starts + lengths).tolist(), strict=True)):
        held.setdefault(data[start:end], []).append(number)
    order = np.array([number for numbers in held.values() for number in numbers], np.int64)
    is_first = np.zeros(len(order), bool)
    is_first[np.cumsum([0, *map(len, held.values())])[:-1]] = True
    return order, is_first


def _with_long_runs(runs: Counts, data: bytes, starts: Numbers, lengths: Numbers, documents: Numbers) -> Counts:
    import numpy as np

    if not len(starts):
        return runs
    more = [data[start : start + size] for start, size in zip(starts.tolist(), lengths.tolist(), strict=True)]
    numbers = len(runs.terms) + np.arange(len(more))
    rows = np.stack([numbers, documents, np.ones(len(more), np.int64)], axis=1)
    return Counts([*runs.terms, *more], np.concatenate([runs.rows, rows]))


def _by_words(runs: Counts) -> WordCounts:
    """Turn counts of runs into those of words and of subtokens: a run without foreign letters is one word."""
    is_plain = [run.isascii() for run in runs.terms]
    plain = [number for number, holds in enumerate(is_plain) if holds]
    texts = [runs.terms[number] for number in plain]
    holders, parts = _split_plain(texts)
    words, holders_of_words = [text.lower() for text in texts], plain.copy()
    holders = [plain[holder] for holder in holders]
    for number in (number for number, holds in enumerate(is_plain) if not holds):
        run = runs.terms[number].decode("utf-8", "surrogatepass")
        found = [word for word in find_words(run) if len(word) <= MAX_WORD]
        whole = [word.lower().encode() for word in found if len(word) >= MIN_PART]
        tokens = [token.encode() for word in found for token in split(word)]
        words += whole
        parts += tokens
        holders_of_words += [number] * len(whole)
        holders += [number] * len(tokens)
    return WordCounts(_expand(runs.rows, holders_of_words, words), _expand(runs.rows, holders, parts))


def _expand(rows: Numbers, holders: Sequence[int], terms: Sequence[bytes]) -> Counts:
    """Make of each row of a run one row for each term that the run holds: ``holders`` has the run of each term."""
    import numpy as np

    numbers: dict[bytes, int] = {}
    term_numbers = np.array([numbers.setdefault(term, len(numbers)) for term in terms], np.int64)
    holding = np.array(holders, np.int64)
    term_numbers = term_numbers[np.argsort(holding, kind="stable")]
    sizes = np.bincount(holding, minlength=int(rows[:, 0].max(initial=-1)) + 1)
    starts, repeats = np.cumsum(sizes) - sizes, sizes[rows[:, 0]]
    expanded = np.repeat(rows, repeats, axis=0)
    within = np.arange(len(expanded)) - np.repeat(np.cumsum(repeats) - repeats, repeats)
    expanded[:, 0] = term_numbers[np.repeat(starts[rows[:, 0]], repeats) + within]
    return Counts(list(numbers), expanded)


def _split_plain(words: Sequence[bytes]) -> tuple[list[int], list[bytes]]:
    """Split words of ASCII into subtokens, as ``query.tokens.split``: the number of the word and the token, of each."""
    import numpy as np

    lead = 2  # bytes before the first word, which the rules look at
    joined = b"".join((b"\n" * lead, b"\n".join(words), _TAIL))
    classes = np.frombuffer(joined.translate(_CLASSES), np.uint8)
    begins, is_dropped = _token_starts(joined, classes)
    is_inside = (classes >= _LOWER) & (classes <= _DIGIT)
    starts = np.flatnonzero(begins)
    stops = np.flatnonzero(is_inside[:-1] & (~is_inside[1:] | begins[1:])) + 1
    stops -= is_dropped[stops - 1]
    digits = np.flatnonzero((classes[1:] == _DIGIT) & (classes[:-1] != _DIGIT)) + 1
    numbered = np.flatnonzero((classes[stops - 1] == _DIGIT) & (classes[starts] != _DIGIT))  # their letters count, too
    letters = digits[np.searchsorted(digits, stops[numbered], "left") - 1] if len(numbered) else numbered
    starts, stops = np.concatenate([starts, starts[numbered]]), np.concatenate([stops, letters])
    fits = stops - starts >= MIN_PART
    starts, stops = starts[fits], stops[fits]
    word_starts = lead + np.cumsum([0, *(len(word) + 1 for word in words)])
    holders = np.searchsorted(word_starts, starts, "right") - 1
    lowered = joined.lower()
    spans = zip(starts.tolist(), stops.tolist(), strict=True)
    return holders.tolist(), [lowered[start:stop] for start, stop in spans]


def _token_starts(data: bytes, classes: NDArray[np.uint8]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Say of each byte whether a subtoken begins there, and whether it is the s of ``URLs``, which belongs to none."""
    import numpy as np

    is_dropped = np.zeros(len(classes), bool)
    before, after = classes[1:-2], classes[3:]
    is_dropped[2:-1] = np.frombuffer(data, np.uint8)[2:-1] == ord("s")
    is_dropped[2:-1] &= (before == _UPPER) & (classes[:-3] == _UPPER) & (after != _LOWER)
    before, here, after = classes[:-2], classes[1:-1], classes[2:]
    is_last_capital = (after == _LOWER) & ~is_dropped[2:]
    begins = np.zeros(len(classes), bool)
    begins[1:-1] = (here == _UPPER) & ((before != _UPPER) | is_last_capital)
    begins[1:-1] |= (here == _LOWER) & (before != _UPPER) & (before != _LOWER)
    is_number = (before < _LOWER) | is_dropped[:-2]
    begins[1:-1] |= (here == _DIGIT) & is_number
    return begins, is_dropped
