"""What the later stages see of an index: one state of the repository, read only.

Files are numbered in the order of their paths and chunks in the order of the segments; ``-1`` in ``chunk_file`` marks a
chunk of a file that is gone or was indexed again.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from ctxpack.index.worker import Facts
from ctxpack.model import Chunk, Import, ParsedFile, RepositoryState, Skipped, SourceFile, Symbol
from ctxpack.parse import exact
from ctxpack.text import lines_of, read

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ctxpack.index.graph import Graph
    from ctxpack.index.history import Commit, History
    from ctxpack.index.postings import Postings
    from ctxpack.index.segment import Segment
    from ctxpack.index.store import Row, Store


@dataclass(frozen=True)
class Terms:
    """The postings of one term over all live documents: ascending numbers, and counts."""

    docs: NDArray[np.int64]
    counts: NDArray[np.int64]


@dataclass
class IndexView:
    """One state of the repository. Made by ``ctxpack.index.open_index``.

    Threads may share it: the store takes one question at a time, and what is remembered here depends on nothing but the
    state, so that the worst that two threads can do is to work out the same thing twice.
    """

    state: RepositoryState
    files: tuple[SourceFile, ...]
    segments: tuple[Segment, ...]
    rows: Sequence[Row | None]  # of each file; None where it could not be read
    segment_names: tuple[str, ...]
    store: Store
    history: History
    graph: Graph
    skipped: tuple[Skipped, ...] = ()
    fresh_facts: Mapping[str, str] = field(default_factory=dict)  # of this run, whether or not they were recorded
    _texts: dict[str, str | None] = field(default_factory=dict)
    _lines: dict[str, list[str]] = field(default_factory=dict)
    _exact: dict[str, ParsedFile] = field(default_factory=dict)
    _fresh_exact: dict[str, str] = field(default_factory=dict)
    _terms: dict[tuple[str, str], Terms] = field(default_factory=dict)
    _file_terms: dict[tuple[str, str], Terms] = field(default_factory=dict)
    _lengths: dict[str, NDArray[np.int64]] = field(default_factory=dict)

    # --- files ------------------------------------------------------------------------------------------------------

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each path."""
        return {file.path: number for number, file in enumerate(self.files)}

    def file(self, path: str) -> SourceFile | None:
        """The file at a path, or None."""
        number = self.numbers.get(path)
        return None if number is None else self.files[number]

    @cached_property
    def _by_name(self) -> Mapping[str, list[int]]:
        names: dict[str, list[int]] = {}
        for number, file in enumerate(self.files):
            names.setdefault(file.path.rpartition("/")[2].lower(), []).append(number)
        return names

    def with_suffix(self, suffix: str) -> tuple[int, ...]:
        """The files whose path is, or ends with a slash and, ``suffix``; case does not matter."""
        wanted = suffix.lower()
        files = self._by_name.get(wanted.rpartition("/")[2], ())
        return tuple(n for n in files if f"/{self.files[n].path.lower()}".endswith(f"/{wanted}"))

    @cached_property
    def in_degrees(self) -> NDArray[np.int64]:
        """How many files import each file."""
        return self.graph.in_degrees([file.path for file in self.files])

    @cached_property
    def history_numbers(self) -> NDArray[np.int64]:
        """File number of each path of the history, or -1."""
        import numpy as np

        return np.fromiter(
            (self.numbers.get(path, -1) for path in self.history.paths), np.int64, len(self.history.paths)
        )

    def text(self, path: str) -> str:
        """The decoded text of a file; empty when it can no longer be read."""
        return self._read(path) or ""

    def _read(self, path: str) -> str | None:
        if path not in self._texts:
            try:
                self._texts[path] = read(self.state.root / path)
            except OSError:
                self._texts[path] = None
        return self._texts[path]

    def all_lines(self, path: str) -> list[str]:
        """The lines of a file, split once."""
        if path not in self._lines:
            self._lines[path] = lines_of(self.text(path))
        return self._lines[path]

    def lines(self, path: str, start: int, end: int) -> str:
        """The lines ``start..end`` of a file, joined by LF."""
        return "\n".join(self.all_lines(path)[start - 1 : end])

    def exact(self, path: str) -> ParsedFile:
        """The file by its syntax tree, cached by content."""
        file = self.file(path)
        if file is None:
            return ParsedFile(())
        if path not in self._exact:
            self._exact[path] = self._cached_exact(file)
        return self._exact[path]

    def facts(self, path: str) -> Facts:
        """Imports, tag regions and front matter of a file."""
        line = self.fresh_facts.get(path) or self.store.facts((path,)).get(path)
        return Facts.from_json(line) if line else Facts(-1)

    def all_facts(self) -> Mapping[str, str]:
        """The facts of every path that is known, as lines that ``Facts.from_json`` reads."""
        return {**self.store.facts(), **self.fresh_facts}

    def close(self) -> None:
        """Keep what was parsed, and let the store go."""
        fresh, self._fresh_exact = self._fresh_exact, {}  # a strategy that took too long may still add to them
        if fresh:
            self.store.remember_exact(dict(fresh))
        self.store.close()

    def _cached_exact(self, file: SourceFile) -> ParsedFile:
        key = f"{file.blob}:{file.language}:{file.path.rpartition('.')[2]}"  # a suffix tells dialects apart
        cached = self.store.exact(key)
        if cached:
            return _parsed_from(cached)
        text = self._read(file.path)
        if text is None:
            return ParsedFile(())
        parsed = exact(text, file.language, file.path)
        self._fresh_exact[key] = _parsed_to(parsed)
        return parsed

    @cached_property
    def modules(self) -> Mapping[str, str]:
        """Dotted module names and the files that hold them."""
        from ctxpack.languages.python import python_modules

        return python_modules([file.path for file in self.files])

    @cached_property
    def last_commits(self) -> Mapping[str, Commit]:
        """The newest remembered commit that changed each path."""
        return {path: self.history.commit(int(self._newest[place])) for path, place in self._places.items()}

    @cached_property
    def _places(self) -> Mapping[str, int]:
        return {path: place for place, path in enumerate(self.history.paths)}

    @cached_property
    def _newest(self) -> NDArray[np.int64]:
        """The newest commit that changed each path of the history."""
        import numpy as np

        history = self.history
        newest = np.zeros(len(history.paths), np.int64)
        numbers = np.repeat(np.arange(len(history)), np.diff(history.ends))
        newest[history.files[::-1]] = numbers[::-1]  # of equal places the last written stays: the newest
        return newest

    def last_commit(self, path: str) -> Commit | None:
        """The newest remembered commit that changed a path, or None."""
        place = self._places.get(path)
        return None if place is None else self.history.commit(int(self._newest[place]))

    # --- chunks -----------------------------------------------------------------------------------------------------

    @cached_property
    def bases(self) -> list[int]:
        """The number of the first chunk of each segment, and behind them the number of all chunks."""
        bases = [0]
        for segment in self.segments:
            bases.append(bases[-1] + len(segment.chunk_file))
        return bases

    @cached_property
    def slot_files(self) -> list[NDArray[np.int64]]:
        """Per segment: slot -> file number, or -1."""
        import numpy as np

        order = {name: number for number, name in enumerate(self.segment_names)}
        maps = [np.full(len(segment.file_lines), -1, np.int64) for segment in self.segments]
        for number, row in enumerate(self.rows):
            if row is not None and row.slot >= 0:
                maps[order[row.segment]][row.slot] = number
        return maps

    @cached_property
    def chunk_file(self) -> NDArray[np.int64]:
        """The file of each chunk, or -1."""
        return self._joined([slots[s.chunk_file] for slots, s in zip(self.slot_files, self.segments, strict=True)])

    @cached_property
    def chunk_size(self) -> NDArray[np.int64]:
        """The characters of each chunk."""
        return self._joined([segment.chunk_size for segment in self.segments])

    @cached_property
    def file_lines(self) -> NDArray[np.int64]:
        """The lines of each file."""
        import numpy as np

        lines = np.zeros(len(self.files), np.int64)
        for slots, segment in zip(self.slot_files, self.segments, strict=True):
            alive = slots >= 0
            lines[slots[alive]] = segment.file_lines[alive]
        return lines

    def chunk(self, number: int) -> Chunk:
        """The chunk with a number."""
        place = self._segment_of(number)
        return self.segments[place].chunk(number - self.bases[place])

    def chunks_of(self, file_number: int) -> range:
        """The numbers of a file's chunks, in order."""
        row = self.rows[file_number]
        if row is None or row.slot < 0:
            return range(0)
        place = self.segment_names.index(row.segment)
        files = self.segments[place].chunk_file
        first, last = files.searchsorted(row.slot, "left"), files.searchsorted(row.slot, "right")
        return range(self.bases[place] + int(first), self.bases[place] + int(last))

    def _segment_of(self, number: int) -> int:
        from bisect import bisect_right

        return bisect_right(self.bases, number) - 1

    def _joined(self, parts: Iterable[NDArray[np.generic]]) -> NDArray[np.int64]:
        import numpy as np

        return np.concatenate([np.zeros(0, np.int64), *parts]).astype(np.int64)

    # --- postings ---------------------------------------------------------------------------------------------------

    def terms(self, name: str, term: str) -> Terms:
        """The live documents that hold a term in a field: chunks, or files for the field ``path``."""
        key = (name, term)
        if key not in self._terms:
            self._terms[key] = self._path_terms(term) if name == "path" else self._chunk_terms(name, term)
        return self._terms[key]

    def file_terms(self, name: str, term: str) -> Terms:
        """The files that hold a term in a field, in no order, and how often."""
        if name == "path":
            return self.terms(name, term)
        key = (name, term)
        if key not in self._file_terms:
            self._file_terms[key] = self._summed(self.terms(name, term))
        return self._file_terms[key]

    def _summed(self, chunks: Terms) -> Terms:
        import numpy as np

        files = self.chunk_file[chunks.docs]  # chunks of one file stand together
        starts = np.flatnonzero(np.diff(files, prepend=-1))
        counts = np.add.reduceat(chunks.counts, starts) if len(starts) else chunks.counts
        return Terms(files[starts], counts)

    @cached_property
    def live_chunks(self) -> int:
        """How many chunks belong to a file of this state."""
        return int((self.chunk_file >= 0).sum())

    def file_lengths(self, name: str) -> NDArray[np.int64]:
        """The length of each file in a field."""
        import numpy as np

        if name == "path":
            return self.lengths(name)
        chunks = self.lengths(name)
        alive = self.chunk_file >= 0
        summed = np.bincount(self.chunk_file[alive], weights=chunks[alive], minlength=len(self.files))
        return summed.astype(np.int64)

    def is_known(self, token: str) -> bool:
        """Whether any chunk of this state holds a subtoken or whole word."""
        return any(len(self.terms(name, token).docs) for name in ("sub", "word"))

    def with_prefix(self, prefix: str, is_wanted: Callable[[str], bool] = bool) -> list[str]:
        """The wanted subtokens that begin with ``prefix``, the most frequent first; only these are counted."""
        held = {term for segment in self.segments for term, _ in segment.sub.with_prefix(prefix) if is_wanted(term)}
        sizes = {term: len(self.terms("sub", term).docs) for term in held}
        return sorted((term for term in held if sizes[term]), key=lambda term: (-sizes[term], term))

    def vocabulary(self, name: str = "sub", is_wanted: Callable[[str], bool] = bool) -> list[str]:
        """The wanted terms of this state in a field over chunks, those in most chunks first."""
        held: Counter[str] = Counter()
        for base, segment in zip(self.bases, self.segments, strict=False):
            postings: Postings = getattr(segment, name)
            sizes = postings.holding(self.chunk_file[base : base + len(segment.chunk_file)] >= 0)
            terms = zip(postings.vocabulary(), sizes.tolist(), strict=True)
            held.update({term: size for term, size in terms if size and is_wanted(term)})
        return sorted(held, key=lambda term: (-held[term], term))

    def lengths(self, name: str) -> NDArray[np.int64]:
        """The length of each document in a field; 0 for dead chunks."""
        if name not in self._lengths:
            self._lengths[name] = self._field_lengths(name)
        return self._lengths[name]

    def _field_lengths(self, name: str) -> NDArray[np.int64]:
        import numpy as np

        if name == "path":
            lengths = np.zeros(len(self.files), np.int64)
            for slots, segment in zip(self.slot_files, self.segments, strict=True):
                lengths[slots[slots >= 0]] = segment.path.lengths[slots >= 0]
            return lengths
        found = self._joined([getattr(segment, name).lengths for segment in self.segments])
        found[self.chunk_file < 0] = 0
        return found

    def _chunk_terms(self, name: str, term: str) -> Terms:
        import numpy as np

        docs, counts = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        for base, segment in zip(self.bases, self.segments, strict=False):
            found = getattr(segment, name).find(term)
            if found is not None:
                docs.append(found[0].astype(np.int64) + base)
                counts.append(found[1].astype(np.int64))
        all_docs, all_counts = np.concatenate(docs), np.concatenate(counts)
        alive = self.chunk_file[all_docs] >= 0
        return Terms(all_docs[alive], all_counts[alive])

    def _path_terms(self, term: str) -> Terms:
        import numpy as np

        docs, counts = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        for slots, segment in zip(self.slot_files, self.segments, strict=True):
            found = segment.path.find(term)
            if found is not None:
                numbers = slots[found[0]]
                docs.append(numbers[numbers >= 0])
                counts.append(found[1].astype(np.int64)[numbers >= 0])
        all_docs, all_counts = np.concatenate(docs), np.concatenate(counts)
        order = np.argsort(all_docs, kind="stable")
        return Terms(all_docs[order], all_counts[order])


def _parsed_to(parsed: ParsedFile) -> str:
    chunks = [[c.start_line, c.end_line, c.kind, c.symbol, c.heading] for c in parsed.chunks]
    symbols = [[s.name, s.qualified, s.kind, s.start_line, s.end_line, s.signature] for s in parsed.symbols]
    imports = [[i.module, i.names, i.line] for i in parsed.imports]
    return json.dumps([chunks, symbols, imports, parsed.is_exact])


def _parsed_from(line: str) -> ParsedFile:
    chunks, symbols, imports, is_exact = json.loads(line)
    return ParsedFile(
        tuple(Chunk(start, end, kind, symbol, tuple(heading)) for start, end, kind, symbol, heading in chunks),
        tuple(Symbol(*values) for values in symbols),
        tuple(Import(module, tuple(names), number) for module, names, number in imports),
        is_exact=is_exact,
    )
