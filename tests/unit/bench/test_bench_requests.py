"""The requests of the project's own benchmark, and how their repositories are cloned."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from fnmatch import fnmatch
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import PROJECT
from tests.indexing import commit

mirrors, tasks = import_module("mirrors"), import_module("tasks")
REQUESTS = tasks.read_tasks(PROJECT / "scripts" / "bench" / "requests.jsonl")


def test_each_repository_has_eight_requests_of_one_commit_and_one_without_an_answer() -> None:
    assert len({each["id"] for each in REQUESTS}) == len(REQUESTS) == 160
    assert set(Counter(each["repo"] for each in REQUESTS).values()) == {8}
    assert len({(each["repo"], each["commit"]) for each in REQUESTS}) == 20
    assert set(Counter(each["repo"] for each in REQUESTS if not each["must"]).values()) == {1}


@pytest.mark.parametrize("task", REQUESTS, ids=lambda task: task["id"])
def test_what_a_request_needs_is_told_by_lines_and_is_nowhere_called_wrong(task: Mapping[str, Any]) -> None:
    assert task["query"].strip()
    assert re.fullmatch(r"[0-9a-f]{40}", task["commit"])
    assert bool(task["must"]) is (task["intent"] != "none")
    for path, first, last in [*task["must"], *task["nice"]]:
        assert 1 <= first <= last
        assert not any(fnmatch(path, glob) for glob in task["wrong"])


def test_a_repository_is_cloned_once_with_its_history(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    sha = commit(tmp_path / "origin" / "own" / "one", {"a.txt": "old"})
    task = {"id": "1", "repo": "up/stream", "mirror": "own/one", "commit": sha}
    origin, home = str(tmp_path / "origin"), tmp_path / "mirrors"
    assert mirrors.clone(task, home, origin)
    assert mirrors.clone(task, home, "nowhere")
    assert (tasks.checkout(task, home, tmp_path) / "a.txt").read_text() == "old"
    assert not mirrors.clone({**task, "mirror": "no/where"}, home, origin)
    assert not any((home / "no+where").iterdir())
    assert "no/where" in capfd.readouterr().err
