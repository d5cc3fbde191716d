"""The places of a ranking: exact definitions, no two of which share a line; and what the best of them lead to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from ctxpack.index import IndexView
from ctxpack.light import dataclass, field, lazy_pattern, replace
from ctxpack.model import Chunk, Evidence, Lane, ParsedFile
from ctxpack.parse.languages import find_language
from ctxpack.query.subtokens import is_identifier
from ctxpack.query.understand import Aim, aims_of
from ctxpack.rank.board import Board
from ctxpack.rank.chunks import ChunkPlace, ChunkRanking
from ctxpack.rank.evidence import LEAST, TESTS_BEST, USED_BY_BEST, USED_NEARBY, USES_BEST
from ctxpack.rank.file_scores import in_time
from ctxpack.rank.subject import speaks_of_tests
from ctxpack.rank.weights import TESTED_POINTS, USED_POINTS, Purpose
from ctxpack.text import last_name

if TYPE_CHECKING:
    from ctxpack.rank.bm25 import Scores

LONGEST_DEFINITION: Final = 300  # lines; longer definitions stay cut into parts


def snap_to_chunk(chunk: Chunk, parsed: ParsedFile) -> Chunk:
    """Find the chunk of ``parsed`` that shares most lines with ``chunk``, whole where it is not too long."""
    inside = [each for each in parsed.chunks if _shared_lines(each, chunk) > 0]
    if not parsed.is_exact or not inside:
        return chunk
    best = max(inside, key=lambda each: (_shared_lines(each, chunk), -each.start_line))
    whole = _whole(parsed, best)
    return whole if whole.end_line - whole.start_line < LONGEST_DEFINITION else best


def _shared_lines(one: Chunk, other: Chunk) -> int:
    return min(one.end_line, other.end_line) - max(one.start_line, other.start_line) + 1


def _whole(parsed: ParsedFile, part: Chunk) -> Chunk:
    """Join all parts of a definition that was split for its length."""
    if not part.symbol:
        return part
    parts = [each for each in parsed.chunks if each.symbol == part.symbol and each.kind == part.kind]
    start, end = part.start_line, part.end_line
    for other in parts:
        end = other.end_line if other.start_line == end + 1 else end
    for other in reversed(parts):
        start = other.start_line if other.end_line == start - 1 else start
    return replace(part, start_line=start, end_line=end)


SCREEN: Final = 40
"""Lines of one place in a list: adjacent matches are grouped as long as they fit on a screen.

With 30 or 60 lines functions among the first 5 and 10 are the same within a point on 152 issues in Python.
"""
SOON: Final = 20
"""A match joins the place before or behind it when it comes at most this many matches after it.

Then functions among the first 5 / 10 go from 64 / 70 to 67 / 72; with 10 it is 67 / 71, with all 100 that were ranked
68 / 73, but what comes so late says little.
"""


class Found(NamedTuple):
    """A place, its exact chunk, and the names of adjacent matches that are listed with it."""

    place: ChunkPlace
    chunk: Chunk
    neighbours: tuple[str, ...] = ()


def choose_places(ranking: ChunkRanking, covered: Scores, limit: int) -> list[Found]:
    """Choose the first ``limit`` places, best first; ``covered`` is the coverage of every file.

    In a list adjacent matches are grouped; pieces of a pack are merged where that costs less.
    """
    if ranking.purpose is Purpose.LIST:
        return group_places(ranking, covered, limit)
    return list(islice(distinct_places(ranking, covered), limit))


def answers(ranking: ChunkRanking, covered: Scores) -> Iterator[ChunkPlace]:
    """The chunks that can be an answer, best first: not those that only contain a common word or two.

    Lazy, since few are needed.
    """
    for place in in_time(ranking.places(), ranking.board.view.keeper):
        if covered[place.file] >= LEAST or ranking.named[place.file] or place.number in ranking.near:
            yield place


def distinct_places(ranking: ChunkRanking, covered: Scores) -> Iterator[Found]:
    """The answers with their exact chunks, of which no two share a line."""
    taken = _Taken(ranking.board.view)
    for place in answers(ranking, covered):
        chunk = taken.add(place)
        if chunk is not None:
            yield Found(place, chunk)


def group_places(ranking: ChunkRanking, covered: Scores, limit: int) -> list[Found]:
    """Group the places of a list, up to ``limit`` of them, with the names of the matches next to each.

    A neighbour that the reader did not need costs a line of the screen, not a place of
    the list. The first places are the same for every greater ``limit``.
    """
    taken = _Taken(ranking.board.view)
    groups: list[_Group] = []
    for rank, place in enumerate(answers(ranking, covered)):
        open_groups = [group for group in groups if rank - group.rank <= SOON]
        is_full = len(groups) == limit
        if is_full and not open_groups:
            break
        near = [group for group in open_groups if group.place.file == place.file]
        if is_full and not near:
            continue
        chunk = taken.add(place)
        if chunk is None:
            continue
        group = next((group for group in near if group.adjoins(chunk)), None)
        if group is not None:
            group.chunks.append(chunk)
        elif not is_full:
            groups.append(_Group(place, rank, [chunk]))
    return [Found(group.place, group.whole, group.others) for group in groups]


@dataclass
class _Taken:
    """The exact chunks that are already taken, by file."""

    view: IndexView
    spans: dict[int, list[Chunk]] = field(default_factory=dict)

    @classmethod
    def of(cls, view: IndexView, places: Sequence[Found]) -> _Taken:
        """Return what some places take."""
        taken = cls(view)
        for each in places:
            taken.spans.setdefault(each.place.file, []).append(each.chunk)
        return taken

    def count(self, file: int) -> int:
        """Return how many chunks of a file are taken."""
        return len(self.spans.get(file, ()))

    def add(self, place: ChunkPlace) -> Chunk | None:
        """Take the exact chunk of a place and return it; None if one of its lines is taken."""
        chunk = snap_to_chunk(
            self.view.postings.chunk(place.number), self.view.files.exact(self.view.files[place.file].path)
        )
        spans = self.spans.setdefault(place.file, [])
        if any(each.start_line <= chunk.end_line and chunk.start_line <= each.end_line for each in spans):
            return None
        spans.append(chunk)
        return chunk


@dataclass
class _Group:
    """Neighbours in a file; the first of ``chunks`` is the one that gave the group its ``rank``."""

    place: ChunkPlace
    rank: int
    chunks: list[Chunk]

    @property
    def start_line(self) -> int:
        return min(chunk.start_line for chunk in self.chunks)

    @property
    def end_line(self) -> int:
        return max(chunk.end_line for chunk in self.chunks)

    @property
    def whole(self) -> Chunk:
        """The first chunk, extended to the lines of all."""
        return replace(self.chunks[0], start_line=self.start_line, end_line=self.end_line)

    @property
    def others(self) -> tuple[str, ...]:
        """The names of the others, by line, where they have one."""
        rest = sorted(self.chunks[1:], key=lambda chunk: chunk.start_line)
        names = (chunk.symbol or "".join(chunk.heading[-1:]) for chunk in rest)
        return tuple(name for name in names if name)

    def adjoins(self, chunk: Chunk) -> bool:
        """Whether a chunk touches the group and both fit on a screen."""
        if chunk.start_line != self.end_line + 1 and chunk.end_line != self.start_line - 1:
            return False
        return max(chunk.end_line, self.end_line) - min(chunk.start_line, self.start_line) < SCREEN


_LEADING: Final = 6  # of the best places that are read; with 12 fewer of the needed places were packed
_DECAY: Final = 0.15  # what each further place counts less
_MOST_DEFINITIONS: Final = 3  # of a name: with more of them it is unclear which is meant
_MOST_TESTS: Final = 40  # chunks of tests with a name: in more of them it says little
_NAMED: Final = 3  # of the best places, whose tests and users are looked up
_MOST_LED_TO: Final = 12  # places that no word of the request led to, of each sort
_MOST_USERS: Final = 4  # the same, of those that use the best places
_MOST_USES: Final = 6  # chunks of code with a name: of more of them it is unclear which matter
_ONLY_ASKED: Final = frozenset({Aim.WHERE, Aim.EXPLAIN, Aim.HOW_TO, Aim.ONBOARD, Aim.REVIEW})
_NAME: Final = lazy_pattern(r"[^\W\d]\w{2,}")
_PLAIN: Final = lazy_pattern(r"[a-z]+")  # a word as well as a name
_COMMON: Final = 15  # chunks with a plain word: in more of them it is mostly the name of something else


def follow_best(ranking: ChunkRanking, places: Sequence[Found]) -> tuple[list[Found], Mapping[int, Evidence]]:
    """Add what the best places lead to, and its points; return the places, best first, and what each gained, by number.

    The best places of code lead to the definitions that they use; where something is to be changed, to what uses them;
    and where the request speaks of tests, to their tests. None of these need hold a word of the request.
    """
    board, text = ranking.board, ranking.board.query.text
    taken, best = _Taken.of(board.view, places), _best_first(places)
    tests = _links_to_tests(board, best) if speaks_of_tests(text) else {}
    places = [*places, *_new_places(ranking, _used_definitions(board, best, places), taken)]
    links = _links_to_definitions(board, best, places)
    places = list(_add_points(places, links))
    users = _links_to_users(board, _best_first(places)) if aims_of(text).isdisjoint(_ONLY_ASKED) else {}
    for led_to, most in ((tests, _MOST_LED_TO), (users, _MOST_USERS)):
        fresh = {number: link for number, link in led_to.items() if number not in links}
        unknown = fresh.keys() - {each.place.number for each in places}
        strongest = sorted(unknown, key=lambda number: (-led_to[number].points, number))
        found = [*places, *_new_places(ranking, strongest[:most], taken)]
        places, links = list(_add_points(found, fresh)), links | fresh
    return sorted(places, key=lambda each: -each.place.points), links


def _best_first(places: Iterable[Found]) -> list[Found]:
    return sorted(places, key=lambda each: -each.place.own_points)


def _new_places(ranking: ChunkRanking, numbers: Sequence[int], taken: _Taken) -> list[Found]:
    """The first of some chunks as places, where no line of theirs is taken."""
    found: list[Found] = []
    for number in numbers:
        place = ranking.place(number, taken.count(int(ranking.board.view.postings.chunk_file[number])))
        chunk = taken.add(place) if len(found) < _MOST_LED_TO else None
        if chunk is not None:
            found.append(Found(place, chunk))
    return found


def _add_points(places: Sequence[Found], links: Mapping[int, Evidence]) -> Iterator[Found]:
    for each in places:
        link, place = links.get(each.place.number), each.place
        gained = link.points if link else 0.0
        raised = replace(place, points=place.points + gained, own_points=place.own_points + gained)
        yield each._replace(place=raised) if gained else each


def _used_definitions(board: Board, best: Sequence[Found], places: Sequence[Found]) -> list[int]:
    """The definitions that the best places use and that are not among the places found."""
    known = {last_name(each.chunk.symbol) for each in places}
    found: dict[int, None] = {}
    for user in best[:_LEADING]:
        names = _names_in(board, user) - known
        known |= names
        for name in sorted(board.view.postings.select_known("definition", names)):
            numbers = _definitions(board, name)
            found |= dict.fromkeys(number for number in numbers if _can_use(board, user, name, number))
    return list(found)


def _can_use(board: Board, user: Found, name: str, number: int) -> bool:
    """Whether a chunk is the definition of a name, in code of the project that a place can use."""
    file, chunk = board.view.files[int(board.view.postings.chunk_file[number])], board.view.postings.chunk(number)
    is_meant = last_name(chunk.symbol) == name and file.kind.lane is Lane.CODE and not file.traits
    place = ChunkPlace(number, board.view.files.numbers[file.path], 0.0, 0.0)
    return is_meant and _is_link(board, user, Found(place, chunk))


def _definitions(board: Board, name: str) -> Sequence[int]:
    """The chunks that define a name; none where it is unclear which is meant, or whether any is."""
    numbers: list[int] = board.view.postings.terms("definition", name.lower()).docs.tolist()
    return numbers if len(numbers) <= _MOST_DEFINITIONS and not _is_common_word(board, name) else ()


def _is_common_word(board: Board, name: str) -> bool:
    """Whether a name is a common word in many places, such as ``update``: few of them mean this definition."""
    return bool(_PLAIN.fullmatch(name)) and len(board.view.postings.terms("word", name).docs) > _COMMON


def _links_to_definitions(board: Board, best: Sequence[Found], places: Sequence[Found]) -> dict[int, Evidence]:
    """What places gain, by number, because one of the best places uses what they define. Only code is considered."""
    defining: dict[str, list[Found]] = {}
    for each in places:
        if name := last_name(each.chunk.symbol):
            defining.setdefault(name, []).append(each)
    found: dict[int, Evidence] = {}
    for at, user in enumerate(best[:_LEADING]):
        for name in sorted(_names_in(board, user) & defining.keys()):
            definitions = len(_definitions(board, name))
            points = USED_POINTS / ((1 + _DECAY * at) * definitions**0.5) if definitions else 0.0
            for used in defining[name] if definitions else ():
                known = found.get(used.place.number)
                if _is_link(board, user, used) and (known is None or points > known.points):
                    found[used.place.number] = _used_by(board, user, used, points)
    return found


def _used_by(board: Board, user: Found, used: Found, points: float) -> Evidence:
    name = user.chunk.symbol or board.view.files[user.place.file].path.rpartition("/")[2]
    signal = USED_NEARBY if user.place.file == used.place.file else USED_BY_BEST
    return Evidence(signal, round(points, 3), f"{name} uses it")


def _is_link(board: Board, user: Found, used: Found) -> bool:
    return not _is_within(user, used) and _is_of_one_family(board, user, used)


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


def _links_to_tests(board: Board, best: Sequence[Found]) -> dict[int, Evidence]:
    """What chunks of tests gain, by number, because they use what the best places define."""

    def tests(name: str) -> list[int]:
        holding = board.view.postings.terms("word", name.lower()).docs.tolist()
        found = [number for number in holding if _is_test(board, number)]
        return found if len(found) <= _MOST_TESTS else []

    gained = _shared_points(board, best, tests, TESTED_POINTS)
    return {
        number: Evidence(TESTS_BEST, round(points, 3), f"tests {name}") for number, (points, name) in gained.items()
    }


def _links_to_users(board: Board, best: Sequence[Found]) -> dict[int, Evidence]:
    """What definitions of code gain, by number, because they use what the best places define."""
    postings = board.view.postings

    def users(name: str) -> list[int]:
        if _PLAIN.fullmatch(name) or not is_identifier(name):  # a word like others
            return []
        defining = frozenset(postings.terms("definition", name.lower()).docs.tolist())
        holding = (each for each in postings.terms("word", name.lower()).docs.tolist() if each not in defining)
        found = [number for number in holding if _is_definition(board, number)]
        return found if len(found) <= _MOST_USES else []

    gained = _shared_points(board, best, users, USED_POINTS)
    return {number: Evidence(USES_BEST, round(points, 3), f"uses {name}") for number, (points, name) in gained.items()}


def _shared_points(
    board: Board, best: Sequence[Found], holding: Callable[[str], list[int]], most: float
) -> dict[int, tuple[float, str]]:
    """The points of the chunks that hold the names of the best places of code, and the first such name of each.

    The chunks of one name share its points; no chunk gains more than ``most``.
    """
    code = (each for each in best if each.chunk.symbol and board.view.files[each.place.file].kind.lane is Lane.CODE)
    found: dict[int, tuple[float, str]] = {}
    for at, each in enumerate(islice(code, _NAMED)):
        name = last_name(each.chunk.symbol)
        numbers = holding(name)
        for number in numbers:
            points, first = found.get(number, (0.0, name))
            found[number] = min(points + most / ((1 + _DECAY * at) * len(numbers) ** 0.5), most), first
    return found


def _is_definition(board: Board, number: int) -> bool:
    """Whether a chunk is a definition in code of the project itself."""
    file = board.view.files[int(board.view.postings.chunk_file[number])]
    return file.kind.lane is Lane.CODE and not file.traits and bool(board.view.postings.chunk(number).symbol)


def _is_test(board: Board, number: int) -> bool:
    """Whether a chunk is a test, also one in a module of tests within a file of code."""
    file = board.view.files[int(board.view.postings.chunk_file[number])]
    modules = find_language(file.language).test_modules.split()
    is_module = bool(modules) and board.view.postings.chunk(number).symbol.partition(".")[0] in modules
    return file.kind.lane is Lane.TESTS or is_module
