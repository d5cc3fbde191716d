"""Chunks by relevance: functions and sections of the best files, each with its evidence, in one list."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from ctxpack.model import Candidate, Chunk, Confidence, Evidence, ParsedFile, SourceFile
from ctxpack.rank.board import Board
from ctxpack.rank.files import FileScores
from ctxpack.rank.weights import CHUNK_SIGNALS, FILE_RANK_COST, FILE_SHARE, REPEAT_COST

if TYPE_CHECKING:
    from ctxpack.rank.bm25 import Scores

_FILES: Final = 60  # whose chunks are compared; 98 % of the files that issues needed are among the first 100
_LONGEST_SYMBOL: Final = 300  # lines; longer definitions stay cut into parts
_EVIDENCE: Final = 6


@dataclass(frozen=True, slots=True)
class _Scored:
    """One chunk of a file in the making of the list."""

    file: int  # number
    chunk: Chunk
    number: int  # of the best indexed chunk inside
    points: float


@dataclass
class Ranking:
    """The pieces of one answer, computed from file scores."""

    board: Board
    files: FileScores

    def candidates(self, limit: int) -> tuple[Candidate, ...]:
        """The best ``limit`` chunks, by score; chunks of one file do not overlap."""
        chosen = self._diverse(self._scored(), limit)
        top = max((points for _, points in chosen), default=0.0)
        found = [self._candidate(scored, points, top) for scored, points in chosen]
        return tuple(sorted(found, key=lambda c: (-c.score, c.file.path, c.chunk.start_line)))

    @cached_property
    def _chunk_points(self) -> Scores:
        """Points of every chunk by itself, without its file's."""
        import numpy as np

        shape = self.board.query.shape
        total = np.zeros(len(self.board.view.chunk_file))
        for signal in CHUNK_SIGNALS:
            scores = signal.score(self.board)
            highest = max(float(scores.max(initial=0.0)), signal.floor)
            if highest > 0:
                total += scores * (signal.weight(shape) / highest)
        return total

    def _scored(self) -> list[_Scored]:
        shape, best = self.board.query.shape, float(self.files.total.max(initial=0.0))
        found: list[_Scored] = []
        for rank, number in enumerate(self.files.order[:_FILES].tolist()):
            of_file = FILE_SHARE[shape] * (float(self.files.total[number]) - best)
            of_file -= FILE_RANK_COST[shape] * math.log1p(rank)
            for place in self.board.view.chunks_of(number):
                own = float(self._chunk_points[place])
                if own > 0 or self._is_named(number):
                    found.append(_Scored(number, self.board.view.chunk(place), place, own + of_file))
        paths = self.board.view.files
        return sorted(found, key=lambda s: (-s.points, paths[s.file].path, s.chunk.start_line))

    def _is_named(self, file: int) -> bool:
        """Whether the request names the file itself: then all of it may matter, whatever its words."""
        return any(signal.name in _NAMING and gained[file] > 0 for signal, gained in self.files.points.items())

    def _diverse(self, scored: list[_Scored], limit: int) -> list[tuple[_Scored, float]]:
        """Take the best again and again; each further chunk of a file costs a little more."""
        import heapq

        cost, taken = REPEAT_COST[self.board.query.shape], Counter[int]()
        heap = [(-s.points, place, 0) for place, s in enumerate(scored)]
        heapq.heapify(heap)
        spans: dict[int, list[tuple[int, int]]] = {}
        chosen: list[tuple[_Scored, float]] = []
        while heap and len(chosen) < limit:
            negative, place, seen = heapq.heappop(heap)
            item = scored[place]
            if seen != taken[item.file]:
                points = item.points - cost * math.log1p(taken[item.file])
                heapq.heappush(heap, (-points, place, taken[item.file]))
                continue
            exact = self._snapped(item)
            if any(a <= exact.chunk.end_line and exact.chunk.start_line <= b for a, b in spans.get(item.file, ())):
                continue
            spans.setdefault(item.file, []).append((exact.chunk.start_line, exact.chunk.end_line))
            taken[item.file] += 1
            chosen.append((exact, -negative))
        return chosen

    def _snapped(self, scored: _Scored) -> _Scored:
        """The same with the boundaries of the syntax tree, where there is one and the definition is not too long."""
        parsed = self.board.view.exact(self.board.view.files[scored.file].path)
        inside = [
            c for c in parsed.chunks if c.start_line <= scored.chunk.end_line and c.end_line >= scored.chunk.start_line
        ]
        if not parsed.is_exact or not inside:
            return scored
        best = max(inside, key=lambda c: (_overlap(c, scored.chunk), -c.start_line))
        whole = _joined(parsed, best)
        return (
            replace(scored, chunk=whole)
            if whole.end_line - whole.start_line < _LONGEST_SYMBOL
            else replace(scored, chunk=best)
        )

    # --- what is told of each -----------------------------------------------------------------------------------------

    def _candidate(self, scored: _Scored, points: float, top: float) -> Candidate:
        file = self.board.view.files[scored.file]
        evidence = self._evidence(scored)
        score = self._score(points, top)
        keywords = self._keywords(file, scored.chunk)
        value = round(max(1 - (top - points) / _RANGE, _LEAST), 6)
        return Candidate(file, scored.chunk, score, _confidence(score, evidence), evidence, keywords, value)

    def _score(self, points: float, top: float) -> float:
        """How much of what the best file could have gained it gained, falling with the distance to the best chunk."""
        best = float(self.files.total.max(initial=0.0))
        reach = max(min(best / self.files.attainable, 1.0), 0.0) if self.files.attainable else 0.0
        return round(reach * math.exp(-(top - points) / _SCALE), 6)

    def _evidence(self, scored: _Scored) -> tuple[Evidence, ...]:
        found = [
            Evidence(signal.name, round(float(gained[scored.file]), 3), signal.reason)
            for signal, gained in self.files.points.items()
            if gained[scored.file] > 0
        ]
        found += [
            Evidence(f"chunk {name}", round(points, 3), reason) for name, points, reason in self._chunk_evidence(scored)
        ]
        if self.files.costs[scored.file] > 0:
            cost = -float(self.files.costs[scored.file])
            found.append(
                Evidence("kind", round(cost, 3), f"costs for being {_article(self.board.view.files[scored.file])}")
            )
        return tuple(sorted(found, key=lambda e: (e.signal in _PRIORS, -abs(e.points), e.signal)))

    def _chunk_evidence(self, scored: _Scored) -> Iterator[tuple[str, float, str]]:
        shape = self.board.query.shape
        for signal in CHUNK_SIGNALS:
            scores = signal.score(self.board)
            highest = max(float(scores.max(initial=0.0)), signal.floor)
            if highest > 0 and scores[scored.number] > 0 and signal.weight(shape):
                yield signal.name, float(scores[scored.number]) * signal.weight(shape) / highest, signal.reason

    def _keywords(self, file: SourceFile, chunk: Chunk) -> tuple[str, ...]:
        from ctxpack.query.tokens import subtokens

        text = self.board.view.lines(file.path, chunk.start_line, chunk.end_line)
        present = set(subtokens(f"{file.path} {text}"))
        weighed = {
            term: self.board.term_idf[term] * weight for term, weight in self.board.terms.items() if term in present
        }
        return tuple(sorted(weighed, key=lambda term: (-weighed[term], term))[:_KEYWORDS])


_RANGE: Final = 10.0  # points below the best at which a piece is worth next to nothing
_LEAST: Final = 0.01
_SCALE: Final = 6.0  # points over which a score falls to a third
_KEYWORDS: Final = 8
_HIGH, _MEDIUM = 0.45, 0.25
_NAMING: Final = frozenset(("path mention", "traceback"))
_PRIORS: Final = frozenset(("imported", "recency", "size"))
"""Signals that hold whatever the words are: told last."""
_NAMED: Final = frozenset(("path mention", "traceback", "dotted name", "identifiers"))


def _confidence(score: float, evidence: tuple[Evidence, ...]) -> Confidence:
    is_named = any(item.signal in _NAMED and item.points > 0 for item in evidence)
    if score >= _HIGH or (is_named and score >= _MEDIUM):
        return Confidence.HIGH
    return Confidence.MEDIUM if score >= _MEDIUM else Confidence.LOW


def _overlap(one: Chunk, other: Chunk) -> int:
    return min(one.end_line, other.end_line) - max(one.start_line, other.start_line) + 1


def _joined(parsed: ParsedFile, part: Chunk) -> Chunk:
    """All parts of a definition that was cut for its length."""
    if not part.symbol:
        return part
    parts = [c for c in parsed.chunks if c.symbol == part.symbol and c.kind == part.kind]
    start, end = part.start_line, part.end_line
    for other in parts:
        if other.start_line == end + 1:
            end = other.end_line
    for other in reversed(parts):
        if other.end_line == start - 1:
            start = other.start_line
    return replace(part, start_line=start, end_line=end)


def _article(file: SourceFile) -> str:
    words = [*(str(trait) for trait in file.traits), str(file.kind)]
    return f"a {' '.join(words)} file"
