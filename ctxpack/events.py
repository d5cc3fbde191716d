"""Events of a run, for a program that listens, and the health of outside parts."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from enum import StrEnum
from typing import Final

from ctxpack.light import dataclass
from ctxpack.settings import Settings
from ctxpack.system.clock import Clock, Progress
from ctxpack.system.disk import read_sealed_json, write_sealed_json

_NAME: Final = "health.json"
_FORGOTTEN: Final = 3_600.0  # seconds after which a failure is forgotten
_lock = threading.Lock()  # strategies run at the same time


class State(StrEnum):
    """The state of an outside part."""

    NORMAL = "normal"
    DEGRADED = "degraded"
    DOWN = "down"


@dataclass(frozen=True, slots=True)
class Health:
    """The name of an outside part in messages, its state, and its failures since it last worked."""

    part: str
    state: State
    failures: int = 0


OnHealth = Callable[[Health], None]


@dataclass(frozen=True, slots=True)
class Started:
    """A request begins. ``repository`` is the name of its folder, ``budget`` tokens."""

    scope: str
    repository: str
    budget: int


@dataclass(frozen=True, slots=True)
class StrategyFinished:
    """A strategy has finished: ``outcome`` is ok, failed or late; ``pieces`` is how many it returned."""

    strategy: str
    seconds: float
    outcome: str
    pieces: int


@dataclass(frozen=True, slots=True)
class Degraded:
    """An outside part is not normal when it is asked or after: its ``state`` is degraded or down."""

    part: str
    state: str
    failures: int


@dataclass(frozen=True, slots=True)
class PackMade:
    """The pack is finished: counts of pieces, files and tokens, the budget, and the seconds it took."""

    pieces: int
    files: int
    tokens: int
    budget: int
    seconds: float


Event = Started | StrategyFinished | Degraded | PackMade
OnEvent = Callable[[Event], None]


@dataclass(frozen=True, slots=True)
class Observer:
    """The listeners of a run: to progress, to events, and to outside parts that are not normal.

    Outside parts may be asked in other threads; the functions are then called there.
    """

    on_progress: Progress | None = None
    on_event: OnEvent | None = None
    on_health: OnHealth | None = None

    def emit(self, event: Event) -> None:
        """Report an event."""
        if self.on_event is not None:
            self.on_event(event)

    def progress(self, stage: str, done: int, total: int) -> None:
        """Report the progress of long work; ``total`` is 0 if unknown."""
        if self.on_progress is not None:
            self.on_progress(stage, done, total)

    def report_degraded(self, health: Health) -> None:
        """Report an outside part that is not normal."""
        self.emit(Degraded(health.part, health.state.value, health.failures))
        if self.on_health is not None:
            self.on_health(health)


SILENT = Observer()


def degraded_parts(settings: Settings, clock: Clock = time.time) -> tuple[Health, ...]:
    """Return the parts that are not normal, by name."""
    found = [Health(each.part, _state(each, settings, clock()), each.failures) for each in _read(settings).values()]
    return tuple(sorted((each for each in found if each.state is not State.NORMAL), key=lambda each: each.part))


@dataclass(frozen=True, slots=True)
class _Failure:
    part: str
    failures: int
    at: float  # seconds since the epoch, of the last one


class Guard:
    """Decides for one run whether and how to ask an outside part, and records the outcome.

    ``identity`` tells it from others and is not kept as it is, since command lines may hold keys; ``part`` begins a
    sentence about it. ``observer`` hears where it is not normal. ``clock`` gives seconds since the epoch.
    """

    def __init__(
        self, settings: Settings, identity: str, part: str, observer: Observer = SILENT, clock: Clock = time.time
    ) -> None:
        self._settings, self._part, self._observer, self._clock = settings, part, observer, clock
        self._key = hashlib.sha256(identity.encode("utf-8", "replace")).hexdigest()[:16]
        self._before = _read(settings).get(self._key)
        self.state = _state(self._before, settings, self._clock())
        self._tell(self.state, self._before)

    @property
    def is_down(self) -> bool:
        """Whether the part must not be asked for now."""
        return self.state is State.DOWN

    @property
    def why_down(self) -> str:
        """A sentence about a part that is down."""
        times, seconds = self._settings.circuit_failures, self._settings.circuit_seconds
        return f"{self._part} failed {times} times in a row and is not used for {seconds:g} s."

    @property
    def notes(self) -> tuple[str, ...]:
        """A sentence about a part that is degraded; none for one that is not."""
        is_degraded = self.state is State.DEGRADED
        return (f"{self._part} failed last time, so it gets less work.",) if is_degraded else ()

    def reduce(self, usual: int) -> int:
        """Return how many to ask for instead of the ``usual`` number."""
        if self.state is State.NORMAL:
            return usual
        return max(1, int(usual * self._settings.degraded_share))

    def record_success(self) -> None:
        """Record a success: the part is normal again."""
        if self._before is not None:
            self._write(None)
            self._before = None

    def record_failure(self) -> None:
        """Record a failure or a time-out."""
        with _lock:
            last = _read(self._settings).get(self._key)
        count = 1 + (last.failures if last and _is_recent(last, self._clock()) else 0)
        failure = _Failure(self._part, count, self._clock())
        self._write(failure)
        self._before = failure
        self._tell(_state(failure, self._settings, self._clock()), failure)

    def _tell(self, state: State, failure: _Failure | None) -> None:
        if failure is not None and state is not State.NORMAL:
            self._observer.report_degraded(Health(self._part, state, failure.failures))

    def _write(self, failure: _Failure | None) -> None:
        """Save the failures. Does nothing where no file can be written."""
        if not self._settings.use_cache:
            return
        with _lock, suppress(OSError):  # only the memory of a failure is lost
            now = self._clock()
            kept = {key: each for key, each in _read(self._settings).items() if _is_recent(each, now)}
            kept.pop(self._key, None)
            if failure is not None:
                kept[self._key] = failure
            rows = {key: [each.part, each.failures, each.at] for key, each in sorted(kept.items())}
            self._settings.cache_dir.mkdir(parents=True, exist_ok=True)
            write_sealed_json(self._settings.cache_dir / _NAME, rows)


def _read(settings: Settings) -> dict[str, _Failure]:
    if not settings.use_cache:
        return {}
    rows = read_sealed_json(settings.cache_dir / _NAME)
    return {str(key): _Failure(str(part), int(count), float(at)) for key, (part, count, at) in rows.items()}


def _is_recent(failure: _Failure, now: float) -> bool:
    return abs(now - failure.at) <= _FORGOTTEN


def _state(failure: _Failure | None, settings: Settings, now: float) -> State:
    if failure is None or not _is_recent(failure, now):
        return State.NORMAL
    is_resting = abs(now - failure.at) < settings.circuit_seconds
    return State.DOWN if failure.failures >= settings.circuit_failures and is_resting else State.DEGRADED
