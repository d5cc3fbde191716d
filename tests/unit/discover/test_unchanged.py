"""While all times are what they were, git is not asked; and whatever changes, the files are those that git finds."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from ctxpack.discover import discover, remember_files
from ctxpack.discover.last_run import LastRun
from ctxpack.model import Discovery
from ctxpack.system.git import GitProcess
from tests.indexing import commit, git, write
from tests.unit.discover.test_changes import (
    FILES,
    STEPS,
    edit,
    found,
    restore,
    settings_of,
    settle,
    timeless,
)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there git is always asked")
AHEAD = 3_600_000_000_000


def later() -> int:
    """Long after every change."""
    return time.time_ns() + AHEAD


@pytest.fixture
def root(tmp_path: Path) -> Path:
    rules = {".gitignore": "*.log\nbuild/\n__pycache__/\n", "cache/.gitignore": "*\n", "cache/kept.py": "k = 1\n"}
    root = write(tmp_path / "root", {**FILES, **rules, "hidden/only.log": "log\n", "app/__pycache__/a.py": "c = 1\n"})
    (root / "empty/inner").mkdir(parents=True)
    settle(root)
    commit(root, {})
    return root


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[str]]:
    """Return what git was asked since the last question."""
    real, log = shutil.which("git"), tmp_path / "asked"
    wrapper = tmp_path / "bin/git"
    write(tmp_path, {"bin/git": f'#!/bin/sh\nprintf "%s\\n" "$*" >> "{log}"\nexec "{real}" "$@"\n', "asked": ""})
    wrapper.chmod(0o755)
    monkeypatch.setenv("PATH", f"{wrapper.parent}{os.pathsep}{os.environ['PATH']}")

    def take() -> list[str]:
        lines = log.read_text().splitlines()
        log.write_text("")
        return lines

    return take


def again(root: Path, last: Discovery | None, meanwhile: Iterable[object] | None = None) -> Discovery:
    return discover(settings_of(root), remember_files(last) if last else None, later, meanwhile=meanwhile)


def is_stamped(last: Discovery) -> bool:
    return last.seen is not None and last.seen.stamps is not None


def test_git_is_not_asked_while_nothing_changes(root: Path, asked: Callable[[], list[str]]) -> None:
    edit(root)
    last = again(root, None)
    assert asked()
    assert again(root, last) == last
    assert asked() == []


def test_what_git_hides_may_change_unasked(root: Path, asked: Callable[[], list[str]]) -> None:
    write(root, {"build/out/made.py": "m = 1\n"})
    last = again(root, None)
    asked()
    write(root, {"build/out/more.py": "m = 2\n", "app/__pycache__/b.py": "c = 2\n", "hidden/only.log": "longer log\n"})
    assert again(root, last) == last
    assert asked() == []


def test_what_changed_just_now_is_looked_at_again(root: Path) -> None:
    assert not is_stamped(found(root))
    assert is_stamped(again(root, found(root)))


def test_between_two_edits_nothing_is_stamped(root: Path) -> None:
    last = again(root, None)
    write(root, {"app/tool.py": "def tool():\n    return 1_000\n"})
    os.utime(root / "app/tool.py", (1_600_000_000, 1_600_000_000))
    changed = again(root, last)
    assert not is_stamped(changed)
    assert is_stamped(again(root, changed))


def test_stamps_survive_on_disk(root: Path) -> None:
    last = again(root, None)
    remembered = remember_files(last)
    assert isinstance(remembered, LastRun)
    assert remembered.seen == last.seen


def fill_empty(root: Path) -> None:
    write(root, {"empty/inner/new.py": "n = 1\n"})


def show_hidden(root: Path) -> None:
    write(root, {"hidden/shown.py": "s = 1\n"})


def loosen_hidden_rules(root: Path) -> None:
    write(root, {"cache/.gitignore": "k*\n", "cache/other.py": "o = 1\n"})


def exclude(root: Path) -> None:
    write(root, {".git/info/exclude": "notes.md\n", "notes.md": "# Notes\n", "other.md": "# Other\n"})


def exclude_for_user(root: Path) -> None:
    write(root, {"../rules": "other.md\n"})
    git(root, "config", "core.excludesFile", str(root.parent / "rules"))


def change_users_rules(root: Path) -> None:
    write(root, {"../rules": "notes.md\n"})


def change_by_stealth(root: Path) -> None:
    write(root, {"app/tool.py": str(FILES["app/tool.py"]).replace("1", "7")})
    os.utime(root / "app/tool.py", (1_600_000_000, 1_600_000_000))


def link_outside(root: Path) -> None:
    write(root, {"../aim": "here\n"})
    if not (root / "linked").is_symlink():
        (root / "linked").symlink_to("app/aim.txt")


def put_aim(root: Path) -> None:
    write(root, {"build/aim.txt": "here\n"})
    if not (root / "app/aim.txt").is_symlink():
        (root / "app/aim.txt").symlink_to("../build/aim.txt")


def take_aim(root: Path) -> None:
    (root / "build/aim.txt").unlink(missing_ok=True)


def unnest(root: Path) -> None:
    commit(root / "inner", {"a.py": "x = 1\n"})
    shutil.rmtree(root / "inner/.git")


def rename_folder(root: Path) -> None:
    (root / "app").rename(root / "lib")
    (root / "lib").rename(root / "app")
    (root / "docs").rename(root / "texts")


def detach(root: Path) -> None:
    git(root, "checkout", "-q", "--detach")


def amend(root: Path) -> None:
    git(root, "commit", "-q", "--amend", "--allow-empty", "-m", "Other")


def pack_refs(root: Path) -> None:
    git(root, "pack-refs", "--all")


def hide_folder(root: Path) -> None:
    write(root, {"empty/.gitignore": "inner/\n", "empty/inner/x.py": "x = 1\n"})


FURTHER: tuple[Callable[[Path], None], ...] = (
    fill_empty, show_hidden, loosen_hidden_rules, exclude, exclude_for_user, change_users_rules, change_by_stealth,
    link_outside, put_aim, take_aim, unnest, rename_folder, detach, amend, pack_refs, hide_folder,
)  # fmt: skip


def _histories() -> Sequence[tuple[Callable[[Path], None], ...]]:
    single = [(step,) for step in STEPS]
    pairs = list(pairwise(FURTHER))
    return [*single, *pairs, (exclude, exclude_for_user, change_users_rules), (link_outside, put_aim, take_aim)]


@pytest.mark.parametrize("steps", _histories(), ids=lambda steps: "-".join(step.__name__ for step in steps))
@pytest.mark.parametrize("works", [False, True])
def test_every_change_is_found(root: Path, steps: Sequence[Callable[[Path], None]], *, works: bool) -> None:
    last, done = again(root, None), list[Path]()
    for step in steps:
        step(root)
        anew = timeless(found(root))
        for _ in range(3):  # git is asked, and again for good measure; then it is not
            last = again(root, last, map(done.append, (root,)) if works else None)
            assert timeless(last) == anew
    assert len(done) == works * 3 * len(steps)


def test_git_looks_while_something_else_is_done(root: Path, asked: Callable[[], list[str]]) -> None:
    link_outside(root)
    settle(root)
    remembered = remember_files(again(root, None))
    asked()
    seen: list[list[str]] = []

    def see() -> Iterator[None]:
        seen.append(asked())
        yield

    known = discover(settings_of(root), remembered, later, meanwhile=see())
    assert any("config" in line for line in seen[0])  # before it asks for the state, which may not have begun
    assert isinstance(remembered, LastRun)
    assert known is remembered.last(root)
    assert is_stamped(known)


def test_what_is_done_while_git_looks_ends_when_it_has_answered(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settle(root)
    remembered, done = remember_files(again(root, None)), list[int]()
    monkeypatch.setattr(GitProcess, "has_ended", property(lambda _: len(done) > 2))
    discover(settings_of(root), remembered, later, meanwhile=map(done.append, range(9)))
    assert done == [0, 1, 2]


def test_variables_of_git_count(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(root, {"other.md": "# Other\n", "../rules": "other.md\n"})
    last = again(root, None)
    for name, value in (("COUNT", "1"), ("KEY_0", "core.excludesFile"), ("VALUE_0", str(root.parent / "rules"))):
        monkeypatch.setenv(f"GIT_CONFIG_{name}", value)
    hidden = again(root, last)
    assert hidden == found(root) != last
    for name in ("COUNT", "KEY_0", "VALUE_0"):
        monkeypatch.delenv(f"GIT_CONFIG_{name}")
    assert again(root, hidden) == found(root)


def test_what_a_configuration_includes_counts(root: Path) -> None:
    write(root, {"other.md": "# Other\n", "../rules": "other.md\n"})
    git(root, "config", "include.path", "../../more.config")
    last = again(root, None)
    assert is_stamped(last)
    write(root, {"../more.config": f"[core]\n\texcludesFile = {root.parent}/rules\n"})
    assert again(root, last) == found(root) != last


def test_a_linked_work_tree_is_watched(root: Path, asked: Callable[[], list[str]]) -> None:
    git(root, "worktree", "add", "-q", str(root.parent / "second"))
    second = root.parent / "second"
    last = again(second, None)
    asked()
    assert again(second, last) == last
    assert asked() == []
    git(second, "commit", "-q", "--allow-empty", "-m", "More")
    assert again(second, last) == found(second)
    restore(second)


def test_more_folders_than_pay_are_not_watched(root: Path) -> None:
    for number in range(1_100):
        (root / f"empty/{number}").mkdir()
    assert not is_stamped(again(root, None))


def test_another_setting_is_another_question(root: Path) -> None:
    last = again(root, None)
    settings = replace(settings_of(root), exclude=("docs/",))
    assert discover(settings, remember_files(last), later) == discover(settings)


def test_a_first_run_looks_at_a_file_once_to_find_it_and_once_for_its_stamp(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    real = os.lstat

    def lstat(path: str, **given: int) -> os.stat_result:
        seen.append(str(path))
        return real(path, **given)

    monkeypatch.setattr(os, "lstat", lstat)
    last = discover(settings_of(root), clock=later)
    monkeypatch.undo()
    assert is_stamped(last)
    code = [each.path for each in last.files if each.path.endswith(".py")]
    assert {seen.count(f"{os.path.realpath(root)}/{path}") for path in code} == {2}
