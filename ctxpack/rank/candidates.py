"""The ranked candidates, with what the best of them lead to; and the rank of any single file."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Final

from ctxpack.index.postings import among
from ctxpack.light import lazy_pattern, replace
from ctxpack.model import Candidate, Evidence, Lane
from ctxpack.query.precedents import wants_one_more
from ctxpack.query.subtokens import is_identifier
from ctxpack.query.understand import Aim, aims_of
from ctxpack.rank.board import Board, Purpose
from ctxpack.rank.chunks import ChunkRanking
from ctxpack.rank.evidence import (
    MODEL,
    SAME_CASES,
    TESTS_BEST,
    USED_BY_BEST,
    USED_NEARBY,
    USES_BEST,
    USES_MEANT,
    confidence_of,
    coverage,
    evidence_of,
    is_located,
    is_named,
    keywords_of,
)
from ctxpack.rank.file_scores import FileScores, Siblings, model_to_copy, siblings_of
from ctxpack.rank.outlook import SURE, Outlook, bound_confidence, outlook_of, share_worth_showing, worth_showing
from ctxpack.rank.places import (
    Found,
    Taken,
    beginning_of_list,
    cases_asked_for,
    choose_places,
    found_at,
    holders_of_cases,
    is_chunk_of_tests,
    is_of_one_family,
    is_own_code,
    meant_places,
    names_in_place,
)
from ctxpack.rank.subject import speaks_of_tests
from ctxpack.rank.weights import CASES_POINTS, TESTED_POINTS, TOLD_POINTS, USED_POINTS
from ctxpack.text import last_name

if TYPE_CHECKING:
    from ctxpack.rank.chunk_vectors import Comparison


_Naming = tuple[Found, set[str]]
"""A place, and the names in its text."""
_SCALE: Final = 6.0  # points below the best over which a score falls to a third
_RANGE: Final = 10.0  # points below the best at which a piece is worth next to nothing in a pack
_LEAST: Final = 0.01
_MOST_OPENED: Final = 6  # places to open where an answer is unlikely


def best_candidates(
    board: Board, files: FileScores, limit: int, purpose: Purpose, meaning: Comparison | None = None
) -> tuple[Candidate, ...]:
    """Find the best ``limit`` chunks by score; chunks of one file do not overlap."""
    ranking = ChunkRanking(board, files, purpose, meaning)
    places = choose_places(ranking, coverage(board), limit)
    if not places:
        return ()
    places, links = follow_best(ranking, places) if purpose is Purpose.PACK else (places, {})
    top = max(each.place.points - ranking.points_as_entrance(each.place) for each in places)
    own_top = max(each.place.own_points for each in places)
    reach = min(float(files.total.max()) / files.attainable, 1.0) if files.attainable else 0.0
    if meaning and not len(board.chunks.numbers):
        reach = meaning.closeness  # no word was found: all that files gained is what they have for any request
    reach = max(reach, 0.0)
    outlook = SURE if meaning else outlook_of(board, files, places)
    found = [
        _candidate(
            ranking,
            each,
            outlook,
            score=reach * min(math.exp((each.place.points - top) / _SCALE), 1.0),
            value=max(1 - (own_top - each.place.own_points) / _RANGE, _LEAST),
            link=links.get(each.place.number),
        )
        for each in places
    ]
    best_first = sorted(found, key=lambda each: (-each.score, each.file.path, each.chunk.start_line))
    most = worth_showing(outlook) if purpose is Purpose.PACK else 0
    if most and outlook.is_lacking:
        return tuple(_places_to_open(board, best_first))
    return tuple(_nearest_first(board, best_first, most, outlook) if most else best_first)


def _places_to_open(board: Board, candidates: list[Candidate]) -> list[Candidate]:
    """Return the best that the request tells or names, and a few to open: their text would answer something else."""
    told = [each for each in candidates if is_located(each) or is_named(each, board.query, board.view)][:1]
    others = [each for each in candidates if each not in told][:_MOST_OPENED]
    return [*told, *(replace(each, is_further=True) for each in others)]


def _nearest_first(board: Board, candidates: list[Candidate], most: int, outlook: Outlook) -> list[Candidate]:
    """Return the best that have at most ``most`` characters together, and all with a good share of the best score.

    A long one counts as a third of ``most``: the next best are shown beside it. The others follow as further places
    where an answer may be there.
    """
    used, share = 0, share_worth_showing(outlook)
    near, far = list[Candidate](), list[Candidate]()
    for at, each in enumerate(candidates):
        text = board.view.files.lines(each.file.path, each.chunk.start_line, each.chunk.end_line)
        length = min(len(text), most // 3)
        is_near = not at or used + length <= most or each.score >= share * candidates[0].score
        used += length * is_near
        (near if is_near else far).append(each)
    return [*near, *(replace(each, is_further=True) for each in far if outlook.is_wide)]


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


_LEADING: Final = 6  # of the best places that are read; with 12 fewer of the needed places were packed
_DECAY: Final = 0.15  # what each further place counts less
_MOST_DEFINITIONS: Final = 3  # of a name: with more of them it is unclear which is meant
_MOST_TESTS: Final = 40  # chunks of tests with a name: in more of them it says little
_NAMED: Final = 3  # of the best places, whose tests and users are looked up, and what a document names
_MOST_LED_TO: Final = 12  # places that no word of the request led to, of each sort
_MOST_USERS: Final = 4  # the same, of those that use the best places
_MOST_USES: Final = 6  # chunks of code with a name: of more of them it is unclear which matter
_ONLY_ASKED: Final = frozenset({Aim.WHERE, Aim.EXPLAIN, Aim.HOW_TO, Aim.ONBOARD, Aim.REVIEW})
_SHOWN_CASES, _MOST_LISTS = 3, 4
_BELOW_BEST: Final = 1.0  # points, at which a model and what lists its kind come
_MOST_READ: Final = 20  # of the best places, for what they tell apart
_PLAIN: Final = lazy_pattern(r"[a-z]+")  # a word as well as a name
_SEVERAL: Final = 2  # definitions of a name
_COMMON: Final = 15  # chunks with a plain word: in more of them it is mostly the name of something else


def follow_best(ranking: ChunkRanking, places: Sequence[Found]) -> tuple[list[Found], Mapping[int, Evidence]]:
    """Add what the best places lead to, and its points; return the places, best first, and what each gained, by number.

    The best places lead to the definitions that they use, or name in a document; where something is to be changed, to
    what uses them; where the request speaks of tests, to their tests; and where it wants one more of a kind, to a model
    and to what tells the same kinds apart. None of these need hold a word of the request. What a question or a review
    names or quotes leads to its users as well: who calls it decides when it happens.
    """
    board, text, files = ranking.board, ranking.board.query.text, ranking.board.view.postings.chunk_file
    taken, best = Taken.of(board.view, places), _best_first(places)
    tests = _links_to_tests(board, best) if speaks_of_tests(text) else {}
    naming = _naming(board, best)
    used = _used_definitions(board, naming, places)
    used.sort(key=lambda number: (-ranking.place(number, 0).own_points, files[number], number))  # not all become places
    places = [*places, *_new_places(ranking, used, taken)]
    links = _links_to_definitions(board, naming, places)
    places = list(_add_points(places, links))
    is_asked = not aims_of(text).isdisjoint(_ONLY_ASKED)
    users = _links_to_users(board, _best_first(places), only_meant=is_asked)
    is_more = wants_one_more(text)
    siblings = siblings_of(board, is_told=is_more)
    alike = _links_by_cases(board, places, siblings) if is_more else {}
    alike |= _links_to_kind(ranking, places, siblings) if siblings.is_sure else {}
    for led_to, most in ((tests, _MOST_LED_TO), (users, _MOST_USERS), (alike, _MOST_LED_TO)):
        fresh = {number: link for number, link in led_to.items() if number not in links}
        unknown = fresh.keys() - {each.place.number for each in places}
        strongest = sorted(unknown, key=lambda number: (-led_to[number].points, files[number], number))
        new = _new_places(ranking, strongest[:most], taken)
        is_list = {number: link.signal == SAME_CASES for number, link in led_to.items()}
        shown = (beginning_of_list(board, each, siblings.names) if is_list[each.place.number] else each for each in new)
        found = [*places, *shown]
        places, links = list(_add_points(found, fresh)), links | fresh
    return sorted(places, key=lambda each: -each.place.points), links


def _best_first(places: Iterable[Found]) -> list[Found]:
    return sorted(places, key=lambda each: -each.place.own_points)


def _name(place: Found) -> str:
    return last_name(place.chunk.symbol)


def _new_places(ranking: ChunkRanking, numbers: Sequence[int], taken: Taken) -> list[Found]:
    """The first of some chunks as places, where no line of theirs is taken."""
    found: list[Found] = []
    for number in numbers:
        place = ranking.place(number, taken.count(int(ranking.board.view.postings.chunk_file[number])))
        if len(found) < _MOST_LED_TO and (chunk := taken.add(place)) is not None:
            found.append(Found(place, chunk))
    return found


def _add_points(places: Sequence[Found], links: Mapping[int, Evidence]) -> Iterator[Found]:
    for each in places:
        link, place = links.get(each.place.number), each.place
        gained = link.points if link else 0.0
        raised = replace(place, points=place.points + gained, own_points=place.own_points + gained)
        yield each._replace(place=raised) if gained else each


def _used_definitions(board: Board, naming: Sequence[_Naming], places: Sequence[Found]) -> list[int]:
    """The definitions that the best places use and that are not among the places found."""
    known, found = set(map(_name, places)), dict[int, None]()
    for user, named in naming:
        names = named - known
        known |= names
        for name in sorted(board.view.postings.select_known("definition", names)):
            usable = [each for each in _definitions(board, name) if _can_use(board, user, name, each)]
            found |= dict.fromkeys(_nearest_definitions(board, user, usable))
    return list(found)


def _naming(board: Board, best: Sequence[Found]) -> list[_Naming]:
    """The best places of code, and the first few of documents, with the names in each, which are looked up at once."""
    leading = enumerate(best[:_LEADING])
    users = (each for at, each in leading if at < _NAMED or not _is_in_document(board, each))
    found = [(user, names_in_place(board, user)) for user in users]
    board.view.postings.look_up("definition", (name.lower() for _, names in found for name in names))
    return found


def _is_in_document(board: Board, place: Found) -> bool:
    return board.view.files[place.place.file].kind.is_document


def _nearest_definitions(board: Board, user: Found, numbers: Sequence[int]) -> Sequence[int]:
    """Of several definitions those in the file that uses the name, else in a file that it imports; else all."""
    if len(numbers) < _SEVERAL:
        return numbers
    files = board.view.files
    user_path = files[user.place.file].path
    paths = {number: files[int(board.view.postings.chunk_file[number])].path for number in numbers}
    for near in ({user_path}, set(board.view.graph.imports(user_path))):
        if found := [number for number in numbers if paths[number] in near]:
            return found
    return numbers


def _can_use(board: Board, user: Found, name: str, number: int) -> bool:
    """Whether a chunk is the definition of a name, in code of the project that a place can use."""
    defining = found_at(board, number)
    return _name(defining) == name and is_own_code(board, defining) and _is_link(board, user, defining)


def _definitions(board: Board, name: str) -> Sequence[int]:
    """The chunks that define a name; none where it is unclear which is meant, or whether any is."""
    numbers: list[int] = board.view.postings.terms("definition", name.lower()).docs.tolist()
    return numbers if len(numbers) <= _MOST_DEFINITIONS and not _is_common_word(board, name) else ()


def _is_common_word(board: Board, name: str) -> bool:
    """Whether a name is a common word in many places, such as ``update``: few of them mean this definition."""
    return bool(_PLAIN.fullmatch(name)) and board.view.postings.is_in_more_than(_COMMON, "word", name)


def _links_to_definitions(board: Board, naming: Sequence[_Naming], places: Sequence[Found]) -> dict[int, Evidence]:
    """What places gain, by number, because one of the best places uses what they define.

    What a section of a document names comes behind it at most.
    """
    defining: dict[str, list[Found]] = {}
    for each in places:
        if name := _name(each):
            defining.setdefault(name, []).append(each)
    found: dict[int, Evidence] = {}
    for at, (user, names) in enumerate(naming):
        is_told = _is_in_document(board, user)
        for name in sorted(names & defining.keys()):
            definitions = _nearest_definitions(board, user, _definitions(board, name))
            share = 1 / ((1 + _DECAY * at) * len(definitions) ** 0.5) if definitions else 0.0
            holding = {int(board.view.postings.chunk_file[number]) for number in definitions}
            for used in (each for each in defining[name] if each.place.file in holding):
                room = user.place.own_points - used.place.own_points
                points = max(min(TOLD_POINTS * share, room), 0.0) if is_told else USED_POINTS * share
                known = found.get(used.place.number)
                if _is_link(board, user, used) and points and (known is None or points > known.points):
                    found[used.place.number] = _used_by(board, user, used, points)
    return found


def _used_by(board: Board, user: Found, used: Found, points: float) -> Evidence:
    name = user.chunk.symbol or board.view.files[user.place.file].path.rpartition("/")[2]
    signal = USED_NEARBY if user.place.file == used.place.file else USED_BY_BEST
    return Evidence(signal, round(points, 3), f"{name} uses it")


def _is_link(board: Board, user: Found, used: Found) -> bool:
    languages = (board.view.files[each.place.file].language for each in (user, used))
    return _is_in_document(board, user) or (not _is_within(user, used) and is_of_one_family(*languages))


def _is_within(user: Found, used: Found) -> bool:
    """Whether a place is the definition, a part of it, or inside it: its own name there is no use of it."""
    name, whole = user.chunk.symbol, used.chunk.symbol
    is_inside = name == whole or (name.startswith(whole) and name[len(whole)] in ".:#")
    return user.place.file == used.place.file and is_inside


def _links_to_tests(board: Board, best: Sequence[Found]) -> dict[int, Evidence]:
    """What chunks of tests gain, by number, because they use what the best places define."""

    def tests(tested: Found) -> list[int]:
        name = _name(tested)
        holding = board.view.postings.terms("word", name.lower()).docs.tolist()
        found = [number for number in holding if is_chunk_of_tests(board, number)]
        return found if len(found) <= (_COMMON if _PLAIN.fullmatch(name) else _MOST_TESTS) else []

    gained = _shared_points(board, best, tests, TESTED_POINTS).items()
    return {number: Evidence(TESTS_BEST, round(points, 3), f"tests {_name(its)}") for number, (points, its) in gained}


def _links_to_users(board: Board, best: Sequence[Found], *, only_meant: bool) -> dict[int, Evidence]:
    """What definitions of code gain, by number, because they use what the best places define, or the meant ones do."""
    postings, files = board.view.postings, board.view.files.entries
    best, other_file = (meant_places(board, best), USES_MEANT) if only_meant else (best, USES_BEST)

    def users(used: Found) -> list[int]:
        name = _name(used)
        if _PLAIN.fullmatch(name) or not is_identifier(name):  # a word like others
            return []
        defining = frozenset(postings.terms("definition", name.lower()).docs.tolist())
        if only_meant and len(defining) > _MOST_DEFINITIONS:
            return []
        docs, its = postings.terms("word", name.lower()).docs, files.class_at(used.place.file).language
        own = files.of_classes(
            lambda each: each.kind.lane is Lane.CODE and not each.traits and is_of_one_family(each.language, its)
        )
        others = (each for each in docs[among(postings.chunk_file[docs], own)].tolist() if each not in defining)
        found = [*islice((each for each in others if postings.chunk(each).symbol), _MOST_USES + 1)]
        return found if len(found) <= _MOST_USES else []

    found: dict[int, Evidence] = {}
    for number, (points, used) in _shared_points(board, best, users, USED_POINTS).items():
        signal = USED_NEARBY if postings.chunk_file[number] == used.place.file else other_file
        found[number] = Evidence(signal, round(points, 3), f"uses {_name(used)}")
    return found


def _links_by_cases(board: Board, places: Sequence[Found], siblings: Siblings) -> dict[int, Evidence]:
    """What chunks gain, by number: of code for listing what one of the best tells apart, any for a folder of files."""
    best = (each for each in sorted(places, key=lambda each: -each.place.points) if is_own_code(board, each))
    told = frozenset[str]() if siblings.is_sure else cases_asked_for(board, islice(best, _MOST_READ))
    return _listing(board, told or siblings.names, or_list=not told)


def _links_to_kind(ranking: ChunkRanking, places: Sequence[Found], siblings: Siblings) -> dict[int, Evidence]:
    """What a model and what lists its kind gain, by number, so that they come close to the best of some places."""
    board = ranking.board
    model = model_to_copy(board, ranking.files, siblings)
    like = Evidence(MODEL, 0.0, f"a model: one of {len(siblings.files)} such in {siblings.folder}")
    listing = dict(islice(_listing(board, siblings.names, or_list=True).items(), _MOST_LISTS))
    links = dict.fromkeys(() if model is None else board.view.postings.chunks_of(model)[:_MOST_LISTS], like) | listing
    behind = {number: _DECAY * at for at, number in enumerate(listing, 1)}
    least = max(each.place.own_points for each in places) - _BELOW_BEST
    missing = {number: least - behind.get(number, 0.0) - ranking.place(number, 0).own_points for number in links}
    return {number: replace(link, points=round(max(link.points, missing[number]), 3)) for number, link in links.items()}


def _listing(board: Board, cases: frozenset[str], *, or_list: bool) -> dict[int, Evidence]:
    """What places gain, by number, for listing some names; ``or_list`` also those of pages and configuration."""
    reason = f"lists {', '.join(sorted(cases)[:_SHOWN_CASES])} as well"
    holders = [found_at(board, each) for each in holders_of_cases(board, cases)]
    fit = [each for each in holders if is_own_code(board, each, or_list=or_list)]
    fit.sort(key=lambda each: not is_own_code(board, each))  # code first
    found = [each.place.number for each in fit]
    points = [round(CASES_POINTS / (1 + _DECAY * at), 3) for at in range(len(found))]
    return {number: Evidence(SAME_CASES, its, reason) for number, its in zip(found, points, strict=True)}


def _shared_points(
    board: Board, best: Sequence[Found], holding: Callable[[Found], list[int]], most: float
) -> dict[int, tuple[float, Found]]:
    """The points of the chunks that hold the names of the best places of code, and the first such place of each.

    ``holding`` gives the chunks of one place, which share its points; no chunk gains more than ``most``.
    """
    found: dict[int, tuple[float, Found]] = {}
    code = (each for each in best if each.chunk.symbol and board.view.files[each.place.file].kind.lane is Lane.CODE)
    for at, each in enumerate(islice(code, _NAMED)):
        for number in (numbers := holding(each)):
            points, first = found.get(number, (0.0, each))
            found[number] = min(points + most / ((1 + _DECAY * at) * len(numbers) ** 0.5), most), first
    return found
