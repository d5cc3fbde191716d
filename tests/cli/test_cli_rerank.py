"""Reranking through the commands that rank."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Ctxpack
from tests.commanding import command_of

LAST_FIRST = "print(sorted(map(int, re.findall(r'^\\[(\\d+)\\] ', prompt, re.M)))[::-1])"


def found(out: str) -> list[str]:
    return [f"{each['path']}:{each['start_line']}" for each in json.loads(out)["results"]]


def test_a_search_takes_the_command_s_order_of_the_best_thirty(ctxpack: Ctxpack, demo: Path, tmp_path: Path) -> None:
    asked = ("search", "retry", "upload", "--root", str(demo), "--format", "json")
    usual = found(ctxpack(*asked, "--limit", "30").out)
    outcome = ctxpack(*asked, "--limit", "3", "--rerank", command_of(tmp_path, LAST_FIRST))
    assert (outcome.status, outcome.err) == (0, "")
    assert len(usual) > 3
    assert found(outcome.out) == usual[::-1][:3]
    results = json.loads(outcome.out)["results"]
    assert [each["score"] for each in results] == sorted((each["score"] for each in results), reverse=True)
    assert all("rerank" in each["evidence"] for each in results)


def test_explain_tells_the_place(ctxpack: Ctxpack, demo: Path, tmp_path: Path) -> None:
    command = command_of(tmp_path, "print([2, 1])")
    outcome = ctxpack("task", "retry upload", "--root", str(demo), "--rerank", command, "--explain")
    assert "ranked number 1 by the reranking command" in outcome.err
    assert "ranked number 1 by the reranking command" in outcome.out


@pytest.mark.parametrize(
    "asked", [("task", "retry upload"), ("file", "processing/uploader.py"), ("component", "queue")]
)
def test_every_pack_can_be_reranked(ctxpack: Ctxpack, demo: Path, tmp_path: Path, asked: tuple[str, ...]) -> None:
    ran = tmp_path / "ran"
    command = command_of(tmp_path, f"open({str(ran)!r}, 'w').close(); print('[1]')")
    outcome = ctxpack(*asked, "--root", str(demo), "--rerank", command)
    assert (outcome.status, ran.exists()) == (0, True)
    assert "Not reranked" not in outcome.err


def test_a_bad_answer_leaves_the_pack_as_it_was_and_is_a_note(ctxpack: Ctxpack, demo: Path, tmp_path: Path) -> None:
    command = command_of(tmp_path, "print('none of them')")
    asked = ("task", "retry upload", "--root", str(demo), "--format", "json", "-b", "20k")
    usual, outcome = json.loads(ctxpack(*asked).out), ctxpack(*asked, "--rerank", command)
    packed = json.loads(outcome.out)
    assert outcome.status == 0
    assert packed["fragments"] == usual["fragments"]
    sentence = "Not reranked, the order is that of the built-in ranking: "
    assert outcome.err.startswith(f"Note: {sentence}")
    assert [note for note in packed["notes"] if note.startswith(sentence)]


def test_a_failing_command_is_one_line_beside_a_search(ctxpack: Ctxpack, demo: Path, tmp_path: Path) -> None:
    command = command_of(tmp_path, "sys.exit('no key')")
    outcome = ctxpack("search", "retry", "--root", str(demo), "--rerank", command)
    assert outcome.status == 0
    assert outcome.out == ctxpack("search", "retry", "--root", str(demo)).out
    assert outcome.err.startswith("Note: Not reranked")
    assert outcome.err.endswith("ended with status 1: no key.\n")


def test_a_context_file_does_not_depend_on_a_command(
    ctxpack: Ctxpack, demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (demo / "ctxpack.toml").write_text('[[context]]\npath = "A.md"\nrequest = "retry upload"\n', encoding="utf-8")
    monkeypatch.setenv("CTXPACK_RERANK", command_of(tmp_path, "sys.exit('asked')"))
    assert ctxpack("refresh", "--root", str(demo)).status == 0
    assert "reranked" not in (demo / "A.md").read_text(encoding="utf-8")
