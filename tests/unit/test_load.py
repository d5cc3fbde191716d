"""Many requests in a row, threads and processes, with the script that puts on the whole load."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import PROJECT
from tests.scripting import bench

SCRIPT = PROJECT / "scripts" / "bench" / "load.py"


load = bench("load")


@pytest.fixture(scope="module")
def asked() -> Iterator[tuple[list[Any], list[str], Path]]:
    """Requests on a copy of the demo, what each is answered alone, and a folder."""
    gc.collect()
    gc.freeze()  # what other tests have left is not looked through again and again
    with load.laid_out(PROJECT / "fixtures" / "demo") as (settings, folder):
        requests = load.requests_for(settings)[::3]
        yield requests, load.expected_answers(requests, folder), folder


def test_requests_in_a_row_are_answered_alike_and_leave_nothing_open(asked: tuple[list[Any], list[str], Path]) -> None:
    requests, expected, _ = asked
    found = load.in_a_row(requests, expected, 4 * len(requests), flat=1.0)
    assert (found.answers, found.wrong, found.is_good) == (4 * len(requests), 0, True)


def test_memory_that_requests_take_is_given_back(asked: tuple[list[Any], list[str], Path]) -> None:
    requests, _, _ = asked
    for each in requests:
        load.answer(each)
    tracemalloc.start()
    try:
        held = []
        for _ in range(3):
            for each in requests:
                load.answer(each)
            gc.collect()
            held.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    assert held[2] - held[1] < 20_000  # bytes: the text of one report is as long


def test_threads_answer_alike(asked: tuple[list[Any], list[str], Path]) -> None:
    requests, expected, folder = asked
    threads = [(request, load.replace(its, cache_dir=folder / "threads")) for request, its in requests[::2]]
    found = load.in_threads(threads, expected[::2], 8)
    assert (found.wrong, found.said) == (0, "errors 0")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_processes_on_one_cold_cache_answer_alike() -> None:
    command = [sys.executable, str(SCRIPT), "--requests", "0", "--threads", "0", "--processes", "12"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # a process without threads to fork
    assert "processes: 12 answers, 0 differ, 0 late; failed 0;" in done.stdout
    assert done.returncode == 0


def test_a_wrong_answer_is_counted(asked: tuple[list[Any], list[str], Path]) -> None:
    requests, expected = (each[:3] for each in asked[:2])
    wrong = ["another text", *expected[1:]]
    assert load.in_a_row(requests, wrong, len(requests), flat=1.0).wrong == 1
    assert load.in_threads(requests, wrong, 2).wrong == 2


def test_an_answer_that_says_that_its_time_was_over_is_counted_apart(asked: tuple[list[Any], list[str], Path]) -> None:
    expected = asked[1][0]
    late = f"{expected}\n- Note: Ranking took longer than 51 s, so it goes by fewer signals.\n"
    found = load.Finding()
    for text in (expected, late, "another text"):
        found.compare(text, expected)
    assert (found.wrong, found.late) == (1, 1)
