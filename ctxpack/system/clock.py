"""Time: the clock that is asked, how long stages take, and who hears of progress."""

from __future__ import annotations

import time
from collections.abc import Callable

Clock = Callable[[], float]
"""Gives seconds; ``time.time`` is one."""

Progress = Callable[[str, int, int], None]
"""Hears of long work: stage, done, total."""


class Stopwatch:
    """Runs from its making; ``lap`` says what the time since the lap before was spent on.

    What it shows goes to statistics that were asked for, never into a report.
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
