"""The ranked candidates, and the rank of any single file, including those that no list shows."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from ctxpack.index import IndexView
from ctxpack.light import dataclass
from ctxpack.model import Candidate, Evidence, Query
from ctxpack.rank.board import Board
from ctxpack.rank.chunks import FILES_COMPARED, ChunkRanking
from ctxpack.rank.evidence import LEAST, confidence_of, coverage, evidence_of, evidence_of_file, keywords_of
from ctxpack.rank.file_scores import FileScores, score_files
from ctxpack.rank.installed import with_installed
from ctxpack.rank.outlook import SURE, Outlook, bound_confidence, outlook_of, worth_showing
from ctxpack.rank.places import Found, choose_places, follow_best
from ctxpack.rank.weights import BUILT_IN_TABLES, Purpose

if TYPE_CHECKING:
    from ctxpack.rank.chunk_vectors import Comparison


_SCALE: Final = 6.0  # points below the best over which a score falls to a third
_RANGE: Final = 10.0  # points below the best at which a piece is worth next to nothing in a pack
_LEAST: Final = 0.01


def best_candidates(
    board: Board, files: FileScores, limit: int, purpose: Purpose, meaning: Comparison | None = None
) -> tuple[Candidate, ...]:
    """Find the best ``limit`` chunks by score; chunks of one file do not overlap."""
    ranking = ChunkRanking(board, files, purpose, meaning)
    places = choose_places(ranking, coverage(board), limit)
    if not places:
        return ()
    places, links = follow_best(ranking, places) if purpose is Purpose.PACK else (places, {})
    top = max(each.place.points for each in places)
    own_top = max(each.place.own_points for each in places)
    reach = min(float(files.total.max()) / files.attainable, 1.0) if files.attainable else 0.0
    if meaning and not board.chunks.any():
        reach = meaning.closeness  # no word was found: all that files gained is what they have for any request
    reach = max(reach, 0.0)
    outlook = SURE if meaning else outlook_of(board, files, places)
    found = [
        _candidate(
            ranking,
            each,
            outlook,
            score=reach * math.exp((each.place.points - top) / _SCALE),
            value=max(1 - (own_top - each.place.own_points) / _RANGE, _LEAST),
            link=links.get(each.place.number),
        )
        for each in places
    ]
    best_first = sorted(found, key=lambda each: (-each.score, each.file.path, each.chunk.start_line))
    most = worth_showing(outlook) if purpose is Purpose.PACK else 0
    return tuple(_nearest(board, best_first, most) if most else best_first)


def _nearest(board: Board, candidates: list[Candidate], most: int) -> Iterator[Candidate]:
    """Keep the best candidates that have at most ``most`` characters together, and at least one."""
    used = 0
    for at, each in enumerate(candidates):
        text = board.view.files.lines(each.file.path, each.chunk.start_line, each.chunk.end_line)
        if at and used + len(text) > most:
            continue
        used += len(text)
        yield each


def _candidate(
    ranking: ChunkRanking, found: Found, outlook: Outlook, *, score: float, value: float, link: Evidence | None
) -> Candidate:
    board, chunk = ranking.board, found.chunk
    file = board.view.files[found.place.file]
    evidence = evidence_of(found.place, ranking, found.neighbours, link)
    keywords = keywords_of(board, file, board.view.files.lines(file.path, chunk.start_line, chunk.end_line))
    rounded = round(score, 6)
    confidence = bound_confidence(confidence_of(rounded), outlook)
    return Candidate(file, chunk, rounded, confidence, evidence, keywords, round(value, 6))


@dataclass(frozen=True, slots=True)
class Standing:
    """``place`` is the rank among all files, from 1; only chunks of the first ``compared`` files can become pieces.

    ``is_about`` tells whether the file contains enough of the request, or is named in it, to be an answer.
    """

    place: int
    points: float
    needed: float  # points of the last file whose pieces are compared
    compared: int
    is_about: bool
    evidence: tuple[Evidence, ...]


def standing_of(query: Query, view: IndexView, path: str) -> Standing | None:
    """The standing of a file of the view; None where nothing in the repository matches the request."""
    board = Board(query, view)
    if not board.chunks.any():
        return None
    number, scores = view.files.numbers[path], score_files(board, Purpose.PACK, with_installed(BUILT_IN_TABLES))
    is_named = bool(ChunkRanking(board, scores, Purpose.PACK).named[number])
    last = scores.order[min(FILES_COMPARED, len(scores.order)) - 1]
    return Standing(
        place=scores.order.tolist().index(number) + 1,
        points=round(float(scores.total[number]), 3),
        needed=round(float(scores.total[last]), 3),
        compared=FILES_COMPARED,
        is_about=is_named or bool(coverage(board)[number] >= LEAST),
        evidence=evidence_of_file(number, board, scores),
    )
