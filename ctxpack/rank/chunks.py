"""Rank the chunks of the best files: for a list, and by their worth in a pack."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, cast

from ctxpack.index.postings import among
from ctxpack.light import dataclass
from ctxpack.parse.languages import Language, find_language
from ctxpack.rank.bm25 import best_first, pair_scores, rank_of
from ctxpack.rank.board import Board, Purpose, Signal, in_time
from ctxpack.rank.file_scores import FileScores
from ctxpack.rank.meaning import POOL
from ctxpack.rank.signals.texts import entry_chunks
from ctxpack.rank.subject import look_up_uses
from ctxpack.rank.weights import Blend

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ctxpack.rank.bm25 import ChunkScores, Scores
    from ctxpack.rank.chunk_vectors import Comparison

FILES_COMPARED: Final = 60  # whose chunks are compared; 98 % of the files that issues needed are among the first 100
# Of what a quotation gives its file, its other parts lose this; with all of it two of 199 tasks lost a place.
_APART: Final = 0.5
_READ_FOR_PAIRS: Final = 100  # chunks: those that are best without, which also set the scale
_LONG_HEAD: Final = 1_500  # characters
_CLASSES: Final = frozenset(("class", "struct", "interface", "trait", "enum", "module", "impl"))


@dataclass(frozen=True, slots=True)
class ChunkPlace:
    """One chunk in the order: its number, its file's number, and points with and without what repeats cost."""

    number: int
    file: int
    points: float
    own_points: float


@dataclass
class ChunkRanking:
    """The chunks of the best files for one query and purpose."""

    board: Board
    files: FileScores
    purpose: Purpose
    meaning: Comparison | None = None

    @cached_property
    def _signals(self) -> dict[Signal[Board], Scores]:
        """Every signal, divided by its maximum over all chunks, for the chunks of the best files alone."""
        numbers, found = self._of_best_files[0], {}
        for signal in self.files.tables.chunks:
            scores = cast("ChunkScores", signal.score(self.board))
            highest = signal.highest(self.board, scores)
            if highest > 0:
                found[signal] = scores.at(numbers) / highest
        return found

    def signals_of(self, number: int) -> Iterator[tuple[Signal[Board], float]]:
        """The value of each signal for one of the compared chunks, at most 1; none for others."""
        at = self._positions.get(number)
        return ((signal, float(scores[at])) for signal, scores in self._signals.items() if at is not None)

    def lines_meant(self, number: int) -> list[int]:
        """Return the lines of a compared chunk, numbered as in its file, to which signals lead; none for all of it."""
        found = [
            signal.lines(self.board, number) for signal, share in self.signals_of(number) if signal.lines and share
        ]
        return sorted({line for lines in found for line in lines})

    @cached_property
    def _positions(self) -> Mapping[int, int]:
        return {number: at for at, number in enumerate(self._of_best_files[0].tolist())}

    def places(self) -> Iterator[ChunkPlace]:
        """The chunks, best first: each further chunk of a file costs a little more. Lazy, since few are needed."""
        numbers, _ = self._compared
        if not len(numbers):
            return
        yield from self._in_order(self._by_words + self._by_meaning)

    def place(self, number: int, before: int) -> ChunkPlace:
        """Return the place of any chunk, which ``before`` others of its file precede.

        One that is not compared has the points of its file alone.
        """
        import numpy as np

        file, blend = int(self.board.view.postings.chunk_file[number]), self._blend
        at = np.flatnonzero(self._compared[0] == number)
        if len(at):
            points = float((self._by_words + self._by_meaning)[at[0]])
        else:
            rank = rank_of(self.files.total, file)
            best = float(self.files.total.max(initial=0.0))
            points = blend.file_share * (float(self.files.total[file]) - best) - blend.rank_cost * math.log1p(rank)
        return ChunkPlace(number, file, points - blend.repeat_cost * math.log1p(before), points)

    @cached_property
    def _blend(self) -> Blend:
        return self.files.tables.blends[self.purpose, self.board.query.shape]

    @cached_property
    def _by_meaning(self) -> Scores:
        """The points for meaning of the compared chunks; the best chunks by words set the scale."""
        import numpy as np

        numbers, _ = self._compared
        if self.meaning is None:
            return np.zeros(len(numbers))
        first = [place.number for place in islice(self._in_order(self._by_words), POOL)]
        return self.meaning.points(first, numbers)

    @cached_property
    def meaning_points(self) -> Mapping[int, float]:
        """The points for meaning of each chunk that has any."""
        pairs = zip(self._compared[0].tolist(), self._by_meaning.tolist(), strict=True)
        return {number: points for number, points in pairs if points}

    def _in_order(self, points: Scores) -> Iterator[ChunkPlace]:
        import numpy as np

        numbers, _ = self._compared
        files = self.board.view.postings.chunk_file[numbers]
        best_first = np.argsort(-points, kind="stable")
        by_file = best_first[np.argsort(files[best_first], kind="stable")]
        of_files = np.split(by_file, np.flatnonzero(np.diff(files[by_file])) + 1)
        heap = [(-float(points[own[0]]), int(own[0]), 0, number) for number, own in enumerate(of_files) if len(own)]
        heapq.heapify(heap)
        while heap:  # it holds the next chunk of each file
            lost, at, taken, number = heapq.heappop(heap)
            yield ChunkPlace(int(numbers[at]), int(files[at]), -lost, float(points[at]))
            own, taken = of_files[number], taken + 1
            if taken < len(own):
                left = float(points[own[taken]]) - self._blend.repeat_cost * math.log1p(taken)
                heapq.heappush(heap, (-left, int(own[taken]), taken, number))

    def points_as_entrance(self, place: ChunkPlace) -> float:
        """Return what a place gained for being an entrance: other places are not measured by that."""
        saying = [signal for signal in self.files.points if signal.is_entrance]
        of_chunks = {signal.only_with for signal in saying}
        own = sum(self.weight(each) * share for each, share in self.signals_of(place.number) if each.name in of_chunks)
        of_file = sum(float(self.files.points[signal][place.file]) for signal in saying)
        return self._blend.own_share * own + self._blend.file_share * of_file

    def weight(self, signal: Signal[Board]) -> float:
        """The weight of a signal for this request and purpose."""
        return signal.weight(self.board.query.shape, self.purpose)

    @cached_property
    def _compared(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The chunks that are compared, by file and line, and the ranks of their files.

        A chunk without a word of the request is compared only where the request names its file by path, or by the
        whole of its name and none of the file's chunks has a word. Where the uses of a name are wanted, only these are.
        """
        numbers, ranks = self._of_best_files
        kept = self._kept
        return numbers[kept], ranks[kept]

    @cached_property
    def _of_best_files(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The chunks of the best files, by file and line, and the ranks of their files."""
        import numpy as np

        view = self.board.view
        best, total = best_first(self.files.total, FILES_COMPARED).tolist(), self.files.total
        more = (self._near_files | self._files_of(self._asked_for)).difference((-1, *best))
        best += sorted(more, key=lambda file: (-total[file], file))
        paths = view.files.entries.paths.listed
        by_path = sorted(range(len(best)), key=lambda rank: paths[best[rank]])
        found = [(number, rank) for rank in by_path for number in view.postings.chunks_of(best[rank])]
        numbers = np.array([number for number, _ in found], np.int64)
        return numbers, np.array([rank for _, rank in found], np.int64)

    @cached_property
    def _kept(self) -> NDArray[np.bool_]:
        """Which of the chunks of the best files are compared."""
        import numpy as np

        view, (numbers, _) = self.board.view, self._of_best_files
        if not len(numbers):
            return np.zeros(0, bool)
        total = np.sum(list(self._signals.values()), axis=0)
        files = view.postings.chunk_file[numbers]
        wordless = self._named_whole & (np.bincount(files[total > 0], minlength=len(view.files)) == 0)
        keep: NDArray[np.bool_] = (total > 0) | (self._files_with_points(lambda signal: signal.locates) | wordless)[
            files
        ]
        keep |= among(numbers, np.array(sorted(self.near), np.int64))
        place = entry_chunks(self.board)
        if len(place.numbers):  # what a changelog says of the past is not wanted
            changelog = view.postings.chunk_file[place.numbers[0]]
            keep &= (files != changelog) | (place.at(numbers) > 0)
        return among(numbers, np.array(sorted(self._asked_for), np.int64)) if self._asked_for else keep

    @cached_property
    def near(self) -> frozenset[int]:
        """The chunks that are compared for their meaning alone."""
        return frozenset(self.meaning.nearest) if self.meaning else frozenset()

    @property
    def _near_files(self) -> frozenset[int]:
        return self._files_of(self.near)

    @cached_property
    def _asked_for(self) -> frozenset[int]:
        """The chunks that use a name, where the request asks for its uses: then no others are compared."""
        return look_up_uses(self.board.query.text, self.board.view).chunks

    def _files_of(self, chunks: frozenset[int]) -> frozenset[int]:
        return frozenset(int(self.board.view.postings.chunk_file[number]) for number in chunks)

    @cached_property
    def named(self) -> NDArray[np.bool_]:
        """The files that the request names, by path, by what they define, by a name like theirs, or by its purpose."""
        found = self._files_with_points(lambda signal: signal.names)
        found[sorted(self.files.ways_in)] = True
        return found

    @property
    def _named_whole(self) -> NDArray[np.bool_]:
        import numpy as np

        found, shape = np.zeros(len(self.board.view.files), bool), self.board.query.shape
        for signal, gained in self.files.points.items():
            if signal.whole_from:
                found |= gained >= signal.whole_from * signal.weight(shape)
        return found

    def _files_with_points(self, is_meant: Callable[[Signal[Any]], bool]) -> NDArray[np.bool_]:
        import numpy as np

        found = np.zeros(len(self.board.view.files), bool)
        for signal, gained in self.files.points.items():
            if is_meant(signal):
                found |= gained > 0
        return found

    @cached_property
    def _kinds(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Which of the compared chunks come before the first definition, and which are of the head of a class."""
        import numpy as np

        chunks = [self.board.view.postings.chunk(number) for number in self._compared[0].tolist()]
        headers = np.array([chunk.kind in ("header", "window") and not chunk.symbol for chunk in chunks], bool)
        classes = np.array([chunk.kind in _CLASSES or chunk.kind == "field" for chunk in chunks], bool)
        return headers, classes

    @cached_property
    def _long_classes(self) -> NDArray[np.bool_]:
        """Which of the compared chunks are the long head of a class."""
        import numpy as np

        postings, (numbers, _) = self.board.view.postings, self._compared
        found = np.zeros(len(numbers), bool)
        for at in np.flatnonzero(postings.chunk_size[numbers] > _LONG_HEAD).tolist():
            found[at] = postings.chunk(int(numbers[at])).kind in _CLASSES
        return found

    @cached_property
    def _tests_in_code(self) -> NDArray[np.bool_]:
        """Which of the compared chunks are tests in a file of code."""
        import numpy as np

        view, (numbers, _) = self.board.view, self._compared
        found = np.zeros(len(numbers), bool)
        languages: dict[int, Language] = {}
        asserting: dict[str, NDArray[np.integer]] = {}
        for at, file in enumerate(view.postings.chunk_file[numbers].tolist()):
            language = languages.setdefault(file, find_language(view.files[file].language))
            if language.test_modules:
                found[at] = language.is_of_tests(view.postings.chunk(int(numbers[at])).symbol)
            if language.assertions and not found[at]:
                if language.name not in asserting:
                    holding = [view.postings.terms("word", word).docs for word in language.assertions.split()]
                    tests = view.postings.terms("word", "test").docs
                    asserting[language.name] = tests[among(tests, np.sort(np.concatenate(holding)))]
                found[at] = numbers[at] in asserting[language.name]
        return found

    @cached_property
    def _of_other_parts(self) -> Scores:
        """The points of its file that a compared chunk has no share in: other parts of the file earned them."""
        import numpy as np

        numbers, _ = self._compared
        files, found = self.board.view.postings.chunk_file[numbers], np.zeros(len(numbers))
        for signal in (each for each in self.files.points if each.only_with):
            has_own = np.zeros(len(numbers), bool)
            for own, scores in self._signals.items():
                has_own |= (own.name == signal.only_with) & (scores[self._kept] > 0)
            found += np.where(has_own, 0.0, self.files.points[signal][files])
        return found

    @cached_property
    def _by_words(self) -> Scores:
        """The points of the compared chunks and of their files, with those for words that stand close together."""
        return self._by_terms + self._by_pairs

    @cached_property
    def _by_pairs(self) -> Scores:
        """The points of the best compared chunks for words of the request that stand close together in them."""
        import numpy as np

        most, found = self._blend.pair_points, np.zeros(len(self._by_terms))
        steps = [best_first(self._by_terms, _READ_FOR_PAIRS)] if most else []
        for first in in_time(steps, self.board.view.keeper, least=0):
            scores = pair_scores(self.board.view, self._compared[0][first].tolist(), self.board.concepts)
            found[first] = np.round(scores * (most / (scores.max(initial=0.0) or 1.0)), 9)
        return found

    @cached_property
    def pair_points(self) -> Mapping[int, float]:
        """The points of each chunk in which words of the request stand close together."""
        pairs = zip(self._compared[0].tolist(), self._by_pairs.tolist(), strict=True)
        return {number: points for number, points in pairs if points}

    @cached_property
    def _by_terms(self) -> Scores:
        """The points of the compared chunks and of their files, whatever the order of words."""
        import numpy as np

        blend, (numbers, ranks) = self._blend, self._compared
        kept = self._kept
        own = np.sum([self.weight(signal) * scores[kept] for signal, scores in self._signals.items()], axis=0)
        best = float(self.files.total.max(initial=0.0))
        of_file = blend.file_share * (self.files.total[self.board.view.postings.chunk_file[numbers]] - best)
        if self.purpose is Purpose.PACK:
            of_file = of_file - _APART * blend.file_share * self._of_other_parts
        if blend.header_cost or blend.class_cost:
            headers, classes = self._kinds
            own = own - blend.header_cost * headers - blend.class_cost * classes
        if blend.long_class_cost:
            own = own - blend.long_class_cost * self._long_classes
        if blend.test_cost and not self.files.subject.tests:
            own = own - blend.test_cost * self._tests_in_code
        points = blend.own_share * own + of_file - blend.rank_cost * np.log1p(ranks)
        rounded: Scores = np.round(points, 9)
        return rounded  # equal chunks must tie, in whatever order their sums were made
