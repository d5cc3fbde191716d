"""Why one file is, or is not, in the pack of a task: the rule that hides it, or its rank and what it would take."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ctxpack.discover.named_paths import advice, ignored_by
from ctxpack.errors import NothingFoundError
from ctxpack.index import IndexView
from ctxpack.index.opening import mend_damage, open_repository
from ctxpack.light import dataclass, replace
from ctxpack.model import Candidate, Confidence, Evidence, Fragment, Request, Scope
from ctxpack.pipeline import PackRun, run_pack
from ctxpack.query.understand import defaults_of
from ctxpack.rank import Meaning, Purpose, rank
from ctxpack.rank.ranking import Standing, standing_of
from ctxpack.redact import redact_candidates, rules_of
from ctxpack.render.wording import place_label
from ctxpack.report.making import Remainder
from ctxpack.select.limits import limits_of, needed_scores
from ctxpack.settings import Settings
from ctxpack.settings.budget import counter_of
from ctxpack.system.clock import Progress, Ticket, Timekeeper
from ctxpack.text import printable
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
    """All that is known of a file and a task. ``rule`` hides the file; then everything else is empty.

    ``remarks`` report damage on disk, which does not affect the answer.
    """

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
    needed: float = 0.0  # the score below which its pieces are left out, however much room there is
    enough: int | None = None  # a budget at which the file is in the pack
    remarks: tuple[str, ...] = ()


def explain_absence(
    path: str, text: str, settings: Settings, on_progress: Progress | None = None, ticket: Ticket | None = None
) -> Verdict:
    """Explain what happened to the file at ``path`` (relative to the root) in the pack of a task. Raises CtxpackError.

    Reranking is left out: what a command answers has no reasons, and packs are made several times.
    """
    settings = replace(settings, rerank="")
    verdict = _known_verdict(path, text, settings, on_progress, ticket)
    if verdict.rule:
        return verdict
    run = _run_for(text, settings, ticket)
    pieces, remarks = (run.pack.selection.fragments, run.remarks) if run else ((), ())
    own = tuple(each for each in pieces if each.provenance.path == path)
    scored = sorted(
        (each for each in pieces if not each.required),
        key=lambda each: (each.provenance.score, each.provenance.path, each.provenance.start_line),
    )
    remarks = tuple(dict.fromkeys((*verdict.remarks, *remarks)))
    verdict = replace(verdict, pieces=own, weakest=scored[0] if scored else None, remarks=remarks)
    if own or verdict.ranked is None:
        return verdict
    needed = _needed_score(path, text, settings, run) if run else 0.0
    return replace(verdict, needed=needed, enough=_sufficient_budget(path, text, settings, ticket))


@mend_damage
def _known_verdict(
    path: str, text: str, settings: Settings, on_progress: Progress | None, ticket: Ticket | None
) -> Verdict:
    """Return what the index and the ranker know of the file."""
    with open_repository(settings, on_progress, keeper=Timekeeper(ticket=ticket)) as view:
        return replace(_ranked_verdict(path, text, settings, view), remarks=view.remarks)


def _ranked_verdict(path: str, text: str, settings: Settings, view: IndexView) -> Verdict:
    if view.files.get(path) is None:
        return rule_for(path, settings, view)
    query = understand_text(text, view, settings)
    ranked_first = rank(query, view, limit=_LISTED, purpose=Purpose.PACK, meaning=Meaning(settings))
    candidates = redact_candidates(ranked_first, rules_of(settings), view.keeper)
    standing = standing_of(query, view, path)
    best = next((each for each in candidates if each.file.path == path), None)
    evidence = best.evidence if best else standing.evidence if standing else ()
    ranked = _best_rank(best, candidates, view, settings) if best else None
    return Verdict(path, settings.budget, "", "", len(view.files), standing, ranked, evidence)


def rule_for(path: str, settings: Settings, view: IndexView) -> Verdict:
    """Return the rule that hides a file which is not searched."""
    return Verdict(path, settings.budget, _rule(path, settings, view), _hidden_folder(path, settings))


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


def _run_for(text: str, settings: Settings, ticket: Ticket | None) -> PackRun | None:
    """Make the pack of a task; None where nothing is found."""
    try:
        return run_pack(Request(Scope.TASK, text=text), settings, keeper=Timekeeper(settings.time_limit, ticket))
    except NothingFoundError:  # then nothing is in the pack
        return None


def _needed_score(path: str, text: str, settings: Settings, run: PackRun) -> float:
    """The score below which the pieces of a file are left out of a pack; 0 where none of them is, or none was found."""
    gathered = run.pack.rest.fragments if isinstance(run.pack.rest, Remainder) else ()
    choice = defaults_of(Request(Scope.TASK, text=text), run.pack.query)
    needed = needed_scores(gathered, limits_of(settings, choice))
    scores = [(each.provenance.score, least) for each, least in needed.items() if each.provenance.path == path]
    best, least = max(scores, default=(0.0, 0.0))
    return least if best < least else 0.0


def _sufficient_budget(path: str, text: str, settings: Settings, ticket: Ticket | None) -> int | None:
    """A budget at which the file enters, found by doubling and halving; None if it takes more than the largest."""

    def enters(budget: int) -> bool:
        run = _run_for(text, replace(settings, budget=budget), ticket)
        return run is not None and any(each.provenance.path == path for each in run.pack.selection.fragments)

    low, high = settings.budget, settings.budget * 2
    while high <= max(_LARGEST, 2 * settings.budget) and not enters(high):
        low, high = high, high * 2
    if high > max(_LARGEST, 2 * settings.budget):
        return None
    while high - low > high // _PRECISION:
        middle = (low + high) // 2
        low, high = (low, middle) if enters(middle) else (middle, high)
    return high


def sentences_of(verdict: Verdict, or_else: str = "run: ctxpack file {}") -> Iterator[str]:
    """Yield what became of a file, a line each: whether it is in the pack, its rank, what would include it.

    ``or_else`` is what else includes it, with ``{}`` for its path.
    """
    path = printable(verdict.path)
    if verdict.rule:
        yield f"{path} is not searched: {printable(verdict.rule)}."
        yield advice_for(verdict)
        return
    yield from _pack(verdict)
    yield _rank(verdict)
    for each in verdict.evidence:
        yield f"  {each.points:+.2f} {each.signal}: {printable(each.reason)}"
    if not verdict.pieces:
        yield from _ways_to_include(verdict, or_else)


def _pack(verdict: Verdict) -> Iterator[str]:
    path = printable(verdict.path)
    if not verdict.pieces:
        yield f"{path} is not in the pack of {verdict.budget:,} tokens."
        return
    yield f"{path} is in the pack of {verdict.budget:,} tokens:"
    for each in verdict.pieces:
        yield f"  {place_label(each.provenance)}, {each.form.value}, {each.tokens:,} tokens"


def _rank(verdict: Verdict) -> str:
    """The rank of the file, or why no piece of it is ranked."""
    ranked, standing = verdict.ranked, verdict.standing
    if ranked:
        return (
            f"It is number {ranked.rank} of {ranked.listed} files with matches ({verdict.files:,} were searched): "
            f"score {ranked.score:.2f}, {ranked.confidence.value} confidence, best at lines {ranked.start_line}-"
            f"{ranked.end_line}."
        )
    if standing is None:
        return "Nothing in the repository matches the request."
    if not standing.is_about:
        return "It contains too few words of the request."
    if standing.place > standing.compared:
        return (
            f"It is number {standing.place:,} of {verdict.files:,} files with {standing.points:.2f} points; "
            f"only pieces of the first {standing.compared} are compared, down to {standing.needed:.2f} points."
        )
    return "None of its pieces is a candidate for the pack."


def _ways_to_include(verdict: Verdict, or_else: str) -> Iterator[str]:
    """Yield what would include the file."""
    ranked, weakest = verdict.ranked, verdict.weakest
    if ranked and weakest:
        last = weakest.provenance
        yield (
            f"The weakest piece in the pack has score {last.score:.2f}: {place_label(last)}. "
            f"Its own best piece has {ranked.score:.2f} and would cost about {ranked.tokens:,} tokens."
        )
        if verdict.needed:
            needed = f"A piece like this needs a score of {verdict.needed:.2f} for this request"
            yield f"{needed}; --min-score 0 includes it where there is room."
        elif ranked.score >= weakest.provenance.score:
            yield "Pieces are chosen by value per token, so a short piece can win over a better one."
    if verdict.enough:
        yield f"A budget of {verdict.enough:,} tokens includes it."
    elif ranked:
        yield "None of the budgets that were tried includes it."
    another = or_else.format(printable(verdict.path))
    yield f"To include it, name it or something it defines in the request, or {another}"


def advice_for(verdict: Verdict) -> str:
    """Return what to do so that a file is read which a rule hides."""
    hidden = printable(verdict.hidden)
    return advice(verdict.rule) or f"To include it, change that rule or write !/{hidden} into .ctxpackignore."
