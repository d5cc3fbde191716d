"""The table of an ablation, and the whole of it on a small repository."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path

from tests.indexing import commit

ablation = import_module("ablation")
SCRIPT = Path(__file__).resolve().parents[3] / "scripts" / "bench" / "ablation.py"


def rows(**changed: float) -> list[dict[str, object]]:
    """Four tasks of one set that measure .5 each, and one thing that is off."""
    base: list[dict[str, object]] = [{"set": "s", "off": "", "id": name, "measures": {"mrr": 0.5}} for name in "abcd"]
    return base + [{"set": "s", "off": "x", "id": name, "measures": {"mrr": to}} for name, to in changed.items()]


def test_a_change_has_an_interval_and_a_star_where_it_is_sure() -> None:
    assert ablation.change([0.0, 0.0]) == ablation.UNCHANGED
    assert ablation.change([-0.25] * 4) == "-25.0 [-25.0, -25.0] +0 -4*"
    assert ablation.change([0.5, -0.5]) == "+0.0 [-50.0, +50.0] +1 -1"


def test_tasks_that_were_not_tried_without_it_count_as_unchanged() -> None:
    lines = ablation.tables_of(rows(a=1.0, b=1.0), ["mrr", "fn@10"]).splitlines()
    assert lines[0].split() == ["mrr", "s", "(4)"]
    assert lines[1].split("  ")[0] == "all on"
    assert "50.0 [50.0, 50.0]" in lines[1]
    assert lines[2].startswith("x ")
    assert "+25.0 [" in lines[2]
    assert "+2 -0" in lines[2]
    assert len(lines) == 3


def test_what_changes_nothing_is_told_in_one_line() -> None:
    assert ablation.tables_of(rows(a=0.5), ["mrr"]).splitlines()[2:] == ["nothing changes without x"]


def test_things_come_in_the_order_of_the_ranker_s_tables() -> None:
    offs = ["words: synonym", "file: path", "cost: tests", "words: correction", "chunk: name", "file: path"]
    assert ablation._in_order(offs) == [
        "file: path",
        "chunk: name",
        "cost: tests",
        "words: correction",
        "words: synonym",
    ]


def test_an_ablation_from_mirror_to_table(tmp_path: Path) -> None:
    mirror = tmp_path / "mirrors" / "own+one" / "repo"
    sha = commit(
        mirror, {"a.py": "def load_cache():\n    pass\n", "tests/test_load_cache.py": "def test_load_cache(): pass\n"}
    )
    task = {
        "id": "1",
        "repo": "own/one",
        "commit": sha,
        "query": "load cache",
        "gold_files": ["tests/test_load_cache.py"],
    }
    question = {**task, "id": "2", "query": "cache"}
    (tmp_path / "few.jsonl").write_text(f"{json.dumps(task)}\n{json.dumps(question)}\n")
    out = tmp_path / "rows.jsonl"
    command = [sys.executable, str(SCRIPT), "--measures", "mrr"]
    asked = ["--tasks", str(tmp_path / "few.jsonl"), "--mirrors", str(tmp_path / "mirrors"), "--out", str(out)]
    done = subprocess.run([*command, *asked], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("mrr")
    assert "cost: tests                +50.0 [+50.0, +50.0] +2 -0*" in done.stdout
    again = subprocess.run([*command, "--rows", str(out)], capture_output=True, text=True, check=True)
    assert again.stdout == done.stdout
    assert {row["gold_in_query"] for line in out.read_text().splitlines() if not (row := json.loads(line))["off"]} == {
        "no"
    }


def test_what_is_missing_is_said() -> None:
    done = subprocess.run([sys.executable, str(SCRIPT), "--tasks", "x"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "give --tasks with --mirrors, or --rows" in done.stderr
