"""The places of a ranking: exact definitions, no two of which share a line; the names that one uses or tells apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, takewhile
from typing import TYPE_CHECKING, Final, NamedTuple

from ctxpack.discover.traits import is_record
from ctxpack.index import IndexView
from ctxpack.light import dataclass, field, lazy_pattern, replace
from ctxpack.model import Chunk, Lane, ParsedFile, Trait
from ctxpack.parse.chunking import LONGEST_CHUNK, VALUES
from ctxpack.parse.languages import find_language
from ctxpack.query.precedents import quotes_of
from ctxpack.query.subtokens import is_identifier, share_of_quotation, subtokens
from ctxpack.rank.board import Board, Purpose, in_time
from ctxpack.rank.chunks import ChunkPlace, ChunkRanking
from ctxpack.rank.evidence import LEAST
from ctxpack.rank.signals.relations import FEWEST_CASES, cases_in
from ctxpack.rank.signals.texts import CATALOGUES, QUOTED_SHARE
from ctxpack.text import last_name

if TYPE_CHECKING:
    from ctxpack.rank.bm25 import Scores

_AROUND_MESSAGE: Final = 2  # lines: what stands beside a message tells what it is for
_LONG_TABLE: Final = 30  # lines, of which a few are meant
_ABOVE_ROUTE, _BELOW_ROUTE = 10, 4  # lines: a group begins above its routes
LONGEST_DEFINITION: Final = 300  # lines; longer definitions stay cut into parts
_CALL: Final = lazy_pattern(r"([ \t]{1,40})(\.?\w[\w.]{1,60}[!?]?)\(")
_BEGINS: Final = lazy_pattern(r"[\w.@]")  # a statement, and no comment or bracket that closes one
_SHORT_LIST: Final = 2 * LONGEST_CHUNK  # lines
_LINES_OF_ENTRY: Final = 10  # of a list, at most on average
_MOSTLY: Final = 0.7  # of the statements beside them


def snap_to_chunk(chunk: Chunk, parsed: ParsedFile, lines: Sequence[str]) -> Chunk:
    """Find the chunk of a file that shares most lines with ``chunk``, whole where it is no list and not too long."""
    inside = [each for each in parsed.chunks if each.start_line <= chunk.end_line and chunk.start_line <= each.end_line]
    if not parsed.is_exact or not inside:
        return chunk
    best = max(inside, key=lambda each: (_shared_lines(each, chunk), -each.start_line))
    whole = _whole(parsed, best)
    is_long = whole.end_line - whole.start_line >= LONGEST_DEFINITION
    return best if is_long or _is_list(lines[whole.start_line - 1 : whole.end_line]) else whole


def _is_list(lines: Sequence[str]) -> bool:
    """Whether a long definition is one call after the other, such as for each option: a part will do, as of a table."""
    if len(lines) <= _SHORT_LIST:
        return False
    calls = Counter(match.groups() for line in lines if (match := _CALL.match(line)))
    if not calls:
        return False
    (indent, _), most = calls.most_common(1)[0]
    beside = sum(line.startswith(indent) and _BEGINS.match(line, len(indent)) is not None for line in lines)
    return most * _LINES_OF_ENTRY >= len(lines) and most >= _MOSTLY * beside


def _shared_lines(one: Chunk, other: Chunk) -> int:
    return min(one.end_line, other.end_line) - max(one.start_line, other.start_line) + 1


def _whole(parsed: ParsedFile, part: Chunk) -> Chunk:
    """Join all parts of a definition that was split for its length; of a table, a long value, a part will do."""
    if not part.symbol or part.kind in VALUES:
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
    taken = Taken(ranking.board.view)
    quotes = quotes_of(ranking.board.query.text)
    for place in answers(ranking, covered):
        chunk = taken.add(place, is_whole=bool(ranking.lines_meant(place.number)))
        if chunk is not None and quotes and not ranking.named[place.file]:
            chunk = _without_other_messages(ranking.board.view, place, chunk, quotes)
        if chunk is not None:
            yield Found(place, _without_other_routes(ranking, place, chunk))


def _without_other_routes(ranking: ChunkRanking, place: ChunkPlace, chunk: Chunk) -> Chunk:
    """Of a long table of routes only those that lead an endpoint of the request to its function, with some around."""
    lines = ranking.lines_meant(place.number) if chunk.end_line - chunk.start_line >= _LONG_TABLE else []
    if not lines:
        return chunk
    start, end = max(lines[0] - _ABOVE_ROUTE, chunk.start_line), min(lines[-1] + _BELOW_ROUTE, chunk.end_line)
    return replace(chunk, start_line=start, end_line=max(start, end))


def _without_other_messages(
    view: IndexView, place: ChunkPlace, chunk: Chunk, quotes: Sequence[tuple[str, ...]]
) -> Chunk | None:
    """Of translations only the message that a request quotes, with the lines around it; None where there is none."""
    file = view.files[place.file]
    if Trait.TRANSLATION not in file.traits or file.kind.lane is not Lane.CONFIG:
        return chunk
    lines = view.files.lines(file.path, chunk.start_line, chunk.end_line).split("\n")
    shares = [max(share_of_quotation(words, line) for words in quotes) for line in lines]
    if max(shares) < QUOTED_SHARE:
        return chunk if file.path.endswith(CATALOGUES) else None
    at = chunk.start_line + shares.index(max(shares))
    start, end = max(at - _AROUND_MESSAGE, chunk.start_line), min(at + _AROUND_MESSAGE, chunk.end_line)
    return replace(chunk, start_line=start, end_line=end)


def group_places(ranking: ChunkRanking, covered: Scores, limit: int) -> list[Found]:
    """Group the places of a list, up to ``limit`` of them, with the names of the matches next to each.

    A neighbour that the reader did not need costs a line of the screen, not a place of
    the list. The first places are the same for every greater ``limit``.
    """
    taken = Taken(ranking.board.view)
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
class Taken:
    """The exact chunks that are already taken, by file."""

    view: IndexView
    spans: dict[int, list[Chunk]] = field(default_factory=dict)

    @classmethod
    def of(cls, view: IndexView, places: Sequence[Found]) -> Taken:
        """Return what some places take."""
        taken = cls(view)
        for each in places:
            taken.spans.setdefault(each.place.file, []).append(each.chunk)
        return taken

    def count(self, file: int) -> int:
        """Return how many chunks of a file are taken."""
        return len(self.spans.get(file, ()))

    def add(self, place: ChunkPlace, *, is_whole: bool = False) -> Chunk | None:
        """Take the exact chunk of a place and return it, of a list all if ``is_whole``; None if a line is taken."""
        path, files = self.view.files[place.file].path, self.view.files
        lines = () if is_whole else files.all_lines(path)
        chunk = snap_to_chunk(self.view.postings.chunk(place.number), files.exact(path), lines)
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


TEMPLATES: Final = "html"
"""The language of templates of pages: most words in them are no names."""
_NAME: Final = lazy_pattern(r"[^\W\d]\w{2,}")
_DOCSTRING: Final = lazy_pattern(r'"""(?s:.)*?"""')


def text_in_place(view: IndexView, place: Found) -> str:
    """Return the lines of a place."""
    return view.files.lines(view.files[place.place.file].path, place.chunk.start_line, place.chunk.end_line)


def names_in_place(board: Board, user: Found) -> set[str]:
    """The names in the text of a place that it does not define itself; none where it is neither code nor a document.

    A comment or a document names what looks like code: its other words are prose.
    """
    file, chunk = board.view.files[user.place.file], user.chunk
    if file.kind.is_document:
        return {name for name in set(_NAME.findall(text_in_place(board.view, user))) if is_identifier(name)}
    if file.kind.lane is not Lane.CODE:
        return set()
    own = {
        each.name
        for each in board.view.files.exact(file.path).symbols
        if chunk.start_line <= each.start_line <= chunk.end_line
    }
    text = text_in_place(board.view, user)
    shaped = {name for name in set(_NAME.findall(text)) if is_identifier(name)}
    is_page = file.language == TEMPLATES
    return (shaped if is_page else shaped.union(_NAME.findall(_without_comments(text, file.language)))) - own


def _without_comments(text: str, language: str) -> str:
    """The lines of a text that are no comment, without docstrings and what a comment adds to a line."""
    marks = find_language(language).comments
    goes_on = ("*",) if "/*" in marks else ()  # as each line of a long comment begins
    lines = (line for line in _DOCSTRING.sub("", text).split("\n") if not line.lstrip().startswith((*marks, *goes_on)))
    ends = tuple(f" {mark}" for mark in marks)
    return "\n".join(min((line.partition(end)[0] for end in ends), key=len, default=line) for line in lines)


def found_at(board: Board, number: int) -> Found:
    """A chunk as a place, without points."""
    postings = board.view.postings
    return Found(ChunkPlace(number, int(postings.chunk_file[number]), 0.0, 0.0), postings.chunk(number))


def is_own_code(board: Board, place: Found, *, or_list: bool = False) -> bool:
    """Whether a place is code of the project itself, or a configuration or page that may list its files as well."""
    file = board.view.files[place.place.file]
    is_list = or_list and file.kind.lane is not Lane.TESTS and not is_record(file.path)
    return not file.traits and (file.kind.lane is Lane.CODE or is_list)


def is_chunk_of_tests(board: Board, number: int) -> bool:
    """Whether a chunk is a test, also one in a module of tests within a file of code."""
    file = board.view.files[int(board.view.postings.chunk_file[number])]
    symbol = board.view.postings.chunk(number).symbol
    return file.kind.lane is Lane.TESTS or find_language(file.language).is_of_tests(symbol)


def is_of_one_family(user: str, used: str) -> bool:
    """Whether code in one language can use what the other defines: they are the same or share a module system.

    A template may use what any language defines.
    """
    one, other = find_language(user), find_language(used)
    return one is other or one.name == TEMPLATES or (one.resolve is not None and one.resolve is other.resolve)


def meant_places(board: Board, places: Sequence[Found]) -> list[Found]:
    """Those of some places that define what the request names, or hold a message that it quotes.

    None where it has the frames of a stack: these are the callers.
    """
    if any(each.kind == "frame" for each in board.query.mentions):
        return []
    names, quotes = board.query.identifiers, quotes_of(board.query.text)
    return [each for each in places if last_name(each.chunk.symbol) in names or _is_quoted(board.view, each, quotes)]


def _is_quoted(view: IndexView, place: Found, quotes: Sequence[tuple[str, ...]]) -> bool:
    """Whether a place holds most of one of some quotations, given by their words."""
    text = text_in_place(view, place) if quotes else ""
    return any(share_of_quotation(words, text) >= QUOTED_SHARE for words in quotes)


_TOLD_OF_CASES: Final = 0.1  # of the heaviest word of the request, that what is told apart must say
_HELD_CASES, _NEARLY_ALL, _MANY = 0.6, 0.9, 8  # share that another place holds; of many common words nearly all
_FEW_HOLDING, _SHARE_HOLDING = 20, 0.02  # chunks, and their share of all, that hold what is not said everywhere
_MOST_PARTS: Final = 4  # chunks that a list is cut into


def cases_asked_for(board: Board, places: Iterable[Found]) -> frozenset[str]:
    """What one of some places tells apart: the one where that says most of the request.

    So ``switch (request.auth.mode)`` for another kind of authentication; none where no place does.
    """
    weights = {term: board.term_idf[term] * weight for term, weight in board.terms.items()}
    best, cases = _TOLD_OF_CASES * max(weights.values(), default=0.0), frozenset[str]()
    for each in places:
        for what, names in cases_in(text_in_place(board.view, each)):
            told = sum(weights.get(term, 0.0) for term in set(subtokens(what)))
            if told > best:
                best, cases = told, names
    return cases


def holders_of_cases(board: Board, cases: frozenset[str]) -> list[int]:
    """Return the chunks that hold most of what another one tells apart: those with most of it first, then the short.

    So do the parts of a list that is cut into some. Where most of it is said everywhere, such as add, change and
    delete, they must hold nearly all of many.
    """
    postings, found = board.view.postings, dict[int, set[str]]()
    spelled = {name: dict.fromkeys((name, name.replace("_", ""))) for name in sorted(cases)}
    holding = {
        name: {at for each in forms for at in postings.terms("word", each).docs.tolist()}
        for name, forms in spelled.items()
    }
    few = max(_FEW_HOLDING, _SHARE_HOLDING * len(postings.chunk_file))
    is_telling = sum(len(numbers) <= few for numbers in holding.values()) * 2 >= len(holding)
    for name, numbers in holding.items():
        for number in numbers:
            found.setdefault(number, set()).add(name)
    fewest, share = (FEWEST_CASES, _HELD_CASES) if is_telling else (_MANY, _NEARLY_ALL)
    least = max(fewest, share * len(cases))
    held = {number: names for number, names in found.items() if len(names) >= FEWEST_CASES}
    enough: dict[int, int] = {}
    for number in held:
        inside = postings.chunks_of(int(postings.chunk_file[number]))
        behind = range(number, min(number + _MOST_PARTS, inside.stop))
        parts, together = list[int](), set[str]()
        for part in takewhile(held.__contains__, behind):
            parts, together = [*parts, part], together | held[part]
            if len(together) >= least:
                enough |= {each: len(held[each]) for each in parts}
                break
    lengths = {number: postings.chunk(number).end_line - postings.chunk(number).start_line for number in enough}
    return sorted(enough, key=lambda number: (-enough[number], lengths[number], postings.chunk_file[number], number))


def beginning_of_list(board: Board, place: Found, names: frozenset[str]) -> Found:
    """Of a long list of names its first entries with what stands above: these show where one more belongs."""
    lines = text_in_place(board.view, place).split("\n")
    at = [number for number, line in enumerate(lines) if not names.isdisjoint(_NAME.findall(line.lower()))]
    if len(lines) <= _LONG_TABLE or not at:
        return place
    start, first = max(at[0] - _AROUND_MESSAGE, 0), place.chunk.start_line
    end = min(at[-1] + _AROUND_MESSAGE, start + _LONG_TABLE // 2, len(lines) - 1)
    return place._replace(chunk=replace(place.chunk, start_line=first + start, end_line=first + end))
