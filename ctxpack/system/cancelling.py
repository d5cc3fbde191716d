"""Stop work that nobody waits for any more: who asked for it holds its ``Ticket``, which the work checks now and then.

The timekeeper of a run takes the ticket to whatever may take long: see ``Timekeeper.checkpoint``.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event
from typing import TYPE_CHECKING

from ctxpack.errors import CancelledError

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
