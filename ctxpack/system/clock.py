"""Clocks: how long a run and its parts may take, what was left out for lack of time, and a stopwatch for the stages.

A run has one timekeeper, which is passed to whatever may take long. What takes longer is left out or done in a simpler
way, and the timekeeper has a sentence about it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event
from typing import TYPE_CHECKING, Final

from ctxpack.errors import CancelledError, NothingFoundError
from ctxpack.light import dataclass

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor


class Ticket:
    """The permission to go on with some work, until it is withdrawn; any thread may withdraw it."""

    def __init__(self) -> None:
        self._withdrawn = Event()

    @property
    def is_withdrawn(self) -> bool:
        """Whether nobody waits for the work any more."""
        return self._withdrawn.is_set()

    def withdraw(self) -> None:
        """Stop the work at its next checkpoint."""
        self._withdrawn.set()

    def check(self) -> None:
        """Raise CancelledError once the ticket is withdrawn."""
        if self.is_withdrawn:
            raise CancelledError("The request was cancelled.", hint="Ask again if you still need the answer.")


@contextmanager
def thread_pool(size: int) -> Iterator[ThreadPoolExecutor]:
    """Open a pool of threads and wait for them at the end; after an error only those that run go on, unattended."""
    from concurrent.futures import ThreadPoolExecutor

    pool = ThreadPoolExecutor(size)
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()


Clock = Callable[[], float]
"""Gives seconds; ``time.time`` is one."""

Progress = Callable[[str, int, int], None]
"""Is called during long work with stage, done and total."""

GIT_SECONDS: Final = 300.0  # for one command
TREE_SECONDS: Final = 2.0  # of processor time, for the syntax tree of one file
HURRIED_SECONDS: Final = 0.2  # ... where several files took too long, so that many of them do not add up
PATIENCE_SECONDS: Final = 8.0  # that one who looks at a terminal waits for an index that takes long
REDACTION_SECONDS: Final = 10.0  # of processor time, for one piece; 32 kB take a few milliseconds
# The part of a run that is over when a stage has to end: what follows makes a report of what is there by then.
FIND_END: Final = 0.4
INDEX_END: Final = 0.75
RANK_END: Final = 0.85
SELECT_END: Final = 0.95


@dataclass(frozen=True, slots=True)
class Deadline:
    """When some work has to be done, by its clock; ``seconds`` is what it had, for sentences about it."""

    seconds: float
    end: float
    clock: Clock

    @property
    def left(self) -> float:
        """The seconds that are left, at least 0."""
        return max(self.end - self.clock(), 0.0)

    @property
    def is_over(self) -> bool:
        """Whether the work takes too long."""
        return self.clock() > self.end


def is_over(deadline: Deadline | None) -> bool:
    """Whether there is a deadline, and its work takes too long."""
    return deadline is not None and deadline.is_over


class Timekeeper:
    """Keeps the time limits of a run. ``clock`` gives seconds, ``effort`` those of the processor for this thread.

    Without ``seconds`` the run may take any time, and only its parts have limits. It ends early where its ``ticket`` is
    withdrawn; without one it always goes on. ``patience`` are the seconds after which somebody would rather have a
    report of what is indexed than wait for the rest; by default the index takes the time that it needs.
    """

    def __init__(
        self,
        seconds: float | None = None,
        ticket: Ticket | None = None,
        *,
        patience: float | None = None,
        clock: Clock = time.monotonic,
        effort: Clock = time.thread_time,
    ) -> None:
        self.clock, self._effort = clock, effort
        self._seconds, self._ticket, self.patience = seconds, ticket, patience
        self._wait = None if patience is None else Deadline(patience, clock() + patience, clock)
        self._run = None if seconds is None else Deadline(seconds, clock() + seconds, clock)
        self._sentences: dict[str, None] = {}

    def again(self) -> Timekeeper:
        """Return one for another run, which begins now and may take as long."""
        clocks = {"clock": self.clock, "effort": self._effort}
        return Timekeeper(self._seconds, self._ticket, patience=self.patience, **clocks)

    def without_limit(self) -> Timekeeper:
        """Return one for work that may take any time, as long as somebody waits for it."""
        return Timekeeper(None, self._ticket, clock=self.clock, effort=self._effort)

    def checkpoint(self) -> None:
        """Raise CancelledError if nobody waits for this work any more."""
        if self._ticket is not None:
            self._ticket.check()

    def within(self, seconds: float) -> Deadline:
        """Limit work to some seconds, or to the rest of the run if that is less."""
        own = Deadline(seconds, self.clock() + seconds, self.clock)
        return self._run if self._run is not None and self._run.end < own.end else own

    def spending(self, seconds: float) -> Deadline:
        """Give work that waits for nothing some seconds of processor time, which a busy machine does not shorten."""
        return Deadline(seconds, self._effort() + seconds, self._effort)

    def until(self, part: float) -> Deadline | None:
        """Give a stage the time until this part of the run is over; None where the run may take any time."""
        if self._run is None:
            return None
        seconds = self._run.seconds * part
        return Deadline(seconds, self._run.end - self._run.seconds + seconds, self.clock)

    def for_index(self) -> Deadline | None:
        """Give the index its part of the run, or less for one who does not wait; None where it may take any time."""
        limits = [each for each in (self.until(INDEX_END), self._wait) if each is not None]
        return min(limits, key=lambda each: each.end, default=None)

    def cut(self, sentence: str) -> None:
        """Record in a sentence what was left out because it took too long."""
        self._sentences[sentence] = None

    @property
    def is_cut(self) -> bool:
        """Whether anything took too long, so that another run may give another answer."""
        return bool(self._sentences)

    @property
    def notes(self) -> tuple[str, ...]:
        """The sentences about what took too long, sorted."""
        return tuple(sorted(self._sentences))

    @contextmanager
    def explaining(self) -> Iterator[None]:
        """Add what was left out for lack of time to a NothingFoundError of the work inside."""
        try:
            yield
        except NothingFoundError as error:
            if new := [each for each in self.notes if each not in str(error)]:
                raise NothingFoundError(" ".join((str(error), *new)), hint=error.hint) from error
            raise


class Stopwatch:
    """Measures stages from its creation on; ``lap`` adds the time since the last lap to a stage.

    The times are for statistics on request, never for a report.
    """

    def __init__(self, clock: Clock = time.perf_counter) -> None:
        self._clock = clock
        self._last = clock()
        self.seconds: dict[str, float] = {}

    def lap(self, stage: str) -> None:
        """Add the seconds since the last lap to a stage."""
        now = self._clock()
        self.seconds[stage] = self.seconds.get(stage, 0.0) + now - self._last
        self._last = now
