"""Why a chunk stands where it does: points by signal, matched keywords, and how sure that makes us."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ctxpack.model import Confidence, Evidence, SourceFile
from ctxpack.query.tokens import raw_words, split
from ctxpack.rank.board import Board
from ctxpack.rank.chunks import ChunkRanking, Place
from ctxpack.rank.files import FileScores

_KEYWORDS: Final = 8
_HIGH, _MEDIUM = 0.45, 0.25
_PRIORS: Final = frozenset(("imported", "recency", "size"))
"""Signals that hold whatever the words are: told last."""
_NAMED: Final = frozenset(("path mention", "traceback", "dotted name", "identifiers"))


def evidence_of(place: Place, ranking: ChunkRanking) -> tuple[Evidence, ...]:
    """What gave or cost points, the strongest first and what holds for any request last."""
    found = [*_of_file(place.file, ranking.files), *_of_chunk(place.number, ranking)]
    cost = float(ranking.files.costs[place.file])
    if cost > 0:
        kind = _named_kind(ranking.board.view.files[place.file])
        found.append(Evidence("kind", round(-cost, 3), f"costs for being a {kind} file"))
    return tuple(sorted(found, key=lambda each: (each.signal in _PRIORS, -abs(each.points), each.signal)))


def keywords_of(board: Board, file: SourceFile, text: str) -> tuple[str, ...]:
    """The terms of the request and its expansions that path and text hold, the weightiest first."""
    present = {token for word in set(raw_words(f"{file.path} {text}")) for token in split(word)}
    weights = {term: board.term_idf[term] * weight for term, weight in board.terms.items() if term in present}
    return tuple(sorted(weights, key=lambda term: (-weights[term], term))[:_KEYWORDS])


def confidence_of(score: float, evidence: tuple[Evidence, ...]) -> Confidence:
    """High for a high score, or a fair one where the request names the place."""
    is_named = any(each.signal in _NAMED and each.points > 0 for each in evidence)
    if score >= _HIGH or (is_named and score >= _MEDIUM):
        return Confidence.HIGH
    return Confidence.MEDIUM if score >= _MEDIUM else Confidence.LOW


def _of_file(file: int, files: FileScores) -> Iterator[Evidence]:
    for signal, gained in files.points.items():
        if gained[file] > 0:
            yield Evidence(signal.name, round(float(gained[file]), 3), signal.reason)


def _of_chunk(number: int, ranking: ChunkRanking) -> Iterator[Evidence]:
    for signal, scores in ranking.signals.items():
        points = float(scores[number]) * ranking.weight(signal)
        if points > 0:
            yield Evidence(f"chunk {signal.name}", round(points, 3), signal.reason)


def _named_kind(file: SourceFile) -> str:
    return " ".join([*(str(trait) for trait in file.traits), str(file.kind)])
