"""What the last run found, with what git says has changed since, is what looking at everything would find."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ctxpack.discover import discover, remember_files
from ctxpack.discover.last_run import LastRun
from ctxpack.model import Discovery
from ctxpack.settings import Settings
from tests.indexing import commit, git, write

OLD = 1_600_000_000
FILES: dict[str, str | bytes] = {
    "app/main.py": "import app.tool\n",
    "app/tool.py": "def tool():\n    return 1\n",
    "app/data.bin": b"\0\1\2",
    "docs/page.md": "# Page\n",
    "out.log": "tracked all the same\n",
    ".gitignore": "*.log\nbuild/\n",
    ".ctxpackignore": "secret/\n",
    "secret/key.txt": "key\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = write(tmp_path / "root", FILES)
    settle(root)
    commit(root, {})
    git(root, "add", "-f", "out.log")
    git(root, "commit", "-qm", "Log")
    return root


def settle(root: Path) -> None:
    """Give files times of long ago: what changed just now is examined each time."""
    for place in root.rglob("*"):
        if ".git" not in place.parts and place.is_file() and not place.is_symlink():
            os.utime(place, (OLD, OLD))
    if (root / ".git").exists():
        git(root, "update-index", "-q", "--refresh")


def settings_of(root: Path) -> Settings:
    return Settings(root=root, cache_dir=root.parent / "cache")


def found(root: Path) -> Discovery:
    return discover(settings_of(root))


def is_taken(last: Discovery, root: Path) -> bool:
    """Whether the next run takes a file that has not changed as it was: here with an id that it does not have."""
    odd = [replace(file, blob="0" * 40) if file.path == "app/main.py" else file for file in last.files]
    remembered = remember_files(replace(last, files=tuple(odd)))
    now = discover(settings_of(root), remembered)
    return any(file.blob == "0" * 40 for file in now.files)


def edit(root: Path) -> None:
    write(root, {"app/tool.py": "def tool():\n    return 22\n"})


def edit_again(root: Path) -> None:
    write(root, {"app/tool.py": "def tool():\n    return 33\n"})
    settle(root)


def restore(root: Path) -> None:
    git(root, "checkout", "-q", "--", ".")
    settle(root)


def stage(root: Path) -> None:
    edit(root)
    git(root, "add", "-u")


def take_binary(root: Path) -> None:
    write(root, {"app/data.bin": b"now it is text\n"})


def touch(root: Path) -> None:
    os.utime(root / "app/tool.py", (OLD + 50, OLD + 50))


def add(root: Path) -> None:
    write(root, {"app/new.py": "x = 1\n", "build/made.py": "y = 1\n"})


def delete(root: Path) -> None:
    (root / "docs/page.md").unlink(missing_ok=True)


def unstage_deletion(root: Path) -> None:
    git(root, "rm", "-q", "--cached", "docs/page.md")


def change_rules(root: Path) -> None:
    write(root, {".ctxpackignore": "docs/\n"})


def unignore(root: Path) -> None:
    add(root)
    write(root, {".gitignore": ""})


def switch(root: Path) -> None:
    git(root, "checkout", "-q", "-b", "other")


def commit_all(root: Path) -> None:
    edit(root)
    git(root, "commit", "-qam", "Edit")


def make_executable(root: Path) -> None:
    (root / "app/tool.py").chmod(0o755)


def link(root: Path) -> None:
    (root / "docs/page.md").unlink()
    (root / "docs/page.md").symlink_to("../app/tool.py")


def assume_unchanged(root: Path) -> None:
    git(root, "update-index", "--assume-unchanged", "app/tool.py")
    edit(root)


def nest(root: Path) -> None:
    commit(root / "inner", {"a.py": "x = 1\n"})


STEPS: tuple[Callable[[Path], None], ...] = (
    edit, edit_again, restore, stage, take_binary, touch, add, delete, unstage_deletion, change_rules, unignore,
    switch, commit_all, make_executable, link, assume_unchanged, nest,
)  # fmt: skip


def histories() -> Iterator[tuple[Callable[[Path], None], ...]]:
    for step in STEPS:
        yield step, edit_again, restore
        yield edit, step, delete


@pytest.mark.skipif(sys.platform == "win32", reason="links and modes")
@pytest.mark.parametrize("steps", list(histories()), ids=lambda steps: "-".join(step.__name__ for step in steps))
def test_every_history_of_changes_is_found(root: Path, steps: tuple[Callable[[Path], None], ...]) -> None:
    last = found(root)
    for step in steps:
        step(root)
        anew = timeless(found(root))
        for _ in range(2):  # what has been mended is mended again
            last = discover(settings_of(root), remember_files(last))
            assert timeless(last) == anew


def timeless(found: Discovery) -> Discovery:
    """Leave out the times of what git holds: they say nothing."""
    files = tuple(file if file.dirty else replace(file, mtime_ns=0) for file in found.files)
    return replace(found, files=files)


def test_what_has_not_changed_is_not_examined(root: Path) -> None:
    assert is_taken(found(root), root)
    edit(root)
    last = found(root)
    assert last.state.dirty
    assert is_taken(last, root)
    restored = found(root)
    write(root, {"app/tool.py": str(FILES["app/tool.py"])})
    assert is_taken(restored, root)


@pytest.mark.parametrize("step", [add, delete, change_rules, commit_all, switch])
def test_what_may_change_more_than_contents_has_all_examined(root: Path, step: Callable[[Path], None]) -> None:
    last = found(root)
    step(root)
    assert not is_taken(last, root)


def test_another_setting_has_all_examined(root: Path) -> None:
    last = remember_files(found(root))
    settings = replace(settings_of(root), max_file_size=10)
    assert discover(settings, last) == discover(settings)


def test_a_rule_file_that_git_ignores_is_watched(root: Path) -> None:
    commit(root, {".gitignore": "*.log\n.ignore\n"})
    write(root, {".ignore": "docs/\n"})
    last = found(root)
    assert "docs/page.md" not in [file.path for file in last.files]
    write(root, {".ignore": "app/\n"})
    assert discover(settings_of(root), remember_files(last)) == found(root)


@pytest.mark.skipif(sys.platform == "win32", reason="the trap is a shell script")
def test_no_program_that_a_repository_names_is_run(root: Path, tmp_path: Path) -> None:
    trap, sprung = tmp_path / "trap", tmp_path / "sprung"
    trap.write_text(f"#!/bin/sh\ntouch {sprung}\ncat\n")
    trap.chmod(0o755)
    commit(root, {".gitattributes": "*.py filter=evil\n*.md filter=worse.x\n"})
    for key in ("core.fsmonitor", "core.hooksPath", "filter.evil.clean", "filter.worse.x.process", "core.sshCommand"):
        git(root, "config", key, str(trap))
    sprung.unlink(missing_ok=True)
    write(root, {"app/tool.py": "def tool():\n    return 22\n", "docs/page.md": "# Other\n"})
    last = found(root)
    for number in range(3):
        write(root, {"app/tool.py": f"def tool():\n    return {number}\n"})
        last = discover(settings_of(root), remember_files(last))
    assert not sprung.exists()


def test_names_that_are_not_utf8_survive(root: Path) -> None:
    try:
        Path(os.fsdecode(os.fsencode(root) + b"/odd\xff.py")).write_text("y = 1\n")
    except OSError:
        pytest.skip("this file system only takes valid names")
    last = remember_files(found(root))
    assert discover(settings_of(root), last) == found(root)


def test_of_nothing_nothing_is_known(root: Path) -> None:
    empty = remember_files(replace(found(root), files=(), skipped=()))
    assert isinstance(empty, LastRun)
    assert dict(empty) == {}
