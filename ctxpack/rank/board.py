"""What a signal is, its input, each value computed once (terms and BM25 arrays of one query), and its result."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from enum import Enum, auto
from functools import cached_property
from typing import TYPE_CHECKING, Generic, TypeVar, cast

from ctxpack.index import IndexView
from ctxpack.index.postings import Postings, begins_run, distinct, idf
from ctxpack.light import TextEnum, dataclass
from ctxpack.model import Expansion, Query, Shape
from ctxpack.model.columns import FileTable, TextColumn
from ctxpack.query.subtokens import split
from ctxpack.rank.bm25 import (
    ChunkScores,
    Concept,
    Forms,
    Saturation,
    best_first,
    chunk_scores,
    concepts_of,
    covered_shares,
    holding,
    sum_scores,
)
from ctxpack.system.clock import RANK_END, Timekeeper, is_over

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ctxpack.index.postings import Numbers
    from ctxpack.rank.bm25 import Scores

_Derived = TypeVar("_Derived")
CHUNK_FIELD = Saturation(1.2, 0.6)
NAME_FIELD = Saturation(1.2, 0.3)
FILE_FIELD = Saturation(1.2, 0.75)
PATH_FIELD = Saturation(1.2, 0.6)
_MOST_ASKED = 60  # of the best files, as signals ask for them


class _Holders(dict["Forms", "Numbers"]):
    """The chunks that hold one of some terms, found when somebody asks for them."""

    def __init__(self, postings: Postings) -> None:
        super().__init__()
        self._postings = postings

    def __missing__(self, terms: Forms) -> Numbers:
        import numpy as np

        found = [self._postings.terms(field, term).docs for term, _ in terms for field in ("sub", "word")]
        self[terms] = distinct(np.concatenate(found)) if found else np.zeros(0, np.int32)
        return self[terms]


@dataclass(frozen=True, eq=False)
class Board:
    """One query against one view. Arrays over files are indexed by file number."""

    query: Query
    view: IndexView

    @cached_property
    def terms(self) -> Mapping[str, float]:
        """Subtokens of the request and of its expansions."""
        terms = dict(self.query.terms)
        for expansion in self.query.expansions:
            terms[expansion.term] = max(terms.get(expansion.term, 0.0), expansion.weight)
        return terms

    @cached_property
    def concepts(self) -> tuple[Concept, ...]:
        """The subtokens of the request, with the expansions of each."""
        found: list[Concept] = []
        by_source: dict[str, list[Expansion]] = {}
        for expansion in self.query.expansions:
            by_source.setdefault(expansion.source, []).append(expansion)
        for term, weight in self.query.terms.items():
            own = by_source.pop(term, [])
            shares = [(each, min(each.weight / weight, 1.0)) for each in own if weight > 0]
            forms = tuple((each.term, share) for each, share in shares if each.origin == "inflection")
            others = _group_forms((each, share) for each, share in shares if each.origin != "inflection")
            found.append(Concept(weight, ((term, 1.0), *forms), others))
        for expansions in by_source.values():  # those of several words, or of a word cut into subtokens
            heaviest = max(each.weight for each in expansions)
            others = _group_forms((each, each.weight / heaviest) for each in expansions)
            found.append(Concept(heaviest, others[0], others[1:]))
        return tuple(found)

    @cached_property
    def title(self) -> Mapping[str, float]:
        """Subtokens of the title, or of the whole request where there is no title."""
        return self.query.title or self.query.terms

    @cached_property
    def sub(self) -> ChunkScores:
        """BM25 of each chunk by subtokens."""
        return chunk_scores(self.view, "sub", self.concepts, CHUNK_FIELD)

    @cached_property
    def word(self) -> ChunkScores:
        """BM25 of each chunk by whole words."""
        return chunk_scores(self.view, "word", concepts_of(self.query.words), CHUNK_FIELD)

    @cached_property
    def name(self) -> ChunkScores:
        """BM25 of each chunk by its qualified name or heading path; no word is rarer there than in texts."""
        return chunk_scores(self.view, "name", self.concepts, NAME_FIELD, bound="sub")

    @cached_property
    def title_chunks(self) -> ChunkScores:
        """BM25 of each chunk by the subtokens of the title alone."""
        return chunk_scores(self.view, "sub", concepts_of(self.title), CHUNK_FIELD)

    @cached_property
    def chunks(self) -> ChunkScores:
        """Body, whole words and name of each chunk together."""
        parts = [(each.numbers, each.values) for each in (self.sub, self.word, self.name)]
        return sum_scores(parts, len(self.view.postings.chunk_file))

    @cached_property
    def coverage(self) -> ChunkScores:
        """For each chunk: the idf share of the request's concepts that it contains, each counted once."""
        return covered_shares(self.view, "sub", self.concepts)

    @cached_property
    def holders(self) -> Mapping[Forms, Numbers]:
        """For some terms, the chunks that hold one, or a name that is one as a whole: ``AutoBudget`` for autobudget."""
        return _Holders(self.view.postings)

    @cached_property
    def term_idf(self) -> Mapping[str, float]:
        """The rarity of each subtoken of the request among files."""
        total = len(self.view.files)
        return {term: idf(len(self.view.postings.file_terms("sub", term).docs), total) for term in self.terms}

    @cached_property
    def rarest(self) -> float:
        """The weight of the rarest word of the request that the repository holds, by its rarity among chunks."""
        postings = self.view.postings
        counts = (
            (each.weight, len(holding([postings.terms("sub", term) for term, _ in each.forms])))
            for each in self.concepts
        )
        return max((weight * idf(count, postings.live_chunks) for weight, count in counts if count), default=0.0)

    @cached_property
    def name_tokens(self) -> Mapping[int, tuple[tuple[str, ...], tuple[str, ...]]]:
        """The subtokens of file name and folder name, for each file whose name may contain a term."""
        files = self.view.files.entries
        starts = {term[:NAME_PREFIX] for term in self.terms}
        return {number: name_tokens(files.paths.listed[number]) for number in called_like(files, starts)}

    def derive(self, find: Callable[[Board], _Derived]) -> _Derived:
        """Return what a function finds on this board: signals of files and of chunks ask for it, it is found once."""
        if find not in self._derived:
            self._derived[find] = find(self)
        return cast("_Derived", self._derived[find])

    @cached_property
    def _derived(self) -> dict[object, object]:
        return {}

    def files_with(self, scores: Mapping[int, float]) -> Scores:
        """The scores of some files by their numbers; all others get nothing."""
        import numpy as np

        found = np.zeros(len(self.view.files))
        found[np.fromiter(scores, np.int64, len(scores))] = np.fromiter(scores.values(), np.float64, len(scores))
        return found

    def files_max(self, chunks: ChunkScores) -> Scores:
        """The best chunk of each file."""
        import numpy as np

        best = np.zeros(len(self.view.files))
        files, values = self._of_files(chunks)
        np.maximum.at(best, files, values)
        return best

    def files_sum(self, chunks: ChunkScores) -> Scores:
        """The sum over the chunks of each file."""
        import numpy as np

        files, values = self._of_files(chunks)
        return np.bincount(files, weights=values, minlength=len(self.view.files)).astype(np.float64)

    def files_decayed(self, chunks: ChunkScores, take: int, decay: float) -> Scores:
        """The sum of each file's best ``take`` chunks, the n-th weighted decay^n."""
        import numpy as np

        summed = np.zeros(len(self.view.files))
        files, rest = self._of_files(chunks)
        begins = begins_run(files)  # the chunks of one file follow each other
        starts, run = np.flatnonzero(begins), np.cumsum(begins) - 1
        for place in range(take if len(files) else 0):
            best = np.maximum.reduceat(rest, starts)
            summed[files[starts]] += best * decay**place
            bests = np.flatnonzero(rest == best[run])
            rest[bests[begins_run(run[bests])]] = 0.0  # one of each file
        return summed

    def _of_files(self, chunks: ChunkScores) -> tuple[Numbers, Scores]:
        """The files of the chunks of this state that have points, and the points."""
        files = self.view.postings.chunk_file[chunks.numbers]
        is_alive = files >= 0
        return files[is_alive], chunks.values[is_alive]


@dataclass(frozen=True, eq=False)
class BestFiles:
    """The input of signals that only look at the best files: all files by their points so far."""

    board: Board
    total: Scores

    def first(self, count: int) -> NDArray[np.int64]:
        """The best files, best first."""
        return self._best[:count] if count <= _MOST_ASKED else best_first(self.total, count)

    @cached_property
    def _best(self) -> NDArray[np.int64]:
        return best_first(self.total, _MOST_ASKED)


@dataclass(frozen=True, eq=False)
class Explained:
    """Scores, and for some files a reason of their own, which replaces that of the signal."""

    scores: Scores
    reasons: Mapping[int, str]


class Purpose(TextEnum):
    """What the chunks are ranked for."""

    LIST = "list"  # a person reads from the top
    PACK = "pack"  # pieces compete for room


class Wording(Enum):
    """How a signal is worded for the user."""

    REASON = auto()  # its reason
    KEYWORDS = auto()  # nothing: the matched keywords of the candidate say more than a sentence could
    NAME = auto()  # which keywords the name or heading holds
    PATH = auto()  # which keywords the path holds


Given = TypeVar("Given", Board, BestFiles)


@dataclass(frozen=True, slots=True)
class Signal(Generic[Given]):
    """A measure of relevance: its function, its weights, and all its properties.

    ``issue`` and ``question`` are points for a request of that shape; ``pack`` are points for either where pieces
    compete for room, so that the words of a piece itself count for more. ``floor`` is the least maximum that scores
    are divided by: a weak best match must not count as a full one. ``least`` is the same where it depends on the
    request: a name that holds "new" must not gain all points because no name holds the word that matters.
    """

    name: str  # also that of its evidence
    score: Callable[[Given], Scores | Explained | ChunkScores]  # of files, or of chunks
    issue: float
    question: float
    reason: str
    floor: float = 0.0
    least: Callable[[Given], float] | None = None
    pack: float | None = None  # as in a list
    wording: Wording = Wording.REASON
    defined: Callable[[Given, int], str] | None = None  # the name in the request that a chunk defines: its reason
    lines: Callable[[Given, int], Sequence[int]] | None = None  # the lines of a chunk that earn the points
    same_as: str = ""  # this one is not told where that signal is: it counts much the same
    is_prior: bool = False  # it holds whatever the request is: told last in the evidence, and never as a reason
    locates: bool = False  # the request says where the file is: its chunks are compared even if they hold no word of it
    names: bool = False  # the request names the file or what it defines: an answer, however little else it holds
    whole_from: float = 0.0  # share of its points from which the request is the whole name of the file; 0: never
    confirms: bool = False  # its points show that the repository holds what is asked for
    is_entrance: bool = False  # where a request comes in: what lies behind need not share its words to be as relevant
    only_with: str = ""  # in a pack the parts of a file share its points only where they have some of this signal

    def weight(self, shape: Shape, purpose: Purpose = Purpose.LIST) -> float:
        """The points this signal can give for a request of a shape."""
        if purpose is Purpose.PACK and self.pack is not None:
            return self.pack
        return self.issue if shape is Shape.ISSUE else self.question

    def explain(self, given: Given) -> Explained:
        """The scores of files, with the reasons of single ones, where it has some."""
        found = self.score(given)
        return found if isinstance(found, Explained) else Explained(cast("Scores", found), {})

    def highest(self, given: Given, scores: Scores | ChunkScores) -> float:
        """What scores are divided by."""
        least = self.least(given) if self.least else 0.0
        return max(float(scores.max(initial=0.0)), self.floor, least)


_LATE = "Ranking took longer than {:g} s, so it rests on less evidence."
_Item = TypeVar("_Item")


def in_time(items: Iterable[_Item], keeper: Timekeeper, *, least: int = 1) -> Iterator[_Item]:
    """Yield items until the time for ranking is up, but at least the first ``least``."""
    deadline = keeper.until(RANK_END)
    for at, item in enumerate(items):
        if at >= least and is_over(deadline) and deadline:
            keeper.cut(_LATE.format(deadline.seconds))
            return
        yield item


NAME_PREFIX = 3  # letters with which a part of a name and a term that is like it both begin
_SHORTEST_SHARE = 0.6  # a token that is a prefix of the other counts by length, at least this
_SMALL_LETTERS = 26
_SMALL = 0x20  # the bit that tells a small letter from a capital
_BITS = 5
_LETTER = (1 << _BITS) - 1  # the bits of a byte that tell small letters apart
_SPEAKS_FOR_ITS_FOLDER = frozenset({"__init__", "index", "mod", "main", "lib"})


def _group_forms(shares: Iterable[tuple[Expansion, float]]) -> tuple[Forms, ...]:
    """Join what is a form of one expansion with it; the others are alone."""
    groups: dict[str, list[tuple[str, float]]] = {}
    for each, share in shares:
        groups.setdefault(each.base or each.term, []).append((each.term, share))
    return tuple(map(tuple, groups.values()))


def called_like(files: FileTable, starts: Collection[str]) -> list[int]:
    """Return which files may have a word with one of these prefixes in their name or in that of their folder.

    There may be false positives, such as all names with letters outside ASCII, but no false negatives. To cut all the
    names of 38,600 files into words takes .11 s, this 5 ms.
    """
    import numpy as np

    folders = TextColumn.of(folder.rpartition("/")[2] for folder in files.folders[0])
    wanted = np.zeros((_LETTER + 1) ** NAME_PREFIX, bool)
    for start in filter(str.isascii, starts):
        first, last = _range_of(start)
        wanted[first:last] = True
    in_folder = np.zeros(len(folders), bool)
    in_folder[_holding(np.frombuffer(folders.data + b"\0", np.uint8), wanted)] = True
    found: list[int] = distinct(np.append(files.of_folders(in_folder), _holding(files.names, wanted))).tolist()
    return found


def _holding(text: NDArray[np.uint8], wanted: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return which of some names, each with a NUL behind it, hold three letters that are wanted, or one beyond ASCII.

    Three letters are also the last ones of a name with what is behind it: who wants fewer gets no false negatives. A
    small letter behind another letter begins no word.
    """
    import numpy as np

    letters = np.append(text & _LETTER, np.zeros(NAME_PREFIX - 1, np.uint8)).astype(np.uint16)
    codes = letters[2:] | letters[1:-1] << np.uint16(_BITS) | letters[:-2] << np.uint16(2 * _BITS)
    is_wanted = wanted[codes]
    is_small, is_letter = (each - np.uint8(ord("a")) < _SMALL_LETTERS for each in (text, text | _SMALL))
    is_wanted[1:] &= ~(is_small[1:] & is_letter[:-1])
    hits = np.flatnonzero((is_wanted | (text > 0x7F)) & (text != 0))  # noqa: PLR2004 -- of a letter outside ASCII
    return np.searchsorted(np.flatnonzero(text == 0), hits)


def alike(term: str, token: str) -> float:
    """1 for equal tokens, .6 to 1 where one is a prefix of the other, else 0."""
    if term == token:
        return 1.0
    short, long = sorted((term, token), key=len)
    if len(short) >= NAME_PREFIX and long.startswith(short):
        return max(_SHORTEST_SHARE, len(short) / len(long))
    return 0.0


def _range_of(start: str) -> tuple[int, int]:
    """The numbers of three letters that begin with some, one to three of them."""
    first = sum((ord(letter) & _LETTER) << _BITS * (NAME_PREFIX - 1 - at) for at, letter in enumerate(start))
    return first, first + (1 << _BITS * (NAME_PREFIX - len(start)))


def name_tokens(path: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The subtokens of a file's name without its suffixes, and those of its folder.

    Index and init files are called like their folder.
    """
    above, slash, name = path.rpartition("/")
    folder = above[above.rfind("/") + 1 :]
    stem = name.partition(".")[0] or name.lstrip(".")
    of_folder = split(folder) if slash else ()
    if slash and stem.lower() in _SPEAKS_FOR_ITS_FOLDER:
        return of_folder, of_folder
    return split(stem), of_folder
