"""Why a chunk stands where it does: points by signal, matched keywords, and how sure that makes us."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ctxpack.model import Confidence, Evidence, SourceFile
from ctxpack.query.tokens import raw_words, split
from ctxpack.rank.board import Board
from ctxpack.rank.chunks import ChunkRanking, Place
from ctxpack.rank.files import FileScores
from ctxpack.rank.meaning import REASON
from ctxpack.rank.reasons import NEIGHBOURS

_KEYWORDS: Final = 8
_SHOWN_NAMES: Final = 3
_HIGH, _MEDIUM = 0.45, 0.25
_PRIORS: Final = frozenset(("imported", "recency", "size"))
"""Signals that hold whatever the words are: told last."""
_NAMED: Final = frozenset(("path mention", "chunk traceback", "chunk dotted name", "chunk identifiers"))
"""Signals by which the request names this very place; its file may hold much else."""


def evidence_of(place: Place, ranking: ChunkRanking, beside: tuple[str, ...] = ()) -> tuple[Evidence, ...]:
    """What gave or cost points, the strongest first and what holds for any request last; then who stands ``beside``."""
    of_file = _of_file(place.file, ranking.board, ranking.files)
    ranked = _in_order(*of_file, *_of_chunk(place.number, ranking))
    return (*ranked, Evidence(NEIGHBOURS, 0.0, f"beside it: {_named(beside)}")) if beside else ranked


def evidence_of_file(number: int, board: Board, files: FileScores) -> tuple[Evidence, ...]:
    """The same for a file as a whole, whether or not one of its chunks is compared."""
    return _in_order(*_of_file(number, board, files))


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


def _in_order(*found: Evidence) -> tuple[Evidence, ...]:
    return tuple(sorted(found, key=lambda each: (each.signal in _PRIORS, -abs(each.points), each.signal)))


def _of_file(number: int, board: Board, files: FileScores) -> Iterator[Evidence]:
    for signal, gained in files.points.items():
        if gained[number] > 0:
            reason = board.told.get(signal.name, {}).get(number, signal.reason)
            yield Evidence(signal.name, round(float(gained[number]), 3), reason)
    file, cost = board.view.files[number], float(files.costs[number])
    if cost > 0:
        yield Evidence("trait" if file.traits else "kind", round(-cost, 3), f"held back as {_named_kind(file)}")


def _of_chunk(number: int, ranking: ChunkRanking) -> Iterator[Evidence]:
    for signal, scores in ranking.signals.items():
        points = float(scores[number]) * ranking.weight(signal)
        if points > 0:
            yield Evidence(f"chunk {signal.name}", round(points, 3), signal.reason)
    if ranking.meaning and number in ranking.meaning.gained:
        yield Evidence("chunk meaning", round(ranking.meaning.gained[number], 3), REASON)


def _named(names: tuple[str, ...]) -> str:
    further = len(names) - _SHOWN_NAMES
    return ", ".join(names[:_SHOWN_NAMES]) + (f" and {further} more" if further > 0 else "")


def _named_kind(file: SourceFile) -> str:
    return " ".join([*(str(trait) for trait in file.traits), str(file.kind)])
