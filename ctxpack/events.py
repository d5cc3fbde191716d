"""What happens while a pack is made, for a program that listens: no request, no text, no path is in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from ctxpack.health import Health, OnHealth, listen_for_health


@dataclass(frozen=True, slots=True)
class Started:
    """A request begins. ``repository`` is the name of its folder, ``budget`` tokens."""

    scope: str
    repository: str
    budget: int


@dataclass(frozen=True, slots=True)
class StrategyFinished:
    """A strategy came in: ``outcome`` is ok, failed or late; ``pieces`` are those it brought."""

    strategy: str
    seconds: float
    outcome: str
    pieces: int


@dataclass(frozen=True, slots=True)
class Degraded:
    """An outside part was asked, or ended up, in another ``state`` than normal: degraded or down."""

    part: str
    state: str
    failures: int


@dataclass(frozen=True, slots=True)
class PackMade:
    """The pack is finished: its pieces and their files, its tokens and what they may be, and the seconds it took."""

    pieces: int
    files: int
    tokens: int
    budget: int
    seconds: float


Event = Started | StrategyFinished | Degraded | PackMade
OnEvent = Callable[[Event], None]
_listener: ContextVar[OnEvent | None] = ContextVar("ctxpack_events", default=None)


@contextmanager
def listen(on_event: OnEvent | None, on_degraded: OnHealth | None = None) -> Iterator[None]:
    """While this lasts, ``on_event`` hears of every event, and ``on_degraded`` of parts that are not normal.

    Parts may be asked in other threads, where both are then called.
    """

    def on_health(health: Health) -> None:
        emit(Degraded(health.part, health.state.value, health.failures))
        if on_degraded is not None:
            on_degraded(health)

    token = _listener.set(on_event)
    try:
        with listen_for_health(on_health):
            yield
    finally:
        _listener.reset(token)


def emit(event: Event) -> None:
    """Tell who listens."""
    listener = _listener.get()
    if listener is not None:
        listener(event)
