from __future__ import annotations

import pytest

from ctxpack.errors import CancelledError, NothingFoundError
from ctxpack.system.clock import (
    FIND_END,
    INDEX_END,
    RANK_END,
    SELECT_END,
    Stopwatch,
    Ticket,
    Timekeeper,
    is_over,
)
from tests.ticking import Ticking


def test_every_lap_takes_the_time_since_the_one_before() -> None:
    times = iter([10.0, 11.5, 12.0, 15.0])
    watch = Stopwatch(lambda: next(times))
    for stage in ("index", "rank", "index"):
        watch.lap(stage)
    assert watch.seconds == {"index": 4.5, "rank": 0.5}


def test_a_deadline_is_over_once_its_clock_says_so() -> None:
    deadline = Timekeeper(clock=Ticking(1.0)).within(2.5)  # asked at 0
    assert [deadline.is_over for _ in range(4)] == [False, False, True, True]
    assert deadline.left == 0.0


def test_work_has_its_own_seconds_or_what_is_left_of_the_run() -> None:
    keeper = Timekeeper(10.0, clock=Ticking(1.0))
    assert (keeper.within(3.0).seconds, keeper.within(60.0).seconds) == (3.0, 10.0)
    assert keeper.within(60.0).end == 10.0


def test_only_a_run_with_a_limit_ends_its_stages() -> None:
    assert Timekeeper().until(INDEX_END) is None
    assert not is_over(None)
    ends = [Timekeeper(100.0, clock=Ticking()).until(part) for part in (FIND_END, INDEX_END, RANK_END, SELECT_END)]
    assert [end.end for end in ends if end] == [40.0, 75.0, 85.0, 95.0]


def test_an_index_has_its_part_of_the_run_or_what_somebody_waits() -> None:
    assert Timekeeper().for_index() is None
    keepers = [Timekeeper(100.0, clock=Ticking()), Timekeeper(100.0, patience=8.0, clock=Ticking())]
    keepers += [Timekeeper(patience=8.0, clock=Ticking()), Timekeeper(8.0, patience=8.0, clock=Ticking()).again()]
    assert [deadline.seconds for each in keepers if (deadline := each.for_index())] == [75.0, 8.0, 8.0, 6.0]
    assert keepers[1].without_limit().for_index() is None


def test_a_stage_that_began_late_has_what_is_left_until_its_end() -> None:
    keeper = Timekeeper(100.0, clock=Ticking(10.0))  # asked at 0
    deadline = keeper.until(FIND_END)
    assert deadline is not None
    assert (deadline.seconds, deadline.end) == (40.0, 40.0)
    assert [is_over(deadline) for _ in range(5)] == [False, False, False, False, True]


def test_processor_time_is_asked_of_its_own_clock() -> None:
    keeper = Timekeeper(10.0, clock=Ticking(late=0), effort=Ticking(1.0))
    assert [keeper.spending(1.5).is_over for _ in range(2)] == [False, False]


def test_what_was_cut_is_told_once_and_in_order() -> None:
    keeper = Timekeeper()
    assert not keeper.is_cut
    for sentence in ("b", "a", "b"):
        keeper.cut(sentence)
    assert (keeper.is_cut, keeper.notes) == (True, ("a", "b"))


def test_another_run_begins_anew_and_one_without_limit_does_not_end() -> None:
    clock = Ticking(4.0)
    keeper = Timekeeper(5.0, clock=clock)  # asked at 0
    keeper.cut("a")
    again = keeper.again()  # asked at 4
    assert (again.within(60.0).end, again.notes) == (9.0, ())
    assert keeper.without_limit().until(FIND_END) is None


def test_each_timekeeper_of_a_ticket_stops_with_it() -> None:
    ticket = Ticket()
    keepers = [keeper := Timekeeper(5.0, ticket), keeper.again(), keeper.without_limit()]
    for each in (Timekeeper(5.0), *keepers):
        each.checkpoint()
    ticket.withdraw()
    for each in keepers:
        with pytest.raises(CancelledError, match="cancelled"):
            each.checkpoint()


def test_where_nothing_is_found_what_was_left_out_is_told_once() -> None:
    keeper = Timekeeper()
    keeper.cut("Half is missing.")
    with pytest.raises(NothingFoundError) as caught, keeper.explaining(), keeper.explaining():
        raise NothingFoundError("Nothing.", hint="Wait.")
    assert (str(caught.value), caught.value.hint) == ("Nothing. Half is missing.", "Wait.")
