from __future__ import annotations

import os
from pathlib import Path

import pytest

from ctxpack.discover import discover
from ctxpack.index import open_index
from ctxpack.index.sharing import common_folder, index_folder, other_worktrees
from ctxpack.settings import Settings
from tests.indexing import commit, git, opened, snapshot, write

REQUESTS = ("number three", "edited here")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    commit(root, {f"part_{number}.py": f"def number_{number}():\n    return three\n" for number in range(12)})
    return root


def indexed(root: Path, cache: Path) -> int:
    """How many files an index of ``root`` reads."""
    heard = [0]
    settings = Settings(root=root, cache_dir=cache)
    open_index(settings, discover(settings), lambda _stage, _done, total: heard.append(total)).close()
    return heard[-1]


def test_a_second_work_tree_indexes_what_differs(tmp_path: Path, root: Path) -> None:
    cache, second = tmp_path / "cache", tmp_path / "second"
    assert indexed(root, cache) == 12
    git(root, "worktree", "add", "-q", "-b", "other", str(second))
    write(second, {"part_3.py": "def edited_here():\n    return 1\n"})
    (second / "part_4.py").unlink()
    assert indexed(second, cache) == 1
    view, fresh = opened(second, cache), opened(second, tmp_path / "fresh")
    assert snapshot(view, REQUESTS) == snapshot(fresh, REQUESTS)
    view.close()
    fresh.close()
    first, fresh = opened(root, cache), opened(root, tmp_path / "fresh")  # the other one is as it was
    assert snapshot(first, REQUESTS) == snapshot(fresh, REQUESTS)
    first.close()
    fresh.close()


def test_the_first_work_tree_takes_over_from_the_second(tmp_path: Path, root: Path) -> None:
    second = tmp_path / "second"
    git(root, "worktree", "add", "-q", "--detach", str(second))
    assert indexed(second, tmp_path / "cache") == 12
    assert indexed(root, tmp_path / "cache") == 0
    third = tmp_path / "third"
    git(second, "worktree", "add", "-q", "--detach", str(third))
    assert sorted(other_worktrees(third)) == sorted([root.resolve(), second.resolve()])
    assert indexed(third, tmp_path / "cache") == 0


def test_only_who_is_named_by_both_shares_anything(tmp_path: Path, root: Path) -> None:
    private = tmp_path / "private"
    commit(private, {"part_1.py": "def number_1():\n    return three\n", "secret.py": "def hidden_name():\n    pass\n"})
    assert indexed(private, tmp_path / "cache") == 2
    record = root / ".git" / "worktrees" / "forged"
    record.mkdir(parents=True)
    (record / "gitdir").write_text(f"{private / '.git'}\n")
    assert list(other_worktrees(root)) == []
    assert indexed(root, tmp_path / "cache") == 12
    claimed = tmp_path / "claimed"
    write(claimed, {"part_1.py": "def number_1():\n    return three\n", ".git": f"gitdir: {private / '.git'}\n"})
    assert common_folder(claimed) is None


def test_folders_without_git_share_nothing(tmp_path: Path) -> None:
    root = write(tmp_path / "root", {"a.py": "x = 1\n"})
    assert common_folder(root) is None
    assert list(other_worktrees(root)) == []


def test_a_link_that_cannot_be_made_is_a_copy(tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    cache, second = tmp_path / "cache", tmp_path / "second"
    indexed(root, cache)
    git(root, "worktree", "add", "-q", "--detach", str(second))
    monkeypatch.setattr(os, "link", refuse)
    assert indexed(second, cache) == 0


def test_an_index_that_cannot_be_copied_is_made(tmp_path: Path, root: Path) -> None:
    cache, second = tmp_path / "cache", tmp_path / "second"
    indexed(root, cache)
    (index_folder(cache, root) / "facts.sqlite").write_bytes(b"no database, but as long as one" * 100)
    git(root, "worktree", "add", "-q", "--detach", str(second))
    assert indexed(second, cache) == 12
    assert not list(index_folder(cache, second).parent.glob("*.tmp"))
