"""Types of a clock and of a listener to progress, and a stopwatch for the stages."""

from __future__ import annotations

import time
from collections.abc import Callable

Clock = Callable[[], float]
"""Gives seconds; ``time.time`` is one."""

Progress = Callable[[str, int, int], None]
"""Hears of long work: stage, done, total."""


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
