"""Work that nobody waits for stops at its next checkpoint, also in the threads that it started."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from ctxpack.errors import CancelledError
from ctxpack.index.opening import index_status, open_repository
from ctxpack.model import Request, Scope
from ctxpack.pipeline import run_pack
from ctxpack.settings import Settings
from ctxpack.system.clock import Ticket, Timekeeper, thread_pool
from tests.building import retry_module
from tests.indexing import write


def test_a_withdrawn_ticket_stops_the_work_and_only_this_work() -> None:
    ticket, other = Ticket(), Ticket()
    ticket.check()
    ticket.withdraw()
    with pytest.raises(CancelledError, match="cancelled"):
        ticket.check()
    other.check()


def test_an_index_stops_between_two_files_and_keeps_nothing(tmp_path: Path) -> None:
    root = write(tmp_path / "repo", {f"m{number}.py": retry_module(f"f{number}") for number in range(40)})
    settings, ticket = Settings(root=root, cache_dir=tmp_path / "cache"), Ticket()

    class Watched(Ticket):
        checks = 0

        def check(self) -> None:
            self.checks += 1
            if self.checks == 10:
                ticket.withdraw()
            ticket.check()

    watched = Watched()
    with pytest.raises(CancelledError), open_repository(settings, keeper=Timekeeper(ticket=watched)):
        pytest.fail("the index was made")
    assert 10 <= watched.checks < 40
    assert index_status(settings).files == 0
    with open_repository(settings) as view:  # nothing is broken
        assert len(view.files) == 40


def test_a_pack_stops_at_any_of_its_stages(tmp_path: Path) -> None:
    root = write(tmp_path / "repo", {f"m{number}.py": retry_module(f"f{number}") for number in range(3)})
    settings = Settings(root=root, cache_dir=tmp_path / "cache")

    class Counting(Ticket):
        def __init__(self, stop_at: int) -> None:
            super().__init__()
            self.left = stop_at

        def check(self) -> None:
            self.left -= 1
            if self.left == 0:
                self.withdraw()
            super().check()

    request = Request(Scope.TASK, text="retry delay")
    run_pack(request, settings)
    for stop_at in range(1, 6):  # at the beginning, the index, the ranking, behind it, and while pieces are gathered
        with pytest.raises(CancelledError):
            run_pack(request, settings, keeper=Timekeeper(ticket=Counting(stop_at)))
    keeper = Timekeeper(ticket=Counting(10_000))
    assert run_pack(request, settings, keeper=keeper).pack.selection.fragments


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
