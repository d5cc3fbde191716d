"""Why one file is, or is not, in the pack of a task: the rule that hides it, or its rank and what it would take."""

from __future__ import annotations

from typing import Final

from ctxpack.discover.named_paths import ignored_by
from ctxpack.errors import NothingFoundError
from ctxpack.index import IndexView
from ctxpack.index.opening import open_repository
from ctxpack.light import dataclass, replace
from ctxpack.model import Candidate, Confidence, Evidence, Fragment, Request, Scope
from ctxpack.pipeline import run_pack
from ctxpack.rank import Meaning, Purpose, rank
from ctxpack.rank.candidates import Standing, standing_of
from ctxpack.settings import Settings
from ctxpack.settings.budget import counter_of
from ctxpack.understand.request import understand_text

_LISTED: Final = 400  # pieces that the largest pack is chosen from
_LARGEST: Final = 128_000  # tokens up to which a sufficient budget is looked for
_PRECISION: Final = 20  # the budget found is at most a twentieth too high


@dataclass(frozen=True, slots=True)
class Ranked:
    """The best piece of a file. ``rank`` counts the files of the list from 1; ``tokens`` are those of its text."""

    rank: int
    listed: int
    score: float
    confidence: Confidence
    start_line: int
    end_line: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """All that is known of a file and a task. ``rule`` hides the file; then everything else is empty."""

    path: str
    budget: int
    rule: str = ""
    hidden: str = ""  # the path, or the folder around it with a slash, that the rule hides
    files: int = 0  # that were searched
    standing: Standing | None = None
    ranked: Ranked | None = None
    evidence: tuple[Evidence, ...] = ()
    pieces: tuple[Fragment, ...] = ()  # of the file, in the pack
    weakest: Fragment | None = None  # the piece of lowest score in the pack
    enough: int | None = None  # a budget at which the file is in the pack


def explain_absence(path: str, text: str, settings: Settings) -> Verdict:
    """Explain what happened to the file at ``path`` (relative to the root) in the pack of a task. Raises CtxpackError.

    Reranking is left out: what a command answers has no reasons, and packs are made several times.
    """
    settings = replace(settings, rerank="")
    with open_repository(settings) as view:
        verdict = _known_verdict(path, text, settings, view)
    if verdict.rule:
        return verdict
    pieces = _pieces_for(text, settings)
    own = tuple(each for each in pieces if each.provenance.path == path)
    scored = sorted(
        (each for each in pieces if not each.required),
        key=lambda each: (each.provenance.score, each.provenance.path, each.provenance.start_line),
    )
    verdict = replace(verdict, pieces=own, weakest=scored[0] if scored else None)
    if own or verdict.ranked is None:
        return verdict
    return replace(verdict, enough=_sufficient_budget(path, text, settings))


def _known_verdict(path: str, text: str, settings: Settings, view: IndexView) -> Verdict:
    """Return what the index and the ranker know of the file."""
    if view.files.get(path) is None:
        return Verdict(path, settings.budget, _rule(path, settings, view), _hidden_folder(path, settings))
    query = understand_text(text, view, settings)
    candidates = rank(query, view, limit=_LISTED, purpose=Purpose.PACK, meaning=Meaning(settings))
    standing = standing_of(query, view, path)
    best = next((each for each in candidates if each.file.path == path), None)
    evidence = best.evidence if best else standing.evidence if standing else ()
    ranked = _best_rank(best, candidates, view, settings) if best else None
    return Verdict(path, settings.budget, "", "", len(view.files), standing, ranked, evidence)


def _rule(path: str, settings: Settings, view: IndexView) -> str:
    skipped = next((each.reason for each in view.skipped if each.path == path), "")
    if not skipped and settings.paths is not None:
        return "not among the listed files"
    return skipped or ignored_by(settings, path) or "not a file of this repository"


def _hidden_folder(path: str, settings: Settings) -> str:
    """The outermost folder around the path that is hidden as a whole, else the path itself."""
    names = path.split("/")
    folders = ("/".join(names[:depth]) for depth in range(1, len(names)))
    return next((f"{folder}/" for folder in folders if ignored_by(settings, folder)), path)


def _best_rank(best: Candidate, candidates: tuple[Candidate, ...], view: IndexView, settings: Settings) -> Ranked:
    order = list(dict.fromkeys(each.file.path for each in candidates))
    chunk = best.chunk
    text = view.files.lines(best.file.path, chunk.start_line, chunk.end_line)
    tokens = counter_of(settings).count(text)
    rank_of_file = order.index(best.file.path) + 1
    return Ranked(rank_of_file, len(order), best.score, best.confidence, chunk.start_line, chunk.end_line, tokens)


def _pieces_for(text: str, settings: Settings) -> tuple[Fragment, ...]:
    try:
        return run_pack(Request(Scope.TASK, text=text), settings).pack.selection.fragments
    except NothingFoundError:
        return ()


def _sufficient_budget(path: str, text: str, settings: Settings) -> int | None:
    """A budget at which the file enters, found by doubling and halving; None if it takes more than the largest."""

    def enters(budget: int) -> bool:
        pieces = _pieces_for(text, replace(settings, budget=budget))
        return any(each.provenance.path == path for each in pieces)

    low, high = settings.budget, settings.budget * 2
    while high <= max(_LARGEST, 2 * settings.budget) and not enters(high):
        low, high = high, high * 2
    if high > max(_LARGEST, 2 * settings.budget):
        return None
    while high - low > high // _PRECISION:
        middle = (low + high) // 2
        low, high = (low, middle) if enters(middle) else (middle, high)
    return high
