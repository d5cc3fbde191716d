"""The whole way from a request to a report: one call a stage. Read this first."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from ctxpack.budget import counter_of, estimate_of
from ctxpack.discover import discover
from ctxpack.gather import Context
from ctxpack.gather.asked import check, words
from ctxpack.gather.remarks import notes as remarks
from ctxpack.gather.required import with_required
from ctxpack.gather.reviewing import change_of, told, understood
from ctxpack.gather.tree import tree
from ctxpack.index import IndexView, Progress, open_index
from ctxpack.index.buffers import with_buffers
from ctxpack.index.memory import cache_of, known_files
from ctxpack.index.status import IndexStatus, clear, index_status, rebuild, update
from ctxpack.model import Candidate, Fragment, Pack, Query, RepositoryState, Request, Scope, Selection
from ctxpack.prompting import Clock, converse, keep, with_prompt_budget
from ctxpack.paging import Gathered
from ctxpack.query.understand import understand
from ctxpack.rank import Meaning, Purpose, rank
from ctxpack.rank.lanes import lane_shares
from ctxpack.rank.prepare import prepare
from ctxpack.redact.fragments import redact_fragments
from ctxpack.redact.requests import redact_request
from ctxpack.render import renderer
from ctxpack.rerank import rerank, reranked_from
from ctxpack.select import Gauge, assemble, finish
from ctxpack.settings import Settings
from ctxpack.statistics import shares, statistics, times
from ctxpack.stopwatch import Stopwatch

__all__ = [
    "IndexStatus", "Report", "SearchResult", "clear", "embed", "index_status", "opened", "pack", "rebuild", "search",
    "update",
]  # fmt: skip

_TOKENS_PER_CANDIDATE, _FEWEST, _MOST = 60, 60, 400  # how many candidates a budget calls for
_TOKENS_IN_A_WINDOW = 240  # the same, of a budget as large as a model's window


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
    request: Request, settings: Settings, *, on_progress: Progress | None = None, clock: Clock = time.time
) -> Report:
    """The report of a request, never over the budget. Raises CtxpackError.

    ``on_progress`` hears of long work: (stage, done, total). ``clock`` is asked for a session only.
    """
    check(request, settings)
    settings = with_prompt_budget(settings)
    watch = Stopwatch()
    gauge = Gauge(renderer(settings.format, line_numbers=settings.line_numbers), counter_of(settings))
    with opened(settings, on_progress) as view:
        watch.lap("index")
        change = change_of(request, settings, view)
        shown, asked = redact_request(told(request, change), use=settings.use_redaction)
        query = prepare(understood(asked, change, view), view, settings)
        watch.lap("understand")
        meaning = Meaning(settings, on_progress)
        ranked = rank(query, view, limit=_how_many(settings.budget), purpose=Purpose.PACK, meaning=meaning)
        candidates, unranked = rerank(words(asked), ranked, view, settings, on_progress)
        watch.lap("rank")
        found = with_required(Context(asked, query, view, settings, candidates, change))
        watch.lap("gather")
        fragments, notes = redact_fragments(found.fragments, use=settings.use_redaction)
        its = replace(settings, use_tree=settings.use_tree and "tree" in found.strategies)
        watch.lap("redact")
        prompt = converse(shown, query, settings, gauge.counter, clock)
        draft = _draft(shown, query, view, its, fragments)
        draft = replace(draft, notes=(*remarks(view, settings, change), *prompt.notes), conversation=prompt.conversation)
        draft = replace(draft, stats={**shares(settings), **statistics(fragments, draft, gauge)})
        packed, text = assemble(
            fragments,
            replace(draft, notes=(*draft.notes, *meaning.notes, *unranked, *found.notes, *notes)),
            gauge,
            lane_shares(query, view, settings.shares),
        )
        packed, text = _with_final_frame(packed, text, view, gauge, fragments)
        watch.lap("select")
        if settings.stats:
            packed, text = _with_times(packed, gauge, watch)
        keep(prompt, settings)
        rest = Gathered(fragments, lane_shares(query, view, settings.shares), settings)
        return Report(replace(packed, rest=rest), text, candidates, watch.seconds, statistics(fragments, packed, gauge))


def search(text: str, settings: Settings, *, on_progress: Progress | None = None) -> SearchResult:
    """The best ``settings.limit`` matches of a text; none where nothing matches. Raises CtxpackError."""
    check(Request(Scope.TASK, text=text), settings)
    with opened(settings, on_progress) as view:
        query = prepare(understand(text), view, settings)
        meaning = Meaning(settings, on_progress)
        ranked = rank(query, view, limit=reranked_from(settings.limit, settings), meaning=meaning)
        candidates, unranked = rerank(text, ranked, view, settings, on_progress)
        notes = (*settings.notes, *meaning.notes, *unranked)
        return SearchResult(query, candidates[: settings.limit], view.state, notes)


def embed(settings: Settings, *, on_progress: Progress | None = None) -> int:
    """Compute the vector of every chunk that has none, and keep them; how many those were. Raises CtxpackError.

    Then every chunk of the repository is compared where meanings are asked for, also one without a word of the request.
    """
    from ctxpack.rank.chunk_vectors import chunk_vectors

    with opened(settings, on_progress) as view:
        return chunk_vectors(view, settings, may_download=True, on_progress=on_progress).embed_all()


@contextmanager
def opened(settings: Settings, on_progress: Progress | None = None) -> Iterator[IndexView]:
    """The index of a repository as it is now; what was learned on the way is kept when it is closed."""
    with cache_of(settings) as its:
        view = with_buffers(open_index(its, discover(its, known_files(its)), on_progress), its)
        try:
            yield view
        finally:
            view.close()


def _how_many(budget: int) -> int:
    """More for more room; from what fills a chat on, only as many as a whole window needs."""
    return max(_FEWEST, min(_MOST, budget // _TOKENS_PER_CANDIDATE), budget // _TOKENS_IN_A_WINDOW)


def _draft(
    request: Request, query: Query, view: IndexView, settings: Settings, fragments: tuple[Fragment, ...]
) -> Pack:
    """Everything of the pack but its selection."""
    best = sorted(fragments, key=lambda each: (-each.required, -each.value, each.provenance.path))
    state = replace(view.state, commit="", branch="", dirty=False) if settings.stable else view.state
    return Pack(
        request=request,
        query=query,
        state=state,
        selection=Selection(()),
        budget=settings.budget,
        encoding=settings.encoding,
        model=settings.model,
        estimate=estimate_of(settings),
        strategy=", ".join(dict.fromkeys(each.strategy for each in fragments)),
        order=settings.order,
        tree=_tree(view, settings.budget, best) if settings.use_tree else "",
        considered=len(view.files),
        skipped=view.skipped,
    )


def _with_final_frame(
    packed: Pack, text: str, view: IndexView, gauge: Gauge, gathered: tuple[Fragment, ...]
) -> tuple[Pack, str]:
    """The pack whose strategies, tree and statistics are those of what is in it: the draft could only guess them."""
    while True:
        before = packed.selection.fragments
        used = {each.strategy for each in before}
        strategy = ", ".join(name for name in packed.strategy.split(", ") if name in used)
        stats = packed.stats and {**packed.stats, **statistics(gathered, packed, gauge)}
        final = replace(packed, strategy=strategy, tree=packed.tree and _tree(view, packed.budget, before), stats=stats)
        if gauge.renderer.frame(final) == gauge.renderer.frame(packed):
            return final, text
        packed, text = finish(final, gauge)


def _with_times(packed: Pack, gauge: Gauge, watch: Stopwatch) -> tuple[Pack, str]:
    """The pack that says how long each stage took: asked for, it differs from run to run."""
    return finish(replace(packed, stats={**packed.stats, **times(watch.seconds)}), gauge)


def _tree(view: IndexView, budget: int, fragments: Iterable[Fragment]) -> str:
    paths = (each.provenance.path for each in fragments if view.file(each.provenance.path))
    return tree(view.state.name, view.files, paths, budget)
