"""Why a candidate is relevant: its evidence in points, in words, and as confidence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from ctxpack.discover.traits import is_style_sheet
from ctxpack.index.postings import idf
from ctxpack.model import HELD_WORDS, Candidate, Confidence, Evidence, Kind, Lane, Query, Shape, SourceFile
from ctxpack.parse.languages import find_language
from ctxpack.query.precedents import precedent_of
from ctxpack.query.subtokens import is_identifier, raw_words, split
from ctxpack.rank.board import Board, Wording
from ctxpack.rank.chunks import ChunkPlace, ChunkRanking
from ctxpack.rank.file_scores import FileScores
from ctxpack.rank.installed import signal_of
from ctxpack.rank.meaning import MEANING_REASON
from ctxpack.rank.signals.names import MOST_HOLDING
from ctxpack.text import first_of, last_name

if TYPE_CHECKING:
    from ctxpack.index import IndexView
    from ctxpack.rank.bm25 import Scores

NEIGHBOURS: Final = "neighbours"
"""Not a signal: adjacent chunks that match as well and are listed with this one."""
USED_BY_BEST: Final = "used by the best"
"""Not a signal: it depends on which places are best by all signals."""
USED_NEARBY: Final = "used in its file"
"""That a use, one way or the other, is within a file, where both often become one piece: not shown as a reason."""
WORD_PAIRS: Final = "word pairs"
"""Words of the request that stand close together: depends on the best places too, and is not shown as a reason."""
TESTS_BEST: Final = "tests the best"
"""Not a signal either: a test of what the best places define."""
USES_BEST: Final = "uses the best"
"""Not a signal either: code that uses what the best places define."""
USES_MEANT: Final = "uses what is meant"
"""The same for what a question or a review names or quotes."""
PRECEDENT: Final = "chunk precedent"
"""The signal of what has the name of what a change is to resemble."""
SAME_CASES: Final = "same cases"
"""Code that lists what one of the best places tells apart, or a folder holds, where one more of it is wanted."""
MODEL: Final = "model"
"""A short file of the kind of which one more is wanted."""
RERANK: Final = "rerank"
"""The order of a reranking command: shown as a reason for all it names."""
RERANK_REST: Final = "rerank rest"
"""What the command did not name: not shown as a reason."""
_WORTH_TELLING: Final = 0.15  # of the points of the strongest


def is_located(candidate: Candidate) -> bool:
    """Whether the request says where a candidate is: by the path of its file, or by a frame of a traceback."""
    gained = {each.signal for each in candidate.evidence if each.points > 0}
    signals = [signal for name in sorted(gained) if (signal := signal_of(name)) is not None and signal.locates]
    return any(not signal.only_with or signal.only_with in gained for signal in signals)


def is_doubted(candidates: Sequence[Candidate]) -> bool:
    """Whether confidence is low only because of the outlook, not because of the scores."""
    if not candidates or any(each.confidence is not Confidence.LOW for each in candidates):
        return False
    return confidence_of(candidates[0].score) is not Confidence.LOW


def is_meant(candidate: Candidate) -> bool:
    """Whether a candidate was found by its meaning."""
    return any(evidence.reason == MEANING_REASON for evidence in candidate.evidence)


def is_spelled(view: IndexView, parts: Sequence[str]) -> bool:
    """Whether a name occurs in any spelling (``dry-run``, ``dryRun``), or its parts do in so many chunks together."""
    numbers = view.postings.chunks_with_all("sub", parts).tolist()
    if len(numbers) > MOST_HOLDING or len(view.postings.terms("word", "".join(parts)).docs):
        return True
    spelled = re.compile("[_ -]?".join(map(re.escape, parts)), re.IGNORECASE)
    places = ((view.files[int(view.postings.chunk_file[each])].path, view.postings.chunk(each)) for each in numbers)
    return any(spelled.search(view.files.lines(path, each.start_line, each.end_line)) for path, each in places)


_FEW_DEFINITIONS: Final = 3  # of a name: with more of them it is unclear which is meant
_SHORT_CLASS: Final = 80  # lines of a class that is meant as a whole where it is named


def is_named(candidate: Candidate, query: Query, view: IndexView) -> bool:
    """Whether the request names what a candidate defines or uses, or the short class around it, as code spells it.

    So does one that adds something like what it has: that is mostly needed wherever its model is.
    """
    file, chunk = candidate.file, candidate.chunk
    signals = {each.signal for each in candidate.evidence if each.points > 0}
    if USES_MEANT in signals or (PRECEDENT in signals and _is_place_of_name(candidate, query)):
        return True
    names = set(chunk.symbol.split(".")).intersection(query.identifiers)
    defining = (view.postings.terms("definition", name).docs for name in names if is_identifier(name))
    if file.kind.lane is not Lane.CODE or not any(0 < len(docs) <= _FEW_DEFINITIONS for docs in defining):
        return False
    around = (each for each in view.files.exact(file.path).symbols if each.name in names)
    spans = [(each.start_line, each.end_line) for each in around if each.start_line <= chunk.end_line <= each.end_line]
    return last_name(chunk.symbol) in names or any(last - first < _SHORT_CLASS for first, last in spans)


def _is_place_of_name(candidate: Candidate, query: Query) -> bool:
    """Whether a place with what a change is to resemble is code that no test holds, and that is told by its name."""
    file, chunk = candidate.file, candidate.chunk
    is_of_tests = find_language(file.language).is_of_tests(chunk.symbol)
    return file.kind is Kind.CODE and not is_of_tests and bool(precedent_of(query.text).names)


def reasons_of(match: Candidate, most: int) -> tuple[str, ...]:
    """Return at most ``most`` reasons, in the order of the evidence; none for weak evidence or for mere keywords.

    Of all costs only traits are shown, such as ``vendored``: that tests rank lower is not news.
    """
    gained = [each for each in match.evidence if each.points > 0 and _is_counted(each)]
    least = _WORTH_TELLING * max((each.points for each in gained), default=0.0)
    strong = [each for each in gained if each.points >= least]
    names = {each.signal for each in strong}
    distinct = [each for each in strong if _same_as(each) not in names]
    reasons = dict.fromkeys(reason for each in distinct if (reason := _concrete_reason(each, match)))
    put = [each.reason for each in match.evidence if each.signal == RERANK]
    held_back = [each.reason for each in match.evidence if each.signal == "trait"]
    neighbours = [each.reason for each in match.evidence if each.signal == NEIGHBOURS]
    return (*put, *tuple(reasons)[:most], *held_back, *neighbours)


def _concrete_reason(evidence: Evidence, match: Candidate) -> str:
    """A reason with the words and names behind it; empty where these are only the matched keywords."""
    signal, symbol = signal_of(evidence.signal), match.chunk.symbol
    wording = signal.wording if signal else Wording.REASON
    if wording is Wording.KEYWORDS:
        return ""
    if wording is Wording.NAME:
        return _words_held(HELD_WORDS[0], symbol or " ".join(match.chunk.heading), match.keywords)
    if wording is Wording.PATH:
        return _words_held(HELD_WORDS[1], match.file.path, match.keywords)
    return evidence.reason


def _is_counted(evidence: Evidence) -> bool:
    return not _is_prior(evidence) and evidence.signal not in (RERANK, RERANK_REST, USED_NEARBY, WORD_PAIRS)


def _is_prior(evidence: Evidence) -> bool:
    signal = signal_of(evidence.signal)
    return signal is not None and signal.is_prior


def _same_as(evidence: Evidence) -> str:
    signal = signal_of(evidence.signal)
    return signal.same_as if signal else ""


def _words_held(beginning: str, name: str, keywords: Iterable[str]) -> str:
    """Name the keywords that a name contains, after ``beginning``; empty for none."""
    held = ", ".join(_in(name, keywords))
    return f"{beginning} {held}" if held else ""


def _in(name: str, keywords: Iterable[str]) -> Iterator[str]:
    parts = {part for word in raw_words(name) for part in split(word)}
    return (word for word in keywords if word in parts)


LEAST: Final = 0.15
"""Below this share a file is no answer: it only has a common word of the request, such as ``http`` in a licence."""
_UNKNOWN_SHARE: Final = 0.8  # of a rare term's weight, for words that the repository never uses: often mere English


def coverage(board: Board) -> Scores:
    """For each file: the idf share (0..1) of the request's terms that its text or path contains.

    Another form or a synonym counts as the term itself. A long request is never covered by one file: there, and
    where the request has no terms, every file gets 1.
    """
    import numpy as np

    files = len(board.view.files)
    weights = {term: _weight(board, term) for term in board.query.terms}
    total = sum(weights.values())
    if board.query.shape is Shape.ISSUE or not total:
        return np.ones(files)
    covered = np.zeros(files)
    for term, weight in weights.items():
        holds = np.zeros(files, bool)
        for form in _forms(board, term):
            holds[board.view.postings.file_terms("sub", form).docs] = True
            holds[board.view.postings.file_terms("path", form).docs] = True
        covered += weight * holds
    return covered / total


def _weight(board: Board, term: str) -> float:
    files = len(board.view.files)
    holding = len(board.view.postings.file_terms("sub", term).docs)
    return idf(holding, files) if holding else _UNKNOWN_SHARE * idf(1, files)


def _forms(board: Board, term: str) -> Iterator[str]:
    yield term
    for expansion in board.query.expansions:
        if expansion.source == term or term in expansion.source.split():
            yield expansion.term


_KEYWORDS: Final = 8
_SHOWN_NAMES: Final = 3
_HIGH, _MEDIUM = 0.65, 0.25
"""Scores. Of 95 requests whose best place scores .65 or more, where the repository seems to hold an answer, nine of ten
packs hold a place that is needed; from .45 on it were 85 %."""


def evidence_of(
    place: ChunkPlace, ranking: ChunkRanking, neighbours: tuple[str, ...] = (), link: Evidence | None = None
) -> tuple[Evidence, ...]:
    """Return what gave or cost points, the strongest first and priors last; then the neighbours.

    ``link`` is what a better place gave it.
    """
    of_file = _of_file(place.file, ranking.board, ranking.files)
    ranked = _in_order(*of_file, *_of_chunk(place.number, ranking), *filter(None, (link,)))
    return (
        (*ranked, Evidence(NEIGHBOURS, 0.0, f"adjacent matches: {first_of(neighbours, _SHOWN_NAMES)}"))
        if neighbours
        else ranked
    )


def evidence_of_file(number: int, board: Board, files: FileScores) -> tuple[Evidence, ...]:
    """The same for a file as a whole, whether or not one of its chunks is compared."""
    return _in_order(*_of_file(number, board, files))


def keywords_of(board: Board, file: SourceFile, text: str) -> tuple[str, ...]:
    """The terms of the request and its expansions that path and text hold, the weightiest first."""
    present = {token for word in set(raw_words(f"{file.path} {text}")) for token in split(word)}
    weights = {term: board.term_idf[term] * weight for term, weight in board.terms.items() if term in present}
    return tuple(sorted(weights, key=lambda term: (-weights[term], term))[:_KEYWORDS])


def confidence_of(score: float) -> Confidence:
    """The confidence that follows from a score alone."""
    return Confidence.of(score, _HIGH, _MEDIUM)


def _in_order(*found: Evidence) -> tuple[Evidence, ...]:
    return tuple(sorted(found, key=lambda each: (_is_prior(each), -abs(each.points), each.signal)))


def _of_file(number: int, board: Board, files: FileScores) -> Iterator[Evidence]:
    for signal, gained in files.points.items():
        if gained[number] > 0:
            reason = files.reasons[signal].get(number, signal.reason)
            yield Evidence(signal.name, round(float(gained[number]), 3), reason)
    file, cost = board.view.files[number], float(files.costs[number])
    if cost > 0:
        yield Evidence("trait" if file.traits else "kind", round(-cost, 3), f"ranked lower as {_kind_name(file)}")


def _of_chunk(number: int, ranking: ChunkRanking) -> Iterator[Evidence]:
    for signal, share in ranking.signals_of(number):
        points = share * ranking.weight(signal)
        if points > 0:
            name = signal.defined(ranking.board, number) if signal.defined else ""
            yield Evidence(signal.name, round(points, 3), f"defines {name}" if name else signal.reason)
    if close := ranking.pair_points.get(number):
        yield Evidence(WORD_PAIRS, round(close, 3), "has words of the request close together")
    if meant := ranking.meaning_points.get(number):
        yield Evidence("chunk meaning", round(meant, 3), MEANING_REASON)


def _kind_name(file: SourceFile) -> str:
    kind = "style sheet" if is_style_sheet(file.path) else str(file.kind)
    return " ".join([*(str(trait) for trait in file.traits), kind])
