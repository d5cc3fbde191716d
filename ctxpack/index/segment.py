"""A segment: some files of the repository, their chunks and the postings over them, written once and never changed.

Files are numbered by *slot* and chunks by position within the segment; the store knows which slots are alive.
"""

from __future__ import annotations

import sys
import zlib
from array import array
from bisect import bisect_right
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ctxpack.errors import BrokenIndexError
from ctxpack.index.arrays import BETWEEN, COMPRESSION, PackedTexts, ends_of, load_arrays, narrow, pack_texts
from ctxpack.index.terms import (
    FieldPostings,
    TermList,
    TermRows,
    arrays_of_rows,
    hash_keys,
    is_behind,
    keys_of,
    put_behind,
    rows_of_hashes,
    term_hash,
    vocabulary_of,
)
from ctxpack.index.words import Counts, count_words
from ctxpack.light import dataclass, replace
from ctxpack.model import Chunk, ParsedFile

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Self

    import numpy as np
    from numpy.typing import NDArray

    from ctxpack.index.arrays import Arrays, Load, StoredArray

LEAF_COUNT: Final = 2  # a name's last part counts double its parents: 1 and .5 in the measured ranker
PARENT_COUNT: Final = 1
_MARK: Final = "\x1f"  # between the parts of a label
FIELDS: Final = ("name", "definition", "path")
_MOST_SUBTOKENS: Final = 73  # of a term in a chunk, where no whole word is that term: 255 codes are used
_MOST_WORDS: Final = 31
_MOST_OF_BOTH: Final = 16
_RARE: Final = 255  # the code of all other counts


@dataclass(frozen=True, slots=True)
class TextPostings:
    """The subtokens and the whole words of the texts together: most words of one subtoken are where that is.

    The counts of ``held`` are codes of two: how often a chunk holds a term as a subtoken, and as a word. Of those that
    have no code, ``rare`` has the place in ``docs``, and ``rare_counts`` both. ``held`` has the lengths in subtokens.
    """

    held: FieldPostings
    rare: StoredArray
    rare_counts: StoredArray
    word_lengths: StoredArray

    def find(self, term: str) -> TextHits | None:
        """Return the documents that hold a term in either way; None if there are none."""
        return None if (place := self.held.place(term_hash(term))) < 0 else self.documents(place)

    def places(self, hashes: NDArray[np.uint64]) -> list[int]:
        """Return the place of each of some hashes of terms, -1 for what is not held."""
        return self.held.places(hashes)

    def read_for(self, terms: int) -> Self:
        """Return the same for so many terms, with what is short in memory."""
        return replace(self, held=self.held.read_for(terms))

    def documents(self, place: int) -> TextHits:
        """Return the documents that hold the term at a place, in either way."""
        start, end = self.held.span(place)
        codes = self.held.counts.read(start, end)
        return TextHits(self.held.docs[start:end], codes, *(self._rare_in(start, end) if _RARE in codes else ()))

    def _rare_in(self, start: int, end: int) -> tuple[NDArray[np.integer], NDArray[np.uint8]]:
        import numpy as np

        places = self.rare.kept
        first, last = places.searchsorted(np.array((start, end), places.dtype)).tolist()
        return places[first:last].astype(np.int64) - start, self.rare_counts.kept.reshape(-1, 2)[first:last]

    def rows(self) -> TermRows:
        """Return all that is held: counts and lengths in subtokens, and in words."""
        pairs = self.rare_counts.kept.reshape(-1, 2)
        every = TextHits(self.held.docs[:], self.held.counts[:].tobytes(), self.rare.kept, pairs)
        held = self.held.rows(*counts_of([every]))
        return held._replace(lengths=(*held.lengths, self.word_lengths[:]))


class TextHits(NamedTuple):
    """The chunks that hold a term, ascending; a code of how often, each; and the places of what has none."""

    docs: NDArray[np.integer]
    codes: bytes
    rare: NDArray[np.integer] | None = None
    rare_counts: NDArray[np.uint8] | None = None


def counts_of(hits: Sequence[TextHits]) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return how often each of the chunks holds the term as a subtoken, and how often as a word."""
    import numpy as np

    codes = b"".join([hit.codes for hit in hits])
    subtokens, words = (np.frombuffer(bytearray(codes.translate(table)), np.uint8) for table in _tables())
    first = 0
    for hit in hits:
        if hit.rare is not None and hit.rare_counts is not None:
            subtokens[first + hit.rare], words[first + hit.rare] = hit.rare_counts.T
        first += len(hit.codes)
    return subtokens, words


@cache
def _tables() -> tuple[bytes, bytes]:
    """Return how often a code means that a term is there as a subtoken, and as a word."""
    pairs = [(times, 0) for times in range(1, _MOST_SUBTOKENS + 1)]
    pairs += [(least, times) for times in range(1, _MOST_WORDS + 1) for least in (0, times)]
    pairs += [(times, fewer) for times in range(1, _MOST_OF_BOTH + 1) for fewer in range(1, times)]
    subtokens, words = (bytes(column).ljust(_RARE + 1, b"\0") for column in zip(*pairs, strict=True))
    return subtokens, words


def arrays_of_text(rows: TermRows) -> Arrays:
    """Return the arrays of a ``TextPostings``."""
    import numpy as np

    codes = np.full((_RARE + 1, _RARE + 1), _RARE, np.uint8)
    subtokens, words = (np.frombuffer(table, np.uint8)[:_RARE] for table in _tables())
    codes[subtokens, words] = np.arange(_RARE)
    its, behind = codes[rows.counts], is_behind(rows.sizes)
    held = arrays_of_rows(rows._replace(counts=(its,), lengths=rows.lengths[:1]))
    places = np.flatnonzero(held["counts"] == _RARE)
    pairs = np.stack([put_behind(each, behind)[places] for each in rows.counts], 1)
    return {
        **{f"held.{name}": array for name, array in held.items()},
        "rare": narrow(places, len(its)),
        "rare_counts": pairs.ravel(),
        "word_lengths": narrow(rows.lengths[1], int(rows.lengths[1].max(initial=0))),
    }


@dataclass(frozen=True, slots=True)
class Segment:
    """The arrays. ``text``, ``name`` and ``definition`` are over chunks, ``path`` is over files.

    ``text`` counts subtokens and whole words of a chunk's text; ``name`` the subtokens of its qualified name or
    heading path; ``definition`` holds the lower-case names that a chunk defines, bare and as ``parent.name``. The
    subtokens are in ``vocabulary``, the bare names of definitions in ``defined``, a compressed text of lines.
    """

    first_chunks: StoredArray  # of each file, and the number of all chunks
    chunk_start: StoredArray
    chunk_end: StoredArray
    chunk_size: StoredArray  # characters
    file_lines: StoredArray
    defined: StoredArray
    labels: PackedTexts  # per chunk: kind, symbol, headings; separated by unit marks
    vocabulary: TermList
    text: TextPostings
    name: FieldPostings
    definition: FieldPostings
    path: FieldPostings

    def chunk(self, number: int) -> Chunk:
        """Return the chunk at a position of this segment."""
        kind, symbol, *heading = self.labels[number].decode("utf-8", "surrogateescape").split(_MARK)
        first, last = (int(lines[number : number + 1][0]) for lines in (self.chunk_start, self.chunk_end))
        return Chunk(first, last, kind, symbol, tuple(h for h in heading if h))

    def definitions(self) -> list[str]:
        """Return the bare names of definitions, sorted."""
        names = self.definition_keys()
        return b"\n".join(names).decode("utf-8", "surrogateescape").split("\n") if names else []

    def definition_keys(self) -> list[bytes]:
        """Return the same as they are held."""
        names = zlib.decompress(self.defined[:].tobytes())
        return names.split(b"\n") if names else []


def load_segment(path: Path, load: Load = load_arrays) -> Segment:
    """Open a segment file. Raises BrokenIndexError."""
    return segment_from(load(path), path.name)


def segment_from(found: Mapping[str, StoredArray], name: str) -> Segment:
    """Make the segment of some arrays, as ``SegmentBuilder.finish`` gives them. Raises BrokenIndexError."""
    made: dict[str, type[Any]] = {"labels": PackedTexts, "vocabulary": TermList, **dict.fromkeys(FIELDS, FieldPostings)}
    try:
        parts: dict[str, Any] = {each: _part(found, of, each) for each, of in made.items()}
        text = {"held": _part(found, FieldPostings, "text.held")}
        text |= {each: found[f"text.{each}"] for each in TextPostings.__match_args__ if each not in text}
        parts["text"] = TextPostings(**text)
        parts |= {each: found[each] for each in Segment.__match_args__ if each not in parts}
        return Segment(**parts)
    except KeyError as error:
        raise BrokenIndexError(f"The index file {name} lacks {error}.") from error


def _part(found: Mapping[str, StoredArray], of: type[Any], name: str) -> Any:  # noqa: ANN401 -- an ``of``
    return of(**{each: found[f"{name}.{each}"] for each in of.__match_args__})


def arrays_of_segment(
    given: Arrays,
    labels: Sequence[bytes],
    rows: Mapping[str, TermRows],
    terms: Iterable[bytes],
    definitions: Iterable[bytes],
) -> Arrays:
    """Return the arrays of a segment: some as they are, those of labels and fields, and the terms that are listed."""
    import numpy as np

    text = rows["text"]
    starts = np.cumsum(text.sizes) - text.sizes
    held = np.add.reduceat(text.counts[0] > 0, starts, dtype=np.int64) if len(starts) else starts
    parts = {
        "labels": pack_texts(labels),
        "vocabulary": vocabulary_of(terms, text.hashes, held),
        "text": arrays_of_text(text),
        **{name: arrays_of_rows(rows[name]) for name in FIELDS},
    }
    made = {f"{name}.{key}": value for name, arrays in parts.items() for key, value in arrays.items()}
    defined = zlib.compress(b"\n".join(sorted(dict.fromkeys(definitions))), COMPRESSION)
    return {**given, "defined": np.frombuffer(defined, np.uint8), **made}


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
        if label.count(_MARK) >= len(parts) or BETWEEN in label:
            label = _MARK.join(part.replace(_MARK, " ").replace(BETWEEN, " ") for part in parts)
        self._labels.append(label.encode("utf-8", "surrogateescape"))
        if chunk.heading or given:
            *above, leaf = chunk.heading or ("" if part in given else part for part in chunk.symbol.split("."))
            parents = "\n".join(above)
        else:
            qualifier, _, leaf = chunk.symbol.rpartition(".")
            parents = qualifier.replace(".", "\n")
        self._leaves.append(leaf)
        self._parents.append(parents)

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
            "file_lines": narrow(lines, int(lines.max(initial=0))),
        }
        body = count_words(data, ends)
        names = _join_counts(_count_parts(self._leaves, LEAF_COUNT), _count_parts(self._parents, PARENT_COUNT))
        paths = _count_parts(self._paths)
        numbers = {name: number for number, name in enumerate(dict.fromkeys(self._defined))}
        terms = np.fromiter(map(numbers.__getitem__, self._defined), np.int64, len(self._defined))
        defined = keys_of(numbers)
        defining, once = np.asarray(self._defining, np.int64), np.ones(len(terms), np.int64)
        hashes = np.concatenate([body.parts.hashes, body.words.hashes])
        body.words.rows[:, 0] += len(body.parts.hashes)
        definition = rows_of_hashes(hash_keys(defined), [np.stack([terms, defining, once], axis=1)], chunks)
        rows = {
            "text": rows_of_hashes(hashes, [body.parts.rows, body.words.rows], chunks),
            "name": rows_of_hashes(names.hashes, [names.rows], chunks),
            "definition": definition._replace(counts=(definition.counts[0][:0],), lengths=(definition.lengths[0][:0],)),
            "path": rows_of_hashes(paths.hashes, [paths.rows], files),
        }
        return arrays_of_segment(given, self._labels, rows, body.terms, _bare(defined))


def _names_of(qualified: str) -> tuple[str, ...]:
    """The names by which one may ask for a definition: bare and with its parent in lower case, and bare as written."""
    lower = qualified.lower()
    if "." not in lower:
        return (lower,) if lower == qualified else (lower, qualified)
    above, _, name = lower.rpartition(".")
    return tuple(dict.fromkeys((name, f"{above.rpartition('.')[2]}.{name}", qualified.rpartition(".")[2])))


def _bare(names: Iterable[bytes]) -> list[bytes]:
    """Return the names of definitions as one may ask for them: lower case, without their parents."""
    return [name for name in names if b"." not in name and name == name.lower()]


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
