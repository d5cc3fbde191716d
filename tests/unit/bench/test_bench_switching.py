"""Branches that are switched while ctxpack runs leave an index that answers as a new one does."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from tests.conftest import PROJECT

switching = import_module("switching")


def test_branches_that_are_switched_meanwhile_leave_an_index_that_answers_as_a_new_one() -> None:
    script = str(PROJECT / "scripts" / "bench" / "switching.py")
    command = [sys.executable, script, "--rounds", "1", "--seconds", "3"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "0 went wrong; 9 answers compared" in done.stdout, done.stdout + done.stderr
    assert done.returncode == 0


def test_another_answer_than_that_of_a_new_index_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    states = switching.make_repository(tmp_path / "tree")
    bench = switching.Bench(tmp_path / "tree", states, tmp_path)
    monkeypatch.setattr(switching.Bench, "ask", lambda _bench, text, cache: f"{text} {cache}")
    bench.compare(0)
    assert bench.answers == len(bench.wrong) == 9
    assert bench.wrong[0].startswith("where is the part sent, at ")
