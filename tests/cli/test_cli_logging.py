"""Structured logs: what is told, and what is not."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Ctxpack
from tests.commanding import command_of


def test_every_line_is_an_object_and_says_what_happened(ctxpack: Ctxpack, demo: Path) -> None:
    asked = ("task", "fix the retry bug in the uploader", "--root", str(demo))
    outcome = ctxpack(*asked, "--log-format", "json")
    events = [json.loads(line) for line in outcome.err.splitlines()]
    assert [each["event"] for each in events] == ["started", *["strategy_finished"] * (len(events) - 2), "pack_made"]
    assert events[0] == {"event": "started", "scope": "task", "repository": "demo", "budget": 8000}
    assert {each["strategy"]: each["outcome"] for each in events[1:-1]} == {"search": "ok", "readme": "ok"}
    assert {"pieces", "files", "tokens", "budget", "seconds"} < set(events[-1])
    assert ctxpack(*asked).out == outcome.out


def test_nothing_personal_is_in_it(ctxpack: Ctxpack, demo: Path, tmp_path: Path) -> None:
    command = command_of(tmp_path, "sys.exit('geheim')")
    outcome = ctxpack("task", "retry geheim upload", "--root", str(demo), "--log-format", "json", "--rerank", command)
    events = [json.loads(line) for line in outcome.err.splitlines()]
    (degraded,) = [each for each in events if each["event"] == "degraded"]
    assert (degraded["state"], degraded["failures"]) == ("degraded", 1)
    assert "geheim" not in outcome.err
    assert str(tmp_path) not in outcome.err
    assert ".py" not in outcome.err


def test_another_form_is_refused(ctxpack: Ctxpack, demo: Path) -> None:
    outcome = ctxpack("task", "retry", "--root", str(demo), "--log-format", "xml")
    assert (outcome.status, "must be json" in outcome.err) == (2, True)
