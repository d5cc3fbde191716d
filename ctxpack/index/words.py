"""Count the words of many texts at once, with numpy: a cold index spends most of its time on them.

The words and their parts are those of ``ctxpack.query.subtokens``, whose patterns see only what has letters outside
ASCII.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Final, NamedTuple

from ctxpack.index.terms import (
    MIN_NUMBER,
    STEP,
    hash_keys,
    hash_spans,
    sealed_key,
)
from ctxpack.query.subtokens import MAX_WORD, MIN_PART, find_words, is_one_part, split

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ctxpack.index.terms import Hashes, Numbers

_MARK, _LOWER, _UPPER, _DIGIT, _FOREIGN = 1, 2, 3, 4, 5  # classes of bytes; 0 is what parts words


def _class_of(byte: int) -> int:
    if byte > 0x7F:  # noqa: PLR2004 -- of a character outside ASCII
        return _FOREIGN
    char = chr(byte)
    named = ((char == "_", _MARK), (char.islower(), _LOWER), (char.isupper(), _UPPER), (char.isdigit(), _DIGIT))
    return next((number for holds, number in named if holds), 0)


_CLASSES: Final = bytes(map(_class_of, range(256)))
_LEAD: Final = 2  # bytes before the first word, which the rules look at
_LONGEST_RUN: Final = 96  # bytes; longer runs with foreign letters are looked at one by one
_REPLACED: Final = "\ufffd".encode()  # stands for bytes that are no text, and is part of no word
_TAIL: Final = bytes(_LONGEST_RUN + STEP)  # so that what is read behind the last word is there


class _Runs(NamedTuple):
    """Runs of bytes in ``data``, those of ASCII among them, and rows of three columns: run, document, count."""

    data: bytes
    starts: Numbers
    lengths: Numbers
    is_plain: NDArray[np.bool_]
    rows: Numbers


class Counts(NamedTuple):
    """Hashes of terms, and rows of three columns: index into ``hashes``, document, count. A hash may be there twice."""

    hashes: Hashes
    rows: Numbers


class WordCounts(NamedTuple):
    """What the chunks of some texts hold: whole words and subtokens, both in lower case; ``terms`` are the latter."""

    words: Counts
    parts: Counts
    terms: list[bytes]


def count_words(data: bytes, ends: Numbers, longest: int = MAX_WORD) -> WordCounts:
    """Count the words of texts in UTF-8 by chunk; the chunks follow each other and end before the bytes ``ends``.

    Words of more than ``longest`` characters are left out.
    """
    import numpy as np

    padded = b"".join((b"\n", data, _TAIL))
    if _REPLACED[:1] in padded:  # a search for one byte is far faster
        padded = padded.replace(_REPLACED, b"\n" * len(_REPLACED))
    classes = np.frombuffer(padded.translate(_CLASSES), np.uint8)
    is_word = classes != 0
    edges = np.flatnonzero(is_word[1:] != is_word[:-1]) + 1
    starts, lengths = edges[::2], edges[1::2] - edges[::2]
    documents = np.repeat(np.arange(len(ends)), np.diff(np.searchsorted(starts, ends + 1), prepend=0))
    is_plain = np.ones(len(starts), bool)
    is_of_foreign = classes == _FOREIGN
    firsts = np.flatnonzero(is_of_foreign[1:] > is_of_foreign[:-1]) + 1  # fewer than their bytes
    is_plain[np.searchsorted(starts, firsts, "right") - 1] = False
    fits = (lengths >= MIN_PART) & (lengths <= np.where(is_plain, longest, _LONGEST_RUN))
    runs = _count_runs(_Runs(padded, starts[fits], lengths[fits], is_plain[fits], documents[fits]))
    long = np.flatnonzero(~is_plain & (lengths > _LONGEST_RUN))
    rows = np.stack([len(runs.starts) + np.arange(len(long)), documents[long], np.ones(len(long), np.int64)], axis=1)
    others = _Runs(padded, starts[long], lengths[long], is_plain[long], rows)
    joined = (np.concatenate(columns) for columns in zip(runs[1:], others[1:], strict=True))
    return _by_words(_Runs(padded, *joined) if len(long) else runs, longest)


def _count_runs(found: _Runs) -> _Runs:
    """Count equal runs of bytes by document; of those that are found, ``rows`` are their documents."""
    import numpy as np

    terms, firsts = _number_equal(hash_spans(found.data, found.starts, found.lengths))
    order = _order_of(terms, len(firsts))
    terms, held = terms[order], found.rows[order]
    begins = np.ones(len(order), bool)
    begins[1:] = (terms[1:] != terms[:-1]) | (held[1:] != held[:-1])
    places = np.flatnonzero(begins)
    rows = np.stack([terms[places], held[places], np.diff(places, append=len(order))])
    return _Runs(found.data, found.starts[firsts], found.lengths[firsts], found.is_plain[firsts], rows.T)


def _number_equal(hashes: Hashes) -> tuple[Numbers, Numbers]:
    """Number hashes so that equal ones have one number, as in all postings; and return the place of one of each.

    Each writes its place where its first bits say, and mostly finds there that of an equal one: to sort them takes
    some times as long, and only those are sorted that find another.
    """
    import numpy as np

    bits = max(len(hashes).bit_length() - 1, 1)
    slots = (hashes >> np.uint64(64 - bits)).view(np.int64)
    places = np.arange(len(hashes))
    last = np.empty(1 << bits, np.int64)
    last[slots] = places
    holders = last[slots]
    others = np.flatnonzero(hashes[holders] != hashes)
    others = others[hashes[others].argsort(kind="stable")]
    ordered = hashes[others]
    is_first = np.ones(len(others), bool)
    np.not_equal(ordered[1:], ordered[:-1], out=is_first[1:])
    holders[others] = others[is_first][np.cumsum(is_first) - 1]
    is_holder = holders == places
    numbers = np.cumsum(is_holder) - 1
    return numbers[holders], np.flatnonzero(is_holder)


def _order_of(numbers: Numbers, count: int) -> Numbers:
    """Return the order of numbers below ``count``, by place where they are equal: numpy counts those of two bytes."""
    import numpy as np

    order: Numbers = numbers.astype(np.uint16).argsort(kind="stable")
    if count > 1 << 16:
        order = order[(numbers >> 16).astype(np.uint16)[order].argsort(kind="stable")]
    return order


def _by_words(runs: _Runs, longest: int) -> WordCounts:
    """Turn counts of runs into those of words and of subtokens: a run without foreign letters is one word."""
    import numpy as np

    plain, foreign = np.flatnonzero(runs.is_plain), np.flatnonzero(~runs.is_plain)
    words, parts = _plain_terms(runs.data, runs.starts[plain], runs.lengths[plain])
    whole, tokens = list[bytes](), list[bytes]()
    word_holders, part_holders = array("q"), array("q")
    spans = zip(foreign.tolist(), runs.starts[foreign].tolist(), runs.lengths[foreign].tolist(), strict=True)
    for number, start, length in spans:
        run = runs.data[start : start + length].decode("utf-8", "surrogatepass")
        if is_one_part(run) and len(run) <= longest:
            key = run.lower().encode()
            whole.append(key)
            tokens.append(key)
            word_holders.append(number)
            part_holders.append(number)
            continue
        for word in find_words(run):
            if len(word) > longest:
                continue
            if len(word) >= MIN_PART:
                whole.append(sealed_key(word.lower().encode()))
                word_holders.append(number)
            its = split(word)
            tokens += (sealed_key(token.encode()) for token in its)
            part_holders.extend([number] * len(its))
    return WordCounts(
        _expand(runs.rows, (plain, word_holders), (words, hash_keys(whole))),
        _expand(runs.rows, (plain[parts.holders], part_holders), (parts.hashes, hash_keys(tokens))),
        [*parts.terms, *tokens],
    )


def _expand(rows: Numbers, holders: tuple[Numbers, array[int]], hashes: tuple[Hashes, Hashes]) -> Counts:
    """Make of each row of a run one row for each term that the run holds: ``holders`` has the run of each term.

    The rows of a run follow each other. Those that are made are in the order of hashes, so that little is left to sort.
    """
    import numpy as np

    holding, listed = np.concatenate([holders[0], np.asarray(holders[1], np.int64)]), np.concatenate(hashes)
    order = listed.argsort(kind="stable")
    sizes = np.bincount(rows[:, 0])
    repeats, starts = sizes[holding[order]], (np.cumsum(sizes) - sizes)[holding[order]]
    places = np.repeat(starts - np.cumsum(repeats) + repeats, repeats) + np.arange(int(repeats.sum()))
    columns = np.empty((3, len(places)), np.int64)
    columns[0] = np.repeat(np.arange(len(order)), repeats)
    for number in (1, 2):
        rows[:, number].take(places, out=columns[number], mode="clip")  # any other mode makes one more copy
    return Counts(listed[order], columns.T)


class _Parts(NamedTuple):
    """Subtokens in the order of their hashes: the number of the word that holds each, its hash; and each term once."""

    holders: Numbers
    hashes: Hashes
    terms: list[bytes]


def _plain_terms(data: bytes, firsts: Numbers, lengths: Numbers) -> tuple[Hashes, _Parts]:
    """Return the hash of each of some words of ASCII in lower case, and their subtokens, as ``split``.

    What follows each word in ``data`` is part of none.
    """
    import numpy as np

    places = _LEAD + np.cumsum(lengths + 1) - lengths - 1
    taken = np.repeat(firsts - places, lengths + 1)
    taken += np.arange(_LEAD, _LEAD + len(taken))
    joined = b"".join((b"\n" * _LEAD, np.frombuffer(data, np.uint8)[taken].tobytes(), _TAIL))
    classes = joined.translate(_CLASSES)
    lowered = joined.lower()
    hashes = hash_spans(lowered, places, lengths)
    starts, stops = _split_plain(joined, np.frombuffer(classes, np.uint8))
    holders = np.searchsorted(places, starts, "right") - 1
    of_parts = hash_spans(lowered, starts, stops - starts)
    has_long_numbers = bytes([_DIGIT]) * MIN_NUMBER in classes
    if has_long_numbers:
        hashes = _seal(hashes, lowered, places, places + lengths)
        of_parts = _seal(of_parts, lowered, starts, stops)
    order = of_parts.argsort(kind="stable")
    ordered = of_parts[order]
    firsts = order[np.diff(ordered, prepend=~ordered[:1]) != 0]
    spans = zip(starts[firsts].tolist(), stops[firsts].tolist(), strict=True)
    terms = [lowered[start:stop] for start, stop in spans]
    return hashes, _Parts(holders[order], ordered, list(map(sealed_key, terms)) if has_long_numbers else terms)


def _seal(hashes: Hashes, data: bytes, starts: Numbers, stops: Numbers) -> Hashes:
    """Return the hashes of spans, with those of the long numbers that are hidden."""
    import numpy as np

    is_digit = np.frombuffer(data.translate(_CLASSES), np.uint8) == _DIGIT
    digits = np.concatenate([[0], np.cumsum(is_digit)])
    places = np.flatnonzero(digits[stops] - digits[starts] >= MIN_NUMBER)
    spans = zip(starts[places].tolist(), stops[places].tolist(), strict=True)
    hashes[places] = hash_keys([sealed_key(data[start:stop]) for start, stop in spans])
    return hashes


def _split_plain(joined: bytes, classes: NDArray[np.uint8]) -> tuple[Numbers, Numbers]:
    """Return where the subtokens of joined words of ASCII start and stop."""
    import numpy as np

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
    return starts[fits], stops[fits]


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
