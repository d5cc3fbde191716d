"""Interpreters that index for us: many batches each, and an answer even from one that dies."""

from __future__ import annotations

import gc
import io
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from ctxpack.index import segment, workers
from ctxpack.index.view import Facts
from ctxpack.index.workers import (
    Worker,
    WorkerPool,
    end_waiting,
    result_of,
    start_ahead,
    worker_pool,
    write_segment,
)
from ctxpack.model import Places, SourceFile
from ctxpack.system.clock import Timekeeper, thread_pool
from tests.building import source_file
from tests.ticking import Ticking


def batch(root: Path, names: Sequence[str]) -> list[SourceFile]:
    for name in names:
        (root / name).write_text(f"def {name[0]}():\n    return 1\n")
    return [source_file(name) for name in names]


def test_one_interpreter_takes_batch_after_batch(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    first, second = batch(tmp_path / "root", ["a.py", "b.py"]), batch(tmp_path / "root", ["c.py"])
    with worker_pool(1) as hired:
        one = hired.index(Places(tmp_path / "root"), first, tmp_path / "one")
        two = hired.index(Places(tmp_path / "root"), second, tmp_path / "two")
    assert one is not None
    assert [Facts.from_json(line).slot for line in one] == [0, 1]
    assert two is not None
    assert [Facts.from_json(line).slot for line in two] == [0]
    assert segment.load_segment(tmp_path / "two").definition.find("c") is not None


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="nothing tells of threads here")
def test_an_interpreter_has_one_thread(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    with worker_pool(1) as hired:
        hired.index(Places(tmp_path / "root"), batch(tmp_path / "root", ["a.py"]), tmp_path / "one")
        process = hired._workers[0]._process
        assert process is not None
        assert len(list(Path(f"/proc/{process.pid}/task").iterdir())) == 1


def test_its_segment_is_the_same_as_ours(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    files = batch(tmp_path / "root", ["a.py", "b.py"])
    ours, theirs = tmp_path / "ours" / "segment", tmp_path / "theirs" / "segment"
    for place in (ours, theirs):
        place.parent.mkdir()
    write_segment(Places(tmp_path / "root"), [("a.py", "python"), ("b.py", "python")], ours, lambda _: True)
    with worker_pool(2) as hired:
        hired.index(Places(tmp_path / "root"), files, theirs)
    assert ours.read_bytes() == theirs.read_bytes()


def test_a_failure_is_told_and_the_next_batch_goes_on(tmp_path: Path) -> None:
    files = batch(tmp_path, ["a.py"])
    member = Worker()
    try:
        assert member.index(Places(tmp_path), files, tmp_path / "missing" / "segment") is None
        assert member.index(Places(tmp_path), files, tmp_path / "segment") is not None
    finally:
        member.close()


def test_an_interpreter_that_cannot_start_is_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", str(tmp_path / "missing"))
    hired = WorkerPool(1)
    assert hired.index(Places(tmp_path), batch(tmp_path, ["a.py"]), tmp_path / "segment") is None
    hired.close()


def test_a_worker_that_was_ended_for_good_starts_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "start_interpreter", lambda *_, **__: pytest.fail("one was started"))
    hired = WorkerPool(1)
    hired.close()
    assert hired._workers[0].index(Places(tmp_path), batch(tmp_path, ["a.py"]), tmp_path / "segment") is None


def test_who_has_an_interpreter_goes_on_before_another_one_is_started(tmp_path: Path) -> None:
    files = batch(tmp_path, ["a.py"])
    with worker_pool(3) as hired:
        for number in range(4):
            assert hired.index(Places(tmp_path), files, tmp_path / f"segment-{number}") is not None
        assert sum(each._process is not None for each in hired._workers) == 1


def test_whoever_ends_interpreters_waits_for_them_later(tmp_path: Path) -> None:
    with worker_pool(1) as hired:
        assert hired.index(Places(tmp_path), batch(tmp_path, ["a.py"]), tmp_path / "segment") is not None
        process = hired._workers[0]._process
    assert process is not None
    assert process.returncode is None
    end_waiting()
    assert process.returncode is not None


def test_an_interpreter_reads_several_roots(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    batch(tmp_path / "one", ["a.py"])
    batch(tmp_path / "two", ["b.py"])
    places = Places(tmp_path / "nowhere", {"x": tmp_path / "one", "y": tmp_path / "two"})
    with worker_pool(1) as hired:
        lines = hired.index(places, [source_file("x/a.py"), source_file("y/b.py")], tmp_path / "made")
    assert lines is not None
    assert [Facts.from_json(line).error for line in lines] == ["", ""]


@pytest.mark.parametrize("is_first", [True, False])
def test_who_has_no_patience_waits_for_what_has_begun_and_for_the_first(*, is_first: bool) -> None:
    job: Future[list[str]] = Future()
    pool, keeper = WorkerPool(0), Timekeeper(patience=1.0, clock=Ticking(late=1))
    with thread_pool(1) as threads:
        answer = threads.submit(result_of, job, keeper, pool, is_first=is_first)
        while not (pool.is_closed or is_first):
            time.sleep(0.01)
        job.set_result(["line"])
        assert answer.result() == ["line"]
    assert pool.is_closed is not is_first


def test_an_interpreter_that_was_started_ahead_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    start_ahead(2)
    start_ahead(2)
    ahead = list(workers._waiting)
    assert len(ahead) == 2
    with monkeypatch.context() as patch:
        patch.setattr(workers, "start_interpreter", lambda *_: pytest.fail("one more was started"))
        with worker_pool(1) as hired:
            assert hired.index(Places(tmp_path), batch(tmp_path, ["a.py"]), tmp_path / "made") is not None
    end_waiting()
    assert workers._waiting == []
    assert all(each.returncode is not None for each in ahead)


def test_what_was_started_ahead_and_died_is_a_failure_of_one_batch(tmp_path: Path) -> None:
    start_ahead(1)
    workers._waiting[0].kill()
    workers._waiting[0].wait()
    member = Worker()
    try:
        assert member.index(Places(tmp_path), batch(tmp_path, ["a.py"]), tmp_path / "segment") is None
        assert member.index(Places(tmp_path), batch(tmp_path, ["a.py"]), tmp_path / "segment") is not None
    finally:
        member.close()


def test_a_worker_has_what_it_is_started_with_but_for_what_the_user_has_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MALLOC_TOP_PAD_", "7")
    monkeypatch.setattr(subprocess, "Popen", _Started)
    started: Any = workers._start()
    assert started.environment["MALLOC_TOP_PAD_"] == "7"
    assert started.environment["MALLOC_TRIM_THRESHOLD_"] == "67108864"


class _Started:
    def __init__(self, command: list[str], *, env: dict[str, str], **_: object) -> None:
        self.command, self.environment = command, env


def test_what_a_worker_keeps_is_given_back_before_segments_are_joined(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    monkeypatch.setattr(workers, "_give_back_memory", lambda: done.append("given back"))
    monkeypatch.setattr(workers, "join_segments", lambda *_: done.append("joined"))
    monkeypatch.setattr(sys, "stdin", io.StringIO('{"sources": ["a"], "target": "b"}\n'))
    workers.run_worker()
    gc.enable()
    assert done == ["given back", "joined"]


def test_memory_is_given_back_whatever_the_library_of_c(monkeypatch: pytest.MonkeyPatch) -> None:
    workers._give_back_memory()
    monkeypatch.setattr("ctypes.CDLL", lambda _: object())
    workers._give_back_memory()
