"""Threads that nobody waits for once the work they belong to has failed or was interrupted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor


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
