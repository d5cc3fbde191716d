"""The whole evaluation on real repositories."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ctxpack.errors import NothingFoundError, UsageError
from ctxpack.settings import Settings
from ctxpack.workflows.evaluation import Variant, evaluate_commits
from tests.indexing import commit, git


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    root = tmp_path / "repo"
    commit(
        root, {"retry.py": "def delay():\n    return 1\n", "paint.py": "def colour():\n    return 'red'\n"}, "Start it"
    )
    commit(root, {"retry.py": "def delay():\n    return 2\n"}, "Double the delay")
    commit(
        root, {"paint.py": "def colour():\n    return 'blue'\n", "secret.py": "hidden = 1\n"}, "Make the colour blue"
    )
    commit(root, {"secret.py": "hidden = 2\n"}, "Change what was hidden")
    return Settings(root=root, cache_dir=tmp_path / "cache", budget=2_000)


def test_each_commit_is_asked_for_in_the_tree_of_its_parent(settings: Settings) -> None:
    told: list[tuple[str, int, int]] = []
    found = evaluate_commits([Variant("a", settings)], 10, on_progress=lambda *each: told.append(each))
    outcomes = found.outcomes["a"]
    assert [each.task.subject for each in outcomes] == [
        "Double the delay", "Make the colour blue", "Change what was hidden",
    ]  # fmt: skip
    assert [[(file.path, file.rank) for file in each.files] for each in outcomes] == [
        [("retry.py", 1)], [("paint.py", 1)], [("secret.py", 1)],
    ]  # fmt: skip
    assert found.left_out == {"commits without a parent": 1}
    assert told == [("evaluating commits", done, 3) for done in range(3)]


def test_the_users_repository_and_cache_stay_as_they_are(settings: Settings) -> None:
    before = (git(settings.root, "status", "--porcelain=v2", "--branch"), git(settings.root, "for-each-ref"))
    evaluate_commits([Variant("a", settings)], 2)
    assert (git(settings.root, "status", "--porcelain=v2", "--branch"), git(settings.root, "for-each-ref")) == before
    assert not settings.cache_dir.exists()


def test_variants_are_asked_for_the_same_tasks(settings: Settings) -> None:
    blind = replace(settings, exclude=("retry.py",))
    found = evaluate_commits([Variant("a", settings), Variant("b", blind)], 10)
    seeing, other = found.outcomes.values()
    assert [each.task for each in seeing] == [each.task for each in other]
    assert [[file.rank for file in each.files] for each in other] == [[0], [1], [1]]


def test_no_suitable_commit_is_told_with_the_reasons(tmp_path: Path) -> None:
    commit(tmp_path / "repo", {"a.py": "x = 1\n"}, "Start it")
    settings = Settings(root=tmp_path / "repo", cache_dir=tmp_path / "cache")
    with pytest.raises(NothingFoundError, match=r"commits without a parent \(1\)"):
        evaluate_commits([Variant("a", settings)], 5)


def test_no_git_repository_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    with pytest.raises(UsageError, match="not a git repository with commits"):
        evaluate_commits([Variant("a", Settings(root=tmp_path, cache_dir=tmp_path / "cache"))], 5)


def test_commits_whose_tree_cannot_be_shown_are_counted(tmp_path: Path) -> None:
    root = tmp_path / "repo"
    commit(root, {"sub/a.py": "x = 1\n", "b.py": "lost = 1\n"}, "Start it")
    commit(root, {"sub/a.py": "x = 2\n"}, "Change the value")
    commit(root, {"sub/a.py": "x = 3\n"}, "Change the value again")
    blob = git(root, "rev-parse", "HEAD:b.py")
    (root / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    settings = Settings(root=root, cache_dir=tmp_path / "cache")
    with pytest.raises(NothingFoundError, match=r"commits that are not whole here \(2\)"):
        evaluate_commits([Variant("a", settings)], 5)
