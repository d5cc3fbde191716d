"""Ask the command, and leave everything as it was where its answer is no answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ctxpack.commands.process import run
from ctxpack.commands.words import name_of
from ctxpack.health import guard
from ctxpack.index import IndexView
from ctxpack.model import Candidate
from ctxpack.redact import redact
from ctxpack.rerank.answer import order_of
from ctxpack.rerank.order import reordered
from ctxpack.rerank.prompt import prompt_of
from ctxpack.settings import Settings

_FEWEST = 2  # pieces: one has no order
_MOST_BYTES = 1_000_000  # of an answer: a model that reasons aloud stays far below
_UNCHANGED = "the order is the ranker's own"


def reranked(
    request: str,
    candidates: Sequence[Candidate],
    view: IndexView,
    settings: Settings,
    on_progress: Callable[[str, int, int], None] | None = None,
) -> tuple[tuple[Candidate, ...], tuple[str, ...]]:
    """The candidates, the first ``settings.rerank_top`` in the order of the reranking command, and notes for the user.

    With less than two candidates nothing is asked. A command that fails, is late or answers
    anything but an order changes nothing; a note says so.
    """
    if min(len(candidates), settings.rerank_top) < _FEWEST:
        return tuple(candidates), ()
    its = guard(settings, f"rerank:{settings.rerank}", f"The reranking command {name_of(settings.rerank)}")
    if its.is_down:
        return tuple(candidates), (f"Not reranked, {_UNCHANGED}: {its.why_down}",)
    top = max(_FEWEST, its.fewer(settings.rerank_top))
    best, rest = tuple(candidates[:top]), tuple(candidates[top:])
    if on_progress:
        on_progress("reranking", 0, 0)
    prompt = prompt_of(request, best, view)
    outcome = run(settings.rerank, prompt, seconds=settings.rerank_timeout, most_bytes=_MOST_BYTES)
    problem = outcome.problem
    if not problem:
        try:
            order = order_of(outcome.text, len(best))
        except ValueError as error:
            problem = f"{name_of(settings.rerank)} gave an answer that cannot be used: {error}."
        else:
            its.worked()
            return (*reordered(best, order), *rest), its.notes
    its.failed()
    return tuple(candidates), (f"Not reranked, {_UNCHANGED}: {redact(problem, is_data=True).text}",)
