"""The whole way from a request to a report: one call a stage. Read this first."""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import partial

from ctxpack.events import SILENT, Observer, PackMade, Started
from ctxpack.gather import Context, gather, strategies_of
from ctxpack.index.opening import keeper_of, mend_damage, open_repository
from ctxpack.light import dataclass, field, replace
from ctxpack.model import Candidate, Discovery, Pack, Query, RepositoryState, Request, Scope
from ctxpack.rank.ranking import prepare_in_steps, rank_for_list, rank_for_pack
from ctxpack.redact import make_visible, mark_injections, redact_candidates, redact_fragments, redact_state, rules_of
from ctxpack.report.making import Material, make_report, with_prompt_budget
from ctxpack.settings import Settings
from ctxpack.system.clock import Clock, Progress, Stopwatch, Timekeeper
from ctxpack.understand.request import check_request, understand_request, understand_text


@dataclass(frozen=True, slots=True)
class PackRun:
    """A finished pack, its text in the format of the settings, and the ranking it was chosen from, best first.

    ``total`` is the line that sums it up. ``stats`` say what became of what was gathered, also where the text had no
    room for them; ``seconds`` are those of each stage, in order: the only thing here that differs from run to run.
    ``remarks`` tell of damage on disk. ``is_cut`` says that something took too long or changed meanwhile: another run
    may give another report.
    """

    pack: Pack
    text: str
    total: str
    candidates: tuple[Candidate, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict, compare=False)
    stats: Mapping[str, int] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search found, best first, and in which state of the repository."""

    query: Query
    candidates: tuple[Candidate, ...]
    state: RepositoryState
    notes: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


@mend_damage
def run_pack(
    request: Request,
    settings: Settings,
    *,
    observer: Observer = SILENT,
    clock: Clock = time.time,
    discovery: Discovery | None = None,
    keeper: Timekeeper | None = None,
) -> PackRun:
    """Make the report of a request, never over the budget. Raises CtxpackError.

    ``observer`` hears of the run. ``clock`` is asked for a session only. ``discovery`` is what was just found with the
    same settings: then nobody looks again. ``keeper`` keeps the time, if the run is a part of a longer one.
    """
    keeper = keeper or keeper_of(settings)
    observer.emit(Started(request.scope.value, settings.root.name, settings.budget))
    strategies = strategies_of(settings)
    check_request(request, settings, keeper)
    settings, watch = with_prompt_budget(settings), Stopwatch()
    about, steps = f"{request.text} {request.path} {request.name}", partial(prepare_in_steps, request.text, settings)
    opened = settings, observer.on_progress, discovery, keeper, about, steps
    with keeper.explaining(), open_repository(*opened) as view:
        watch.lap("index")
        asked = understand_request(request, view, settings)
        watch.lap("understand")
        is_asked = request.scope is Scope.TASK  # a file or component is there, of a change nobody says that it is
        ranking = rank_for_pack(asked.query, asked.text, view, settings, observer, is_asked=is_asked)
        watch.lap("rank")
        near, further = ranking.nearest
        context = Context(asked.request, asked.query, view, settings, near, asked.change, observer, further)
        found = gather(context, strategies)
        watch.lap("gather")
        rules = rules_of(settings)
        candidates = redact_candidates(ranking.candidates, rules, keeper)
        pieces, removed = redact_fragments(found.fragments, rules, keeper)
        pieces = mark_injections(make_visible(pieces), use=settings.flag_injections)
        watch.lap("redact")
        material = Material(asked, ranking, replace(found, fragments=pieces), tuple(removed), found.fragments)
        finished = make_report(material, view, settings, clock, watch)
        is_cut = keeper.is_cut or view.is_passing
    pack, chosen = finished.pack, finished.pack.selection
    seconds = sum(watch.seconds.values())
    observer.emit(PackMade(len(chosen.fragments), len(chosen.paths), pack.tokens_used, pack.budget, seconds))
    its = pack, finished.text, finished.total, candidates, watch.seconds, finished.stats, view.remarks
    return PackRun(*its, is_cut)


@mend_damage
def search(
    text: str, settings: Settings, *, on_progress: Progress | None = None, keeper: Timekeeper | None = None
) -> SearchResult:
    """Return the best ``settings.limit`` matches of a text; none where nothing matches. Raises CtxpackError."""
    keeper = keeper or keeper_of(settings)
    strategies_of(settings)
    check_request(Request(Scope.TASK, text=text), settings)
    with keeper.explaining(), open_repository(settings, on_progress, keeper=keeper, about=text) as view:
        query = understand_text(text, view, settings)
        ranking = rank_for_list(query, text, view, settings, Observer(on_progress))
        notes = (*settings.notes, *keeper.notes, *ranking.notes)
        candidates = redact_candidates(ranking.candidates, rules_of(settings), keeper)
        return SearchResult(query, candidates, redact_state(view.state, rules_of(settings)), notes, view.remarks)
