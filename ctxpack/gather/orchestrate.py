"""Run strategies in parallel, each within its time limit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Final

from ctxpack.errors import CtxpackError, InternalError, NothingFoundError
from ctxpack.events import StrategyFinished
from ctxpack.gather.context import Context
from ctxpack.gather.outside import verify_pieces
from ctxpack.gather.plan import plan, record_timings
from ctxpack.gather.registry import Registry, error_text, registry
from ctxpack.gather.strategy import TREE, Strategy
from ctxpack.light import dataclass, replace
from ctxpack.model import LOG, PATCH, Fragment, Provenance
from ctxpack.rank.installed import signal_notes
from ctxpack.redact.redaction import redact
from ctxpack.redact.rules import rules_of
from ctxpack.system.clock import Clock, Timekeeper
from ctxpack.system.tokens import counter
from ctxpack.text import lines_of, printable

_SLICE: Final = 0.2  # seconds; longer waits cannot be interrupted from the keyboard on Windows


@dataclass(frozen=True, slots=True)
class Runner:
    """A task: its name, its function, and its time limit in seconds."""

    name: str
    work: Callable[[], object]
    timeout_s: float


@dataclass(frozen=True, slots=True)
class Finish:
    """The result of a runner: its value or its error; both None if it was too slow."""

    seconds: float
    result: object = None
    error: BaseException | None = None
    is_late: bool = False


def race(runners: Sequence[Runner], keeper: Timekeeper | None = None) -> Mapping[str, Finish]:
    """Run everything at once; return the results, in the order of ``runners``, once all have ended or are too late.

    A runner that never ends blocks nothing: its thread is a daemon.
    """
    arrivals: SimpleQueue[tuple[str, Finish]] = SimpleQueue()
    keeper = keeper or Timekeeper()
    clock, began = keeper.clock, keeper.clock()
    deadlines = {runner.name: keeper.within(runner.timeout_s).end for runner in runners}
    for runner in runners:
        work = partial(_run, runner, arrivals, clock)
        Thread(target=work, name=f"ctxpack {runner.name}", daemon=True).start()
    finished: dict[str, Finish] = {}
    while deadlines:
        keeper.checkpoint()
        left = min(deadlines.values()) - clock()
        try:
            name, finish = arrivals.get(timeout=min(max(left, 0.0), _SLICE))
        except Empty:  # the time of some may be over
            now = clock()
            for late in [name for name, deadline in deadlines.items() if deadline <= now]:
                del deadlines[late]
                finished[late] = Finish(now - began, is_late=True)
        else:
            if deadlines.pop(name, None) is not None:
                finished[name] = finish
    return {runner.name: finished[runner.name] for runner in runners}


def _run(runner: Runner, arrivals: SimpleQueue[tuple[str, Finish]], clock: Clock) -> None:
    began = clock()
    try:
        result = runner.work()
    except BaseException as error:  # noqa: BLE001 - whatever it is: a strategy must not end the run
        arrivals.put((runner.name, Finish(clock() - began, error=error)))
    else:
        arrivals.put((runner.name, Finish(clock() - began, result)))


def without_repeats(fragments: Iterable[Fragment]) -> tuple[Fragment, ...]:
    """Drop fragments that an earlier one of the same file and kind contains; it gets their reasons.

    Lines that a required diff of the file shows are dropped as well.
    """
    given = list(fragments)
    in_patches = _lines_in_patches(given)
    kept: list[Fragment] = []
    by_home: dict[tuple[str, str], list[int]] = {}
    for fragment in given:
        if in_patches and _is_in_patch(fragment, in_patches):
            continue
        places = by_home.setdefault(fragment.home, [])
        home = next((place for place in places if _holds(kept[place], fragment)), None)
        if home is None:
            places.append(len(kept))
            kept.append(fragment)
        else:
            kept[home] = _with_reasons(kept[home], fragment)
    return tuple(kept)


def _lines_in_patches(fragments: Iterable[Fragment]) -> Mapping[str, set[str]]:
    """The lines of the state after the change that diffs show, by path."""
    found: dict[str, set[str]] = {}
    for fragment in fragments:
        origin = fragment.provenance
        if fragment.layer == PATCH and fragment.required:
            from ctxpack.understand.change import parse_hunks

            lines = (line for hunk in parse_hunks(lines_of(fragment.text)) for line in hunk.lines)
            found[origin.path] = {line.text.strip() for line in lines if line.mark in " +"}
    return found


def _is_in_patch(fragment: Fragment, shown: Mapping[str, set[str]]) -> bool:
    """Whether a diff already shows every line of a piece."""
    origin = fragment.provenance
    is_lines = fragment.layer not in (PATCH, LOG) and fragment.form.holds_lines and not fragment.required
    lines = shown.get(origin.path, ()) if is_lines else ()
    return bool(lines) and all(line.strip() in lines for line in lines_of(fragment.text) if line.strip())


def _holds(outer: Fragment, inner: Fragment) -> bool:
    one, other = outer.provenance, inner.provenance
    if outer.form.holds_lines and inner.form.holds_lines:
        return one.start_line <= other.start_line and other.end_line <= one.end_line
    return outer.form is inner.form and (one.symbol, one.start_line) == (other.symbol, other.start_line)


def _with_reasons(outer: Fragment, inner: Fragment) -> Fragment:
    origin, other = outer.provenance, inner.provenance
    joined = replace(
        origin,
        reasons=tuple(dict.fromkeys((*origin.reasons, *other.reasons))),
        keywords=tuple(dict.fromkeys((*origin.keywords, *other.keywords))),
        symbol=origin.symbol or (other.symbol if _is_most(other, origin) else ""),
    )
    is_required = outer.required or inner.required
    return replace(outer, provenance=joined, value=max(outer.value, inner.value), required=is_required)


def _is_most(inner: Provenance, outer: Provenance) -> bool:
    """Whether a part ends where the whole ends and is more than half of it: then it gets the name of the whole."""
    lines = inner.end_line - inner.start_line + 1
    return inner.end_line == outer.end_line and 2 * lines > outer.end_line - outer.start_line + 1


@dataclass(frozen=True, slots=True)
class Gathered:
    """The pieces, notes for the user, the ids of the strategies that ran, and the seconds that each took."""

    fragments: tuple[Fragment, ...]
    notes: tuple[str, ...] = ()
    strategies: tuple[str, ...] = ()
    seconds: tuple[tuple[str, float], ...] = ()


def gather(context: Context, known: Registry | None = None) -> Gathered:
    """Gather the pieces of every suitable strategy, after those that the settings require, without repeated lines.

    ``known`` are all strategies, by default those of the settings. A strategy that fails or is too slow costs
    a note. Raises NothingFoundError and UsageError as built-in ones do and for what is required and not there, and
    InternalError where nothing came of any because some failed.
    """
    known = known or registry(context.settings)
    found = _gather_required(context, known) if context.settings.require else _collect(context, known)
    return replace(found, fragments=without_repeats(found.fragments))


def _gather_required(context: Context, known: Registry) -> Gathered:
    """Gather by strategies, after what the settings require, which is marked as required."""
    from ctxpack.gather.required import mark_required, read_requirements, required_pieces

    its = read_requirements(context, known)
    own = required_pieces(context, its)
    enabled = (*context.settings.enable, *its.strategies)
    try:
        found = _collect(replace(context, settings=replace(context.settings, enable=enabled)), known)
    except NothingFoundError as error:
        if not own or its.strategies:
            raise
        found = Gathered((), (str(error),))
    return replace(found, fragments=(*own, *mark_required(context, found.fragments, its)))


def _collect(context: Context, known: Registry) -> Gathered:
    """Run the strategies that suit the request, and return the pieces of each, including repeats."""
    made = plan(context.request, context.settings, known)
    context.prepare()
    running = [strategy for strategy in made.strategies if strategy.id != TREE]
    runners = [Runner(each.id, partial(_work, each, context), each.timeout_s) for each in running]
    finishes = race(runners, context.view.keeper)
    record_timings(context.settings, {name: finish.seconds for name, finish in finishes.items() if not finish.error})
    notes, found = [*made.notes, *signal_notes()], list[Fragment]()
    nothing: NothingFoundError | None = None
    for strategy in running:
        finish = finishes[strategy.id]
        context.observer.emit(_finish_event(strategy, finish))
        if strategy.is_built_in and isinstance(finish.error, NothingFoundError):
            nothing = nothing or finish.error
        elif strategy.is_built_in and isinstance(finish.error, CtxpackError):
            raise finish.error
        elif finish.error or finish.is_late:
            notes.append(_failure_note(strategy, finish, context))
        else:
            pieces, remarks = _pieces(strategy, finish, context)
            found += pieces
            notes += remarks
    _check_found(found, made.strategies, nothing, notes)
    return Gathered(
        tuple(found),
        tuple(notes),
        tuple(each.id for each in made.strategies),
        tuple((name, finish.seconds) for name, finish in finishes.items()),
    )


def _finish_event(strategy: Strategy, finish: Finish) -> StrategyFinished:
    outcome = "late" if finish.is_late else "failed" if finish.error else "ok"
    pieces = sum(isinstance(each, Fragment) for each in finish.result) if isinstance(finish.result, list) else 0
    return StrategyFinished(strategy.id, finish.seconds, outcome, pieces)


def _work(strategy: Strategy, context: Context) -> list[object]:
    return list(strategy.load()(context))


def _pieces(strategy: Strategy, finish: Finish, context: Context) -> tuple[list[Fragment], list[str]]:
    """The pieces of a strategy within its own token limit."""
    brought: list[object] = finish.result if isinstance(finish.result, list) else []
    remarks: list[str] = []
    if strategy.is_built_in:
        fragments = [each for each in brought if isinstance(each, Fragment)]
        remarks = [each for each in brought if isinstance(each, str)]
    else:
        fragments, remarks = verify_pieces(context, strategy, brought)
    ranked = [replace(each, priority=strategy.priority) for each in fragments]
    return trim_to_tokens(ranked, strategy.max_tokens, context.settings.encoding), remarks


def trim_to_tokens(fragments: Sequence[Fragment], most: int | None, encoding: str) -> list[Fragment]:
    """Keep the required fragments, and the best others that fit ``most`` tokens together, in their order."""
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


def _failure_note(strategy: Strategy, finish: Finish, context: Context) -> str:
    """The note about a strategy that failed or took too long."""
    if finish.is_late or isinstance(finish.error, TimeoutError):
        keeper = context.view.keeper
        seconds = strategy.timeout_s if finish.error else keeper.within(strategy.timeout_s).seconds
        said = f"The strategy {strategy.id} was skipped: it took longer than {seconds:g} s."
        keeper.cut(said)
        return said
    said = error_text(finish.error) if finish.error else ""
    clean = redact(said, rules=rules_of(context.settings), keeper=context.view.keeper).text
    return f"The strategy {strategy.id} was skipped: {printable(clean)}."


def _check_found(
    found: Iterable[Fragment], strategies: Sequence[Strategy], nothing: NothingFoundError | None, notes: Sequence[str]
) -> None:
    """Raise NothingFoundError if nothing was found, neither by search nor by a plug-in."""
    foreign = {each.id for each in strategies if not each.is_built_in}
    if nothing is not None and not any(each.strategy in foreign for each in found):
        raise nothing
    if any(True for _ in found):
        return
    failed = next((note for note in notes if " was skipped: " in note), "")
    if failed:
        raise InternalError(failed, hint="Leave it out with --without, or give it more time.")
    names = ", ".join(each.id for each in strategies)
    raise NothingFoundError(f"No strategy found anything: {names}.", hint="Other strategies: ctxpack strategies")
