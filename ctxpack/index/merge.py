"""Join segments: their arrays are put together as if all files had been indexed at once, and no file is read again.

A request looks up every term in every segment, so few large ones are faster than many small ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ctxpack.errors import BrokenIndexError
from ctxpack.index.arrays import ends_of, narrow, read_lengths, save_arrays
from ctxpack.index.segment import FIELDS, arrays_of_segment, load_segment
from ctxpack.index.terms import TermRows
from ctxpack.light import dataclass

if TYPE_CHECKING:
    from typing import TypeVar

    import numpy as np
    from numpy.typing import NDArray

    from ctxpack.index.arrays import Arrays
    from ctxpack.index.segment import Segment

    _Number = TypeVar("_Number", bound=np.generic)

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
    for name in ("chunk_start", "chunk_end", "chunk_size", "file_lines"):
        joined = np.concatenate([getattr(segment, name)[:] for segment in segments])
        made[name] = narrow(joined, int(joined.max(initial=0)))
    firsts = [np.diff(segment.first_chunks[:].astype(np.int64)) for segment in segments]
    made["first_chunks"] = ends_of(np.concatenate(firsts))
    labels = list(chain.from_iterable(segment.labels.all_texts() for segment in segments))
    rows: dict[str, TermRows] = {}
    for name in ("text", *FIELDS):
        parts = [getattr(segment, name).rows() for segment in segments]
        rows[name] = join_rows(parts, slots if name == "path" else chunks)
    terms = chain.from_iterable(segment.vocabulary.all_terms() for segment in segments)
    definitions = chain.from_iterable(segment.definition_keys() for segment in segments)
    return arrays_of_segment(made, labels, rows, terms, definitions)


def join_rows(parts: Sequence[TermRows], bases: Sequence[int]) -> TermRows:
    """Return what several postings hold together; ``bases`` are the numbers of the first document of each."""
    import numpy as np

    hashes, sizes = (np.concatenate([part[at] for part in parts]) for at in (0, 1))
    order = hashes.argsort(kind="stable")  # by term, then by part
    ordered = hashes[order]
    firsts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]])[: len(ordered)])
    starts = np.zeros(len(sizes), np.int64)
    starts[order] = np.cumsum(sizes[order]) - sizes[order]
    before = np.cumsum(sizes) - sizes
    places = np.repeat(starts - before, sizes) + np.arange(int(sizes.sum()))
    wide = np.min_scalar_type(max(bases[-1], 1 << 8))
    docs = np.concatenate([part.docs + wide.type(base) for part, base in zip(parts, bases, strict=False)])
    return TermRows(
        ordered[firsts],
        np.add.reduceat(sizes[order], firsts) if len(firsts) else sizes,
        _move(docs.astype(wide, copy=False), places),
        tuple(_move(np.concatenate(each), places) for each in zip(*(part.counts for part in parts), strict=True)),
        tuple(np.concatenate(each) for each in zip(*(part.lengths for part in parts), strict=True)),
    )


def _move(column: NDArray[_Number], places: NDArray[np.int64]) -> NDArray[_Number]:
    """Return a column with each number at its place; a column without numbers stays so."""
    import numpy as np

    if not len(column):
        return column
    made = np.empty_like(column)
    made[places] = column
    return made
