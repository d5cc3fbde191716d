"""A clock that tells how often it was asked: no test waits for time to pass, and a busy machine changes nothing."""

from __future__ import annotations

from itertools import count


class Ticking:
    """Gives 0, then one step more each time; from call ``late`` on it is an hour later, or ``by`` some seconds."""

    def __init__(self, step: float = 0.0, *, late: int | None = None, by: float = 3_600.0) -> None:
        self.calls = count()
        self._step, self._late, self._by = step, late, by

    def __call__(self) -> float:
        """Tell the time."""
        call = next(self.calls)
        return call * self._step + (self._by if self._late is not None and call >= self._late else 0.0)
