"""The whole way from a request to a report: one call a stage. Read this first."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ctxpack.budget import counter_of
from ctxpack.events import PackMade, Started, emit
from ctxpack.gather import Context, Gathered, orchestrate
from ctxpack.gather.registry import Registry, registry
from ctxpack.index import IndexView
from ctxpack.index.opening import open_repository
from ctxpack.model import Candidate, Discovery, Fragment, Pack, Query, RepositoryState, Request, Scope
from ctxpack.query.intent import defaults_of
from ctxpack.query.understand import understand
from ctxpack.rank import Meaning, Purpose, rank
from ctxpack.rank.outlook import doubt
from ctxpack.rank.rerank import candidates_to_rank, rerank
from ctxpack.rank.subject import depth, lane_shares
from ctxpack.redact.redaction import redact_fragments, redact_request
from ctxpack.render import renderer
from ctxpack.report.framing import ReportHeader, draft, with_final_frame, with_floor, with_times
from ctxpack.report.overview import repository_notes as remarks
from ctxpack.report.paging import Remainder
from ctxpack.select import PieceCounter, assemble, limits_of
from ctxpack.session.prompt import converse, keep_memory, with_prompt_budget
from ctxpack.settings import Settings
from ctxpack.system.clock import Clock, Progress, Stopwatch
from ctxpack.understand import change_of, check_request, prepare, query_of, search_text, with_messages


@dataclass(frozen=True, slots=True)
class PackRun:
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
    clock: Clock = time.time,
    discovery: Discovery | None = None,
) -> PackRun:
    """Make the report of a request, never over the budget. Raises CtxpackError.

    ``on_progress`` hears of long work: (stage, done, total). ``clock`` is asked for a session only. ``discovery`` is
    what was just found with the same settings: then nobody looks again.
    """
    emit(Started(request.scope.value, settings.root.name, settings.budget))
    run = _packed(request, settings, on_progress, clock, discovery)
    emit(_made(run))
    return run


def _packed(
    request: Request, settings: Settings, on_progress: Progress | None, clock: Clock, discovery: Discovery | None
) -> PackRun:
    known = registry(settings)
    check_request(request, settings, known)
    settings, watch = with_prompt_budget(settings), Stopwatch()
    gauge = PieceCounter(renderer(settings.format, line_numbers=settings.line_numbers), counter_of(settings))
    with open_repository(settings, on_progress, discovery) as view:
        watch.lap("index")
        change = change_of(request, settings, view)
        shown, asked = redact_request(with_messages(request, change), use=settings.use_redaction)
        query = prepare(query_of(asked, change, view), view, settings)
        watch.lap("understand")
        candidates, unranked = _ranked(query, search_text(asked), view, settings, Purpose.PACK, on_progress)
        watch.lap("rank")
        found = _gathered(Context(asked, query, view, settings, candidates, change), known)
        watch.lap("gather")
        pieces, removed = redact_fragments(found.fragments, use=settings.use_redaction)
        pieces = _compressible(pieces, view) if settings.compress else pieces
        watch.lap("redact")
        prompt = converse(shown, query, settings, gauge.counter, clock)
        notes = (*remarks(view, settings, change), *prompt.notes, *unranked, *found.notes)
        beside = ReportHeader(view, pieces, gauge, removed)
        frame = draft(shown, query, settings, replace(found, fragments=pieces), beside)
        frame = replace(frame, notes=notes, conversation=prompt.conversation)
        frame = replace(frame, notes=beside.notes(frame, pieces))
        choice = defaults_of(asked, query)
        shares, limits = lane_shares(query, view, settings.shares, choice), limits_of(settings, choice)
        packed, text = with_final_frame(*assemble(pieces, frame, gauge, shares, limits), beside)
        packed, text = with_floor(packed, text, pieces, limits, gauge)
        watch.lap("select")
        if settings.stats:
            packed, text = with_times(packed, watch.seconds, gauge)
        keep_memory(prompt, settings)
        packed = replace(packed, rest=Remainder(pieces, shares, settings))
        return PackRun(packed, text, candidates, watch.seconds, beside.statistics(packed))


def _gathered(context: Context, known: Registry) -> Gathered:
    """What the strategies find, behind what the settings require."""
    if not context.settings.require:
        return orchestrate(context, known)
    from ctxpack.gather.required import with_required

    return with_required(context, known)


def _compressible(pieces: tuple[Fragment, ...], view: IndexView) -> tuple[Fragment, ...]:
    """The pieces, each of which knows what it can do without."""
    from ctxpack.select.compressible import with_compressible_lines

    return with_compressible_lines(pieces, view.files.all_lines)


def _made(run: PackRun) -> PackMade:
    """What is told of a finished pack."""
    its = run.pack
    files = {each.provenance.path for each in its.selection.fragments}
    seconds = sum(run.seconds.values())
    return PackMade(len(its.selection.fragments), len(files), its.tokens_used, its.budget, seconds)


def search(text: str, settings: Settings, *, on_progress: Progress | None = None) -> SearchResult:
    """The best ``settings.limit`` matches of a text; none where nothing matches. Raises CtxpackError."""
    check_request(Request(Scope.TASK, text=text), settings, registry(settings))
    with open_repository(settings, on_progress) as view:
        query = prepare(understand(text), view, settings)
        candidates, unranked = _ranked(query, text, view, settings, Purpose.LIST, on_progress)
        return SearchResult(query, candidates[: settings.limit], view.state, (*settings.notes, *unranked))


def _ranked(
    query: Query, text: str, view: IndexView, settings: Settings, purpose: Purpose, on_progress: Progress | None
) -> tuple[tuple[Candidate, ...], tuple[str, ...]]:
    """By words, by meanings where they are asked for, then as the reranking command says; and what failed of these."""
    limit = depth(settings.budget) if purpose is Purpose.PACK else candidates_to_rank(settings.limit, settings)
    meaning = Meaning(settings, on_progress)
    found = rank(query, view, limit=limit, purpose=purpose, meaning=meaning)
    candidates, notes = rerank(text, found, view, settings, on_progress)
    return candidates, (*meaning.notes, *notes, *doubt(query, candidates, view))
