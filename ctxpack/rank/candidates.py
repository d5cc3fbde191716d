"""The ranked candidates, and where any one file stands, also one that no list shows."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ctxpack.index import IndexView
from ctxpack.model import Candidate, Evidence, Query
from ctxpack.rank.board import Board
from ctxpack.rank.chunks import FILES_COMPARED, ChunkRanking
from ctxpack.rank.evidence import LEAST, UsedBy, confidence_of, coverage, evidence_of, evidence_of_file, keywords_of
from ctxpack.rank.files import FileScores, score_files
from ctxpack.rank.installed import with_installed
from ctxpack.rank.outlook import SURE, Outlook, bounded, outlook_of, worth_showing
from ctxpack.rank.places import Found, choose_places
from ctxpack.rank.used import used_by_best, with_uses
from ctxpack.rank.weights import BUILT_IN_TABLES, Purpose

if TYPE_CHECKING:
    from ctxpack.rank.chunk_vectors import Comparison

_SCALE: Final = 6.0  # points below the best over which a score falls to a third
_RANGE: Final = 10.0  # points below the best at which a piece is worth next to nothing in a pack
_LEAST: Final = 0.01


def best_candidates(
    board: Board, files: FileScores, limit: int, purpose: Purpose, meaning: Comparison | None = None
) -> tuple[Candidate, ...]:
    """The best ``limit`` chunks by score; chunks of one file do not overlap."""
    ranking = ChunkRanking(board, files, purpose, meaning)
    places = choose_places(ranking, coverage(board), limit)
    if not places:
        return ()
    uses = used_by_best(board, places) if purpose is Purpose.PACK else {}
    places = with_uses(places, uses)
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
            use=uses.get(each.place.number),
        )
        for each in places
    ]
    best_first = sorted(found, key=lambda each: (-each.score, each.file.path, each.chunk.start_line))
    most = worth_showing(outlook) if purpose is Purpose.PACK else 0
    return tuple(_nearest(board, best_first, most) if most else best_first)


def _nearest(board: Board, candidates: list[Candidate], most: int) -> Iterator[Candidate]:
    """The best candidates that have at most so many characters together, and at least one."""
    used = 0
    for at, each in enumerate(candidates):
        text = board.view.files.lines(each.file.path, each.chunk.start_line, each.chunk.end_line)
        if at and used + len(text) > most:
            continue
        used += len(text)
        yield each


def _candidate(
    ranking: ChunkRanking, found: Found, outlook: Outlook, *, score: float, value: float, use: UsedBy | None
) -> Candidate:
    board, chunk = ranking.board, found.chunk
    file = board.view.files[found.place.file]
    evidence = evidence_of(found.place, ranking, found.beside, use)
    keywords = keywords_of(board, file, board.view.files.lines(file.path, chunk.start_line, chunk.end_line))
    rounded = round(score, 6)
    confidence = bounded(confidence_of(rounded), outlook)
    return Candidate(file, chunk, rounded, confidence, evidence, keywords, round(value, 6))


@dataclass(frozen=True, slots=True)
class Standing:
    """``place`` counts all files of the repository by their points, from 1; pieces come from the first ``compared``.

    ``is_about`` is whether the file holds enough of the request, or is named in it, to be an answer at all.
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
