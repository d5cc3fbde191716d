"""A segment: some files of the repository, their chunks and the postings over them, written once and never changed.

Files are numbered by *slot* and chunks by position within the segment; the store knows which slots are alive.
"""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_right
from collections import defaultdict
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ctxpack.errors import BrokenIndexError
from ctxpack.index.arrays import FieldPostings, build_postings, load_arrays, postings_of_hashes
from ctxpack.index.terms import term_key
from ctxpack.index.words import Counts, count_words
from ctxpack.light import dataclass, field
from ctxpack.model import Chunk, ParsedFile

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from ctxpack.index.arrays import Arrays, Load

LEAF_COUNT: Final = 2  # a name's last part counts double its parents: 1 and .5 in the measured ranker
PARENT_COUNT: Final = 1
_MARK: Final = "\x1f"  # between the parts of a label
FIELDS: Final = ("sub", "word", "name", "definition", "path")


@dataclass(frozen=True, slots=True)
class Segment:
    """The mapped arrays. ``sub``, ``word``, ``name`` and ``definition`` are over chunks, ``path`` is over files.

    ``sub`` counts subtokens and ``word`` whole words of a chunk's text; ``name`` the subtokens of its qualified name or
    heading path; ``definition`` holds the lower-case names that a chunk defines, bare and as ``parent.name``. Of
    ``sub`` all terms are listed, of ``definition`` the bare names, of the others none.
    """

    chunk_file: NDArray[np.int32]
    chunk_start: NDArray[np.int32]
    chunk_end: NDArray[np.int32]
    chunk_size: NDArray[np.int32]  # characters
    labels: NDArray[np.uint8]  # per chunk: kind, symbol, headings; separated by unit marks
    label_ends: NDArray[np.int64]
    file_lines: NDArray[np.int32]
    sub: FieldPostings
    word: FieldPostings
    name: FieldPostings
    definition: FieldPostings
    path: FieldPostings

    def chunk(self, number: int) -> Chunk:
        """Return the chunk at a position of this segment."""
        start, end = self.label_ends[number], self.label_ends[number + 1]
        kind, symbol, *heading = self.labels[start:end].tobytes().decode("utf-8", "surrogateescape").split(_MARK)
        return Chunk(
            int(self.chunk_start[number]), int(self.chunk_end[number]), kind, symbol, tuple(h for h in heading if h)
        )


def load_segment(path: Path, load: Load = load_arrays) -> Segment:
    """Map a segment file. Raises BrokenIndexError."""
    return segment_from(load(path), path.name)


def segment_from(found: Arrays, name: str) -> Segment:
    """Make the segment of some arrays, as ``SegmentBuilder.finish`` gives them. Raises BrokenIndexError."""
    try:
        parts: dict[str, Any] = {name: found[name] for name in Segment.__match_args__ if name not in FIELDS}
        for each in FIELDS:
            held: dict[str, Any] = {name: found[f"{each}.{name}"] for name in FieldPostings.__match_args__}
            parts[each] = FieldPostings(**held)
    except KeyError as error:
        raise BrokenIndexError(f"The index file {name} lacks {error}.") from error
    return Segment(**parts)


def _numbering() -> defaultdict[str, int]:
    return defaultdict(count().__next__)


@dataclass(slots=True)
class _Rows:
    """Collected rows (term, document, count), as columns, because a cold index makes millions of them."""

    numbers: defaultdict[str, int] = field(default_factory=_numbering)
    terms: array[int] = field(default_factory=lambda: array("q"))
    counts: array[int] = field(default_factory=lambda: array("q"))
    documents: array[int] = field(default_factory=lambda: array("q"))
    sizes: array[int] = field(default_factory=lambda: array("q"))

    def add(self, document: int, counts: Mapping[str, int]) -> None:
        numbers = self.numbers
        self.terms.extend([numbers[term] for term in counts])
        self.counts.extend(counts.values())
        self.documents.append(document)
        self.sizes.append(len(counts))

    def postings(self, documents: int) -> Arrays:
        """Return the arrays of the postings, with the terms that are listed."""
        import numpy as np

        holders = np.repeat(np.asarray(self.documents, np.int64), np.asarray(self.sizes, np.int64))
        rows = np.stack([np.asarray(self.terms, np.int64), holders, np.asarray(self.counts, np.int64)], axis=1)
        return build_postings([term_key(term) for term in self.numbers], rows, documents, _is_bare)


class SegmentBuilder:
    """Collects files, then makes the arrays of one segment."""

    def __init__(self) -> None:
        self._definition = _Rows()
        self._paths, self._leaves, self._parents = list[str](), list[str](), list[str]()
        self._texts: list[bytes] = []
        self._spans = array("q")  # of each chunk: slot, first and last line
        self._labels: list[bytes] = []
        self._file_lines = array("q")

    def __len__(self) -> int:
        return len(self._file_lines)

    def add(self, path: str, text: str, parsed: ParsedFile) -> int:
        """Add one file; returns its slot."""
        slot, first = len(self), len(self._labels)
        data = text.encode("utf-8", "surrogatepass")
        data = data if not data or data.endswith(b"\n") else data + b"\n"
        self._texts.append(data)
        self._file_lines.append(data.count(b"\n"))
        for chunk in parsed.chunks:
            self._add_chunk(slot, chunk)
        self._add_definitions(parsed, first)
        self._paths.append(path)
        return slot

    def _add_chunk(self, slot: int, chunk: Chunk) -> None:
        self._spans.extend((slot, chunk.start_line, chunk.end_line))
        parts = (chunk.kind, chunk.symbol, *chunk.heading)
        label = _MARK.join(parts)
        if label.count(_MARK) >= len(parts):
            label = _MARK.join(part.replace(_MARK, " ") for part in parts)
        self._labels.append(label.encode("utf-8", "surrogateescape"))
        *parents, leaf = chunk.heading or chunk.symbol.split(".")
        self._leaves.append(leaf)
        self._parents.append("\n".join(parents))

    def _add_definitions(self, parsed: ParsedFile, first: int) -> None:
        starts = [chunk.start_line for chunk in parsed.chunks]
        for symbol in parsed.symbols:
            number = first + max(bisect_right(starts, symbol.start_line) - 1, 0)
            if number < len(self._labels):
                leaf = symbol.qualified.rpartition(".")[2]
                parts = symbol.qualified.lower().split(".")
                self._definition.add(number, dict.fromkeys((parts[-1], ".".join(parts[-2:]), leaf), 1))

    def finish(self) -> Arrays:
        """Return the arrays of the segment, ready for ``save_arrays``."""
        import numpy as np

        chunks, files = len(self._labels), len(self)
        slots, first, last = np.asarray(self._spans, np.int64).reshape(-1, 3).T
        data = b"".join(self._texts)
        ends, sizes = _extents(data, slots, first, last, np.asarray(self._file_lines, np.int64))
        label_ends = np.zeros(chunks + 1, np.int64)
        np.cumsum([len(label) for label in self._labels], out=label_ends[1:])
        made: Arrays = {
            "chunk_file": slots.astype(np.int32),
            "chunk_start": first.astype(np.int32),
            "chunk_end": last.astype(np.int32),
            "chunk_size": sizes.astype(np.int32),
            "labels": np.frombuffer(b"".join(self._labels), np.uint8),
            "label_ends": label_ends,
            "file_lines": np.asarray(self._file_lines, np.int32),
        }
        body = count_words(data, ends)
        names = _join_counts(_count_parts(self._leaves, LEAF_COUNT), _count_parts(self._parents, PARENT_COUNT))
        for name, postings in (
            ("sub", postings_of_hashes(*body.parts, chunks, body.terms)),
            ("word", postings_of_hashes(*body.words, chunks, ())),
            ("name", postings_of_hashes(*names, chunks, ())),
            ("definition", self._definition.postings(chunks)),
            ("path", postings_of_hashes(*_count_parts(self._paths), files, ())),
        ):
            made |= {f"{name}.{key}": value for key, value in postings.items()}
        return made


def _is_bare(name: bytes) -> bool:
    """Whether a name is a candidate for spelling correction: lower case, without its parents."""
    return b"." not in name and name == name.lower()


def _count_parts(texts: Sequence[str], times: int = 1) -> Counts:
    """Count the subtokens of short texts, such as names, each ``times`` over, however long their words are."""
    import numpy as np

    data = [f"{text}\n".encode("utf-8", "surrogatepass") for text in texts]
    sizes = np.fromiter(map(len, data), np.int64, len(data))
    found = count_words(b"".join(data), np.cumsum(sizes) - 1, sys.maxsize).parts
    found.rows[:, 2] *= times
    return found


def _join_counts(first: Counts, second: Counts) -> Counts:
    import numpy as np

    second.rows[:, 0] += len(first.hashes)
    return Counts(np.concatenate([first.hashes, second.hashes]), np.concatenate([first.rows, second.rows]))


def _extents(
    data: bytes, slots: NDArray[np.int64], first: NDArray[np.int64], last: NDArray[np.int64], lines: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the byte at which each chunk ends in the joined texts, and its characters."""
    import numpy as np

    found = np.frombuffer(data, np.uint8)
    feeds = np.concatenate([[-1], np.flatnonzero(found == ord("\n"))])  # before the first line of all, and after each
    before = (np.cumsum(lines) - lines)[slots]
    starts, ends = feeds[before + first - 1] + 1, feeds[before + last]
    inner = np.flatnonzero(found & 0xC0 == 0x80)  # noqa: PLR2004 -- bytes of a character after its first
    return ends, ends - starts - np.searchsorted(inner, ends) + np.searchsorted(inner, starts)
