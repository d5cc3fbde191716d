"""From a request to pieces: choose the strategies, run them beside each other, and put together what they bring."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from ctxpack.errors import CtxpackError, InternalError, NothingFoundError
from ctxpack.events import StrategyFinished, emit
from ctxpack.gather.context import Context
from ctxpack.gather.foreign import admitted
from ctxpack.gather.plan import plan
from ctxpack.gather.race import Finish, Runner, race
from ctxpack.gather.registry import Registry, registry, told
from ctxpack.gather.repeats import without_repeats
from ctxpack.gather.strategy import Strategy
from ctxpack.gather.timings import remember
from ctxpack.model import Fragment
from ctxpack.rank.installed import signal_notes
from ctxpack.redact.redaction import redact
from ctxpack.text import printable
from ctxpack.tokens import counter

TREE = "tree"  # made with the head of the report, once it is known what is in it


@dataclass(frozen=True, slots=True)
class Gathered:
    """The pieces, notes for the user, the ids of the strategies that ran, and the seconds that each took."""

    fragments: tuple[Fragment, ...]
    notes: tuple[str, ...] = ()
    strategies: tuple[str, ...] = ()
    seconds: tuple[tuple[str, float], ...] = ()


def orchestrate(context: Context, known: Registry | None = None) -> Gathered:
    """The pieces of every strategy that runs for the request; no piece lies within an earlier one of its file.

    ``known`` are the strategies there are, those of the settings if it is left out.

    A strategy that fails or is too slow costs a note. Raises NothingFoundError and UsageError as built-in ones do, and
    InternalError where nothing came of any because some failed.
    """
    made = plan(context.request, context.settings, known or registry(context.settings))
    context.prepare()
    running = [strategy for strategy in made.strategies if strategy.id != TREE]
    finishes = race([Runner(each.id, partial(_work, each, context), each.timeout_s) for each in running])
    remember(context.settings, {name: finish.seconds for name, finish in finishes.items() if not finish.error})
    notes, found = [*made.notes, *signal_notes()], list[Fragment]()
    nothing: NothingFoundError | None = None
    for strategy in running:
        finish = finishes[strategy.id]
        emit(_told_of(strategy, finish))
        if strategy.is_built_in and isinstance(finish.error, NothingFoundError):
            nothing = nothing or finish.error
        elif strategy.is_built_in and isinstance(finish.error, CtxpackError):
            raise finish.error
        elif finish.error or finish.is_late:
            notes.append(_skipped(strategy, finish, context))
        else:
            pieces, remarks = _pieces(strategy, finish, context)
            found += pieces
            notes += remarks
    _check_found(found, made.strategies, nothing, notes)
    return Gathered(
        without_repeats(found),
        tuple(notes),
        tuple(each.id for each in made.strategies),
        tuple((name, finish.seconds) for name, finish in finishes.items()),
    )


def _told_of(strategy: Strategy, finish: Finish) -> StrategyFinished:
    outcome = "late" if finish.is_late else "failed" if finish.error else "ok"
    pieces = sum(isinstance(each, Fragment) for each in finish.result) if isinstance(finish.result, list) else 0
    return StrategyFinished(strategy.id, finish.seconds, outcome, pieces)


def _work(strategy: Strategy, context: Context) -> list[object]:
    return list(strategy.load()(context))


def _pieces(strategy: Strategy, finish: Finish, context: Context) -> tuple[list[Fragment], list[str]]:
    """What a strategy brought, within its own token limit."""
    brought: list[object] = finish.result if isinstance(finish.result, list) else []
    remarks: list[str] = []
    if strategy.is_built_in:
        fragments = [each for each in brought if isinstance(each, Fragment)]
        remarks = [each for each in brought if isinstance(each, str)]
    else:
        fragments, remarks = admitted(context, strategy, brought)
    ranked = [replace(each, priority=strategy.priority) for each in fragments]
    return trimmed(ranked, strategy.max_tokens, context.settings.encoding), remarks


def trimmed(fragments: Sequence[Fragment], most: int | None, encoding: str) -> list[Fragment]:
    """The required fragments, and of the others the best that fit ``most`` tokens together, in their order."""
    if most is None:
        return list(fragments)
    count = counter(encoding).count
    order = sorted(range(len(fragments)), key=lambda at: (not fragments[at].required, -fragments[at].value, at))
    kept, left = set[int](), most
    for at in order:
        cost = count(fragments[at].text)
        if fragments[at].required or cost <= left:
            kept.add(at)
            left -= cost
    return [each for at, each in enumerate(fragments) if at in kept]


def _skipped(strategy: Strategy, finish: Finish, context: Context) -> str:
    """The note about a strategy that brought nothing because it failed or took too long."""
    if finish.is_late or isinstance(finish.error, TimeoutError):
        return f"The strategy {strategy.id} was skipped: it took longer than {strategy.timeout_s:g} s."
    said = told(finish.error) if finish.error else ""
    clean = redact(said).text if context.settings.use_redaction else said
    return f"The strategy {strategy.id} was skipped: {printable(clean)}."


def _check_found(
    found: Iterable[Fragment], strategies: Sequence[Strategy], nothing: NothingFoundError | None, notes: Sequence[str]
) -> None:
    """Raise where no pack can come of this; what a plug-in found makes up for a search that found nothing."""
    foreign = {each.id for each in strategies if not each.is_built_in}
    if nothing is not None and not any(each.strategy in foreign for each in found):
        raise nothing
    if any(True for _ in found):
        return
    failed = next((note for note in notes if " was skipped: " in note), "")
    if failed:
        raise InternalError(failed, hint="Leave it out with --without, or give it more time.")
    names = ", ".join(each.id for each in strategies)
    raise NothingFoundError(f"Nothing was gathered by {names}.", hint="Other strategies: ctxpack strategies")
