"""The profiles command, and reports that are made with a profile."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Ctxpack

TASK = "fix the retry bug in the uploader"


def test_the_list_names_values_and_where_they_are_written(ctxpack: Ctxpack, demo: Path) -> None:
    (demo / "ctxpack.toml").write_text("[profile.review]\nbudget = '24k'\n", encoding="utf-8")
    outcome = ctxpack("profiles", "--root", str(demo))
    assert (outcome.status, outcome.err) == (0, "")
    lines = [line.split(maxsplit=3) for line in outcome.out.splitlines()]
    assert lines[0] == ["profile", "sets", "to", "from"]
    assert ["budget", '"24k"', "ctxpack.toml", "[profile.review]"] in lines
    document = json.loads(ctxpack("profiles", "--format", "json", "--root", str(demo)).out)
    assert (document["schema"], len(document["profiles"])) == (1, 5)
    assert document["profiles"][0]["values"][0] == {
        "key": "budget",
        "value": "12k",
        "from": "the built-in profile edit",
    }


@pytest.mark.parametrize("name", ["edit", "explain", "onboard", "review", "troubleshoot"])
@pytest.mark.parametrize("asked", [("task", TASK), ("file", "processing/uploader.py"), ("component", "queue")])
def test_every_profile_serves_every_request_without_a_word(
    ctxpack: Ctxpack, demo: Path, name: str, asked: tuple[str, ...]
) -> None:
    outcome = ctxpack(*asked, "--profile", name, "--root", str(demo), "--format", "json")
    assert outcome.status == 0
    assert "Note: The strategy" not in outcome.err
    assert json.loads(outcome.out)["fragments"]


def test_a_profile_gives_its_instructions_and_conventions(ctxpack: Ctxpack, demo: Path) -> None:
    asked = ("task", TASK, "--root", str(demo), "--profile", "review")
    assert "Review what is asked" in ctxpack(*asked, "--format", "messages").out
    assert "Explain it from the sources" in ctxpack(*asked, "--format", "messages", "--intent", "explain").out
    (demo / "CONTRIBUTING.md").write_text("# Contributing\n\nLines have at most 100 characters.\n", encoding="utf-8")
    pieces = json.loads(ctxpack(*asked, "--format", "json").out)["fragments"]
    assert "conventions" in {each["strategy"] for each in pieces}


def test_another_form_is_refused(ctxpack: Ctxpack, demo: Path) -> None:
    assert ctxpack("profiles", "--format", "xml", "--root", str(demo)).status == 2
