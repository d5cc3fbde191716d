"""All weights of the ranker in one place, with their origin.

Signals are divided by their maximum over the repository before they are weighed, so a weight is the most points a
signal can give. The columns are for the shapes of a request. *Issue* weights start from those fitted on SWE-bench
Lite (300 issues) and were moved where the development sets together gained: issues in eight languages, changes of
documents, requests in Russian. *Question* and *symbol* weights were fitted on 599 short queries over 30 repositories,
moved only where no third of the repositories lost more than .6 points, and then rounded. Differences under 2 points are
noise on sets of this size.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ctxpack.light import dataclass, replace
from ctxpack.model import Kind, Shape, Trait
from ctxpack.query.understand import Aim
from ctxpack.rank.board import BestFiles, Board, Purpose, Signal, Wording
from ctxpack.rank.signals import endpoints, messages, names, relations, texts

_LEAST_NAME: Final = 0.5  # of what a name would gain with the rarest word of the request that the repository holds


FILE_SIGNALS: Final = (
    Signal("subtokens", texts.by_subtokens, 0.8, 0.6, "its text uses words of the request", wording=Wording.KEYWORDS),
    Signal(
        "words", texts.by_body_words, 1.0, 0.0, "its text contains whole words of the request", wording=Wording.KEYWORDS
    ),
    Signal("title", texts.by_title, 1.0, 0.0, "its text uses words of the title", wording=Wording.KEYWORDS),
    Signal("path", names.by_path_words, 1.0, 0.2, "its path contains words of the request", wording=Wording.PATH),
    Signal(
        "best chunk", texts.best_chunks, 1.5, 0.25, "one part of it contains many words of the request",
        wording=Wording.KEYWORDS,
    ),
    Signal(
        "chunks", texts.sum_of_best_chunks, 1.8, 0.8, "several parts of it match the request",
        wording=Wording.KEYWORDS,
    ),
    Signal(
        "title chunk", texts.best_title_chunks, 0.5, 0.0, "one part of it matches the title",
        wording=Wording.KEYWORDS,
    ),
    Signal(
        "similar name", names.similar_files, 0.0, 0.3, "a name or heading in it resembles the request",
        least=lambda board: _LEAST_NAME * board.rarest, wording=Wording.NAME,
    ),
    Signal(
        "identifiers", names.defining_files, 0.8, 1.4, "its file defines a name used in the request", floor=0.5,
        wording=Wording.KEYWORDS, names=True, confirms=True,
    ),
    Signal(
        "plain names", names.plain_files, 0.3, 0.2, "its file defines a name that is a word of the request",
        wording=Wording.KEYWORDS, names=True,
    ),
    Signal(
        "dotted name", names.dotted_files, 0.8, 0.7, "a dotted name in the request refers to its file", floor=1.0,
        names=True, confirms=True,
    ),
    Signal(
        "path mention", names.mentioned_paths, 3.0, 3.0, "the request names its path", floor=1.0, locates=True,
        names=True, confirms=True,
    ),
    Signal(
        "traceback", names.frame_files, 1.0, 1.0, "its file is named in the traceback", floor=1.0,
        locates=True, names=True, confirms=True, only_with="chunk traceback",
    ),
    Signal(
        "quotation", texts.quoting_files, 2.0, 1.0, "its file contains text that the request quotes", floor=1.0,
        confirms=True, only_with="chunk quotation",  # said in one place, it tells nothing of the others
    ),
    Signal(
        "message", messages.files_using_messages, 2.0, 2.0,
        "its file shows a text of the request, itself or by its key",
        floor=1.0, locates=True, names=True, confirms=True, only_with="chunk message", is_entrance=True,
    ),
    Signal(
        "endpoint", endpoints.serving_files, 2.0, 2.0, "its file answers or calls an endpoint of the request",
        floor=1.0, locates=True, names=True, confirms=True, only_with="chunk endpoint", is_entrance=True,
    ),
    Signal(
        "precedent", names.precedent_files, 3.0, 3.0, "its file has the name of what the change is to resemble",
        floor=1.0, names=True, confirms=True, only_with="chunk precedent",
    ),
    Signal(
        "guide to add", relations.guiding_files, 2.0, 2.0, "it tells how to add one", floor=1.0, names=True,
        only_with="chunk guide to add",
    ),
    Signal(
        "literal", texts.literal_files, 2.0, 2.0, "its file has an option, number or name of the request", floor=1.0,
        confirms=True, only_with="chunk literal",
    ),
    Signal(
        "version", texts.version_files, 3.0, 3.0, "it tells the version that is to change", floor=1.0, names=True,
        confirms=True, only_with="chunk version",
    ),
    Signal(
        "file name", names.file_names, 0.4, 0.8, "its name matches the request",
        wording=Wording.PATH, names=True, whole_from=0.95,  # nothing of name or request is left over
    ),
    Signal(
        "folder name", names.folder_names, 0.3, 0.3, "its name and folder contain words of the request",
        wording=Wording.PATH,
    ),
    Signal("commits", relations.votes, 0.7, 0.3, "commits with similar messages changed its file"),
    Signal(
        "commit words", relations.votes_by_all, 0.4, 0.2,
        "commits whose messages use words of the request changed its file", same_as="commits",
    ),
    Signal("recency", relations.recency, 0.7, 0.3, "it changed recently", is_prior=True),
    Signal("tests", relations.test_votes, 0.7, 0.0, "tests that match the request import its file"),
    Signal("imported", relations.importer_count, 0.0, 0.33, "many files import it", is_prior=True),
    Signal("size", texts.size_prior, 0.0, 0.6, "it contains a lot of code", is_prior=True),
)  # fmt: skip

COMPANIONS: Final = (
    Signal(
        "changed together", relations.changed_together, 0.5, 0.3, "it changed together with the best match", floor=0.2
    ),
    Signal("imported by the best", relations.imported_by_best, 0.4, 0.2, "the best matches import it", floor=0.3),
)
"""Computed from the best files by all other signals: what a fix changes is often one step behind what is named.

With them and "commit words", on 501 development tasks: all files among the first 3 / 5, issues in Python 81.5 / 87.9 →
83.2 / 89.0, in other languages 41.5 / 37.8 → 43.1 / 38.8, changes of documents 75.2 / 83.5 → 76.1 / 86.2. What tests or
documents that match speak of, whose definitions call a match or are called by it, and words that commit messages share
with paths gained nothing for files over all sets together; what the best pieces of a pack use does (``USED_POINTS``).
"""

PHRASES: Final = Signal(
    "phrases", texts.phrases, 0.6, 0.2, "its file contains phrases of the request verbatim", wording=Wording.KEYWORDS
)
"""Computed for the best files only, because it reads their texts."""

CHUNK_SIGNALS: Final = (
    Signal(
        "chunk subtokens", lambda board: board.sub, 0.75, 2.0, "uses words of the request", pack=1.5,
        wording=Wording.KEYWORDS,
    ),
    Signal(
        "chunk words", lambda board: board.word, 0.0, 1.0, "contains whole words of the request", pack=0.8,
        wording=Wording.KEYWORDS,
    ),
    Signal(
        "chunk name", lambda board: board.name, 0.0, 1.5, "its name resembles the request", pack=1.5,
        least=lambda board: _LEAST_NAME * board.rarest, wording=Wording.NAME,
    ),
    Signal(
        "chunk title", lambda board: board.title_chunks, 0.3, 0.0, "matches the title", pack=0.2,
        wording=Wording.KEYWORDS,
    ),
    Signal(
        "chunk identifiers", names.defining_chunks, 0.4, 2.0, "defines a name used in the request", floor=0.5, pack=0.7,
        defined=names.defined_name,
    ),
    Signal(
        "chunk plain names", names.plain_chunks, 0.2, 0.5, "defines a name that is a word of the request", pack=0.2,
        defined=names.defined_name,
    ),
    Signal(
        "chunk dotted name", names.dotted_chunks, 0.8, 2.5, "is named in the request with its class or module",
        floor=1.0, pack=0.8, defined=names.defined_name
    ),
    Signal("chunk traceback", names.frame_chunks, 0.9, 0.6, "is a function in the traceback", floor=1.0, pack=0.6),
    Signal(
        "chunk quotation", texts.quoting_chunks, 1.5, 1.0, "contains text that the request quotes", floor=1.0, pack=2.0
    ),
    Signal(
        "chunk message", lambda board: board.derive(messages.chunks_using_messages), 1.5, 1.5,
        "shows a text of the request, itself or by its key", floor=1.0, pack=3.0,
    ),
    Signal(
        "chunk endpoint", endpoints.serving_chunks, 1.5, 1.5, "answers or calls an endpoint of the request", floor=1.0,
        pack=3.0, lines=endpoints.lines_of_routes,
    ),
    Signal(
        "chunk precedent", names.precedent_chunks, 1.0, 1.0, "has the name of what the change is to resemble",
        floor=1.0, pack=4.0,
    ),
    Signal(
        "chunk guide to add", lambda board: board.derive(relations.guiding_chunks), 0.0, 0.0, "tells how to add one",
        floor=1.0, pack=3.0,
    ),
    Signal(
        "chunk literal", texts.literal_chunks, 0.0, 0.0, "has an option, number or name of the request",
        floor=1.0, pack=1.5,
    ),
    Signal("chunk version", texts.version_chunks, 1.0, 1.0, "tells the version that is to change", floor=1.0, pack=4.0),
    Signal(
        "chunk new entry", texts.entry_chunks, 1.0, 1.0, "a new entry of the changelog has its place here", floor=1.0,
        pack=2.0,
    ),
    Signal("chunk overview", texts.overview_chunks, 0.0, 0.0, "tells how parts work together", floor=1.0, pack=1.0),
    Signal("chunk guide", texts.guide_chunks, 0.0, 0.0, "is for those who work on the project", floor=1.0, pack=0.5),
    Signal(
        "chunk named class", relations.chunks_in_named_classes, 0.9, 0.9,
        "is part of a definition named in the request", floor=1.0, pack=1.2,
    ),
    Signal(
        "chunk declaration", relations.declaring_chunks, 0.0, 1.0, "declares what is to be implemented", floor=1.0,
        pack=2.5,
    ),
    Signal(
        "chunk coverage", lambda board: board.coverage, 0.0, 0.0, "contains most terms of the request", pack=1.0,
        wording=Wording.KEYWORDS,
    ),
)  # fmt: skip
"""Computed over the chunks of the best files. In a list a chunk's points add to those of its file.

"chunk guide": of 23 packs to build, test or contribute six have a larger share of needed lines, one a smaller.
"chunk declaration": of 429 labelled requests one gets a place more; with 1.7 points the interface came third or fourth.
"""

USED_POINTS: Final = 1.0
"""The maximum of points that a piece gains because one of the best pieces uses what it defines.

Measured together with "chunk coverage", the bound on common words in names, and a file share of .6 instead of .4 in
packs: of 20,000 characters filled by gain, the needed places are 58 → 63 % for 95 requests as people type them, and the
needed lines 75 → 78, 58 → 58, 80 → 85 and 59 → 63 % for issues in Python, in other languages, changes of documents and
requests in Russian (some 30 of each). With 2 points it is the same within noise. That a definition gains which no word
of the request led to gave one of 95 requests all that it needs, and cost none.
Where something is to be changed, what uses the best pieces gains as much: of 133 such requests six have more of the
lines that they need, one less; questions and reviews lose by it.
"""
TOLD_POINTS: Final = 3.0
"""The maximum of points that a definition gains because one of the best sections of a document names it.

It never comes before the section: where it could, the other pieces were too far behind and stayed out.
"""
TESTED_POINTS: Final = 2.0
"""The maximum of points that a test gains because it uses what the best pieces define, where a request speaks of tests.

With 1 point nothing changes in 95 requests, with 2 or 3 the tests of a change are packed for one more; sections of
documents that name the best pieces, where a request speaks of documents, gained nothing in the same way.
"""

CASES_POINTS: Final = 4.0
"""The maximum of points that code gains because it tells the same things apart as one of the best places.

Where somebody wants one more of them. None of 352 requests leads to such places. Of 30 tried on other repositories
nine did, six of them to the places that list the kinds of what was asked for; with 2 points some of these stayed out.
"""

BUILT_IN_SIGNALS: Final[Mapping[str, Signal[Any]]] = {
    each.name: each for table in (FILE_SIGNALS, COMPANIONS, (PHRASES,), CHUNK_SIGNALS) for each in table
}


@dataclass(frozen=True, slots=True)
class Blend:
    """How the points of a chunk and of its file are combined. Fitted with the chunk weights, on the same sets."""

    file_share: float  # what a point of the file is worth to its chunks
    rank_cost: float  # points lost per ln(1 + rank of the file)
    repeat_cost: float  # points the n-th chunk of a file loses per ln(1 + chunks before it)
    header_cost: float = 0.0  # points lost by imports and comments before the first definition
    class_cost: float = 0.0  # points lost by the head of a class: its methods are what changes
    long_class_cost: float = 0.0  # points lost by the long head of a class: a list of fields uses many words
    test_cost: float = 0.0  # points lost by tests within a file of code, unless the request is about tests
    own_share: float = 1.0  # of the chunk's own points
    pair_points: float = 0.0  # the most points for words of the request that stand close together


_QUESTION_BLEND: Final = Blend(1.0, 0.1, 6.0, header_cost=0.5, class_cost=0.5, own_share=0.15)
BLENDS: Final[Mapping[tuple[Purpose, Shape], Blend]] = {
    (Purpose.LIST, Shape.ISSUE): Blend(0.4, 0.8, 0.8, header_cost=1.0, class_cost=0.5),
    (Purpose.LIST, Shape.QUESTION): _QUESTION_BLEND,  # wants places, not one place in parts
    (Purpose.LIST, Shape.SYMBOL): replace(_QUESTION_BLEND, class_cost=0.0),  # a name may be that of a class
} | {
    (Purpose.PACK, shape): Blend(0.6, 0.4, 0.4, long_class_cost=1.0, test_cost=1.5, pair_points=0.5) for shape in Shape
}
"""With no class cost for symbols, and 2 instead of 1 points for a chunk that defines the name, a class comes before the
function that makes it and is called alike: NDCG@10 of 579 short queries .8855 → .8861, one better and none worse.

With ``pair_points``, of 319 labelled requests with an answer 13 have more of the places that they need in a pack of
8,000 tokens and eight less, and .197 instead of .191 of the packed lines are needed. Short queries, 160, and issues,
121, gain nothing by them in a list."""

_GUIDES: Final = frozenset((Kind.README, Kind.CONVENTIONS))
_OUT_OF_WAY: Final = frozenset((Trait.GENERATED, Trait.VENDORED, Trait.MINIFIED, Trait.LOCK, Trait.TRANSLATION))


@dataclass(frozen=True, slots=True)
class Costs:
    """The points that a file loses for its kind, unless the request is about that kind.

    Lower costs were measured as well: documents in one list with code at no cost lose 3 points of Acc@1; higher
    ones for documents gain code a point at most and lose documents two.
    """

    docs: float
    docs_in_long: float  # what documents lose where the request is long: then it is about what code does
    tests: float
    config: float
    example: float
    out_of_way: float
    code_for_documents: float  # what code loses where the request is about documents
    record: float = 2.0  # what changelogs lose: they name everything once
    code: float = 0.0
    guide: float = 0.0  # what readmes and rules for contributors lose compared with other documents

    def of(self, kind: Kind, traits: tuple[Trait, ...], *, is_long: bool = False) -> float:
        """The cost of one file, for a request that is not about documents or tests."""
        cost = (self.docs_in_long if is_long else self.docs) if kind.is_document else 0.0
        cost += self.guide if kind in _GUIDES else 0.0
        cost += self.code if kind is Kind.CODE else 0.0
        cost += self.tests if kind is Kind.TEST else 0.0
        cost += self.config if kind in (Kind.CONFIG, Kind.DATA) else 0.0
        cost += self.example if Trait.EXAMPLE in traits else 0.0
        return cost + (self.out_of_way if _OUT_OF_WAY.intersection(traits) else 0.0)


LONG_WORDS: Final = 80  # from which a request counts as long

_ISSUE_COSTS: Final = Costs(1.2, 3.0, 4.0, 2.0, 1.5, 3.0, 2.0)
_QUESTION_COSTS: Final = Costs(0.5, 0.5, 1.5, 1.0, 1.0, 1.5, 1.0)
_SYMBOL_COSTS: Final = replace(_QUESTION_COSTS, docs=0.7, docs_in_long=0.7)
_PACKED: Final = {"out_of_way": 3.0, "tests": 2.5}
COSTS: Final[Mapping[tuple[Purpose, Shape], Costs]] = {
    # In a list the tests of what an issue is about come after it: on 501 tasks with 8 instead of 4 the first file is
    # right in 63.6 % instead of 62.4 (issues in Python) and 68.6 instead of 68.1 (other languages), the others equal.
    # A pack holds as much of a change either way, and whoever changes code wants its tests with it.
    (Purpose.LIST, Shape.ISSUE): replace(_ISSUE_COSTS, tests=8.0),
    (Purpose.PACK, Shape.ISSUE): _ISSUE_COSTS,
    (Purpose.LIST, Shape.QUESTION): _QUESTION_COSTS,
    (Purpose.PACK, Shape.QUESTION): replace(_QUESTION_COSTS, **_PACKED),
    (Purpose.LIST, Shape.SYMBOL): _SYMBOL_COSTS,
    (Purpose.PACK, Shape.SYMBOL): replace(_SYMBOL_COSTS, **_PACKED),
}


# What a request is for moves what kinds lose. Fitted on 100 requests of all kinds together with issues and changes of
# documents, then on 459 requests; each figure is a step of half a point.
_AIMED: Final[Mapping[Aim, Mapping[str, float]]] = {
    Aim.ONBOARD: {"docs": -1.0, "docs_in_long": -1.0, "config": -1.0, "code": 2.0, "record": 2.0},
    Aim.EXPLAIN: {"docs": -0.5, "tests": 2.5},
    Aim.HOW_TO: {"docs": -0.5, "docs_in_long": -0.5, "code": 0.5, "example": -1.0, "tests": 2.5},
    Aim.WHERE: {"tests": 2.5},
    Aim.PIPELINE: {"config": -1.0, "code": 0.5},
    Aim.REVIEW: {"tests": -0.5},
    Aim.CHANGE: {"docs": 0.5},
    Aim.EVERYWHERE: {"docs": 0.5},
    Aim.RECORD: {"record": -2.0},
}


WAY_IN: Final = 2.0
"""The points that guides, build files and checks gain where somebody wants to build, test or contribute."""
OVERVIEW: Final = 3.0
"""The points that a document on the structure gains where somebody asks how the parts work together."""

# Whoever looks at a change wants its tests, however much of the text is a question.
_WITHOUT_TESTS: Final = frozenset({Aim.EXPLAIN, Aim.HOW_TO, Aim.WHERE})
# What is to be changed is mostly code, unless a page may tell how.
_OF_CODE: Final = frozenset({Aim.CHANGE, Aim.EVERYWHERE})
_TOLD_BY_PAGES: Final = frozenset({Aim.EXPLAIN, Aim.HOW_TO, Aim.ONBOARD})


def costs_for(costs: Costs, aims: frozenset[Aim]) -> Costs:
    """Adjust the costs to the aims of a request; only guides can gain by their kind."""
    moved = {name: getattr(costs, name) for name in ("docs", "docs_in_long", "tests", "config", "example", "record")}
    moved |= {"code": costs.code, "guide": costs.guide}
    aims = aims - _WITHOUT_TESTS if Aim.REVIEW in aims else aims
    for aim in sorted(aims if aims.isdisjoint(_TOLD_BY_PAGES) else aims - _OF_CODE):
        for name, step in _AIMED.get(aim, {}).items():
            moved[name] += step
    return replace(costs, **{name: value if name == "guide" else max(value, 0.0) for name, value in moved.items()})


@dataclass(frozen=True, slots=True)
class Tables:
    """All weights of a ranking. Ablations use other tables than the built-in ones."""

    files: tuple[Signal[Board], ...]
    phrases: Signal[BestFiles]
    companions: tuple[Signal[BestFiles], ...]
    chunks: tuple[Signal[Board], ...]
    costs: Mapping[tuple[Purpose, Shape], Costs]
    blends: Mapping[tuple[Purpose, Shape], Blend]


BUILT_IN_TABLES: Final = Tables(FILE_SIGNALS, PHRASES, COMPANIONS, CHUNK_SIGNALS, COSTS, BLENDS)
