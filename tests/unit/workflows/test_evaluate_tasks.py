"""Commits as tasks: which are suitable, and what each of them changed.

A checkout of its own: any commit's tree and history, and nothing of the user's is touched.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from ctxpack.discover import discover
from ctxpack.errors import InternalError
from ctxpack.model import Lane
from ctxpack.settings import Settings
from ctxpack.system.git import Git, find_git
from ctxpack.workflows.commit_tasks import ChangedFile, Tasks, last_tasks, temporary_checkout
from tests.indexing import commit, git, write

TEN = "".join(f"line {number}\n" for number in range(1, 11))


def git_in(folder: Path) -> Git:
    found = find_git(str(folder))
    assert found
    return found


def tasks_of(root: Path, wanted: int = 10, kinds: Mapping[str, tuple[str, ...]] | None = None) -> Tasks:
    return last_tasks(git_in(root), wanted, kinds or {})


def left_out(root: Path) -> Mapping[str, int]:
    return tasks_of(root).left_out


@pytest.fixture
def root(tmp_path: Path) -> Path:
    commit(tmp_path / "repo", {"a.py": TEN, "b.py": TEN, "docs/guide.md": "# Guide\n"}, "Start the project")
    return tmp_path / "repo"


def test_a_commit_is_its_message_its_parent_and_the_lines_it_changed(root: Path) -> None:
    parent = git(root, "rev-parse", "HEAD")
    changed = TEN.replace("line 3\n", "line three\n").replace("line 8\n", "").replace("line 5\n", "line 5\nmore\n")
    new = {"a.py": changed, "docs/guide.md": "# Guide\n\nMore.\n", "new.py": "x = 1\n"}
    made = commit(root, new, "Fix the third line\n\nIt was a number.\n\nSigned-off-by: Test <t@example.org>\n")
    (task,) = tasks_of(root).tasks
    assert (task.commit, task.parent) == (made, parent)
    assert task.text == "Fix the third line\n\nIt was a number."
    assert task.subject == "Fix the third line"
    assert task.files == (
        ChangedFile("a.py", Lane.CODE, ((3, 3), (5, 5), (8, 8))),  # the insertion is the line above it
        ChangedFile("docs/guide.md", Lane.DOCS, ((1, 1),)),
    )


def test_a_deleted_file_was_there_and_an_insertion_at_the_top_is_its_first_line(root: Path) -> None:
    (root / "b.py").unlink()
    commit(root, {"a.py": f"first\n{TEN}"}, "Drop what nobody uses")
    (task,) = tasks_of(root).tasks
    assert [(each.path, each.spans) for each in task.files] == [("a.py", ((1, 1),)), ("b.py", ((1, 10),))]


def test_the_newest_are_taken_and_given_oldest_first(root: Path) -> None:
    for number in range(4):
        commit(root, {"a.py": f"{TEN}{number}\n"}, f"Set number {number}")
    assert [each.subject for each in tasks_of(root, 2).tasks] == ["Set number 2", "Set number 3"]
    assert len(tasks_of(root, 9).tasks) == 4


@pytest.mark.parametrize(
    ("files", "message", "reason"),
    [
        ({"c.py": "x = 1\n"}, "Add a third module", "commits that only add files"),
        ({"a.py": "x = 1\n"}, "wip", "messages of less than two words"),
        ({"a.py": "x = 1\n"}, 'Revert "Start the project"', "reverts"),
        ({"a.py": "x = 1\n"}, "Back again\n\nThis reverts commit 0123abc.", "reverts"),
        ({f"f{number}.py": "x = 1\n" for number in range(21)}, "Sweep through it all", "changes of more than 20 files"),
    ],
)
def test_what_is_no_task_is_counted_by_its_reason(
    root: Path, files: Mapping[str, str], message: str, reason: str
) -> None:
    commit(root, files, message)
    assert tasks_of(root).tasks == ()
    assert left_out(root) == {reason: 1, "commits without a parent": 1}


def test_lock_and_binary_files_alone_are_no_task_and_beside_code_do_not_count(root: Path) -> None:
    commit(root, {"poetry.lock": "one\n", "logo.dat": b"\0\1"}, "Add what is not written")
    commit(root, {"poetry.lock": "two\n"}, "Update the dependencies")
    commit(root, {"logo.dat": b"\0\2"}, "Draw the logo anew")
    commit(root, {"poetry.lock": "three\n", "a.py": "x = 1\n"}, "Use the new dependency")
    found = tasks_of(root)
    assert [[file.path for file in each.files] for each in found.tasks] == [["a.py"]]
    assert found.left_out == {
        "changes of lock, generated or vendored files only": 1,
        "changes of no line of text": 1,
        "commits that only add files": 1,
        "commits without a parent": 1,
    }


def test_merges_are_left_out(root: Path) -> None:
    git(root, "checkout", "-q", "-b", "side")
    commit(root, {"a.py": "x = 1\n"}, "Change the first module")
    git(root, "checkout", "-q", "main")
    commit(root, {"b.py": "x = 1\n"}, "Change the second module")
    git(root, "merge", "-q", "--no-edit", "side")
    found = tasks_of(root)
    assert sorted(each.subject for each in found.tasks) == ["Change the first module", "Change the second module"]
    assert found.left_out["merges"] == 1


def test_names_that_git_would_quote_and_lines_that_look_like_a_patch(root: Path) -> None:
    strange = 'пример "x" é.md'
    commit(root, {strange: "diff --git a/x b/x\n@@ -1 +1 @@\nold\n"}, "Add strange names")
    commit(root, {strange: "diff --git a/x b/x\n@@ -1 +1 @@\nnew\n", "b.py": "x = 1\n"}, "Change strange names")
    (task,) = tasks_of(root).tasks
    assert {each.path: each.spans for each in task.files} == {strange: ((3, 3),), "b.py": ((1, 10),)}


def test_below_a_folder_only_its_files_count_and_kinds_are_configured(root: Path) -> None:
    commit(root, {"a.py": "x = 1\n", "docs/guide.md": "# Manual\n"}, "Call it a manual")
    commit(root, {"a.py": "x = 2\n"}, "Change nothing in docs")
    (task,) = tasks_of(root / "docs", kinds={"config": ("*.md",)}).tasks
    assert [(each.path, each.lane) for each in task.files] == [("guide.md", Lane.CONFIG)]


def test_what_git_refuses_is_told(tmp_path: Path) -> None:
    with pytest.raises(InternalError, match="cannot be read"):
        tasks_of(tmp_path)


def test_a_commit_whose_objects_are_missing_is_counted(root: Path) -> None:
    commit(root, {"a.py": "x = 1\n"}, "Change the module")
    commit(root, {"a.py": "x = 2\n"}, "Change it again")
    commit(root, {"a.py": "x = 3\n"}, "Change it once more")
    blob = git(root, "rev-parse", "HEAD~1:a.py")
    (root / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    found = tasks_of(root)
    assert [each.subject for each in found.tasks] == ["Change the module"]
    assert found.left_out["commits that are not whole here"] == 2


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
