"""The limits that a user sets to the choice of pieces, apart from the budget."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from ctxpack.discover.traits import is_completion, is_record, is_way_in, is_workflow, of_path
from ctxpack.light import dataclass, lazy_pattern, replace
from ctxpack.model import Fragment, Kind, Trait
from ctxpack.query.subtokens import split
from ctxpack.query.understand import USUAL_DEFAULTS, Aim, PackDefaults
from ctxpack.select.pieces import count_telling_lines, is_covered, is_named_for, rest_of_definitions, span
from ctxpack.settings import DEFAULT_DUPLICATE, DEFAULT_OVERLAP, Settings


@dataclass(frozen=True, slots=True)
class Limits:
    """``duplicate`` and ``overlap``: from which similarity (0..1) to a piece of the pack another one is left out.

    ``duplicate`` is the share of their union that two pieces have in common, ``overlap`` the share of the shorter one
    that the longer one contains. Pieces below ``min_score`` stay out, and so do those below ``floor``, a part of the
    best score that the search gave, those below ``filler`` that are not among its best ``fewest``, and those of further
    files than ``max_files`` (0 for any number). With ``compress`` pieces may go without comments, blank lines and the
    like. Pieces that are only places to open are packed where ``takes_listed`` says so. By the ``aims`` of a request
    some kinds of pieces are filler, however few pieces there are. With ``keeps_copies`` nothing is a near-duplicate.
    ``leading`` is how many of the best pieces are never its tail; with 0 a pack has none.
    """

    duplicate: float = DEFAULT_DUPLICATE
    overlap: float = DEFAULT_OVERLAP
    min_score: float = 0.0
    max_files: int = 0
    compress: bool = False
    floor: float = 0.0
    filler: float = 0.0
    fewest: int = 0
    takes_listed: bool = True
    aims: frozenset[Aim] = frozenset()
    keeps_copies: bool = False
    leading: int = 0


DEFAULTS = Limits()
_LONGEST_BRIDGE, _OF_LINKS, _SHORT = 40, 20, 8  # lines; a short piece comes with one that it adjoins
# How many of the best pieces stay, whatever they score: one for so many tokens of the budget, and at least some. With 8
# pieces in 4,000 tokens all changed lines of 54 changes in other languages went from .13 to .07.
_TOKENS_PER_PIECE, _FEWEST = 500, 14
# Of the best score. Pages with less told nothing where one asks for the place that decides, or changes code, nor did
# anything but guides, build files and checks where one wants to build, test or contribute, nor pages beside the one
# that explains. Over 100 requests .218 of the lines are needed instead of .203; with .7 beside code three lose a place.
_BESIDE_CODE, _BESIDE_GUIDES, _BESIDE_DOCUMENTS = 0.6, 0.4, 0.5
_RECORDS = 0.9  # the same for changelogs, unless one asks for them: of 506 packs they held no needed line
_MADE: Final = frozenset({Trait.GENERATED, Trait.MINIFIED, Trait.VENDORED})  # and for such code beside any other
# So are short sections that only lead to other pages: they have the titles of what lies there.
_LINKS: Final = lazy_pattern(r"(?i)(?:.* > )?(?:see also|related(?: \w+)?|further reading|external links|learn more)")
# And for what continuous integration runs, where one wants to build or contribute: of 25 below it none was needed.
_RUN_BY_CHECKS = 0.9
# And for tests, unless one changes or reviews something: so no pack of 400 loses a needed line. Who reports a fault
# wants those of the best file: of 36 others in 436 packs none was needed, nor of 23 examples.
_TESTS, _EXAMPLES = 0.7, 0.75
_TESTED = frozenset({Aim.REVIEW, Aim.CHANGE, Aim.EVERYWHERE})
CHANGING = frozenset({Aim.CHANGE, Aim.EVERYWHERE})
_PAGES = frozenset({Kind.DOC, Kind.README, Kind.WIKI})  # what is specified holds for any change
_TOLD_AND_DONE = frozenset({Aim.EXPLAIN, Aim.WHERE})  # pages tell it, and code does it
_TOLD = frozenset({Aim.EXPLAIN, Aim.HOW_TO, Aim.ONBOARD})
_SHOWN, _SHOWN_BY_CODE = 3, 0.35  # pieces of code beside a page that explains, and their least share of the best score
# Of the floor, for what a request names, however few words it shares. Of 352 requests two more get all that they need
# and none loses a place, for 24 tokens each.
_NAMED = 0.5
# Of the best score of its file, in the best file, the second and all others: behind the leading pieces what is worth
# less is filler, and so is in those others, further behind, what has few tokens and scores less than that share of the
# best piece. Over 429 requests on 57 repositories these are 15 % of the pieces and 5 % of the lines, .170 of the lines
# are needed instead of .162, and one of 886 needed places is lost. Complex requests keep their tail: without it packs
# for 26 issues held 2 % fewer of the changed lines.
_OF_ITS_FILE = (0.55, 0.6, 0.8)
# The same for the parts of files that were taken for a question, where they can do without: one needed place of 60 had
# less, which a traceback names. Behind twice the leading ones one had less than half the best score of all, for a
# request of 51 words, and of a page none less than .69 of its best part where code is as good; with .7 to explain, two
# of 97 other questions lose the section that does. Packs for 52 of these have 6,200 tokens instead of 7,000.
_OF_PARTS, _OF_PAGES, _OF_TELLING_PAGES = (0.5, 0.5, 0.6), 0.7, 0.6
_OF_BEST, _OF_BEST_IF_LONG, _BEHIND_PARTS = 0.5, 0.4, 2
_SECTIONS_BESIDE_PLACE = 2  # of pages: none of six such questions whose places are known needs any
_STRONG = 0.65  # of the best score, for what the room that they leave is filled with
# Of the best score, where one only asks where something is: on 30 requests 4 of 1,892 needed lines of packs had less.
_BESIDE_PLACE = 0.5
_ASKED = frozenset({Aim.WHERE, Aim.HOW_TO})
_SEVERAL_PLACES = frozenset({Aim.CHANGE, Aim.EVERYWHERE, Aim.REVIEW, Aim.ONBOARD})
# How many pieces lead in a pack of the usual budget; one more for each further part of a larger one.
_LEADING, _USUAL_BUDGET, _TOKENS_PER_LEADING = 5, 8_000, 800
_LEAST_BUDGET = 6_000  # of a smaller pack every piece counts
# Times the leading pieces, behind which a question about a place or a way needs nothing (of 71 packs one lost a needed
# place, and .009 more of their lines are needed), and others no crumbs.
_BEHIND, _FEW_TOKENS = 1.6, 100
_CRUMBS = ((3, 0.75), (5, 0.6))  # lines with a word, and the best score's share that so few need: 436 packs needed none
# Definitions of one name in as many files of a folder are enough, for as many leading pieces: what implements one
# interface for conda, dart and docker fills a pack. Over 506 requests one pack loses a piece, none a needed one.
_ALIKE, _LEADING_FOR_ALIKE = 2, 5
SEARCH = "search"  # the strategy whose scores are those of the ranking


def limits_of(settings: Settings, choice: PackDefaults = USUAL_DEFAULTS) -> Limits:
    """The limits of the settings, and those of the choice where the settings have none."""
    return Limits(
        duplicate=settings.duplicate_threshold,
        overlap=settings.overlap_threshold,
        min_score=settings.min_score or 0.0,
        max_files=choice.max_files if settings.max_files is None else settings.max_files,
        compress=settings.compress,
        floor=choice.floor if settings.min_score is None else 0.0,
        filler=choice.filler if settings.min_score is None else 0.0,
        fewest=max(_FEWEST, settings.budget // _TOKENS_PER_PIECE),
        takes_listed=settings.min_score is not None,
        aims=choice.aims,
        keeps_copies=choice.keeps_copies,
        leading=0 if choice.keeps_tail else _leading_pieces(settings.budget),
    )


def _leading_pieces(budget: int) -> int:
    """How many of the best pieces of a pack of so many tokens are not its tail; 0 for one so small that it has none."""
    more = max(budget - _USUAL_BUDGET, 0) // _TOKENS_PER_LEADING
    return _LEADING + more if budget >= _LEAST_BUDGET else 0


def relevant_pieces(fragments: Sequence[Fragment], limits: Limits) -> list[Fragment]:
    """Keep the fragments that are relevant enough, and of the best files only where their number is limited.

    Required ones always stay, and count as files of the pack. Short ones that are not relevant enough may still close a
    gap between two others.
    """
    filler = below_floor(fragments, limits)
    enough = [each for each in fragments if each.required or each.provenance.score >= limits.min_score]
    enough = [each for each in enough if limits.takes_listed or not each.is_listed]
    bridges = {each: replace(each, is_bridge=True) for each in _between_others(enough, filler)}
    enough = [bridges.get(each, each) for each in enough if each not in filler or each in bridges]
    if not limits.max_files:
        return enough
    best: dict[str, tuple[bool, float]] = {}
    for each in enough:
        path = each.provenance.path
        best[path] = max(best.get(path, (False, 0.0)), (each.required, each.value))
    ranked = sorted(best, key=lambda path: (not best[path][0], -best[path][1], path))
    kept = {path for at, path in enumerate(ranked) if at < limits.max_files or best[path][0]}
    return [each for each in enough if each.provenance.path in kept]


def _between_others(fragments: Sequence[Fragment], filler: Collection[Fragment]) -> Iterator[Fragment]:
    """The short filler that lies between other pieces of its file."""
    first: dict[tuple[str, str], int] = {}
    last: dict[tuple[str, str], int] = {}
    for each in fragments if filler else ():
        if each not in filler:
            origin = each.provenance
            first[each.home] = min(first.get(each.home, origin.start_line), origin.start_line)
            last[each.home] = max(last.get(each.home, 0), origin.end_line)
    for each in filler:
        start, end = each.provenance.start_line, each.provenance.end_line
        is_inside = first.get(each.home, start) < start and end < last.get(each.home, 0)
        if is_inside and each.form.holds_lines and end - start < _LONGEST_BRIDGE:
            yield each


def below_floor(fragments: Sequence[Fragment], limits: Limits) -> frozenset[Fragment]:
    """The results of the search that are too weak; scores of other strategies do not measure relevance.

    What the request names is no filler, neither is the rest of a definition, nor a short piece that adjoins a better
    one: that one would lack a line or two.
    """
    needed = needed_scores(fragments, limits)
    weak = frozenset(each for each, score in needed.items() if each.provenance.score < score)
    weak = weak.difference(rest_of_definitions(fragments, weak))
    if not weak or not limits.filler:
        return weak
    found = [each for each in fragments if each.strategy == SEARCH]
    floor = limits.floor * max(each.provenance.score for each in found)
    named = (each for each in weak if each.is_named and each.provenance.score >= _NAMED * floor)
    return weak.difference(named, _short_beside_others(found, weak))


def needed_scores(fragments: Iterable[Fragment], limits: Limits) -> dict[Fragment, float]:
    """The score that each result of the search needs so as not to be too weak; without those that are required."""
    found = [each for each in fragments if each.strategy == SEARCH] if limits.floor else []
    if not found:
        return {}
    scores = sorted((each.provenance.score for each in found), reverse=True)
    best, last = max(found, key=_score_and_place), scores[limits.fewest - 1] if scores[limits.fewest :] else 0.0
    least = max(limits.floor * scores[0], min(limits.filler * scores[0], last))
    wants_both = Aim.ONBOARD not in limits.aims and not limits.aims.isdisjoint(_TOLD_AND_DONE)
    shown = _code_beside_pages(found, best) if wants_both else ()
    return {
        each: min(least, _SHOWN_BY_CODE * scores[0])
        if each in shown
        else max(least, max(_least_beside(each, best, limits), _least_share(each, best, limits)) * scores[0])
        for each in found
        if not each.required
    }


def _code_beside_pages(found: Sequence[Fragment], best: Fragment) -> Sequence[Fragment]:
    """The best pieces of code where a page is the best of all: how something works is told there, and done here."""
    code = [each for each in found if each.provenance.kind is Kind.CODE] if best.provenance.kind.is_document else []
    return sorted(code, key=_score_and_place, reverse=True)[:_SHOWN]


def _score_and_place(fragment: Fragment) -> tuple[float, str, int]:
    """A sort key: the best comes last, and of equals always the same one."""
    origin = fragment.provenance
    return origin.score, origin.path, origin.start_line


def _least_beside(fragment: Fragment, best: Fragment, limits: Limits) -> float:
    """The part of the best score that a piece needs which is hardly ever wanted; 0 for none.

    That is a record of the past, a list of links, what was made or runs checks, an example, a test of a fault.
    """
    origin, path, aims = fragment.provenance, fragment.provenance.path, limits.aims
    is_text, traits = origin.kind.is_document or path.lower().endswith(".txt"), of_path(path)
    is_past = is_text and ((Aim.RECORD not in aims and is_record(path)) or _only_leads_on(fragment))
    is_made = origin.kind is Kind.CODE and not _MADE.isdisjoint(traits) and not is_completion(path)
    if is_past or (is_made and _MADE.isdisjoint(of_path(best.provenance.path))):
        return _RECORDS
    if limits.filler and Aim.EVERYWHERE not in aims:
        if Trait.EXAMPLE in traits and Trait.EXAMPLE not in of_path(best.provenance.path):
            return _EXAMPLES
        if origin.kind is Kind.TEST and not aims and not is_named_for(path, best.provenance.path):
            return _TESTS
    return _RUN_BY_CHECKS if Aim.ONBOARD in aims and Aim.CHECKS not in aims and is_workflow(path) else 0.0


def _only_leads_on(fragment: Fragment) -> bool:
    """Whether a piece is a short section of links to other pages."""
    origin = fragment.provenance
    return origin.end_line - origin.start_line < _OF_LINKS and _LINKS.fullmatch(origin.symbol) is not None


def _least_share(fragment: Fragment, best: Fragment, limits: Limits) -> float:
    """The part of the best score that a result needs by its kind and the aims of the request; 0 for no limit."""
    path, kind, leading = fragment.provenance.path, fragment.provenance.kind, best.provenance.kind
    aims = limits.aims if limits.filler else frozenset[Aim]()
    is_guide = Aim.ONBOARD in aims and is_way_in(path) and kind is not Kind.README
    if kind is Kind.TEST and aims and aims.isdisjoint(_TESTED) and leading is not Kind.TEST and not is_guide:
        return _TESTS
    if Aim.ONBOARD in aims:
        return 0.0 if is_guide else _BESIDE_GUIDES
    if kind not in _PAGES:
        return 0.0
    if Aim.WHERE in aims or (not leading.is_document and not aims.isdisjoint(CHANGING)):
        return _BESIDE_CODE
    return _BESIDE_DOCUMENTS if Aim.EXPLAIN in aims and leading.is_document else 0.0


def weak_parts(taken: Sequence[Fragment], pieces: Sequence[Fragment], limits: Limits) -> frozenset[Fragment]:
    """What of the ``taken`` fragments its reader would rather not have: the tail of the ``pieces`` made of them.

    Of the parts of a file a question has no use for the weak ones either, that came because they lie beside better
    ones; and behind the leading ones for nothing that is much weaker than the best.
    """
    tail = weak_tail(pieces, limits)
    weak = frozenset(each for each in taken if is_covered(each, (piece for piece in tail if piece.home == each.home)))
    if not (limits.floor and limits.leading and is_only_asked(limits)):
        return weak
    found = [each for each in taken if each.strategy == SEARCH and not each.is_bridge]
    ranked = sorted(found, key=_score_and_place, reverse=True)
    needed = _needed_of_parts(ranked, _OF_PAGES if limits.aims.isdisjoint(_TOLD) else _OF_TELLING_PAGES)
    least = (_OF_BEST_IF_LONG if limits.filler else _OF_BEST) * ranked[0].provenance.score if ranked else 0.0
    parts = frozenset(
        each
        for at, each in enumerate(ranked)
        if at >= limits.leading and not (each.required or each.is_named)
        if each.provenance.score < max(needed[each], least if at >= _BEHIND_PARTS * limits.leading else 0.0)
    )
    shown = _code_beside_pages(ranked, ranked[0]) if ranked else ()
    parts = parts.difference(shown).union(_further_pages(ranked, limits))
    return weak.union(parts.difference(rest_of_definitions(taken, parts), _short_beside_others(ranked, parts)))


def _needed_of_parts(ranked: Sequence[Fragment], of_pages: float) -> dict[Fragment, float]:
    """The score that each part of a file needs beside the best of its file; of a page more where code answers too."""
    best: dict[tuple[str, str], float] = {}
    for each in ranked:
        best.setdefault(each.home, each.provenance.score)
    shares = {home: _OF_PARTS[min(at, len(_OF_PARTS) - 1)] for at, home in enumerate(best)}
    pages = _PAGES if _is_done(ranked) else frozenset()
    return {
        each: best[each.home] * (of_pages if each.provenance.kind in pages else shares[each.home]) for each in ranked
    }


def _is_done(ranked: Sequence[Fragment]) -> bool:
    """Whether code is nearly as good as the best piece of all: it does what pages tell of."""
    of_code = (each.provenance.score for each in ranked if each.provenance.kind is Kind.CODE)
    return bool(ranked) and max(of_code, default=0.0) >= _OF_PAGES * ranked[0].provenance.score


def _further_pages(ranked: Sequence[Fragment], limits: Limits) -> Sequence[Fragment]:
    """The sections of pages behind the best ones, where somebody only asks for a place and code has it."""
    is_place = Aim.WHERE in limits.aims and limits.aims.isdisjoint(_TOLD)
    pages = [each for each in ranked if each.provenance.kind in _PAGES and not (each.required or each.is_named)]
    return pages[_SECTIONS_BESIDE_PLACE:] if is_place and _is_done(ranked) else ()


def is_only_asked(limits: Limits) -> bool:
    """Whether a request asks for an explanation or a place, and wants nothing changed or judged."""
    return not limits.aims.isdisjoint(_TOLD_AND_DONE) and limits.aims.isdisjoint(_TESTED)


def strong_pieces(missed: Iterable[Fragment], taken: Iterable[Fragment], limits: Limits) -> list[Fragment]:
    """The missed results of the search that a question has a use for where weak parts of the ``taken`` ones go."""
    best = max((each.provenance.score for each in taken if each.strategy == SEARCH), default=0.0)
    found = (each for each in missed if each.strategy == SEARCH and not each.is_bridge)
    return [each for each in found if is_only_asked(limits) and each.provenance.score >= _STRONG * best]


def weak_tail(pieces: Sequence[Fragment], limits: Limits) -> frozenset[Fragment]:
    """The pieces of a finished choice that its reader would rather not have; none where every place is wanted.

    They are weak, or short, or implement what better ones do; or one place is wanted, and they are far from being it.
    What is required, what the request names, and what no search found stays.
    """
    if not (limits.floor and limits.leading) or Aim.EVERYWHERE in limits.aims:
        return frozenset()
    ranked = sorted(pieces, key=_score_and_place, reverse=True)
    best: dict[tuple[str, str], float] = {}  # of each file, the best file first
    for each in ranked:
        best.setdefault(each.home, each.provenance.score)
    shares = {home: _OF_ITS_FILE[min(at, len(_OF_ITS_FILE) - 1)] for at, home in enumerate(best)}
    top = max(best.values(), default=0.0)
    far = far_from_place(pieces, limits)
    is_question = not limits.aims.isdisjoint(_ASKED) and limits.aims.isdisjoint(_SEVERAL_PLACES)
    alike = frozenset(_further_implementations(ranked, limits))
    return frozenset(
        each
        for at, each in enumerate(ranked)
        if each.strategy == SEARCH and not (each.required or each.is_named)
        if each in far
        or _says_little(each, top)
        or (at >= limits.leading and each in alike)
        or (at >= limits.leading and each.provenance.score < shares[each.home] * best[each.home])
        or (at >= _BEHIND * limits.leading and (is_question or _is_crumb(each, shares[each.home], top)))
    )


def _is_crumb(fragment: Fragment, share: float, top: float) -> bool:
    """Whether a piece of another than the two best files is short, and clearly worse than the best piece."""
    return fragment.tokens <= _FEW_TOKENS and share == _OF_ITS_FILE[-1] and fragment.provenance.score < share * top


def _says_little(fragment: Fragment, top: float) -> bool:
    """Whether hardly a line of a piece of a file says anything, and it is worse than the best piece."""
    said, origin = count_telling_lines(fragment), fragment.provenance
    is_whole = len(fragment.text.encode()) >= origin.size > 0
    return not is_whole and any(said <= most and origin.score < share * top for most, share in _CRUMBS)


def far_from_place(fragments: Iterable[Fragment], limits: Limits) -> frozenset[Fragment]:
    """The results of the search that are no answer to who only asks where something is; none for other requests."""
    is_limited = bool(limits.floor and limits.leading)
    if not is_limited or Aim.WHERE not in limits.aims or not limits.aims.isdisjoint(_SEVERAL_PLACES):
        return frozenset()
    found = [each for each in fragments if each.strategy == SEARCH]
    least = _BESIDE_PLACE * max((each.provenance.score for each in found), default=0.0)
    return frozenset(each for each in found if each.provenance.score < least and not (each.required or each.is_named))


def _further_implementations(ranked: Iterable[Fragment], limits: Limits) -> Iterator[Fragment]:
    """The code that defines nothing but what better pieces, of several other files of its folder, define too.

    ``ranked`` has the best first. Where the request has the words of a name, it may be about each of them.
    """
    files: dict[tuple[str, str, str], set[str]] = {}
    most = _ALIKE * limits.leading // _LEADING_FOR_ALIKE
    for each in ranked:
        origin = each.provenance
        folder, _, file = origin.path.rpartition("/")
        names = [name.rpartition(".")[2] for name in origin.symbol.split(", ") if name]
        defining = [files.setdefault((folder, file.rpartition(".")[2], name), set()) for name in names]
        is_asked_for = any(set(split(name)) <= set(origin.keywords) for name in names)
        if (
            names
            and origin.kind is Kind.CODE
            and not is_asked_for
            and all(len(others - {origin.path}) >= most for others in defining)
        ):
            yield each
        for others in defining:
            others.add(origin.path)


def _short_beside_others(fragments: Iterable[Fragment], weak: Collection[Fragment]) -> Iterator[Fragment]:
    """The short weak pieces that adjoin one that is not weak."""
    edges = {(each.home, line) for each in fragments if each not in weak for line in span(each)}
    for each in weak:
        first, last = span(each)
        if (
            last - first < _SHORT
            and not _only_leads_on(each)
            and ((each.home, first - 1) in edges or (each.home, last + 1) in edges)
        ):
            yield each
