from __future__ import annotations

import threading

import pytest

from ctxpack.system.threads import thread_pool


def test_who_is_interrupted_does_not_wait_for_what_runs_and_starts_nothing_more() -> None:
    begun, release, started = threading.Event(), threading.Event(), list[int]()

    def work(number: int) -> None:
        started.append(number)
        begun.set()
        release.wait()

    def interrupted() -> None:
        with thread_pool(1) as pool:
            for number in range(9):
                pool.submit(work, number)
            begun.wait()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert not release.is_set()
    release.set()
    assert started == [0]


def test_what_was_begun_is_finished_where_all_went_well() -> None:
    done = list[int]()
    with thread_pool(2) as pool:
        for number in range(9):
            pool.submit(done.append, number)
    assert sorted(done) == list(range(9))
