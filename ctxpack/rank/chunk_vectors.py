"""The vectors of a repository's chunks, and the comparison of a request with them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

from ctxpack.index import IndexView
from ctxpack.index.opening import open_repository
from ctxpack.light import dataclass
from ctxpack.model import Kind
from ctxpack.rank.board import Board
from ctxpack.rank.embedders import embedder_of
from ctxpack.rank.vectors import KEY_BYTES, Lookup, VectorCache, stack_vectors, text_key, vector_file
from ctxpack.redact import redact
from ctxpack.redact.rules import SECRETS, Rules, rules_of
from ctxpack.settings import Settings
from ctxpack.system.clock import Progress

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ctxpack.rank.bm25 import Scores
    from ctxpack.rank.embedders import Matrix

    Similar = Mapping[int, float]
    WithinLimit = Callable[[Callable[[], Similar]], Similar | None]

_TEXT_FORMAT: Final = 1  # raise when the text of a chunk, or how files are cut into chunks, changes
_MOST_CHUNKS: Final = 200_000  # of a repository of which all are compared: 300 MB of numbers in memory
_AT_ONCE: Final = 512  # chunks whose texts are held while all of a repository are embedded


@dataclass
class ChunkVectors:
    """The chunks of one view and their vectors. Secrets are removed from a text before it is embedded.

    ``on_progress`` is called with ("embed", done, total) while vectors are computed.
    """

    view: IndexView
    lookup: Lookup
    rules: Rules = SECRETS
    on_progress: Progress | None = None

    def of(self, numbers: Sequence[int]) -> Matrix:
        """One row for each chunk, computed where it is not cached. Raises EmbeddingError."""
        texts = [self._text(number) for number in numbers]
        found = self.lookup.vectors(texts, on_progress=self.on_progress)
        return stack_vectors([found[text_key(text)] for text in texts])

    def of_all(self, most_missing: int) -> tuple[list[int], Matrix] | None:
        """The numbers of all live chunks and a row for each; None if more than ``most_missing`` are not cached.

        Raises EmbeddingError.
        """
        if self.view.postings.live_chunks > _MOST_CHUNKS:
            return None
        keys = self._at_hand(most_missing)
        if keys is None:
            return None
        known = self.lookup.find_known(list(keys.values()))
        missing = [number for number, key in keys.items() if key not in known]
        if len(missing) > most_missing:
            return None
        made = self.lookup.vectors([self._text(number) for number in missing], on_progress=self.on_progress)
        found = {**known, **made}
        numbers = [number for number, key in keys.items() if key in found]
        return numbers, stack_vectors([found[keys[number]] for number in numbers])

    def embed_all(self) -> int:
        """Compute and keep every vector that is not cached; return their number. Raises EmbeddingError.

        ``on_progress`` is called with the chunks done and the chunks of the repository.
        """
        total, done, made = self.view.postings.live_chunks, 0, 0
        for files in _group(
            [(number, len(self.view.postings.chunks_of(number))) for number in range(len(self.view.files))]
        ):
            texts = {number: self._text(number) for file in files for number in self.view.postings.chunks_of(file)}
            keys = {number: text_key(text) for number, text in texts.items()}
            made += len(set(keys.values()) - self.lookup.find_known(list(keys.values())).keys())
            self.lookup.vectors(list(texts.values()), on_progress=_shift(self.on_progress, done, total))
            self._keep(files, keys)
            done += len(texts)
            if self.on_progress:
                self.on_progress("embed", done, total)
        return made

    def _at_hand(self, most_missing: int) -> dict[int, bytes] | None:
        """The key of every live chunk, with at most ``most_missing`` chunks read for it."""
        names = {number: self._name(number) for number in range(len(self.view.files))}
        kept = self.lookup.cache.find(names.values()) if self.lookup.cache else {}
        unread: list[int] = []
        keys: dict[int, bytes] = {}
        for file, name in names.items():
            numbers = self.view.postings.chunks_of(file)
            joined = kept.get(name, b"")
            if len(joined) == KEY_BYTES * len(numbers):
                keys |= {n: joined[at * KEY_BYTES : (at + 1) * KEY_BYTES] for at, n in enumerate(numbers)}
            else:
                unread.append(file)
        if sum(len(self.view.postings.chunks_of(file)) for file in unread) > most_missing:
            return None
        read = {
            number: text_key(self._text(number)) for file in unread for number in self.view.postings.chunks_of(file)
        }
        self._keep(unread, read)
        return dict(sorted((keys | read).items()))

    def _keep(self, files: Iterable[int], keys: Mapping[int, bytes]) -> None:
        """Remember the keys of files, so that the next run need not read them."""
        if self.lookup.cache:
            joined = {
                self._name(file): b"".join(keys[number] for number in self.view.postings.chunks_of(file))
                for file in files
            }
            self.lookup.cache.keep(joined)

    def _name(self, number: int) -> bytes:
        """What the texts of a file's chunks depend on."""
        file = self.view.files[number]
        told = f"{_TEXT_FORMAT}:{file.blob}:{file.language}:{self.rules.digest}:{file.path}"
        return hashlib.blake2b(told.encode("utf-8", "surrogateescape"), digest_size=KEY_BYTES, person=b"file").digest()

    def _text(self, number: int) -> str:
        """What is embedded of a chunk: its path and name, then its lines."""
        file, chunk = self.view.files[int(self.view.postings.chunk_file[number])], self.view.postings.chunk(number)
        lines = self.view.files.lines(file.path, chunk.start_line, chunk.end_line)
        is_data, keeper = file.kind in {Kind.CONFIG, Kind.DATA}, self.view.keeper
        name = redact(chunk.symbol or " > ".join(chunk.heading), rules=self.rules, path=file.path, keeper=keeper).text
        lines = redact(lines, is_data=is_data, rules=self.rules, path=file.path, keeper=keeper).text
        return f"{file.path}\n{name}\n{lines}"


def chunk_vectors(
    view: IndexView,
    settings: Settings,
    *,
    may_download: bool = False,
    check: Callable[[], None] = lambda: None,
    on_progress: Progress | None = None,
) -> ChunkVectors:
    """The vectors of a view's chunks by the embedder of the settings; ``check`` raises when it is time to stop.

    Raises EmbeddingError.
    """
    embedder = embedder_of(settings, may_download=may_download)
    cache = VectorCache(vector_file(settings.cache_dir, embedder.name)) if settings.use_cache else None
    return ChunkVectors(view, Lookup(embedder, cache, check), rules_of(settings), on_progress)


def embed(settings: Settings, *, on_progress: Progress | None = None) -> int:
    """Compute and keep the vector of every chunk that has none; return their number. Raises CtxpackError.

    Then every chunk is compared when embeddings are on, even one without a word of the request.
    """
    with open_repository(settings, on_progress) as view:
        return chunk_vectors(view, settings, may_download=True, on_progress=on_progress).embed_all()


def _shift(on_progress: Progress | None, before: int, total: int) -> Progress | None:
    """Report progress within a part as progress of the whole."""
    if on_progress is None:
        return None
    return lambda stage, done, _: on_progress(stage, before + done, total)


def _group(sizes: Iterable[tuple[int, int]]) -> Iterable[list[int]]:
    """Group files so that those of a group have about ``_AT_ONCE`` chunks together."""
    group: list[int] = []
    held = 0
    for number, size in sizes:
        group.append(number)
        held += size
        if held >= _AT_ONCE:
            yield group
            group, held = [], 0
    if group:
        yield group


_NEAREST: Final = 30  # chunks that join by meaning alone
_ALONE: Final = 0.5  # of its cosine: without a common word a match is seldom a sure one
_DIGITS: Final = 3  # of a cosine: what models compute differs in later ones from batch to batch


@dataclass(frozen=True, eq=False)
class Comparison:
    """One request against the chunks of one view."""

    chunks: ChunkVectors
    board: Board
    weight: float  # the most points that a meaning gives
    most_missing: int  # the most vectors that are computed to compare every chunk
    within_limit: WithinLimit

    @cached_property
    def nearest(self) -> tuple[int, ...]:
        """The chunks of the whole repository that are closest to the request; none if their vectors are missing."""
        import numpy as np

        known = self._of_all
        values = np.array([*known.values()] or [0.0])
        least = float(values.mean() + values.std())  # in a small repository the nearest need not be near
        close = [number for number, cosine in known.items() if cosine > least]
        files = self.board.view.postings.chunk_file
        return tuple(sorted(close, key=lambda number: (-known[number], files[number], number))[:_NEAREST])

    @property
    def closeness(self) -> float:
        """How much the best match by meaning is worth by itself, 0..1."""
        return _ALONE * max((self._of_all[number] for number in self.nearest), default=0.0)

    def points(self, first: Sequence[int], numbers: NDArray[np.int64]) -> Scores:
        """Points of chunks ``numbers``; ``first`` are the best of them by words, which set the scale.

        A chunk that is no closer than the median of them gains nothing.
        """
        import numpy as np

        known = self._of_all or self.within_limit(lambda: self._similar(first)) or {}
        scale = [known[number] for number in first if number in known]
        if not scale:
            return np.zeros(len(numbers))
        similar = np.array([known.get(number, -1.0) for number in numbers.tolist()])
        low, high = float(np.median(scale)), float(similar.max())
        share = np.clip((similar - low) / (high - low), 0.0, 1.0) if high > low else (similar >= high).astype(float)
        points: Scores = np.round(self.weight * share, 6)
        return points

    @cached_property
    def _of_all(self) -> Mapping[int, float]:
        """The similarity of every chunk; empty where too many vectors are missing."""
        return self.within_limit(self._all_similar) or {}

    def _all_similar(self) -> Mapping[int, float]:
        found = self.chunks.of_all(self.most_missing)
        return {} if found is None else self._by_number(*found)

    def _similar(self, numbers: Sequence[int]) -> Mapping[int, float]:
        return self._by_number(numbers, self.chunks.of(numbers)) if numbers else {}

    def _by_number(self, numbers: Sequence[int], rows: Matrix) -> Mapping[int, float]:
        import numpy as np

        text = self.board.query.text
        asked = redact(text, is_data=True, rules=self.chunks.rules, keeper=self.board.view.keeper).text
        (query,) = self.chunks.lookup.vectors([asked], is_query=True).values()
        cosines = np.round(rows @ stack_vectors([query])[0], _DIGITS) if len(rows) else ()
        return {number: float(cosine) for number, cosine in zip(numbers, cosines, strict=True)}
