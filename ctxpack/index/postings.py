"""The postings of one state of a repository, over all segments of its index.

Files are numbered in the order of their paths, chunks in the order of the segments; ``-1`` in ``chunk_file`` marks a
chunk of a file that is gone or was indexed again.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from ctxpack.errors import BrokenIndexError
from ctxpack.index.segment import counts_of
from ctxpack.index.terms import term_hash
from ctxpack.light import dataclass, field
from ctxpack.model import Chunk

if TYPE_CHECKING:
    from typing import TypeVar

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from ctxpack.index.known import FileSlots
    from ctxpack.index.segment import Segment, TextHits, TextPostings
    from ctxpack.index.terms import FieldPostings

    _Integer = TypeVar("_Integer", np.int32, np.int64)
    Numbers = NDArray[np.int32]
    """Of files, of chunks, or of what is counted in them: no index has more of them, and a large one holds many."""
    _Found = tuple[NDArray[np.integer], NDArray[np.uint8]]
    """What a segment holds of a term: documents, ascending, and counts."""


_OF_TEXT: Final = ("sub", "word")  # fields of which postings are kept together


@dataclass(frozen=True)
class Terms:
    """The postings of one term over all live documents: ascending numbers, and counts."""

    docs: Numbers
    counts: NDArray[np.integer]


@dataclass
class Postings:
    """All segments as one: chunks, terms and lengths of the live documents of this state."""

    segments: tuple[Segment, ...]
    segment_names: tuple[str, ...]
    rows: FileSlots  # of each file
    _terms: dict[tuple[str, str], Terms] = field(default_factory=dict)
    _file_terms: dict[tuple[str, str], Terms] = field(default_factory=dict)
    _lengths: dict[str, NDArray[np.integer]] = field(default_factory=dict)
    _file_lengths: dict[str, Numbers] = field(default_factory=dict)

    def again(self) -> Postings:
        """Return a copy for another run, without the terms cached by this one."""
        made = Postings(
            self.segments, self.segment_names, self.rows, _lengths=self._lengths, _file_lengths=self._file_lengths
        )
        vars(made).update(worked_out(self))
        return made

    @cached_property
    def bases(self) -> list[int]:
        """The number of the first chunk of each segment, and at the end the number of all chunks."""
        bases = [0]
        for segment in self.segments:
            bases.append(bases[-1] + len(segment.chunk_start))
        return bases

    @cached_property
    def slot_files(self) -> list[Numbers]:
        """For every segment: slot -> file number, or -1."""
        import numpy as np

        ends = np.cumsum([len(segment.file_lines) for segment in self.segments], dtype=np.int64)
        order = {name: number for number, name in enumerate(self.segment_names)}
        places = [order.get(name, -1) for name in self.rows.names]  # of a segment without files none is asked for
        alive = np.flatnonzero(self.rows.slots >= 0)
        its, slots = np.array(places, np.int64)[self.rows.segments[alive]], self.rows.slots[alive]
        sizes = np.diff(ends, prepend=0)
        if (slots >= sizes[its]).any():
            raise BrokenIndexError("A row of the index is of no file of its segment.")
        numbers = np.full(int(sizes.sum()), -1, np.int32)
        numbers[(ends - sizes)[its] + slots] = alive
        return np.split(numbers, ends[:-1])

    @cached_property
    def chunk_file(self) -> Numbers:
        """The file of each chunk, or -1."""
        import numpy as np

        parts: list[Numbers] = []
        for slots, segment in zip(self.slot_files, self.segments, strict=True):
            firsts = segment.first_chunks.kept.astype(np.int64)
            parts.append(np.repeat(slots, firsts[1:] - firsts[:-1]))
        return _concatenate(parts)

    @cached_property
    def chunk_size(self) -> NDArray[np.integer]:
        """The characters of each chunk."""
        import numpy as np

        return np.concatenate([np.zeros(0, np.uint16), *(segment.chunk_size[:] for segment in self.segments)])

    @cached_property
    def file_lines(self) -> NDArray[np.int64]:
        """The lines of each file."""
        import numpy as np

        lines = np.zeros(len(self.rows), np.int64)
        for slots, segment in zip(self.slot_files, self.segments, strict=True):
            alive = slots >= 0
            lines[slots[alive]] = segment.file_lines[:][alive]
        return lines

    def chunk(self, number: int) -> Chunk:
        """Return the chunk with a number."""
        place = self._segment_of(number)
        return self.segments[place].chunk(number - self.bases[place])

    def chunks_of(self, file_number: int) -> range:
        """Return the numbers of a file's chunks, in order."""
        row = self.rows[file_number]
        if row is None or row.slot < 0:
            return range(0)
        place = self.segment_names.index(row.segment)
        first, last = self.segments[place].first_chunks.kept[row.slot : row.slot + 2].tolist()
        return range(self.bases[place] + first, self.bases[place] + last)

    def _segment_of(self, number: int) -> int:
        return bisect_right(self.bases, number) - 1

    def terms(self, name: str, term: str) -> Terms:
        """Return the live documents with a term in a field: chunks, or files for the field ``path``."""
        key = (name, term)
        if key not in self._terms:
            self.look_up(name, (term,))
        return self._terms[key]

    def look_up(self, name: str, terms: Iterable[str]) -> None:
        """Find the documents with some terms of a field at once, so that ``terms`` need not look up each of them.

        Of many terms a segment's hashes are read together: most segments hold only some of them. What is asked of one
        field of texts is found for both: who asks for one mostly asks for both.
        """
        import numpy as np

        wanted = [term for term in dict.fromkeys(terms) if (name, term) not in self._terms]
        hashes = np.fromiter(map(term_hash, wanted), np.uint64, len(wanted))
        held: list[list[tuple[int, Any]]] = [[] for _ in wanted]
        for number, segment in enumerate(self.segments if wanted else ()):
            its: FieldPostings | TextPostings = getattr(segment, "text" if name in _OF_TEXT else name)
            places = [(at, place) for at, place in enumerate(its.places(hashes)) if place >= 0]
            its = its.read_for(len(places)) if len(places) > 1 else its
            for at, place in places:
                held[at].append((number, its.documents(place)))
        join = self._files_held if name == "path" else self._chunks_held
        for term, found in zip(wanted, held, strict=True):
            if name in _OF_TEXT:
                self._terms.update(((each, term), its) for each, its in self._texts_held(found))
            else:
                self._terms[name, term] = join(found)

    def look_up_everywhere(self, terms: Iterable[str]) -> None:
        """Find the documents with some terms at once: chunks, or files with what only paths hold."""
        wanted = list(terms)
        self.look_up("sub", wanted)
        self.look_up("path", (term for term in wanted if not self.is_known(term)))

    def is_in_more_than(self, most: int, name: str, term: str) -> bool:
        """Whether more than so many live chunks hold a term of a field of texts: read until that is known."""
        if (name, term) in self._terms:
            return len(self._terms[name, term].docs) > most
        count = 0
        for number, segment in enumerate(self.segments):
            if (found := segment.text.find(term)) is not None:
                count += len(dict(self._texts_held([(number, found)]))[name].docs)
            if count > most:
                return True
        return False

    def chunks_with_all(self, name: str, terms: Iterable[str]) -> Numbers:
        """Return the live chunks with all of some terms in a field, ascending; none for no terms."""
        import numpy as np

        held = sorted((self.terms(name, term).docs for term in dict.fromkeys(terms)), key=len)
        found = held[0] if held else np.zeros(0, np.int32)
        for docs in held[1:]:
            found = found[among(found, docs)]
        return found

    def select_known(self, name: str, terms: Iterable[str]) -> list[str]:
        """Return which of some words are, in lower case, terms of a field of names."""
        words = list(terms)
        self.look_up(name, map(str.lower, words))
        return [word for word in words if len(self.terms(name, word.lower()).docs)]

    def file_terms(self, name: str, term: str) -> Terms:
        """Return the files with a term in a field, unordered, and the counts."""
        if name == "path":
            return self.terms(name, term)
        key = (name, term)
        if key not in self._file_terms:
            self._file_terms[key] = self._sum_by_file(self.terms(name, term))
        return self._file_terms[key]

    def _sum_by_file(self, chunks: Terms) -> Terms:
        import numpy as np

        files = self.chunk_file[chunks.docs]  # the chunks of one file follow each other
        starts = np.flatnonzero(begins_run(files))
        counts = np.add.reduceat(chunks.counts, starts, dtype=np.int32) if len(starts) else chunks.counts
        return Terms(files[starts], counts)

    @cached_property
    def live_chunks(self) -> int:
        """How many chunks belong to a file of this state."""
        return int((self.chunk_file >= 0).sum())

    def file_lengths(self, name: str) -> NDArray[np.integer]:
        """Return the length of each file in a field."""
        if name == "path":
            return self.lengths(name)
        if name not in self._file_lengths:
            self._file_lengths[name] = self._summed_lengths(name)
        return self._file_lengths[name]

    def _summed_lengths(self, name: str) -> Numbers:
        import numpy as np

        summed = np.zeros(len(self.rows), np.int32)
        for slots, segment in zip(self.slot_files, self.segments, strict=True):
            before = np.zeros(len(segment.chunk_start) + 1, np.int64)
            np.cumsum(_lengths_in(segment, name), out=before[1:])
            firsts = segment.first_chunks.kept
            summed[slots[slots >= 0]] = (before[firsts[1:]] - before[firsts[:-1]])[slots >= 0]
        return summed

    def is_known(self, token: str) -> bool:
        """Return whether any live chunk contains a subtoken or whole word."""
        return any(len(self.terms(name, token).docs) for name in ("sub", "word"))

    def with_prefix(self, prefix: str, is_wanted: Callable[[str], bool] = bool) -> list[str]:
        """Return the wanted subtokens that begin with ``prefix``, the most frequent first; only these are counted."""
        return self.vocabulary(is_wanted, (prefix,))

    def vocabulary(self, is_wanted: Callable[[str], bool] = bool, beginnings: Iterable[str] = ("",)) -> list[str]:
        """Return the wanted subtokens of this state, those in most chunks first.

        They begin with one of ``beginnings``, none of which begins with another.
        """
        held: Counter[str] = Counter()
        for number, segment in enumerate(self.segments):
            alive = self._alive_of(number) if self._has_dead else None
            for beginning in beginnings:
                terms, sizes = segment.vocabulary.beginning_with(beginning)
                wanted = {term: size for term, size in zip(terms, sizes.tolist(), strict=True) if is_wanted(term)}
                if alive is not None and not alive.all():
                    wanted = {term: _count_alive(segment.text, term, alive) for term in wanted}
                held.update(wanted)
        return sorted((term for term in held if held[term]), key=lambda term: (-held[term], term))

    def _alive_of(self, number: int) -> NDArray[np.bool_]:
        """Say of each chunk of a segment whether its file is one of this state."""
        return self.chunk_file[self.bases[number] : self.bases[number + 1]] >= 0

    @property
    def _has_dead(self) -> bool:
        """Whether a segment has chunks of a file that is gone or was indexed again."""
        return self.live_chunks < len(self.chunk_file)

    def lengths(self, name: str) -> NDArray[np.integer]:
        """Return the length of each document in a field; 0 for dead chunks."""
        if name not in self._lengths:
            self._lengths[name] = self._field_lengths(name)
        return self._lengths[name]

    def _field_lengths(self, name: str) -> NDArray[np.integer]:
        import numpy as np

        if name == "path":
            lengths = np.zeros(len(self.rows), np.int32)
            for slots, segment in zip(self.slot_files, self.segments, strict=True):
                lengths[slots[slots >= 0]] = segment.path.lengths[:][slots >= 0]
            return lengths
        parts = [_lengths_in(segment, name) for segment in self.segments]
        found: NDArray[np.integer] = np.concatenate([np.zeros(0, np.uint16), *parts])  # mostly two bytes each
        if self._has_dead:
            found[self.chunk_file < 0] = 0
        return found

    def _texts_held(self, held: Sequence[tuple[int, TextHits]]) -> Iterator[tuple[str, Terms]]:
        """Join what segments hold of a term, as a subtoken and as a word."""
        import numpy as np

        docs = _concatenate(np.add(found.docs, self.bases[number], dtype=np.int32) for number, found in held)
        alive = self.chunk_file[docs] >= 0 if self._has_dead else True
        for name, counts in zip(_OF_TEXT, counts_of([found for _, found in held]), strict=True):
            is_held = (counts > 0) & alive
            yield name, Terms(docs[is_held], counts[is_held])

    def _chunks_held(self, held: Sequence[tuple[int, _Found]]) -> Terms:
        """Join what segments hold of a term, without the chunks that are gone."""
        import numpy as np

        if not held:
            return Terms(np.zeros(0, np.int32), np.zeros(0, np.uint8))
        docs = np.concatenate([np.add(docs, self.bases[number], dtype=np.int32) for number, (docs, _) in held])
        counts = np.concatenate([counts for _, (_, counts) in held])
        if not self._has_dead:
            return Terms(docs, counts)
        alive = self.chunk_file[docs] >= 0
        return Terms(docs[alive], counts[alive])

    def _files_held(self, held: Sequence[tuple[int, _Found]]) -> Terms:
        """Join what segments hold of a term in paths, without the files that are gone."""
        import numpy as np

        found = _concatenate(self.slot_files[number][docs] for number, (docs, _) in held)
        counts = _concatenate(counts for _, (_, counts) in held)
        order = np.argsort(found, kind="stable")
        order = order[found[order] >= 0]
        return Terms(found[order], counts[order])


def _concatenate(parts: Iterable[NDArray[np.integer]]) -> Numbers:
    import numpy as np

    return np.concatenate([np.zeros(0, np.int32), *parts], dtype=np.int32)


def _lengths_in(segment: Segment, name: str) -> NDArray[np.integer]:
    """The length of each chunk of a segment in a field."""
    import numpy as np

    if name == "word":
        return segment.text.word_lengths[:]
    field: FieldPostings = segment.text.held if name == "sub" else getattr(segment, name)
    chunks = len(segment.chunk_start)
    return field.lengths[:] if len(field.lengths) == chunks else np.bincount(field.docs[:], minlength=chunks)


def _count_alive(postings: TextPostings, term: str, alive: NDArray[np.bool_]) -> int:
    """How many of the chunks that are alive hold a subtoken."""
    found = postings.find(term)
    return int((alive[found.docs] & (counts_of([found])[0] > 0)).sum()) if found else 0


def worked_out(thing: object) -> dict[str, object]:
    """Return the values of the cached properties of an object that were computed."""
    return {
        name: value for name, value in vars(thing).items() if isinstance(vars(type(thing)).get(name), cached_property)
    }


def distinct(numbers: NDArray[_Integer]) -> NDArray[_Integer]:
    """Return some numbers sorted, each once; ``np.unique`` would load a package of 10 ms first."""
    import numpy as np

    ordered = np.sort(numbers, kind="stable")  # several ascending parts, as they mostly are, are only merged
    return ordered[begins_run(ordered)]


def among(numbers: ArrayLike, ordered: NDArray[np.integer]) -> NDArray[np.bool_]:
    """Test each number for membership in a sorted array; ``np.isin`` would load another part of numpy."""
    import numpy as np

    wanted = np.asarray(numbers, np.int64)
    if not len(ordered):
        return np.zeros(len(wanted), bool)
    found: NDArray[np.bool_] = ordered[np.minimum(np.searchsorted(ordered, wanted), len(ordered) - 1)] == wanted
    return found


def begins_run(numbers: NDArray[_Integer]) -> NDArray[np.bool_]:
    """Say of each number whether it differs from the one before it; ``np.diff`` takes longer to begin."""
    import numpy as np

    begins = np.ones(len(numbers), bool)
    np.not_equal(numbers[1:], numbers[:-1], out=begins[1:])
    return begins


def idf(holding: int, total: int) -> float:
    """ln(1 + (N - n + .5) / (n + .5))."""
    return math.log1p((total - holding + 0.5) / (holding + 0.5))
