from __future__ import annotations

import subprocess
import sys
import threading
from time import sleep

from ctxpack.gather.orchestrate import Runner, race

ENDLESS = """
import threading
from ctxpack.gather.orchestrate import Runner, race
finish = race([Runner("endless", threading.Event().wait, 0.05)])["endless"]
print(finish.is_late)
"""


def test_results_are_in_order_whoever_comes_in_first() -> None:
    first_may_go = threading.Event()

    def second() -> str:
        first_may_go.set()
        return "two"

    finishes = race([Runner("first", lambda: first_may_go.wait(5) and "one", 5), Runner("second", second, 5)])
    assert [(name, each.result) for name, each in finishes.items()] == [("first", "one"), ("second", "two")]


def test_they_run_at_the_same_time() -> None:
    meeting = threading.Barrier(3)
    finishes = race([Runner(str(number), lambda: meeting.wait(5), 5) for number in range(3)])
    assert sorted(str(each.result) for each in finishes.values()) == ["0", "1", "2"]


def test_whatever_is_raised_comes_back() -> None:
    def ends() -> None:
        sys.exit(3)

    finishes = race([Runner("zero", lambda: 1 / 0, 5), Runner("exit", ends, 5), Runner("fine", lambda: 1, 5)])
    assert isinstance(finishes["zero"].error, ZeroDivisionError)
    assert isinstance(finishes["exit"].error, SystemExit)
    assert finishes["fine"].result == 1


def test_one_that_is_too_slow_costs_its_time_and_no_more() -> None:
    may_go, is_back = threading.Event(), threading.Event()

    def slow() -> None:
        may_go.wait(30)
        is_back.set()

    finishes = race([Runner("slow", slow, 0.3), Runner("fast", lambda: "done", 60)])
    assert not is_back.is_set()  # neither its end nor the minute of the other was waited for
    assert finishes["slow"].is_late
    assert finishes["slow"].result is finishes["slow"].error is None
    assert not finishes["fast"].is_late
    may_go.set()


def test_what_comes_in_too_late_is_not_taken() -> None:
    may_go, is_back = threading.Event(), threading.Event()

    def late() -> str:
        may_go.wait(30)
        is_back.set()
        return "late"

    def long() -> None:
        sleep(1.5)  # a busy machine as well notices within it that the other is too late
        may_go.set()
        is_back.wait(30)

    finishes = race([Runner("late", late, 0.05), Runner("long", long, 60)])
    assert finishes["late"].is_late
    assert finishes["late"].result is None


def test_a_thread_that_never_ends_does_not_hold_the_exit() -> None:
    done = subprocess.run([sys.executable, "-c", ENDLESS], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "True\n"


def test_nothing_to_run_is_no_error() -> None:
    assert race([]) == {}
