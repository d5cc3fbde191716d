from __future__ import annotations

from itertools import count
from threading import Event

import pytest

from ctxpack.embed.lookup import TimeLimit
from ctxpack.errors import EmbeddingError


def test_what_the_work_gives_or_raises_comes_through() -> None:
    limit = TimeLimit(60)
    assert limit.run(lambda: 3) == 3
    with pytest.raises(ZeroDivisionError):
        limit.run(lambda: 1 / 0)


def test_work_that_hangs_is_left_behind() -> None:
    never = Event()
    with pytest.raises(EmbeddingError, match=r"longer than 0\.05 seconds"):
        TimeLimit(0.05).run(never.wait)
    never.set()


def test_the_seconds_are_for_all_work_together() -> None:
    ticks = count(step=5)
    limit = TimeLimit(10, lambda: float(next(ticks)))
    limit.check()
    assert limit.run(lambda: "in time") == "in time"
    with pytest.raises(EmbeddingError, match="longer than 10 seconds"):
        limit.run(lambda: "too late")


def test_work_that_sees_that_it_is_late_says_the_same_and_it_is_told_once() -> None:
    told: list[str] = []
    ticks = count(step=5)
    limit = TimeLimit(10, lambda: float(next(ticks)), on_late=lambda: told.append("late"))

    def work() -> None:
        while True:
            limit.check()

    for late in (work, work):
        with pytest.raises(EmbeddingError, match="longer than 10 seconds"):
            limit.run(late)
    assert told == ["late"]
