"""Run strategies beside each other, each within its time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextvars import copy_context
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread
from time import perf_counter
from typing import Final

_SLICE: Final = 0.2  # seconds; longer waits cannot be interrupted from the keyboard on Windows


@dataclass(frozen=True, slots=True)
class Runner:
    """Something to run: its name, its work, and the seconds it may take."""

    name: str
    work: Callable[[], object]
    timeout_s: float


@dataclass(frozen=True, slots=True)
class Finish:
    """How a runner came in: what its work gave, or the error it raised; None for both if it was too slow."""

    seconds: float
    result: object = None
    error: BaseException | None = None
    is_late: bool = False


def race(runners: Sequence[Runner]) -> Mapping[str, Finish]:
    """Run everything at once; gives how each came in, in the order of ``runners``, as soon as all did or are too late.

    A runner that never ends does not hold anything: its thread is a daemon.
    """
    arrivals: SimpleQueue[tuple[str, Finish]] = SimpleQueue()
    began = perf_counter()
    for runner in runners:
        Thread(
            target=copy_context().run, args=(_run, runner, arrivals), name=f"ctxpack {runner.name}", daemon=True
        ).start()
    deadlines = {runner.name: began + runner.timeout_s for runner in runners}
    finished: dict[str, Finish] = {}
    while deadlines:
        left = min(deadlines.values()) - perf_counter()
        try:
            name, finish = arrivals.get(timeout=min(max(left, 0.0), _SLICE))
        except Empty:
            now = perf_counter()
            for late in [name for name, deadline in deadlines.items() if deadline <= now]:
                del deadlines[late]
                finished[late] = Finish(now - began, is_late=True)
        else:
            if deadlines.pop(name, None) is not None:
                finished[name] = finish
    return {runner.name: finished[runner.name] for runner in runners}


def _run(runner: Runner, arrivals: SimpleQueue[tuple[str, Finish]]) -> None:
    began = perf_counter()
    try:
        result = runner.work()
    except BaseException as error:  # noqa: BLE001 - whatever it is: a strategy must not end the run
        arrivals.put((runner.name, Finish(perf_counter() - began, error=error)))
    else:
        arrivals.put((runner.name, Finish(perf_counter() - began, result)))
