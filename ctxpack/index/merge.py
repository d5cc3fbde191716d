"""Join segments: their arrays are put together as if all files had been indexed at once, and no file is read again.

A request looks up every term in every segment, so few large ones are faster than many small ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ctxpack.errors import BrokenIndexError
from ctxpack.index.arrays import arrays_of_postings, ends_of, narrow, read_lengths, save_arrays
from ctxpack.index.segment import FIELDS, arrays_of_segment, load_segment
from ctxpack.index.terms import term_key
from ctxpack.light import dataclass

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ctxpack.index.arrays import Arrays, FieldPostings, StoredArray
    from ctxpack.index.segment import Segment

MOST_CHUNKS: Final = (1 << 16) - 1  # of a joined segment: two bytes number them
LEAST_CHUNKS: Final = 1_000  # of smaller ones the files are indexed again: those come and go
FEWEST: Final = 16  # segments, which answer within some hundredths of a second; with one more they are joined


@dataclass(frozen=True, slots=True)
class Join:
    """Segments to be joined, and the slot that the first file of each will have."""

    sources: tuple[str, ...]
    slots: tuple[int, ...]


def plan_joins(folder: Path, names: Iterable[str]) -> list[Join]:
    """Return which segments to join: those that are neither tiny nor large, as soon as there are many."""
    sizes = {name: size for name in names if (size := _size_of(folder / name))}
    middling = {name: size for name, size in sizes.items() if LEAST_CHUNKS <= size[0] <= MOST_CHUNKS // 2}
    if len(middling) <= FEWEST:
        return []
    return [
        Join(names, tuple(accumulate((middling[name][1] for name in names[:-1]), initial=0)))
        for names in _groups({name: chunks for name, (chunks, _) in middling.items()})
        if len(names) > 1
    ]


def _size_of(path: Path) -> tuple[int, int] | None:
    """The number of chunks and files of a segment; None if it cannot be read."""
    try:
        lengths = read_lengths(path)
        return lengths["chunk_start"], lengths["file_lines"]
    except (BrokenIndexError, LookupError):  # it is left alone
        return None


def _groups(chunks: Mapping[str, int]) -> Iterator[tuple[str, ...]]:
    group: list[str] = []
    total = 0
    for name, size in chunks.items():
        if total + size > MOST_CHUNKS:
            yield tuple(group)
            group, total = [], 0
        group.append(name)
        total += size
    yield tuple(group)


def join_segments(sources: Sequence[Path], target: Path) -> None:
    """Write one segment with the contents of several, in their order. Raises BrokenIndexError and OSError."""
    save_arrays(target, join_arrays([load_segment(source) for source in sources]))


def join_arrays(segments: Sequence[Segment]) -> Arrays:
    """Return the arrays of one segment with the contents of several, in their order."""
    import numpy as np

    slots = list(accumulate((len(segment.file_lines) for segment in segments), initial=0))
    chunks = list(accumulate((len(segment.chunk_start) for segment in segments), initial=0))
    made: Arrays = {}
    for name in ("chunk_start", "chunk_end", "chunk_size", "labels", "file_lines"):
        joined = np.concatenate([getattr(segment, name)[:] for segment in segments])
        made[name] = joined if name == "labels" else narrow(joined, int(joined.max(initial=0)))
    for name in ("first_chunks", "label_ends"):
        made[name] = ends_of(np.concatenate([np.diff(_wide(getattr(segment, name))) for segment in segments]))
    postings: dict[str, Arrays] = {}
    for name in FIELDS:
        parts = [getattr(segment, name) for segment in segments]
        postings[name] = joined_postings(parts, slots if name == "path" else chunks)
    terms = (term for segment in segments for term in segment.vocabulary.all_terms())
    definitions = (term_key(name) for segment in segments for name in segment.definitions())
    return arrays_of_segment(made, postings, terms, definitions)


def _wide(column: StoredArray) -> NDArray[np.int64]:
    """Return a column whose numbers can be subtracted and added up."""
    import numpy as np

    return column[:].astype(np.int64)


def joined_postings(parts: Sequence[FieldPostings], bases: Sequence[int]) -> Arrays:
    """Return the arrays of joined postings; ``bases`` are the numbers of the first document of each."""
    import numpy as np

    pointers = [_wide(part.pointers) for part in parts]
    hashes = np.concatenate([part.hashes[:] for part in parts])
    sizes = np.concatenate([np.diff(each) for each in pointers])
    order = hashes.argsort(kind="stable")  # by term, then by part
    ordered = hashes[order]
    firsts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]])[: len(ordered)])
    starts = np.zeros(len(sizes), np.int64)
    starts[order] = np.cumsum(sizes[order]) - sizes[order]
    docs = np.zeros(int(sizes.sum()), np.min_scalar_type(max(bases[-1], 1 << 8)))
    counts = np.zeros(len(docs), np.uint8)
    first = 0
    for part, its_pointers, base in zip(parts, pointers, bases, strict=False):
        its = slice(first, first + len(part.hashes))
        places = np.repeat(starts[its] - its_pointers[:-1], sizes[its]) + np.arange(len(part.docs))
        docs[places] = part.docs[:] + docs.dtype.type(base)
        counts[places] = part.counts[:]
        first = its.stop
    summed = np.add.reduceat(sizes[order], firsts) if len(firsts) else sizes
    return arrays_of_postings(
        ordered[firsts], summed, docs, counts, np.concatenate([part.lengths[:] for part in parts])
    )
