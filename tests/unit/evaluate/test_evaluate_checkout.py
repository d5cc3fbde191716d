"""A checkout of its own: any commit's tree and history, and nothing of the user's is touched."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctxpack.discover import discover
from ctxpack.errors import InternalError
from ctxpack.evaluate.commits import temporary_checkout
from ctxpack.settings import Settings
from tests.indexing import commit, git, write
from tests.unit.evaluate.test_evaluate_commits import git_in


def snapshot(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def test_shows_each_commit_with_its_own_history_and_leaves_the_repository_alone(tmp_path: Path) -> None:
    root = tmp_path / "project"
    first = commit(root, {"a.py": "a = 1\n", "gone.py": "x = 1\n"}, "One")
    (root / "gone.py").unlink()
    second = commit(root, {"a.py": "a = 2\n"}, "Two")
    write(root, {"a.py": "a = 3\n", "untracked.py": "y = 1\n"})
    git(root, "add", "a.py")
    write(root, {"a.py": "a = 4\n"})
    before = snapshot(root)
    with temporary_checkout(git_in(root)) as checkout:
        assert checkout.root.name == "project"
        assert checkout.show(first)
        settings = Settings(root=checkout.root, cache_dir=checkout.cache_dir)
        found = discover(settings)
        assert [each.path for each in found.files] == ["a.py", "gone.py"]
        assert (found.state.commit, found.state.dirty) == (first, False)
        assert git(checkout.root, "log", "--format=%s", "--all") == "One"
        assert checkout.show(second)
        assert [each.path for each in discover(settings).files] == ["a.py"]
        assert (checkout.root / "a.py").read_text() == "a = 2\n"
        place = checkout.root
    assert not place.parent.exists()
    assert snapshot(root) == before


def test_a_subfolder_is_the_root_there_and_may_be_absent(tmp_path: Path) -> None:
    first = commit(tmp_path / "project", {"a.py": "a = 1\n"}, "One")
    second = commit(tmp_path / "project", {"docs/b.md": "# B\n"}, "Two")
    with temporary_checkout(git_in(tmp_path / "project" / "docs")) as checkout:
        assert not checkout.show(first)
        assert checkout.show(second)
        assert [each.name for each in checkout.root.iterdir()] == ["b.md"]


def test_works_from_another_worktree_and_from_a_shallow_clone(tmp_path: Path) -> None:
    root = tmp_path / "project"
    first = commit(root, {"a.py": "a = 1\n"}, "One")
    commit(root, {"a.py": "a = 2\n"}, "Two")
    newest = commit(root, {"a.py": "a = 3\n"}, "Three")
    git(root, "worktree", "add", "-q", "--detach", str(tmp_path / "beside"))
    with temporary_checkout(git_in(tmp_path / "beside")) as checkout:
        assert checkout.show(first)
    git(tmp_path, "clone", "-q", "--depth", "2", root.as_uri(), "shallow")
    with temporary_checkout(git_in(tmp_path / "shallow")) as checkout:
        assert not checkout.show(first)
        assert checkout.show(newest)
        assert git(checkout.root, "log", "--format=%s").split() == ["Three", "Two"]


def test_cleans_up_after_an_error(tmp_path: Path) -> None:
    commit(tmp_path / "project", {"a.py": "a = 1\n"}, "One")
    places: list[Path] = []

    def fail() -> None:
        with temporary_checkout(git_in(tmp_path / "project")) as checkout:
            places.append(checkout.root)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert [each.parent.exists() for each in places] == [False]


def test_no_repository_is_told(tmp_path: Path) -> None:
    with pytest.raises(InternalError, match="cannot be checked out"), temporary_checkout(git_in(tmp_path)):
        pass


def test_runs_none_of_the_programs_that_the_repository_configures(tmp_path: Path) -> None:
    root = tmp_path / "project"
    made = commit(root, {"a.bin": "x\n", ".gitattributes": "*.bin filter=evil\n"}, "One")
    git(root, "config", "filter.evil.smudge", f"touch {(tmp_path / 'ran').as_posix()}; cat")
    write(root, {".git/hooks/post-checkout": f"#!/bin/sh\ntouch '{(tmp_path / 'ran').as_posix()}'\n"})
    (root / ".git" / "hooks" / "post-checkout").chmod(0o755)
    with temporary_checkout(git_in(root)) as checkout:
        assert checkout.show(made)
        assert (checkout.root / "a.bin").read_text() == "x\n"
    assert not (tmp_path / "ran").exists()
