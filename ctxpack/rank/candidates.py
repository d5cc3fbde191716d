"""The ranked list: the best chunks with exact boundaries, scores between 0 and 1, evidence and confidence."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Final

from ctxpack.model import Candidate, Chunk
from ctxpack.rank.board import Board
from ctxpack.rank.chunks import ChunkRanking, Place
from ctxpack.rank.coverage import LEAST, coverage
from ctxpack.rank.evidence import confidence_of, evidence_of, keywords_of
from ctxpack.rank.files import FileScores
from ctxpack.rank.spans import snapped
from ctxpack.rank.weights import Purpose

if TYPE_CHECKING:
    from ctxpack.rank.bm25 import Scores
    from ctxpack.rank.comparison import Comparison

_SCALE: Final = 6.0  # points below the best over which a score falls to a third
_RANGE: Final = 10.0  # points below the best at which a piece is worth next to nothing in a pack
_LEAST: Final = 0.01


def ranked(
    board: Board, files: FileScores, limit: int, purpose: Purpose, meaning: Comparison | None = None
) -> tuple[Candidate, ...]:
    """The best ``limit`` chunks by score; chunks of one file do not overlap."""
    ranking = ChunkRanking(board, files, purpose, meaning)
    covered = coverage(board)
    chosen = list(islice(distinct(ranking, covered), limit))
    if not chosen:
        return ()
    top = max(place.points for place, _ in chosen)
    own_top = max(place.own_points for place, _ in chosen)
    reach = min(float(files.total.max()) / files.attainable, 1.0) if files.attainable else 0.0
    if meaning and not board.chunks.any():
        reach = meaning.closeness  # no word was found: all that files gained is what they have for any request
    reach = max(reach, 0.0)
    found = [
        _candidate(
            ranking,
            place,
            chunk,
            score=reach * math.exp((place.points - top) / _SCALE),
            value=max(1 - (own_top - place.own_points) / _RANGE, _LEAST),
        )
        for place, chunk in chosen
    ]
    return tuple(sorted(found, key=lambda each: (-each.score, each.file.path, each.chunk.start_line)))


def distinct(ranking: ChunkRanking, covered: Scores) -> Iterator[tuple[Place, Chunk]]:
    """The places that are an answer, best first, with their exact chunks. Lazy, since few are asked for.

    ``covered`` is the coverage of each file.
    """
    view = ranking.board.view
    spans: dict[int, list[Chunk]] = {}
    for place in ranking.places():
        if covered[place.file] < LEAST and not ranking.named[place.file] and place.number not in ranking.near:
            continue  # it holds a common word or two of a request that is about something else
        chunk = snapped(view.chunk(place.number), view.exact(view.files[place.file].path))
        taken = spans.setdefault(place.file, [])
        if not any(each.start_line <= chunk.end_line and chunk.start_line <= each.end_line for each in taken):
            taken.append(chunk)
            yield place, chunk


def _candidate(ranking: ChunkRanking, place: Place, chunk: Chunk, *, score: float, value: float) -> Candidate:
    board = ranking.board
    file = board.view.files[place.file]
    evidence = evidence_of(place, ranking)
    keywords = keywords_of(board, file, board.view.lines(file.path, chunk.start_line, chunk.end_line))
    rounded = round(score, 6)
    return Candidate(file, chunk, rounded, confidence_of(rounded, evidence), evidence, keywords, round(value, 6))
