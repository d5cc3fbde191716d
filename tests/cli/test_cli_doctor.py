"""The doctor command: what it shows, and when it says that something is broken."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ctxpack.events import Guard
from ctxpack.settings import Settings
from tests.cli.conftest import Ctxpack, Outcome


def found(outcome: Outcome) -> dict[tuple[str, str], tuple[str, str]]:
    return {
        (each["part"], each["name"]): (each["state"], each["found"]) for each in json.loads(outcome.out)["findings"]
    }


def test_all_is_well_without_a_repository(ctxpack: Ctxpack, tmp_path: Path) -> None:
    outcome = ctxpack("doctor", "--root", str(tmp_path))
    assert (outcome.status, outcome.err) == (0, "")
    assert "BROKEN" not in outcome.out
    parts = [line.split()[0] for line in outcome.out.splitlines() if not line.startswith(" ")]
    assert parts == ["versions", "folders", "configuration", "policy", "meanings", "plug-ins", "outside"]


def test_values_are_shown_with_their_origins(
    ctxpack: Ctxpack, demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (demo / "ctxpack.toml").write_text("budget = '24k'\n", encoding="utf-8")
    policy = tmp_path / "policy.toml"
    policy.write_text(
        "redaction = 'required'\nformats = {forbid = ['json', 'xml']}\nlimits = {budget = 9000}\n", encoding="utf-8"
    )
    monkeypatch.setenv("CTXPACK_POLICY", str(policy))
    monkeypatch.setenv("CTXPACK_ORDER", "path")
    outcome = ctxpack("doctor", "--format", "json", "--root", str(demo))
    seen = found(outcome)
    assert (outcome.status, json.loads(outcome.out)["is_broken"]) == (0, False)
    assert seen["configuration", "budget"] == ("ok", f"9000 from {policy}")
    assert seen["configuration", "order"] == ("ok", "path from CTXPACK_ORDER")
    rules = "secrets are taken out; formats forbid json, xml; budget at most 9,000"
    assert seen["policy", str(policy)] == ("ok", rules)


@pytest.mark.parametrize("where", ["ctxpack.toml", "policy.toml"])
def test_a_broken_file_is_told_and_costs_the_exit_status(
    ctxpack: Ctxpack, demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    place = (demo if where == "ctxpack.toml" else tmp_path) / where
    place.write_text("budget =", encoding="utf-8")
    monkeypatch.setenv("CTXPACK_POLICY", str(place) if where == "policy.toml" else "")
    outcome = ctxpack("doctor", "--format", "json", "--root", str(demo))
    state, told = found(outcome)["configuration", "error"]
    assert (outcome.status, state) == (1, "broken")
    assert where in told


def test_broken_plug_ins_and_outside_parts_are_named(
    ctxpack: Ctxpack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = tmp_path / "site" / "some_pack-1.0.dist-info"
    record.mkdir(parents=True)
    (record / "METADATA").write_text("Metadata-Version: 2.1\nName: some-pack\nVersion: 1.0\n", encoding="utf-8")
    (record / "entry_points.txt").write_text("[ctxpack.renderers]\nhouse = no_such_module:x\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    monkeypatch.setenv("CTXPACK_CACHE_DIR", str(tmp_path / "cache"))
    Guard(Settings(root=tmp_path, cache_dir=tmp_path / "cache"), "x", "The embedding service x").record_failure()
    outcome = ctxpack("doctor", "--format", "json", "--root", str(tmp_path))
    seen = found(outcome)
    assert outcome.status == 1
    state, told = seen["plug-ins", "renderer house"]
    assert (state, told.startswith("of some-pack cannot be loaded: ModuleNotFoundError")) == ("broken", True)
    assert seen["outside", "The embedding service x"] == ("warning", "degraded: it failed once")


def test_a_folder_that_cannot_be_written_is_told(
    ctxpack: Ctxpack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("CTXPACK_DATA_DIR", str(tmp_path / "file"))
    outcome = ctxpack("doctor", "--root", str(tmp_path))
    assert (outcome.status, "cannot be written" in outcome.out) == (1, True)
    assert ctxpack("doctor", "--format", "xml").status == 2
