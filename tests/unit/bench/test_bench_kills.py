"""Runs that are killed leave nothing that the next one answers otherwise by; what goes wrong is counted."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from tests.conftest import PROJECT

kills, faults = import_module("kills"), import_module("faults")
pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


def test_killed_runs_leave_nothing_that_the_next_one_stumbles_over() -> None:
    command = [sys.executable, str(PROJECT / "scripts" / "bench" / "kills.py"), "--count", "3", "--seed", "2"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # a process without threads to fork
    assert "0 of 3 trials went wrong" in done.stdout, done.stdout + done.stderr
    assert done.returncode == 0


def test_what_goes_wrong_is_counted_and_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    class Wrong(kills.Trials):  # type: ignore[misc, name-defined] # a script has no types here
        def one(self, *, is_cold: bool) -> str:
            return "a file is half-written" if is_cold else ""

    bench = faults.Bench(tmp_path, tmp_path / "clean", tmp_path / "used", ())
    assert kills.try_all(Wrong(bench, random.Random(1)), 4, show=False) == 1  # noqa: S311 - no secret
    assert capsys.readouterr().out.splitlines()[:2] == [
        "   2  a file is half-written",
        "2 of 4 trials went wrong; 0 processes were killed at work",
    ]
