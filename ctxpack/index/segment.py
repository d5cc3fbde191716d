"""A segment: some files of the repository, their chunks and the postings over them, written once and never changed.

Files are numbered by *slot* and chunks by position within the segment; the store knows which slots are alive.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import Counter, defaultdict
from dataclasses import dataclass, field, fields
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ctxpack.errors import BrokenIndexError
from ctxpack.index.arrays import FieldPostings, build_postings, load_arrays
from ctxpack.model import Chunk, ParsedFile
from ctxpack.query.tokens import MAX_WORD, MIN_PART, find_words, split
from ctxpack.text import lines_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from ctxpack.index.arrays import Arrays

LEAF_COUNT: Final = 2  # a name's last part counts double its parents: 1 and .5 in the measured ranker
PARENT_COUNT: Final = 1
FIELDS: Final = ("sub", "word", "name", "definition", "path")


@dataclass(frozen=True, slots=True)
class Segment:
    """The mapped arrays. ``sub``, ``word``, ``name`` and ``definition`` are over chunks, ``path`` is over files.

    ``sub`` counts subtokens and ``word`` whole words of a chunk's text; ``name`` the subtokens of its qualified name or
    heading path; ``definition`` holds the lower-case names that a chunk defines, bare and as ``parent.name``.
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
        kind, symbol, *heading = self.labels[start:end].tobytes().decode("utf-8", "surrogateescape").split("\x1f")
        return Chunk(
            int(self.chunk_start[number]), int(self.chunk_end[number]), kind, symbol, tuple(h for h in heading if h)
        )


def load_segment(path: Path) -> Segment:
    """Map a segment file. Raises BrokenIndexError."""
    return segment_from(load_arrays(path), path.name)


def segment_from(found: Arrays, name: str) -> Segment:
    """Make the segment of some arrays, as ``SegmentBuilder.finish`` gives them. Raises BrokenIndexError."""
    try:
        parts: dict[str, Any] = {part.name: found[part.name] for part in fields(Segment) if part.name not in FIELDS}
        for each in FIELDS:
            held: dict[str, Any] = {part.name: found[f"{each}.{part.name}"] for part in fields(FieldPostings)}
            parts[each] = FieldPostings(**held)
    except KeyError as error:
        raise BrokenIndexError(f"The index file {name} lacks {error}.") from error
    return Segment(**parts)


def _numbering() -> defaultdict[str, int]:
    return defaultdict(count().__next__)


@dataclass(slots=True)
class _Rows:
    """Rows (term, document, count) in the making: columns, because a cold index makes millions of them."""

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

    def table(self) -> NDArray[np.int64]:
        import numpy as np

        documents = np.repeat(np.asarray(self.documents, np.int64), np.asarray(self.sizes, np.int64))
        return np.stack([np.asarray(self.terms, np.int64), documents, np.asarray(self.counts, np.int64)], axis=1)


class SegmentBuilder:
    """Collects files, then makes the arrays of one segment."""

    def __init__(self) -> None:
        self._body, self._name, self._definition, self._path = _Rows(), _Rows(), _Rows(), _Rows()
        self._spans = array("q")
        self._labels: list[bytes] = []
        self._file_lines = array("q")

    def __len__(self) -> int:
        return len(self._file_lines)

    def add(self, path: str, text: str, parsed: ParsedFile) -> int:
        """Add one file; returns its slot."""
        slot, first = len(self), len(self._labels)
        lines = lines_of(text)
        self._file_lines.append(len(lines))
        for chunk in parsed.chunks:
            self._add_chunk(slot, chunk, "\n".join(lines[chunk.start_line - 1 : chunk.end_line]))
        self._add_definitions(parsed, first)
        self._path.add(slot, Counter(part for word in find_words(path) for part in split(word)))
        return slot

    def _add_chunk(self, slot: int, chunk: Chunk, text: str) -> None:
        number = len(self._labels)
        self._spans.extend((slot, chunk.start_line, chunk.end_line, len(text)))
        label = "\x1f".join(part.replace("\x1f", " ") for part in (chunk.kind, chunk.symbol, *chunk.heading))
        self._labels.append(label.encode("utf-8", "surrogateescape"))
        self._body.add(number, Counter(find_words(text)))
        *parents, leaf = chunk.heading or chunk.symbol.split(".")
        names: Counter[str] = Counter()
        for part, weight in ((leaf, LEAF_COUNT), *((parent, PARENT_COUNT) for parent in parents)):
            for word in find_words(part):
                for token in split(word):
                    names[token] += weight
        self._name.add(number, names)

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
        spans = np.frombuffer(self._spans, np.int64).reshape(-1, 4) if self._spans else np.zeros((0, 4), np.int64)
        ends = np.zeros(chunks + 1, np.int64)
        np.cumsum([len(label) for label in self._labels], out=ends[1:])
        made: Arrays = {
            "chunk_file": spans[:, 0].astype(np.int32),
            "chunk_start": spans[:, 1].astype(np.int32),
            "chunk_end": spans[:, 2].astype(np.int32),
            "chunk_size": spans[:, 3].astype(np.int32),
            "labels": np.frombuffer(b"".join(self._labels), np.uint8),
            "label_ends": ends,
            "file_lines": np.asarray(self._file_lines, np.int32),
        }
        for name, postings in (
            ("sub", _subtoken_rows(self._body, chunks)),
            ("word", _word_rows(self._body, chunks)),
            ("name", build_postings(list(self._name.numbers), self._name.table(), chunks)),
            ("definition", build_postings(list(self._definition.numbers), self._definition.table(), chunks)),
            ("path", build_postings(list(self._path.numbers), self._path.table(), files)),
        ):
            made |= {f"{name}.{key}": value for key, value in postings.items()}
        return made


def _word_rows(body: _Rows, chunks: int) -> Arrays:
    """Whole words, lower-cased: words that differ in case alone fall together in ``build``."""
    import numpy as np

    raw = list(body.numbers)
    keep = np.fromiter((MIN_PART <= len(word) <= MAX_WORD for word in raw), bool, len(raw))
    rows = body.table()
    rows = rows[keep[rows[:, 0]]] if raw else rows
    return build_postings(
        [word.lower() if kept else "" for word, kept in zip(raw, keep.tolist(), strict=True)], rows, chunks
    )


def _subtoken_rows(body: _Rows, chunks: int) -> Arrays:
    """Build postings over subtokens: every row of a word becomes one row for each of its subtokens."""
    import numpy as np

    terms, parts, sizes = _numbering(), array("q"), array("q")
    for word in body.numbers:
        tokens = split(word) if len(word) <= MAX_WORD else ()
        parts.extend([terms[token] for token in tokens])
        sizes.append(len(tokens))
    rows = body.table()
    if not len(rows) or not parts:
        return build_postings([], np.zeros((0, 3), np.int64), chunks)
    size, part = np.asarray(sizes), np.asarray(parts)
    starts = np.cumsum(size) - size
    repeats = size[rows[:, 0]]
    expanded = np.repeat(rows, repeats, axis=0)
    within = np.arange(len(expanded)) - np.repeat(np.cumsum(repeats) - repeats, repeats)
    expanded[:, 0] = part[np.repeat(starts[rows[:, 0]], repeats) + within]
    return build_postings(list(terms), expanded, chunks)
