"""The whole way from a request to a report: one call a stage. Read this first."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ctxpack.budget import counter_of
from ctxpack.events import OnEvent, PackMade, Started, emit, told_to
from ctxpack.framing import Beside, draft, settled, with_floor, with_times
from ctxpack.gather import Context, Gathered, orchestrate
from ctxpack.gather.asked import check, words
from ctxpack.gather.diffs.reviewing import change_of, told, understood
from ctxpack.gather.remarks import notes as remarks
from ctxpack.health import OnHealth
from ctxpack.index import IndexView, Progress
from ctxpack.index.opening import opened
from ctxpack.model import Candidate, Fragment, Pack, Query, RepositoryState, Request, Scope
from ctxpack.paging import Remainder
from ctxpack.prompting import Clock, converse, keep, with_prompt_budget
from ctxpack.query.defaults import choice_of
from ctxpack.query.understand import understand
from ctxpack.rank import Meaning, Purpose, rank
from ctxpack.rank.depth import depth
from ctxpack.rank.lanes import lane_shares
from ctxpack.rank.prepare import prepare
from ctxpack.redact.fragments import redact_fragments
from ctxpack.redact.requests import redact_request
from ctxpack.render import renderer
from ctxpack.rerank import rerank, reranked_from
from ctxpack.select import Gauge, assemble, limits_of
from ctxpack.settings import Settings
from ctxpack.stopwatch import Stopwatch


@dataclass(frozen=True, slots=True)
class Report:
    """A finished pack, its text in the format of the settings, and the ranking it was chosen from, best first.

    ``stats`` say what became of what was gathered, also where the text had no room for them; ``seconds`` are those of
    each stage, in order: the only thing here that differs from run to run.
    """

    pack: Pack
    text: str
    candidates: tuple[Candidate, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict, compare=False)
    stats: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search found, best first, and in which state of the repository."""

    query: Query
    candidates: tuple[Candidate, ...]
    state: RepositoryState
    notes: tuple[str, ...] = ()


def pack(
    request: Request,
    settings: Settings,
    *,
    on_progress: Progress | None = None,
    on_event: OnEvent | None = None,
    on_degraded: OnHealth | None = None,
    clock: Clock = time.time,
) -> Report:
    """The report of a request, never over the budget. Raises CtxpackError.

    ``on_progress`` hears of long work: (stage, done, total); ``on_event`` of what ``ctxpack.events`` names, and
    ``on_degraded`` of outside parts that are not normal. ``clock`` is asked for a session only.
    """
    with told_to(on_event, on_degraded):
        emit(Started(request.scope.value, settings.root.name, settings.budget))
        report = _packed(request, settings, on_progress, clock)
        emit(_made(report))
        return report


def _packed(request: Request, settings: Settings, on_progress: Progress | None, clock: Clock) -> Report:
    check(request, settings)
    settings, watch = with_prompt_budget(settings), Stopwatch()
    gauge = Gauge(renderer(settings.format, line_numbers=settings.line_numbers), counter_of(settings))
    with opened(settings, on_progress) as view:
        watch.lap("index")
        change = change_of(request, settings, view)
        shown, asked = redact_request(told(request, change), use=settings.use_redaction)
        query = prepare(understood(asked, change, view), view, settings)
        watch.lap("understand")
        candidates, unranked = _ranked(query, words(asked), view, settings, Purpose.PACK, on_progress)
        watch.lap("rank")
        found = _gathered(Context(asked, query, view, settings, candidates, change))
        watch.lap("gather")
        pieces, removed = redact_fragments(found.fragments, use=settings.use_redaction)
        pieces = _compressible(pieces, view) if settings.compress else pieces
        watch.lap("redact")
        prompt = converse(shown, query, settings, gauge.counter, clock)
        notes = (*remarks(view, settings, change), *prompt.notes, *unranked, *found.notes)
        beside = Beside(view, pieces, gauge, removed)
        frame = draft(shown, query, settings, replace(found, fragments=pieces), beside)
        frame = replace(frame, notes=notes, conversation=prompt.conversation)
        frame = replace(frame, notes=beside.notes(frame, pieces))
        choice = choice_of(asked, query)
        shares, limits = lane_shares(query, view, settings.shares, choice), limits_of(settings, choice)
        packed, text = settled(*assemble(pieces, frame, gauge, shares, limits), beside)
        packed, text = with_floor(packed, text, pieces, limits, gauge)
        watch.lap("select")
        if settings.stats:
            packed, text = with_times(packed, watch.seconds, gauge)
        keep(prompt, settings)
        packed = replace(packed, rest=Remainder(pieces, shares, settings))
        return Report(packed, text, candidates, watch.seconds, beside.statistics(packed))


def _gathered(context: Context) -> Gathered:
    """What the strategies find, behind what the settings require."""
    if not context.settings.require:
        return orchestrate(context)
    from ctxpack.gather.required import with_required

    return with_required(context)


def _compressible(pieces: tuple[Fragment, ...], view: IndexView) -> tuple[Fragment, ...]:
    """The pieces, each of which knows what it can do without."""
    from ctxpack.compress.spare import with_spare

    return with_spare(pieces, view.all_lines)


def _made(report: Report) -> PackMade:
    """What is told of a finished pack."""
    its = report.pack
    files = {each.provenance.path for each in its.selection.fragments}
    seconds = sum(report.seconds.values())
    return PackMade(len(its.selection.fragments), len(files), its.tokens_used, its.budget, seconds)


def search(text: str, settings: Settings, *, on_progress: Progress | None = None) -> SearchResult:
    """The best ``settings.limit`` matches of a text; none where nothing matches. Raises CtxpackError."""
    check(Request(Scope.TASK, text=text), settings)
    with opened(settings, on_progress) as view:
        query = prepare(understand(text), view, settings)
        candidates, unranked = _ranked(query, text, view, settings, Purpose.LIST, on_progress)
        return SearchResult(query, candidates[: settings.limit], view.state, (*settings.notes, *unranked))


def _ranked(
    query: Query, text: str, view: IndexView, settings: Settings, purpose: Purpose, on_progress: Progress | None
) -> tuple[tuple[Candidate, ...], tuple[str, ...]]:
    """By words, by meanings where they are asked for, then as the reranking command says; and what failed of these."""
    limit = depth(settings.budget) if purpose is Purpose.PACK else reranked_from(settings.limit, settings)
    meaning = Meaning(settings, on_progress)
    found = rank(query, view, limit=limit, purpose=purpose, meaning=meaning)
    candidates, notes = rerank(text, found, view, settings, on_progress)
    return candidates, (*meaning.notes, *notes)
