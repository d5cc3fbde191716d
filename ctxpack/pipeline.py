"""The whole way from a request to a report: one call a stage. Read this first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from ctxpack.discover import discover
from ctxpack.gather import Context, gather
from ctxpack.gather.asked import check, words
from ctxpack.gather.remarks import notes as remarks
from ctxpack.gather.tree import tree
from ctxpack.index import IndexView, Progress, open_index
from ctxpack.index.memory import cache_of, known_files
from ctxpack.index.status import IndexStatus, clear, index_status, rebuild, update
from ctxpack.model import Candidate, Fragment, Pack, Query, RepositoryState, Request, Scope, Selection
from ctxpack.query.understand import understand
from ctxpack.rank import Meaning, Purpose, rank
from ctxpack.rank.chunk_vectors import chunk_vectors
from ctxpack.rank.lanes import lane_shares
from ctxpack.rank.prepare import prepare
from ctxpack.redact.fragments import redact_fragments
from ctxpack.redact.requests import redact_request
from ctxpack.render import renderer
from ctxpack.select import Gauge, assemble, finish
from ctxpack.settings import Settings
from ctxpack.tokens import counter

__all__ = [
    "IndexStatus", "Report", "SearchResult", "clear", "embed", "index_status", "opened", "pack", "rebuild", "search",
    "update",
]  # fmt: skip

_TOKENS_PER_CANDIDATE, _FEWEST, _MOST = 60, 60, 400  # how many candidates a budget calls for


@dataclass(frozen=True, slots=True)
class Report:
    """A finished pack, its text in the format of the settings, and the ranking it was chosen from, best first."""

    pack: Pack
    text: str
    candidates: tuple[Candidate, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search found, best first, and in which state of the repository."""

    query: Query
    candidates: tuple[Candidate, ...]
    state: RepositoryState
    notes: tuple[str, ...] = ()


def pack(request: Request, settings: Settings, *, on_progress: Progress | None = None) -> Report:
    """The report of a request, never over the budget. Raises CtxpackError.

    ``on_progress`` hears of long work: (stage, done, total).
    """
    check(request, settings)
    gauge = Gauge(renderer(settings.format, line_numbers=settings.line_numbers), counter(settings.encoding))
    shown, asked = redact_request(request, use=settings.use_redaction)
    with opened(settings, on_progress) as view:
        query = prepare(understand(words(asked)), view, settings)
        meaning = Meaning(settings)
        candidates = rank(query, view, limit=_how_many(settings.budget), purpose=Purpose.PACK, meaning=meaning)
        found = gather(Context(asked, query, view, settings, candidates))
        fragments, notes = redact_fragments(found, use=settings.use_redaction)
        draft = _draft(shown, query, view, settings, fragments)
        packed, text = assemble(
            fragments,
            replace(draft, notes=(*remarks(view, settings), *meaning.notes, *notes)),
            gauge,
            lane_shares(query, view, settings.shares),
        )
        return Report(*_with_final_frame(packed, text, view, gauge), candidates)


def search(text: str, settings: Settings, *, on_progress: Progress | None = None) -> SearchResult:
    """The best ``settings.limit`` matches of a text; none where nothing matches. Raises CtxpackError."""
    check(Request(Scope.TASK, text=text), settings)
    with opened(settings, on_progress) as view:
        query = prepare(understand(text), view, settings)
        meaning = Meaning(settings)
        candidates = rank(query, view, limit=settings.limit, meaning=meaning)
        return SearchResult(query, candidates, view.state, meaning.notes)


def embed(settings: Settings, *, on_progress: Progress | None = None) -> int:
    """Compute the vector of every chunk that has none, and keep them; how many those were. Raises CtxpackError.

    Then every chunk of the repository is compared where meanings are asked for, also one without a word of the request.
    """
    with opened(settings, on_progress) as view:
        return chunk_vectors(view, settings, may_download=True).embed_all(on_progress)


@contextmanager
def opened(settings: Settings, on_progress: Progress | None = None) -> Iterator[IndexView]:
    """The index of a repository as it is now; what was learned on the way is kept when it is closed."""
    with cache_of(settings) as its:
        view = open_index(its, discover(its, known_files(its)), on_progress)
        try:
            yield view
        finally:
            view.close()


def _how_many(budget: int) -> int:
    return max(_FEWEST, min(_MOST, budget // _TOKENS_PER_CANDIDATE))


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
        strategy=", ".join(dict.fromkeys(each.strategy for each in fragments)),
        order=settings.order,
        tree=_tree(view, settings.budget, best) if settings.use_tree else "",
        considered=len(view.files),
        skipped=view.skipped,
    )


def _with_final_frame(packed: Pack, text: str, view: IndexView, gauge: Gauge) -> tuple[Pack, str]:
    """The pack whose strategies and tree are those of the files that are in it: the draft could only guess them."""
    while True:
        before = packed.selection.fragments
        used = {each.strategy for each in before}
        strategy = ", ".join(name for name in packed.strategy.split(", ") if name in used)
        final = replace(packed, strategy=strategy, tree=packed.tree and _tree(view, packed.budget, before))
        if final == packed:
            return packed, text
        packed, text = finish(final, gauge)


def _tree(view: IndexView, budget: int, fragments: Iterable[Fragment]) -> str:
    return tree(view.state.name, view.files, (each.provenance.path for each in fragments), budget)
