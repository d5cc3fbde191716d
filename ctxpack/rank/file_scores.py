"""Rank files by the weighted sum of the signals, minus the cost of their kind; and find one to copy for another."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ctxpack.discover.editions import (
    asynchronous_twins,
    edition_of,
    files_of_editions,
    holds_english_messages,
    outdated_documents,
    repeated_declarations,
    speaks_of,
)  # fmt: skip
from ctxpack.discover.traits import (
    STYLE_SHEETS,
    in_order,
    is_chore,
    is_licence_or_credits,
    is_record,
    is_way_in,
    is_workflow,
)  # fmt: skip
from ctxpack.light import dataclass, lazy_pattern, replace
from ctxpack.model import DOCUMENT_KINDS, Kind, Lane, Shape, Trait
from ctxpack.model.columns import FileTable
from ctxpack.parse.languages import LanguageRole, find_language
from ctxpack.query.dictionary import cue_pattern, is_cyrillic
from ctxpack.query.lookups import wants_structure
from ctxpack.query.parts import without_purpose
from ctxpack.query.precedents import kinds_wanted, precedent_of, quotes_of, wants_entry
from ctxpack.query.subtokens import split
from ctxpack.query.understand import Aim, aims_of, prepares_only
from ctxpack.rank.board import BestFiles, Board, Explained, Given, Purpose, Signal, in_time
from ctxpack.rank.signals.texts import newest_record, own_overviews
from ctxpack.rank.subject import Subject, subject_of
from ctxpack.rank.weights import BUILT_IN_TABLES, LONG_WORDS, OVERVIEW, WAY_IN, Costs, Tables, costs_for

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ctxpack.rank.bm25 import Scores

_FEWEST_SIBLINGS: Final = 4  # in a folder: fewer are no kind of things
_SHORTEST_MODEL, _LONGEST_MODEL = 0.4, 5_600  # a share of the median; bytes, of which 8,000 tokens show all
_NO_MODELS: Final = frozenset("abstract base common fake index interface mock mod noop null stub utils".split())  # noqa: SIM905
_TEST_SUBJECT_SHARE: Final = 0.1  # of the cost of tests, where the request is about tests


@dataclass(frozen=True)
class FileScores:
    """``total`` per file; ``attainable`` is the most points there were.

    ``reasons`` are specific to files, by signal; ``subject`` is what the request is about. ``tables`` are what the
    files were weighed with, and their chunks will be. ``ways_in`` are the files for whoever wants to build, test or
    contribute, if somebody does, and the changelog where an entry is to be written.
    """

    total: Scores
    points: Mapping[Signal[Any], Scores]
    reasons: Mapping[Signal[Any], Mapping[int, str]]
    costs: Scores
    attainable: float
    subject: Subject
    tables: Tables = BUILT_IN_TABLES
    ways_in: frozenset[int] = frozenset()


def score_files(board: Board, purpose: Purpose, tables: Tables = BUILT_IN_TABLES) -> FileScores:
    """Score every file of the view."""
    import numpy as np

    shape, subject = board.query.shape, subject_of(board.query, board.view)
    found: dict[Signal[Any], Explained]
    weighed = [signal for signal in tables.files if signal.weight(shape)]
    found = {signal: _points(signal, board, shape) for signal in in_time(weighed, board.view.keeper)}
    costs = _costs(board, subject, tables.costs[purpose, shape])
    ways_in = board.view.files.derive(_ways_in) if Aim.ONBOARD in subject.aims else []
    ways_in = sorted(frozenset(ways_in).difference(_find_outdated(board, subject))) if ways_in else []
    costs[ways_in] = np.minimum(costs[ways_in], 0.0) - WAY_IN
    if ways_in and prepares_only(board.query.text):
        costs[board.view.files.derive(_beside_ways_in)] += _NO_WAY_IN
    about = board.view.files.derive(own_overviews) if wants_structure(board.query.text) else []
    costs[about] = np.minimum(costs[about], 0.0) - OVERVIEW
    if wants_entry(board.query.text) and (newest := board.view.files.derive(newest_record)) is not None:
        costs[newest] = min(costs[newest], 0.0)
        ways_in = [*ways_in, newest]
    total = np.sum([each.scores for each in found.values()], axis=0) - costs
    found[tables.phrases] = _points(tables.phrases, BestFiles(board, total), shape)
    total = total + found[tables.phrases].scores
    best = BestFiles(board, total)
    for signal in in_time(tables.companions, board.view.keeper, least=0):
        if signal.weight(shape):
            found[signal] = _points(signal, best, shape)
            total = total + found[signal].scores
    points = {signal: each.scores for signal, each in found.items()}
    reasons = {signal: each.reasons for signal, each in found.items()}
    attainable = sum(signal.weight(shape) for signal, gained in points.items() if gained.any())
    return FileScores(total, points, reasons, costs, attainable, subject, tables, ways_in=frozenset(ways_in))


def _points(signal: Signal[Given], given: Given, shape: Shape) -> Explained:
    found = signal.explain(given)
    highest = signal.highest(given, found.scores)
    return replace(found, scores=found.scores * (signal.weight(shape) / highest)) if highest > 0 else found


def _costs(board: Board, subject: Subject, costs: Costs) -> Scores:
    import numpy as np

    costs = costs_for(costs, subject.aims)
    is_long = len(board.query.text.split()) >= LONG_WORDS
    spoken = ("ru", "uk") if is_cyrillic(board.query.text) else ()
    is_quoted = bool(quotes_of(board.query.text))
    files, entries = board.view.files, board.view.files.entries
    by_class = [_cost(costs, subject, each.kind, each.traits, is_long=is_long) for each in entries.classes]
    values: NDArray[np.float64] = np.array(by_class, np.float64)[entries.class_of]
    for at, (kind, _, traits) in enumerate(entries.classes if spoken or is_quoted else ()):
        bare = tuple(trait for trait in traits if trait is not Trait.TRANSLATION)
        for number in np.flatnonzero(entries.class_of == at).tolist() if bare != traits else ():
            path = entries.paths[number]
            if edition_of(path) in spoken or (is_quoted and holds_english_messages(path)):
                values[number] = _cost(costs, subject, kind, bare, is_long=is_long)
    for number, language in files.derive(files_of_editions):
        if language not in spoken:
            kind, _, traits = entries.classes[entries.class_of[number]]
            values[number] = _cost(costs, subject, kind, in_order([*traits, Trait.TRANSLATION]), is_long=is_long)
    values[files.derive(_records)] += costs.record
    values[files.derive(_built) + files.derive(_licences_and_credits)] += costs.out_of_way
    values[_find_outdated(board, subject) + _of_other_systems(board)] += costs.out_of_way
    wanted = without_purpose(board.query.text)
    for aims, words, find, cost in _ONLY_IF_ASKED:
        if subject.aims.isdisjoint(aims) and not words.search(wanted):
            values[files.derive(find)] += getattr(costs, cost)
    if _IN_CODE.search(board.query.text):
        values[entries.of_classes(lambda each: each.kind.is_document)] += _NOT_CODE
    return values


_REPORT: Final = cue_pattern("wants a form")


def _chores(files: FileTable) -> list[int]:
    """The forms for issues and proposed changes, and what agents are told."""
    parts = ("_template", "_TEMPLATE", "/agents/", "/commands/", "/prompts/", "/skills/")
    return sorted({at for part in parts for at in files.paths.holding(part) if is_chore(files.paths[at])})


def _records(files: FileTable) -> list[int]:
    """The documents that record the past, such as changelogs."""
    documents = files.of_classes(lambda each: each.kind in DOCUMENT_KINDS).tolist()
    return [number for number in documents if is_record(files.paths.listed[number])]


_BUILT: Final = (".js", ".mjs", ".cjs", ".css")
_SOURCE_MAPS: Final = tuple(f"{each}.map" for each in _BUILT)


def _built(files: FileTable) -> list[int]:
    """What a build wrote, by the source map of that name beside it: ``app.js`` and ``app.mjs`` by ``app.mjs.map``.

    A minified copy may well lie beside its source.
    """
    maps = [path for number in files.ending_with(_SOURCE_MAPS) if ".min." not in (path := files.paths.listed[number])]
    bundles = set(map(_up_to_dot, maps))
    if not bundles:
        return []
    own = set(files.of_classes(lambda each: not each.traits).tolist())
    found = (number for number in files.ending_with(_BUILT) if number in own)
    return [number for number in found if _up_to_dot(files.paths.listed[number]) in bundles]


def _up_to_dot(path: str) -> str:
    folder, slash, name = path.rpartition("/")
    return folder + slash + name.partition(".")[0]


_IN_CODE: Final = cue_pattern("place in code")
_NOT_CODE: Final = 3.0  # points that documents lose there
# A style sheet names every part of a page, and answers only what is about its look.
_LOOK: Final = cue_pattern("look of a page")
_STYLES_SHARE: Final = 0.25  # of the code: a project with more is about style sheets


def _style_sheets(files: FileTable) -> list[int]:
    """The style sheets of a project that is not mostly about them."""
    found = files.ending_with(STYLE_SHEETS)
    return found if len(found) <= _STYLES_SHARE * files.count_kinds()[Kind.CODE] else []


# A workflow has the words of all that it checks and publishes, and is where none of it is done.
_OF_CHECKS: Final = frozenset({Aim.ONBOARD, Aim.PIPELINE, Aim.EVERYWHERE, Aim.REVIEW})
_CHECKED: Final = cue_pattern("what checks do")


def _workflows(files: FileTable) -> list[int]:
    """The files that tell what continuous integration runs."""
    found = files.of_classes(lambda each: each.kind.lane is Lane.CONFIG).tolist()
    return [number for number in found if is_workflow(files.paths[number])]


def _lists_of_paths(files: FileTable) -> list[int]:
    """The files that tell git and others which paths to ignore, or how to treat them."""
    found: list[int] = files.of_classes(lambda each: each.language == "ignore").tolist()
    return found


# A change of code changes its declarations and twins too; else they only repeat what the code beside them has.
_CHANGES: Final = frozenset({Aim.CHANGE, Aim.EVERYWHERE, Aim.REVIEW})
_TYPES: Final = cue_pattern("types")
_LEFT_OUT: Final = cue_pattern("left out of git")
# Files that cost more unless a request has one of some aims, or certain words: what finds them, and which cost.
_ONLY_IF_ASKED: Final = (
    (frozenset({Aim.ONBOARD, Aim.REVIEW}), _REPORT, _chores, "record"),
    (_OF_CHECKS, _CHECKED, _workflows, "record"),
    (frozenset[Aim](), _LOOK, _style_sheets, "out_of_way"),
    (_CHANGES, _TYPES, repeated_declarations, "record"),
    (_CHANGES, cue_pattern("asynchronous code"), asynchronous_twins, "record"),
    (frozenset({Aim.EVERYWHERE}), _LEFT_OUT, _lists_of_paths, "record"),
)


def derive_in_steps(files: FileTable) -> Iterator[object]:
    """Find what ranking asks of the files whatever the request is, one thing after the other."""
    yield files.numbers
    asked = (outdated_documents, files_of_editions, _licences_and_credits, _records, _built)
    yield from map(files.derive, (*asked, *(find for *_, find, _ in _ONLY_IF_ASKED)))


def _licences_and_credits(files: FileTable) -> list[int]:
    """The licences, and the files that tell who helped or pays: not what the project does."""
    found = files.of_classes(lambda each: each.kind in DOCUMENT_KINDS or each.kind.lane is Lane.CONFIG).tolist()
    return [number for number in found if is_licence_or_credits(files.paths.listed[number])]


def _ways_in(files: FileTable) -> list[int]:
    """The files that tell how one builds, tests or contributes, but for examples and what is not the project's."""
    own = ((number, files.paths[number]) for number in files.of_classes(lambda each: not each.traits).tolist())
    return [number for number, path in own if is_way_in(path) and not is_record(path)]


# Code that builds, runs or checks the rest, by its folder or, at the top, by its name.
_TOOL: Final = lazy_pattern(
    r"(?:[^/]{1,80}/){0,2}(?:\.[^/]{1,40}|scripts?|tools?|tooling|bin|ci|hack|xtask|tasks|build[-_]\w{1,20})/.*"
    r"|(?:build|make|misc|maint\w{0,8}|contrib|support|etc|dev\w{0,8})/.*"
    r"|[^/]{0,40}(?:build|test|run|make|setup|task|nox|install|configure|bootstrap|dev|check|release|main|manage|start)[^/]{0,40}",
    re.IGNORECASE,
)
_IGNORING: Final = (".gitignore", ".dockerignore", ".npmignore", ".eslintignore", ".prettierignore")
_NO_WAY_IN: Final = 10.0  # points that code which is no tool loses where somebody only wants to build, run or test it


def _beside_ways_in(files: FileTable) -> list[int]:
    """The product, its tests and examples, and lists of ignored files: no guides, build files or tools."""
    paths = files.paths.listed
    code = files.of_classes(lambda each: each.kind is Kind.CODE).tolist()
    tests = files.of_classes(
        lambda each: each.kind is Kind.TEST and find_language(each.language).role is LanguageRole.CODE
    )
    product = {number for number in code if not _TOOL.fullmatch(paths[number])}
    product |= {number for number in tests.tolist() if not paths[number].endswith((".sh", ".ps1", ".bat", ".cmd"))}
    product.update(files.of_classes(lambda each: Trait.EXAMPLE in each.traits).tolist())
    return sorted(product.difference(_ways_in(files)).union(files.ending_with(_IGNORING)))


# How systems are called in paths, and the cues of who speaks of them.
_ALIASES: Final = {"win32": "windows", "macos": "darwin", "osx": "darwin"}
_SPOKEN: Final = {"linux": cue_pattern("linux"), "windows": cue_pattern("windows"), "darwin": cue_pattern("mac")} | {
    each: lazy_pattern(rf"\b{each}\b", re.IGNORECASE)
    for each in ("freebsd", "netbsd", "openbsd", "solaris", "android", "ios")
}
_OF_SYSTEM: Final = lazy_pattern(rf"(?i)(?:\A|[/_.-])({'|'.join((*_SPOKEN, *_ALIASES))})(?=[/_.-])")


def _of_systems(files: FileTable) -> Mapping[int, frozenset[str]]:
    """The files for some systems, by their paths; none where they are all for one."""
    names = (form for name in (*_SPOKEN, *_ALIASES) for form in (name, name.title()))
    likely = sorted({number for name in names for number in files.paths.holding(name)})
    named = ((number, map(str.lower, _OF_SYSTEM.findall(files.paths[number]))) for number in likely)
    found = {number: frozenset(_ALIASES.get(name, name) for name in held) for number, held in named}
    return found if len(frozenset[str]().union(*found.values())) > 1 else {}


def _of_other_systems(board: Board) -> list[int]:
    """The files for other systems than those that the request names."""
    wanted = {name for name, cue in _SPOKEN.items() if cue.search(board.query.text)}
    held = board.view.files.derive(_of_systems) if wanted else {}
    return [number for number, systems in held.items() if systems and systems.isdisjoint(wanted)]


def _find_outdated(board: Board, subject: Subject) -> list[int]:
    """The files of editions that a newer one replaces, unless the request is about that version or about versions."""
    if Aim.RECORD in subject.aims:
        return []
    older = board.view.files.derive(outdated_documents)
    wanted = {version for version in {version for _, version in older} if speaks_of(version, board.query.text)}
    return [number for number, version in older if version not in wanted]


def _cost(costs: Costs, subject: Subject, kind: Kind, traits: tuple[Trait, ...], *, is_long: bool) -> float:
    """The cost of a file for its kind and traits; none for a kind that the request is about."""
    traits = tuple(trait for trait in traits if trait is not Trait.EXAMPLE) if subject.examples else traits
    cost = costs.of(kind, traits, is_long=is_long)
    wants_documents = subject.documents or subject.only_documents
    if kind.is_document:
        return cost - costs.of(kind, (), is_long=is_long) if wants_documents else cost
    if kind is Kind.TEST:
        return cost - (1 - _TEST_SUBJECT_SHARE) * costs.tests if subject.tests else cost
    return cost + costs.code_for_documents if wants_documents else cost


class Siblings(NamedTuple):
    """Things of one kind: their files by name. ``folder`` has them; ``is_sure`` where all that was said fits it."""

    folder: str
    files: Mapping[str, Sequence[int]]
    is_sure: bool = False

    @property
    def names(self) -> frozenset[str]:
        """Their names of one word, without a mark that they are private."""
        bare = (name.removeprefix("_") for name in self.files)
        return frozenset(name for name in bare if name.isidentifier() and name[0] != "_")

    @property
    def are_folders(self) -> bool:
        """Whether most have a folder each: a file beside these helps them."""
        return sum(len(numbers) > 1 for numbers in self.files.values()) * 2 > len(self.files)


def siblings_of(board: Board, *, is_told: bool) -> Siblings:
    """The code in the folder called after the kind of which one more is wanted, or the files there that are.

    Of several folders the one whose path has most words of the kind, then the largest; nothing where that is small.
    Unless ``is_told`` that there are others, one word is not enough to be sure. None for a pasted traceback.
    """
    aims, is_failure = aims_of(board.query.text), any(each.kind == "frame" for each in board.query.mentions)
    kinds = () if is_failure else kinds_wanted(board.query.text)
    is_change = not aims.isdisjoint({Aim.CHANGE, Aim.EVERYWHERE})
    if not kinds or not (is_change or (is_told and Aim.EXPLAIN not in aims)):
        return Siblings("", {})
    forms = {form: kind for kind in kinds for form in _forms_of_kind(board, kind)}
    groups: dict[tuple[str, str, frozenset[str]], dict[str, list[int]]] = {}  # by folder, ending, words of the kind
    files = board.view.files.entries
    for number in files.find_called(forms, lambda each: each.kind is Kind.CODE and not each.traits):
        *folders, name = files.paths[number].split("/")
        said = [frozenset(forms[part] for part in split(each) if part in forms) for each in folders]
        *others, ending = ("", *split(stem := name.partition(".")[0]))
        if len(others) > 1 and ending in forms:
            key = "/".join(folders), ending, frozenset().union(*said, {forms[ending]})
            groups.setdefault(key, {}).setdefault(stem.lower(), []).append(number)
        for at in (at for at, folder in enumerate(folders, 1) if folder.lower().strip("_") in forms):
            key = "/".join(folders[:at]), "", frozenset().union(*said[:at])
            groups.setdefault(key, {}).setdefault([*folders, stem][at].lower(), []).append(number)
    enough = sorted(
        ((key, names) for key, names in groups.items() if len(names) >= _FEWEST_SIBLINGS),
        key=lambda each: (-len(each[0][2]), -len(each[1]), each[0][0]),
    )
    if not enough:
        return Siblings("", {})
    (folder, _, told), _ = enough[0]
    called = (each for each in enough if each[0][1] and f"{each[0][0]}/".startswith(f"{folder}/"))
    (folder, _, told), names = next(called, enough[0])
    known = {kind for form, kind in forms.items() if len(board.view.postings.terms("path", form).docs)}
    main = kinds[-1] if kinds[-1].isascii() else kinds[0]
    return Siblings(folder, names, is_sure=main in told and told >= known and (is_told or len(told) > 1))


def _forms_of_kind(board: Board, kind: str) -> tuple[str, ...]:
    """The words that folders of a kind may be called: also in the plural, and of a Russian word its translations."""
    further = (concept.further for concept in board.concepts if concept.forms[0][0] == kind and not kind.isascii())
    words = [kind, *(term for terms in further for term, _ in terms)]
    return tuple(form for word in words for form in (word, f"{word}s", word.removesuffix("s")))


def model_to_copy(board: Board, scores: FileScores, siblings: Siblings) -> int | None:
    """The file to copy for one more of a kind: the one that the request names as a model, if it does so.

    Else the best that is neither long nor much shorter than most, one with a test first; None where there is none.
    """
    files, precedent = board.view.files.entries, precedent_of(board.query.text)
    named = {part for name in (*precedent.names, *precedent.words) for part in split(name)}
    kind = siblings.folder.rpartition("/")[2].lower().removesuffix("s")  # what others implement may be called so
    own: dict[int, str] = {}
    for name, number in ((name, number) for name, numbers in siblings.files.items() for number in numbers):
        *folders, last = files.paths[number].removeprefix(f"{siblings.folder}/").split("/")
        parts = set(split(stem := last.partition(".")[0]))
        is_fit = _NO_MODELS.isdisjoint(parts) and name != kind and not stem.startswith("__")
        is_sibling = stem.lower() == name and bool(folders) is siblings.are_folders
        if is_sibling and is_fit and (not named or named <= parts or parts <= named):
            own[number] = name.strip("_")
    sizes = sorted(files.sizes[number] for number in own)
    least = _SHORTEST_MODEL * sizes[len(sizes) // 2] if sizes else 0
    tests = " ".join(each.path.rpartition("/")[2].lower() for each in files.of_kinds((Kind.TEST,)))
    fit = (number for number in own if least <= files.sizes[number] <= _LONGEST_MODEL)
    return max(fit, key=lambda number: (own[number] in tests, scores.total[number]), default=None)
