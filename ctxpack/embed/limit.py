"""A time limit for work that may hang, such as loading a model: who waits goes on, the work is left behind."""

from __future__ import annotations

import atexit
import time
from collections.abc import Callable
from contextvars import copy_context
from threading import Thread
from typing import Final, Generic, TypeVar

from ctxpack.errors import EmbeddingError

Result = TypeVar("Result")

_PATIENCE_SECONDS: Final = 10.0  # at the end of a process: native code that is torn down while it loads aborts it


class TimeLimit:
    """Seconds for several pieces of work together, counted from the first."""

    def __init__(
        self,
        seconds: float,
        clock: Callable[[], float] = time.monotonic,
        on_late: Callable[[], None] | None = None,
    ) -> None:
        self._seconds, self._clock, self._on_late = seconds, clock, on_late
        self._end: float | None = None

    def check(self) -> None:
        """For work that can stop by itself. Raises EmbeddingError when the time is up."""
        if self._left() <= 0:
            raise self._late()

    def run(self, work: Callable[[], Result]) -> Result:
        """What ``work`` gives. Raises what it raises, and EmbeddingError when the time is up first."""
        done = _Done(work)
        thread = Thread(target=copy_context().run, args=(done.run,), name="ctxpack-embed", daemon=True)
        left = self._left()
        if left > 0:
            thread.start()
            thread.join(left)
        if thread.is_alive():
            atexit.register(thread.join, _PATIENCE_SECONDS)
        if left <= 0 or thread.is_alive():
            raise self._late()
        return done.result()

    def _late(self) -> EmbeddingError:
        """The same from who waits and from the work, whichever sees it first; the first tells ``on_late``."""
        on_late, self._on_late = self._on_late, None
        if on_late:
            on_late()
        return EmbeddingError(
            f"It took longer than {self._seconds:g} seconds.",
            hint="What was computed is kept for the next run; ctxpack index --embed computes all of it.",
        )

    def _left(self) -> float:
        now = self._clock()
        if self._end is None:
            self._end = now + self._seconds
        return self._end - now


class _Done(Generic[Result]):
    """What became of work in a thread."""

    def __init__(self, work: Callable[[], Result]) -> None:
        self._work = work
        self._results: list[Result] = []
        self._error: BaseException | None = None

    def run(self) -> None:
        try:
            self._results.append(self._work())
        except BaseException as error:  # noqa: BLE001 - raised again where it is waited for
            self._error = error

    def result(self) -> Result:
        if self._error is not None:
            raise self._error
        return self._results[0]
