"""The file set in a git work tree is git's own."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ctxpack.discover import Known, discover, find_root, remember_files
from ctxpack.discover.worktree import list_worktree
from ctxpack.errors import UsageError
from ctxpack.system.git import Git, GitProcess, find_git
from tests.unit.discover.making import GitRun, Make, Wish, Write, paths, reasons


def test_nested_ignore_files_negations_and_tracked_but_ignored(
    repo: Make, git: GitRun, write: Write, settings: Wish
) -> None:
    root = repo({"kept.log": "tracked\n", "a/b.py": "x = 1\n"})
    write(root, {".gitignore": "*.log\n!keep.log\n", "a/.gitignore": "!deep.log\n/b.txt\n"})
    write(root, {"x.log": "", "keep.log": "", "a/deep.log": "", "a/b.txt": "", "a/c/b.txt": "", "new.py": ""})
    expected = [".gitignore", "a/.gitignore", "a/b.py", "a/c/b.txt", "a/deep.log", "keep.log", "kept.log", "new.py"]
    assert paths(discover(settings(root))) == expected
    git(root, "add", "-A")
    assert paths(discover(settings(root))) == expected


class _Adding(Git):
    """Finds untracked what has been added by the time that it lists what is tracked."""

    def start(self, *arguments: str, reads_input: bool = False) -> GitProcess:
        told = tuple(each for each in arguments if each not in {"-o", "--exclude-standard"})
        return super().start(*told, reads_input=reads_input)


def test_a_file_that_is_added_between_two_looks_is_listed_once(repo: Make) -> None:
    found = find_git(str(repo({"a.py": "x = 1\n", "b.py": "y = 2\n"})))
    assert found
    listing = list_worktree(_Adding(found.executable, found.folder, found.options), use_gitignore=True)
    assert [each.path for each in listing.found] == ["a.py", "b.py"]


def test_info_exclude_and_core_excludes_file(
    repo: Make, git: GitRun, write: Write, settings: Wish, tmp_path: Path
) -> None:
    root = repo({"a.py": ""})
    write(root, {".git/info/exclude": "*.one\n", "b.one": "", "b.two": "", "b.three": ""})
    (tmp_path / "mine").write_text("*.two\n")
    git(root, "config", "core.excludesFile", str(tmp_path / "mine"))
    assert paths(discover(settings(root))) == ["a.py", "b.three"]


def test_ignore_rules_can_be_switched_off(repo: Make, write: Write, settings: Wish) -> None:
    root = repo({".gitignore": "*.log\n"})
    write(root, {"x.log": "here"})
    assert paths(discover(settings(root, use_gitignore=False))) == [".gitignore", "x.log"]


def test_subfolder_as_root_sees_only_itself_and_the_rules_above(repo: Make, write: Write, settings: Wish) -> None:
    root = repo({".gitignore": "*.log\n/sub/gone\n", "top.py": "", "sub/in.py": "", "sub/deep/er.py": ""})
    write(root, {"sub/x.log": "", "sub/gone/a.py": "", "sub/new.py": ""})
    found = discover(settings(root / "sub"))
    assert paths(found) == ["deep/er.py", "in.py", "new.py"]
    assert found.state.name == "repo/sub"
    assert find_root(root / "sub" / "deep") == root


def test_worktree_where_dot_git_is_a_file(repo: Make, git: GitRun, settings: Wish, tmp_path: Path) -> None:
    root = repo({"a.py": "1\n"})
    git(root, "worktree", "add", "-q", "-b", "side", str(tmp_path / "tree"))
    found = discover(settings(tmp_path / "tree"))
    assert paths(found) == ["a.py"]
    assert (found.state.branch, found.state.name) == ("side", "tree")


def test_submodule_files_count_and_uninitialised_ones_are_told(
    repo: Make, git: GitRun, write: Write, settings: Wish, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    write(other, {"lib.py": "", ".gitignore": "*.tmp\n"})
    git(other, "init", "-q")
    git(other, "add", "-A")
    git(other, "commit", "-q", "-m", "lib")
    root = repo({"a.py": ""})
    git(root, "submodule", "add", "-q", str(other), "dep")
    git(root, "commit", "-q", "-m", "dep")
    write(root, {"dep/new.py": "", "dep/x.tmp": ""})
    assert paths(discover(settings(root))) == [".gitmodules", "a.py", "dep/.gitignore", "dep/lib.py", "dep/new.py"]
    git(root, "clone", "-q", str(root), str(tmp_path / "clone"))
    found = discover(settings(tmp_path / "clone"))
    assert reasons(found) == {"dep": "submodule that is not checked out"}
    assert not found.state.dirty


def test_sparse_checkout_and_deleted_files_are_absent(repo: Make, git: GitRun, settings: Wish) -> None:
    root = repo({"a/x.py": "", "b/y.py": "", "z.py": ""})
    git(root, "sparse-checkout", "set", "a")
    found = discover(settings(root))
    assert (paths(found), found.state.dirty) == (["a/x.py", "z.py"], False)
    (root / "z.py").unlink()
    found = discover(settings(root))
    assert (paths(found), found.state.dirty) == (["a/x.py"], True)


def test_foreign_repository_inside_is_left_to_itself(repo: Make, git: GitRun, write: Write, settings: Wish) -> None:
    root = repo({"a.py": ""})
    write(root, {"other/b.py": ""})
    git(root / "other", "init", "-q")
    git(root / "other", "add", "-A")
    git(root / "other", "commit", "-q", "-m", "b")
    found = discover(settings(root))
    assert paths(found) == ["a.py"]
    assert reasons(found) == {"other/": "a git repository of its own"}


@pytest.mark.skipif(os.name != "posix", reason="such names exist on POSIX systems only")
def test_odd_names(repo: Make, settings: Wish) -> None:
    root = repo({"with space.py": "", "new\nline.py": "", "emoji 🎉.md": "", 'quo"te.py': "", "имя.py": ""})
    try:
        (root / os.fsdecode(b"lat\xffin.py")).write_text("")
    except OSError:
        pytest.skip("this file system wants UTF-8")
    (root / os.fsdecode(b"tab\tand\xfe\n.py")).write_text("")
    found = discover(settings(root))
    assert set(paths(found)) == {path.relative_to(root).as_posix() for path in root.iterdir() if path.is_file()}
    assert len(found.files) == 7


def test_links_are_never_followed(repo: Make, settings: Wish, tmp_path: Path) -> None:
    root = repo({"a/real.py": ""})
    (tmp_path / "secret.txt").write_text("secret")
    (root / "out.txt").symlink_to(tmp_path / "secret.txt")
    (root / "out").symlink_to(tmp_path)
    (root / "twin.py").symlink_to("a/real.py")
    (root / "folder").symlink_to("a")
    (root / "dead").symlink_to("nothing")
    found = discover(settings(root))
    assert paths(found) == ["a/real.py"]
    assert reasons(found) == {
        "out.txt": "symbolic link to a place outside the root",
        "out": "symbolic link to a place outside the root",
        "twin.py": "symbolic link to a/real.py",
        "folder": "symbolic link to a",
        "dead": "symbolic link to nothing, which is missing",
    }


def test_blobs_and_dirty_marks(repo: Make, git: GitRun, write: Write, settings: Wish) -> None:
    root = repo({"clean.py": "1\n", "changed.py": "1\n", "staged.py": "1\n", "touched.py": "1\n"})
    clean = discover(settings(root))
    assert not clean.state.dirty
    assert {file.path: file.blob for file in clean.files} == {
        path: git(root, "rev-parse", f"HEAD:{path}").strip() for path in paths(clean)
    }
    write(root, {"changed.py": "2\n", "staged.py": "2\n", "new.py": "3\n"})
    git(root, "add", "staged.py")
    os.utime(root / "touched.py", (1, 1))
    found = discover(settings(root))
    assert [file.path for file in found.files if file.dirty] == ["changed.py", "new.py", "staged.py"]
    assert found.state.dirty
    for file in found.files:
        assert file.blob == git(root, "hash-object", file.path).strip()


def test_state_of_a_commit_and_before_the_first(repo: Make, git: GitRun, settings: Wish) -> None:
    root = repo({"a.py": ""})
    state = discover(settings(root)).state
    assert (state.commit, state.branch, state.is_git) == (git(root, "rev-parse", "HEAD").strip(), "main", True)
    assert state.commit_time == int(git(root, "log", "-1", "--format=%ct"))
    git(root, "checkout", "-q", "--orphan", "fresh")
    state = discover(settings(root)).state
    assert (state.commit, state.branch, state.commit_time, state.dirty) == ("", "fresh", 0, True)


def test_environment_of_a_git_hook_does_not_mislead(
    repo: Make, settings: Wish, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    root = repo({"a.py": ""})
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "index"))
    assert paths(discover(settings(root))) == ["a.py"]


def test_monitor_of_the_repository_is_not_run(repo: Make, git: GitRun, settings: Wish, tmp_path: Path) -> None:
    root = repo({"a.py": ""})
    git(root, "config", "core.fsmonitor", f"touch {tmp_path / 'ran'}; false")
    discover(settings(root))
    assert not (tmp_path / "ran").exists()


def test_broken_repository_falls_back_to_the_folder(repo: Make, settings: Wish, write: Write) -> None:
    root = repo({"a.py": "", ".gitignore": "*.log\n"})
    write(root, {"x.log": "", ".git/index": b"nonsense", "y.tmp": "", ".git/info/exclude": "*.tmp\n"})
    found = discover(settings(root))
    assert paths(found) == [".gitignore", "a.py"]
    assert reasons(found)[".git"].startswith("git cannot read this repository")
    assert not found.state.is_git


def test_repository_of_another_owner_falls_back_to_the_folder(
    repo: Make, settings: Wish, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = repo({"sub/a.py": "", ".gitignore": "*.log\n"})
    write(root, {"sub/x.log": ""})
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    found = discover(settings(root / "sub"))
    assert paths(found) == ["a.py"]
    assert "dubious ownership" in reasons(found)[".git"]


def test_known_files_are_not_read_again(repo: Make, settings: Wish) -> None:
    root = repo({"a.py": "1\n", "b.bin": b"\0\1", "c.sh": "#!/bin/sh\n"})
    for name in ("a.py", "b.bin", "c.sh"):
        os.utime(root / name, (1_600_000_000, 1_600_000_000))
    first = discover(settings(root))
    known = remember_files(first)
    assert set(known) == {"a.py", "b.bin", "c.sh"}
    for name in known:
        (root / name).chmod(0)  # reading would fail, for everybody but root
    assert discover(settings(root), known) == first
    lie = {"a.py": Known(2, 1_600_000_000 * 10**9, "f" * 40)}
    assert discover(settings(root), lie).files[0].blob == "f" * 40
    stale = {"a.py": Known(3, 1_600_000_000 * 10**9, "f" * 40)}
    (root / "a.py").chmod(0o644)
    assert discover(settings(root), stale).files[0].blob == first.files[0].blob


def test_files_changed_a_moment_ago_are_not_remembered(repo: Make, settings: Wish) -> None:
    assert not remember_files(discover(settings(repo({"a.py": ""}))))


def test_root_that_is_no_folder(tmp_path: Path, settings: Wish) -> None:
    with pytest.raises(UsageError, match="is not a folder"):
        discover(settings(tmp_path / "nowhere"))
