"""The ranked candidates, and the rank of any single file, including those that no list shows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from ctxpack.index import IndexView
from ctxpack.light import dataclass, lazy_pattern, replace
from ctxpack.model import Candidate, Evidence, Lane, Query
from ctxpack.parse.languages import find_language
from ctxpack.rank.board import Board
from ctxpack.rank.chunks import FILES_COMPARED, ChunkRanking
from ctxpack.rank.evidence import LEAST, UsedBy, confidence_of, coverage, evidence_of, evidence_of_file, keywords_of
from ctxpack.rank.file_scores import FileScores, score_files
from ctxpack.rank.installed import with_installed
from ctxpack.rank.outlook import SURE, Outlook, bound_confidence, outlook_of, worth_showing
from ctxpack.rank.places import Found, choose_places
from ctxpack.rank.weights import BUILT_IN_TABLES, USED_POINTS, Purpose
from ctxpack.text import last_name

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
    uses = used_by_best(board, places) if purpose is Purpose.PACK else {}
    places = add_uses(places, uses)
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
    """Keep the best candidates that have at most ``most`` characters together, and at least one."""
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
    evidence = evidence_of(found.place, ranking, found.neighbours, use)
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


_USERS: Final = 6  # of the best places that are read; with 12 fewer of the needed places were packed
_DECAY: Final = 0.15  # what each further place counts less
_MOST_DEFINITIONS: Final = 3  # of a name: with more of them it is unclear which is meant
_NAME: Final = lazy_pattern(r"[^\W\d]\w{2,}")
_PLAIN: Final = lazy_pattern(r"[a-z]+")  # a word as well as a name
_COMMON: Final = 15  # chunks with a plain word: in more of them it is mostly the name of something else


def used_by_best(board: Board, places: Sequence[Found]) -> Mapping[int, UsedBy]:
    """Return what chunks gain, by number, because one of the best places uses what they define.

    ``places`` are the places found, in any order. Only code is considered, and only places found gain.
    """
    best = sorted(places, key=lambda each: -each.place.own_points)[:_USERS]
    defining: dict[str, list[Found]] = {}
    for each in places:
        if name := last_name(each.chunk.symbol):
            defining.setdefault(name, []).append(each)
    found: dict[int, UsedBy] = {}
    for at, user in enumerate(best):
        for name in sorted(_names_in(board, user) & defining.keys()):
            definitions = len(board.view.postings.terms("definition", name.lower()).docs)
            if not 0 < definitions <= _MOST_DEFINITIONS or _is_common_word(board, name):
                continue
            points = USED_POINTS / ((1 + _DECAY * at) * definitions**0.5)
            for used in defining[name]:
                known = found.get(used.place.number)
                is_other = _is_within(user, used) or not _is_of_one_family(board, user, used)
                if not is_other and (known is None or points > known.points):
                    found[used.place.number] = _used_by(board, user, used, points)
    return found


def _is_common_word(board: Board, name: str) -> bool:
    """Whether a name is a common word in many places, such as ``update``: few of them mean this definition."""
    return bool(_PLAIN.fullmatch(name)) and len(board.view.postings.terms("word", name).docs) > _COMMON


def _used_by(board: Board, user: Found, used: Found, points: float) -> UsedBy:
    name = user.chunk.symbol or _file_name(board, user)
    return UsedBy(points, name, is_near=user.place.file == used.place.file)


def add_uses(places: Sequence[Found], uses: Mapping[int, UsedBy]) -> list[Found]:
    """Add the points for being used to the places, and order them best first."""
    return sorted(_add_points(places, uses), key=lambda each: -each.place.points)


def _add_points(places: Sequence[Found], uses: Mapping[int, UsedBy]) -> Iterator[Found]:
    for each in places:
        use, place = uses.get(each.place.number), each.place
        gained = use.points if use else 0.0
        raised = replace(place, points=place.points + gained, own_points=place.own_points + gained)
        yield each._replace(place=raised) if gained else each


def _names_in(board: Board, user: Found) -> set[str]:
    """The names in the text of a place; none where it is no code."""
    file = board.view.files[user.place.file]
    if file.kind.lane is not Lane.CODE:
        return set()
    return set(_NAME.findall(board.view.files.lines(file.path, user.chunk.start_line, user.chunk.end_line)))


def _is_within(user: Found, used: Found) -> bool:
    """Whether a place is the definition, a part of it, or inside it: its own name there is no use of it."""
    name, whole = user.chunk.symbol, used.chunk.symbol
    is_inside = name == whole or (name.startswith(whole) and name[len(whole)] in ".:#")
    return user.place.file == used.place.file and is_inside


def _is_of_one_family(board: Board, user: Found, used: Found) -> bool:
    """Whether one place can use the other: their languages are the same or share a module system."""
    names = (board.view.files[user.place.file].language, board.view.files[used.place.file].language)
    one, other = map(find_language, names)
    return one is other or (one.resolve is not None and one.resolve is other.resolve)


def _file_name(board: Board, user: Found) -> str:
    return board.view.files[user.place.file].path.rpartition("/")[2]
