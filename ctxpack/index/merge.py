"""Join segments: their arrays are put together as if all files had been indexed at once, and no file is read again.

A request looks up every term in every segment, so few large ones are faster than many small ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ctxpack.errors import BrokenIndexError
from ctxpack.index.arrays import ends_of, read_shapes, save_arrays, vocabulary_of
from ctxpack.index.segment import FIELDS, load_segment
from ctxpack.light import dataclass

if TYPE_CHECKING:
    from ctxpack.index.arrays import Arrays, FieldPostings
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
        shapes = read_shapes(path)
        return shapes["chunk_file"][0], shapes["file_lines"][0]
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
    chunks = list(accumulate((len(segment.chunk_file) for segment in segments), initial=0))
    bytes_before = list(accumulate((len(segment.labels) for segment in segments), initial=0))
    made: Arrays = {
        "chunk_file": np.concatenate(
            [segment.chunk_file + np.int32(slot) for segment, slot in zip(segments, slots, strict=False)]
        )
    }
    for name in ("chunk_start", "chunk_end", "chunk_size", "labels", "file_lines"):
        made[name] = np.concatenate([getattr(segment, name) for segment in segments])
    ends = [segment.label_ends[:-1] + before for segment, before in zip(segments, bytes_before, strict=False)]
    made["label_ends"] = np.concatenate([*ends, np.asarray(bytes_before[-1:], np.int64)])
    for name in FIELDS:
        parts = [getattr(segment, name) for segment in segments]
        postings = joined_postings(parts, slots if name == "path" else chunks)
        made |= {f"{name}.{key}": value for key, value in postings.items()}
    return made


def joined_postings(parts: Sequence[FieldPostings], bases: Sequence[int]) -> Arrays:
    """Return the arrays of joined postings; ``bases`` are the numbers of the first document of each."""
    import numpy as np

    hashes = np.concatenate([part.hashes for part in parts])
    sizes = np.concatenate([np.diff(part.pointers.astype(np.int64)) for part in parts])
    order = hashes.argsort(kind="stable")  # by term, then by part
    ordered = hashes[order]
    firsts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]])[: len(ordered)])
    starts = np.zeros(len(sizes), np.int64)
    starts[order] = np.cumsum(sizes[order]) - sizes[order]
    docs = np.zeros(int(sizes.sum()), np.min_scalar_type(max(bases[-1], 1 << 8)))
    counts = np.zeros(len(docs), np.uint8)
    first = 0
    for part, base in zip(parts, bases, strict=False):
        its = slice(first, first + len(part.hashes))
        places = np.repeat(starts[its] - part.pointers[:-1], sizes[its]) + np.arange(len(part.docs))
        docs[places] = part.docs + docs.dtype.type(base)
        counts[places] = part.counts
        first = its.stop
    unique = ordered[firsts]
    return {
        "hashes": unique,
        "pointers": ends_of(np.add.reduceat(sizes[order], firsts) if len(firsts) else sizes),
        "docs": docs,
        "counts": counts,
        "lengths": np.concatenate([part.lengths for part in parts]),
        **vocabulary_of((key for part in parts for key in part.listed_terms()), unique),
    }
