"""A segment: some files of the repository, their chunks and the postings over them, written once and never changed.

Files are numbered by *slot* and chunks by position within the segment; the store knows which slots are alive.
"""

from __future__ import annotations

import sys
import zlib
from array import array
from bisect import bisect_right
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ctxpack.errors import BrokenIndexError
from ctxpack.index.arrays import (
    FieldPostings,
    TermList,
    ends_of,
    load_arrays,
    narrow,
    postings_of_hashes,
    vocabulary_of,
)
from ctxpack.index.terms import hash_keys, term_key
from ctxpack.index.words import Counts, count_words
from ctxpack.light import dataclass
from ctxpack.model import Chunk, ParsedFile
from ctxpack.model.columns import number_distinct

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from ctxpack.index.arrays import Arrays, Load, StoredArray

LEAF_COUNT: Final = 2  # a name's last part counts double its parents: 1 and .5 in the measured ranker
PARENT_COUNT: Final = 1
_MARK: Final = "\x1f"  # between the parts of a label
_COMPRESSION: Final = 1  # the fastest
_VOCABULARY: Final = "vocabulary"
FIELDS: Final = ("sub", "word", "name", "definition", "path")


@dataclass(frozen=True, slots=True)
class Segment:
    """The arrays. ``sub``, ``word``, ``name`` and ``definition`` are over chunks, ``path`` is over files.

    ``sub`` counts subtokens and ``word`` whole words of a chunk's text; ``name`` the subtokens of its qualified name or
    heading path; ``definition`` holds the lower-case names that a chunk defines, bare and as ``parent.name``. The terms
    of ``sub`` are in ``vocabulary``, the bare names of definitions in ``defined``, a compressed text of lines.
    """

    first_chunks: StoredArray  # of each file, and the number of all chunks
    chunk_start: StoredArray
    chunk_end: StoredArray
    chunk_size: StoredArray  # characters
    labels: StoredArray  # per chunk: kind, symbol, headings; separated by unit marks
    label_ends: StoredArray
    file_lines: StoredArray
    defined: StoredArray
    vocabulary: TermList
    sub: FieldPostings
    word: FieldPostings
    name: FieldPostings
    definition: FieldPostings
    path: FieldPostings

    def chunk(self, number: int) -> Chunk:
        """Return the chunk at a position of this segment."""
        start, end = self.label_ends[number : number + 2].tolist()
        kind, symbol, *heading = self.labels[start:end].tobytes().decode("utf-8", "surrogateescape").split(_MARK)
        first, last = (int(lines[number : number + 1][0]) for lines in (self.chunk_start, self.chunk_end))
        return Chunk(first, last, kind, symbol, tuple(h for h in heading if h))

    def definitions(self) -> list[str]:
        """Return the bare names of definitions, sorted."""
        names = zlib.decompress(self.defined[:].tobytes()).decode("utf-8", "surrogateescape")
        return names.split("\n") if names else []


def load_segment(path: Path, load: Load = load_arrays) -> Segment:
    """Open a segment file. Raises BrokenIndexError."""
    return segment_from(load(path), path.name)


def segment_from(found: Mapping[str, StoredArray], name: str) -> Segment:
    """Make the segment of some arrays, as ``SegmentBuilder.finish`` gives them. Raises BrokenIndexError."""
    made: dict[str, type[Any]] = {_VOCABULARY: TermList, **dict.fromkeys(FIELDS, FieldPostings)}
    try:
        parts: dict[str, Any] = {name: found[name] for name in Segment.__match_args__ if name not in made}
        for each, of in made.items():
            parts[each] = of(**{name: found[f"{each}.{name}"] for name in of.__match_args__})
    except KeyError as error:
        raise BrokenIndexError(f"The index file {name} lacks {error}.") from error
    return Segment(**parts)


def arrays_of_segment(
    given: Arrays, postings: Mapping[str, Arrays], terms: Iterable[bytes], definitions: Iterable[bytes]
) -> Arrays:
    """Return the arrays of a segment: some as they are, those of its fields, and the terms that are listed."""
    import numpy as np

    text = zlib.compress(b"\n".join(sorted(set(definitions))), _COMPRESSION)
    parts = {_VOCABULARY: vocabulary_of(terms, postings["sub"]), **postings}
    made = {f"{name}.{key}": value for name, arrays in parts.items() for key, value in arrays.items()}
    return {**given, "defined": np.frombuffer(text, np.uint8), **made}


class Slot(NamedTuple):
    """Where the chunks of a file are: a segment, and the slot in it; that of what could not be read is -1."""

    segment: str
    slot: int


class FileSlots:
    """The slots of some files as columns: ``segments`` are numbers into ``names``, -1 for a file without one."""

    def __init__(self, names: Sequence[str], segments: NDArray[np.int32], slots: NDArray[np.int32]) -> None:
        self.names = tuple(names)
        self.segments = segments
        self.slots = slots

    @classmethod
    def of(cls, given: Iterable[tuple[str, int] | None]) -> FileSlots:
        """Return some slots as columns."""
        import numpy as np

        names, slots = dict[str, int](), list(given)
        segments = [-1 if each is None else names.setdefault(each[0], len(names)) for each in slots]
        numbers = [-1 if each is None else each[1] for each in slots]
        return cls(tuple(names), np.array(segments, np.int32), np.array(numbers, np.int32))

    def __len__(self) -> int:
        return len(self.slots)

    def __getitem__(self, number: int) -> Slot | None:
        segment, slot = int(self.segments[number]), int(self.slots[number])
        return Slot(self.names[segment], slot) if segment >= 0 else None

    def __iter__(self) -> Iterator[Slot | None]:
        return map(self.__getitem__, range(len(self)))

    def without_empty(self) -> FileSlots:
        """Return the slots without the names of segments that no file is in."""
        import numpy as np

        counts = np.bincount(self.segments + 1, minlength=len(self.names) + 1)[1:]
        numbers = np.append(np.cumsum(counts > 0) - 1, -1).astype(np.int32)  # the last is that of -1
        names = [name for name, count in zip(self.names, counts.tolist(), strict=True) if count]
        return FileSlots(names, numbers[self.segments], self.slots)

    def only(self, is_wanted: NDArray[np.bool_]) -> FileSlots:
        """Return the slots of some of the files."""
        return self if is_wanted.all() else FileSlots(self.names, self.segments[is_wanted], self.slots[is_wanted])

    def spread(self, is_taken: NDArray[np.bool_]) -> FileSlots:
        """Return the slots of more files: these where that is marked, and none between them."""
        import numpy as np

        segments, slots = np.full((2, len(is_taken)), -1, np.int32)
        segments[is_taken], slots[is_taken] = self.segments, self.slots
        return FileSlots(self.names, segments, slots)

    def with_slots(self, changes: Mapping[int, tuple[str, int] | None]) -> FileSlots:
        """Return the slots with others at some numbers."""
        names = {name: number for number, name in enumerate(self.names)}
        segments, slots = self.segments.copy(), self.slots.copy()
        for number, each in changes.items():
            segments[number] = -1 if each is None else names.setdefault(each[0], len(names))
            slots[number] = -1 if each is None else each[1]
        return FileSlots(tuple(names), segments, slots).without_empty()

    def after_moves(self, moved: Mapping[str, tuple[str, int]]) -> FileSlots:
        """Return the slots after segments became parts of others, from some slot on."""
        import numpy as np

        places = [moved.get(name, (name, 0)) for name in self.names]
        names, numbers = number_distinct(name for name, _ in places)
        firsts = np.array([*(first for _, first in places), 0], np.int32)
        segments = np.array([*numbers, -1], np.int32)[self.segments]  # of -1 the last
        return FileSlots(names, segments, np.where(self.slots < 0, self.slots, self.slots + firsts[self.segments]))


class SegmentBuilder:
    """Collects files, then makes the arrays of one segment."""

    def __init__(self) -> None:
        self._defined: list[str] = []  # names, also several of one definition
        self._defining = array("q")  # the chunk of each
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
            self._add_chunk(slot, chunk, parsed.given_names)
        self._add_definitions(parsed, first)
        self._paths.append(path)
        return slot

    def _add_chunk(self, slot: int, chunk: Chunk, given: frozenset[str]) -> None:
        self._spans.extend((slot, chunk.start_line, chunk.end_line))
        parts = (chunk.kind, chunk.symbol, *chunk.heading)
        label = _MARK.join(parts)
        if label.count(_MARK) >= len(parts):
            label = _MARK.join(part.replace(_MARK, " ") for part in parts)
        self._labels.append(label.encode("utf-8", "surrogateescape"))
        *parents, leaf = chunk.heading or ("" if part in given else part for part in chunk.symbol.split("."))
        self._leaves.append(leaf)
        self._parents.append("\n".join(parents))

    def _add_definitions(self, parsed: ParsedFile, first: int) -> None:
        starts = [chunk.start_line for chunk in parsed.chunks]
        for symbol in parsed.symbols if starts else ():
            if symbol.name in parsed.given_names:
                continue
            number = first + max(bisect_right(starts, symbol.start_line) - 1, 0)
            for name in _names_of(symbol.qualified):
                self._defined.append(name)
                self._defining.append(number)

    def finish(self) -> Arrays:
        """Return the arrays of the segment, ready for ``save_arrays``."""
        import numpy as np

        chunks, files = len(self._labels), len(self)
        slots, first, last = np.asarray(self._spans, np.int64).reshape(-1, 3).T
        data = b"".join(self._texts)
        lines = np.asarray(self._file_lines, np.int64)
        ends, sizes = _extents(data, slots, first, last, lines)
        given: Arrays = {
            "first_chunks": ends_of(np.bincount(slots, minlength=files)),
            "chunk_start": narrow(first, int(first.max(initial=0))),
            "chunk_end": narrow(last, int(last.max(initial=0))),
            "chunk_size": narrow(sizes, int(sizes.max(initial=0))),
            "labels": np.frombuffer(b"".join(self._labels), np.uint8),
            "label_ends": ends_of(np.fromiter(map(len, self._labels), np.int64, chunks)),
            "file_lines": narrow(lines, int(lines.max(initial=0))),
        }
        body = count_words(data, ends)
        names = _join_counts(_count_parts(self._leaves, LEAF_COUNT), _count_parts(self._parents, PARENT_COUNT))
        numbers: dict[str, int] = {}
        terms = np.array([numbers.setdefault(name, len(numbers)) for name in self._defined], np.int64)
        defined = list(map(term_key, numbers))
        defining, once = np.asarray(self._defining, np.int64), np.ones(len(terms), np.int64)
        postings = {
            "sub": postings_of_hashes(*body.parts, chunks),
            "word": postings_of_hashes(*body.words, chunks),
            "name": postings_of_hashes(*names, chunks),
            "definition": postings_of_hashes(hash_keys(defined), np.stack([terms, defining, once], axis=1), chunks),
            "path": postings_of_hashes(*_count_parts(self._paths), files),
        }
        return arrays_of_segment(given, postings, body.terms, filter(_is_bare, defined))


def _names_of(qualified: str) -> tuple[str, ...]:
    """The names by which one may ask for a definition: bare and with its parent in lower case, and bare as written."""
    lower = qualified.lower()
    if "." not in lower:
        return (lower,) if lower == qualified else (lower, qualified)
    above, _, name = lower.rpartition(".")
    return tuple(dict.fromkeys((name, f"{above.rpartition('.')[2]}.{name}", qualified.rpartition(".")[2])))


def _is_bare(name: bytes) -> bool:
    """Whether a name is that of a definition as one may ask for it: lower case, without its parents."""
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
