"""The eval command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Ctxpack
from tests.indexing import commit, git


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "repo"
    profile = "[profile.literal]\nuse_synonyms = false\n"
    files = {"retry.py": "def delay():\n    return 1\n", "paint.py": "x = 1\n", "ctxpack.toml": profile}
    commit(root, files, "Start it")
    commit(root, {"retry.py": "def delay():\n    return 2\n"}, "Double the delay")
    commit(root, {"paint.py": "x = 2\n"}, "Something unrelated altogether")
    return root


def test_table_has_figures_lanes_and_the_worst_miss(ctxpack: Ctxpack, root: Path) -> None:
    outcome = ctxpack("eval", "--root", str(root), "--commits", "5", "-b", "2k")
    assert outcome.status == 0, outcome.err
    assert outcome.out.startswith("2 commits are tasks; packs of 2,000 tokens (o200k_base)\n")
    assert "  left out: commits without a parent (1)\n" in outcome.out
    lines = outcome.out.splitlines()
    assert next(line for line in lines if line.startswith("acc@1 ")).split()[1:] == ["50.0", "0.0", "to", "100.0"]
    assert next(line for line in lines if line.startswith("code ")).split()[:3] == ["code", "2", "50.0"]
    worst = lines.index("worst misses")
    assert "Something unrelated altogether" in lines[worst + 1]
    assert lines[worst + 2] == "  paint.py: not found, 0 of 1 lines packed"


def test_json_holds_every_task(ctxpack: Ctxpack, root: Path) -> None:
    outcome = ctxpack("eval", "--root", str(root), "--format", "json", "--commits", "1")
    document = json.loads(outcome.out)
    assert list(document) == ["schema", "budget", "encoding", "left_out", "variants"]
    (variant,) = document["variants"]
    assert list(variant["measures"]) == ["acc@1", "acc@3", "acc@5", "acc@10", "mrr", "files", "lines"]
    assert variant["measures"]["acc@1"] == {"mean": 0, "low": 0, "high": 0}
    assert variant["lanes"]["code"]["tasks"] == 1
    assert variant["tasks"] == [
        {
            "commit": git(root, "rev-parse", "HEAD"),
            "subject": "Something unrelated altogether",
            "files": [
                {"path": "paint.py", "lane": "code", "rank": None, "in_pack": False, "lines": 1, "lines_in_pack": 0}
            ],
        }
    ]


def test_settings_are_compared_side_by_side(ctxpack: Ctxpack, root: Path) -> None:
    plain = ctxpack("eval", "--root", str(root), "--compare", "exclude=retry.py,use_typos=false")
    assert plain.status == 0, plain.err
    head = next(line for line in plain.out.splitlines() if line.startswith("mean"))
    assert "as it is" in head
    assert "exclude=retry.py, use_typos=false" in head
    assert "-50.0" in next(line for line in plain.out.splitlines() if line.startswith("acc@1 "))
    asked = ("eval", "--root", str(root), "--compare-profile", "literal", "--format", "json", "--compare", "budget=4k")
    document = json.loads(ctxpack(*asked).out)
    assert [each["name"] for each in document["variants"]] == ["as it is", "profile literal, budget=4k"]
    assert document["differences"]["acc@1"] == {"mean": 0, "low": 0, "high": 0}


def test_explain_tells_every_task_on_standard_error(ctxpack: Ctxpack, root: Path) -> None:
    outcome = ctxpack("eval", "--root", str(root), "--explain")
    assert "Double the delay\n  retry.py: rank 1, 1 of 1 lines packed\n" in outcome.err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--compare", "use_synonyms"), "'use_synonyms' is not KEY=VALUE."),
        (("--compare", "use_synonims=false"), "not a known setting"),
        (("--compare", "use_typos=perhaps"), "must be true or false"),
        (("--compare-profile", "none"), "There is no profile 'none'."),
        (("--format", "xml"), "--format must be plain or json for this command, not 'xml'."),
        (("--commits", "0"), "0 is not in the range"),
    ],
)
def test_wrong_wishes_are_refused(ctxpack: Ctxpack, root: Path, arguments: tuple[str, ...], sentence: str) -> None:
    outcome = ctxpack("eval", "--root", str(root), *arguments)
    assert (outcome.status, outcome.out) == (2, "")
    assert sentence in outcome.err


def test_outside_git_and_without_tasks_there_is_nothing_to_evaluate(
    ctxpack: Ctxpack, tmp_path: Path, demo: Path
) -> None:
    assert ctxpack("eval", "--root", str(demo)).status == 2
    commit(tmp_path / "young", {"a.py": "x = 1\n"}, "Start it")
    outcome = ctxpack("eval", "--root", str(tmp_path / "young"))
    assert outcome.status == 1
    assert "commits without a parent (1)" in outcome.err
