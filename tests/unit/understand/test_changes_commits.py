from __future__ import annotations

from pathlib import Path

import pytest

from ctxpack.index.opening import open_repository
from ctxpack.model import Request, Scope
from ctxpack.settings import Settings
from ctxpack.understand import commits
from ctxpack.understand.commits import resolve_revisions
from ctxpack.understand.read import read_change
from tests.indexing import commit, write


def touched(root: Path) -> dict[str, list[tuple[str, int]]]:
    settings = Settings(root=root, cache_dir=root.parent / "cache")
    request = Request(Scope.DIFF)
    with open_repository(settings) as view:
        change = read_change(request, settings, view)
    git, _ = resolve_revisions(request, settings)
    return {
        file.path: [(each.message.subject, each.lines) for each in commits]
        for file, commits in commits.blame_change(git, change)
    }


def test_the_commits_behind_what_is_removed_those_of_most_lines_first(tmp_path: Path) -> None:
    root = tmp_path / "repo"
    commit(root, {"a.py": "a = 1\nb = 1\nc = 1\nd = 1\n", "b.py": "x = 1\n"}, "First")
    commit(root, {"a.py": "a = 1\nb = 2\nc = 1\nd = 1\n"}, "Second")
    write(root, {"a.py": "a = 3\nb = 3\nc = 3\nd = 1\n", "b.py": "x = 1\ny = 1\n", "new.py": "z = 1\n"})
    assert touched(root) == {"a.py": [("First", 2), ("Second", 1)]}


def test_lines_older_than_its_reach_are_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "repo"
    for number in range(5):
        commit(root, {"a.py": "".join(f"v{n} = {min(n, number)}\n" for n in range(5))}, f"Commit {number}")
    write(root, {"a.py": "gone = 1\n"})
    assert len(touched(root)["a.py"]) == 5
    monkeypatch.setattr(commits, "_REACH", 2)
    assert {subject for subject, _ in touched(root)["a.py"]} <= {"Commit 3", "Commit 4"}


def test_before_the_first_commit_there_is_nobody(tmp_path: Path) -> None:
    root = tmp_path / "repo"
    commit(root, {"a.py": "a = 1\n"}, "First")
    settings = Settings(root=root, cache_dir=tmp_path / "cache")
    request = Request(Scope.DIFF, revision="HEAD^!")
    with open_repository(settings) as view:
        change = read_change(request, settings, view)
    assert commits.blame_change(resolve_revisions(request, settings)[0], change) == []
