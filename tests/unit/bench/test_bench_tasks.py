"""Reading, drawing and ordering tasks, on a repository of two commits."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

import pytest

from tests.indexing import commit, git

tasks = import_module("tasks")


@pytest.fixture
def mirrors(tmp_path: Path) -> Path:
    repo = tmp_path / "mirrors" / "own+one" / "repo"
    commit(repo, {"a.txt": "old"}, date="2020-01-01T00:00:00Z")
    commit(repo, {"a.txt": "new"}, date="2021-01-01T00:00:00Z")
    return tmp_path / "mirrors"


def commits(mirrors: Path) -> list[str]:
    return git(mirrors / "own+one" / "repo", "rev-list", "--reverse", "HEAD").split()


def test_tasks_come_by_repository_and_date(mirrors: Path) -> None:
    old, new = commits(mirrors)
    absent = "0" * 40
    given = [
        {"id": "3", "repo": "two/two", "commit": absent},
        {"id": "2", "repo": "up/stream", "mirror": "own/one", "commit": new},
        {"id": "1", "repo": "up/stream", "mirror": "own/one", "commit": old},
        {"id": "0", "repo": "up/stream", "mirror": "own/one", "commit": absent},
    ]
    assert [each["id"] for each in tasks.in_order(given, mirrors)] == ["3", "0", "1", "2"]


def test_a_tree_shows_each_commit_in_turn(mirrors: Path, tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    for sha, text in zip(commits(mirrors), ("old", "new"), strict=True):
        tree = tasks.checkout({"repo": "own/one", "commit": sha}, mirrors, work)
        assert (tree / "a.txt").read_text() == text
        (tree / "left.txt").write_text("of the last task")
    tree = tasks.checkout({"repo": "own/one", "commit": commits(mirrors)[0]}, mirrors, work)
    assert sorted(path.name for path in tree.iterdir()) == [".git", "a.txt"]


def test_what_no_mirror_holds_has_no_tree(mirrors: Path, tmp_path: Path) -> None:
    assert tasks.checkout({"repo": "no/where", "commit": "0" * 40}, mirrors, tmp_path) is None
    assert tasks.checkout({"repo": "own/one", "commit": "0" * 40}, mirrors, tmp_path) is None


def test_the_same_tasks_are_drawn_each_time(tmp_path: Path) -> None:
    file = tmp_path / "tasks.jsonl"
    file.write_text("".join(json.dumps({"id": n, "repo": f"r/{n % 2}"}) + "\n" for n in range(20)))
    drawn = tasks.read_tasks(file, limit=5)
    assert len(drawn) == 5
    assert drawn == tasks.read_tasks(file, limit=5)
    assert len(tasks.read_tasks(file, ["r/1"])) == 10
    assert len(tasks.read_tasks(file, limit=50)) == 20
