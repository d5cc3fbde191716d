"""Meanings on the command line, with an embedder that needs no model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Ctxpack
from tests.embedding import install
from tests.indexing import write

FILES = {
    "garage.py": "def park(car: str) -> str:\n    return car\n",
    "trees.py": "def plant(tree: str) -> str:\n    return tree\n",
    "mail.py": "def send(letter: str) -> str:\n    return letter\n",
}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    install(tmp_path / "site", monkeypatch)
    monkeypatch.setenv("CTXPACK_EMBEDDER", "words")
    monkeypatch.setenv("CTXPACK_EMBEDDING_TIMEOUT", "600")
    return str(write(tmp_path / "project", FILES))


def test_meanings_are_computed_ahead_and_asked_for(ctxpack: Ctxpack, root: str) -> None:
    made = ctxpack("index", "--embed", "--root", root)
    assert made.status == 0
    assert made.out.startswith("index ")
    assert made.err == "Computed 3 vectors; every part of the repository has one now. Use them with --semantic.\n"
    assert ctxpack("search", "our vehicle of steel", "--root", root).status == 1
    found = ctxpack("search", "our vehicle of steel", "--semantic", "--format", "json", "--root", root)
    assert (found.status, found.err) == (0, "")
    (match,) = json.loads(found.out)["results"]
    assert match["path"] == "garage.py"
    assert "is close to the request in meaning" in match["reasons"]
    assert match["evidence"]["chunk meaning"] > 0
    assert match["confidence"] != "high"


def test_a_pack_holds_what_only_its_meaning_speaks_for(ctxpack: Ctxpack, root: str) -> None:
    packed = ctxpack("task", "our vehicle of steel", "--semantic", "--root", root)
    assert packed.status == 0
    assert "def park(car" in packed.out
    assert "is close to the request in meaning" in packed.out


def test_a_broken_model_changes_nothing_but_a_note(
    ctxpack: Ctxpack, root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = ctxpack("search", "plant a tree", "--root", root)
    monkeypatch.setenv("CTXPACK_EMBEDDER", "broken")
    found = ctxpack("search", "plant a tree", "--semantic", "--root", root)
    assert (found.status, found.out) == (0, plain.out)
    assert found.err.startswith("Note: Ranked by words alone. The embedding model failed: RuntimeError")
    assert found.err.count("\n") == 1
    asked = ctxpack("index", "--embed", "--root", root)
    assert asked.status == 4
    assert asked.err.startswith("Error: The embedding model failed: RuntimeError")


def test_computing_ahead_is_one_of_several_actions(ctxpack: Ctxpack, root: str) -> None:
    outcome = ctxpack("index", "--embed", "--clear", "--root", root)
    assert outcome.status == 2
    assert outcome.err.startswith("Error: --clear and --embed cannot be combined.")
