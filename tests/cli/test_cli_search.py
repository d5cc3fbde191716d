"""The ranked list."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.cli.conftest import Ctxpack
from tests.conftest import MakeRepository

KEYS = ["path", "start_line", "end_line", "symbol", "kind", "score", "confidence", "reasons", "evidence"]


def test_json_is_schema_1(ctxpack: Ctxpack, demo: Path) -> None:
    outcome = ctxpack("search", "idempotency", "key", "--root", str(demo), "--format", "json", "--limit", "3")
    document = json.loads(outcome.out)
    assert list(document) == ["schema", "query", "results"]
    assert (document["schema"], document["query"], len(document["results"])) == (1, "idempotency key", 3)
    for result in document["results"]:
        assert list(result) == KEYS
        assert 0 <= result["score"] <= 1
        assert all(isinstance(points, float) for points in result["evidence"].values())


def test_symbol_is_found_first(ctxpack: Ctxpack, demo: Path) -> None:
    results = json.loads(ctxpack("search", "delay_before", "--root", str(demo), "--format", "json").out)["results"]
    assert (results[0]["path"], results[0]["symbol"]) == ("utils/backoff.py", "delay_before")


def test_table_has_a_head_and_a_line_for_each_match(ctxpack: Ctxpack, demo: Path) -> None:
    outcome = ctxpack("search", "delay_before", "--root", str(demo), "--limit", "2")
    head, *rows = outcome.out.splitlines()
    assert head.split() == ["score", "sure", "kind", "match", "name", "why"]
    assert len(rows) == 2
    assert "utils/backoff.py:" in rows[0]


def test_explain_gives_the_points_of_each_signal(ctxpack: Ctxpack, demo: Path) -> None:
    outcome = ctxpack("search", "delay_before", "--root", str(demo), "--limit", "1", "--explain")
    assert "1. utils/backoff.py:" in outcome.err


def test_nothing_found_is_status_1_and_still_json(ctxpack: Ctxpack, demo: Path) -> None:
    outcome = ctxpack("search", "zzqqxxvv", "--root", str(demo), "--format", "json")
    assert outcome.status == 1
    assert json.loads(outcome.out)["results"] == []
    assert outcome.err.startswith("Error: Nothing in the repository matches.")


def test_a_form_that_a_search_does_not_have_is_refused(ctxpack: Ctxpack, demo: Path) -> None:
    outcome = ctxpack("search", "retry", "--root", str(demo), "--format", "xml")
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err == (
        "Error: --format must be plain or json for this command, not 'xml'.\n"
        "Hint: Leave it out for a table, or write --format json.\n"
    )


def test_name_that_is_not_utf8_is_written_as_in_a_report(ctxpack: Ctxpack, repository: MakeRepository) -> None:
    """A lone surrogate is no text to most readers of JSON."""
    root = repository({"README.md": "# Numbers\n"})
    try:
        Path(os.fsdecode(os.fsencode(root) + b"/quokka\xff.py")).write_text("def quokka() -> None: ...\n")
    except OSError:
        pytest.skip("this file system has no such names")
    (result,) = json.loads(ctxpack("search", "quokka", "--root", str(root), "--format", "json").out)["results"]
    assert result["path"] == r"quokka\xff.py"
