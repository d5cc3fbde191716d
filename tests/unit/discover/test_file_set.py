"""The same files as git's, whatever the rules, with git and without."""

from __future__ import annotations

import os
import shutil
import subprocess
from itertools import product
from pathlib import Path

from ctxpack.discover.source import Source, Way
from ctxpack.discover.walk import list_by_walking
from ctxpack.system.clock import Timekeeper
from ctxpack.system.git import GitBlockedError
from tests.indexing import git, write

FILES = (
    "a", "b", "ab", "a.log", "keep.log", "dir/a", "dir/a.log", "dir/sub/a", "dir/sub/b.log", "sub/dir/a", "build/x",
    "src/build/x", "#c", "!d", " e", "f ", "[g]", "h*", "файл", "файл.log", "日本/a", "A", ".hid/a", "a-b", "x/y/z/w",
)  # fmt: skip
PATTERNS = (
    "a", "/a", "a/", "dir", "dir/", "/dir", "dir/a", "dir/*", "dir/**", "**/dir", "**/a", "dir/**/a", "**/sub/**", "*",
    "/*", "*/", "**", "**/", "*.log", "/*.log", "dir/*.log", "?", "??", "?.log", "[ab]", "[!a]", "[a-f]*",
    "[[:upper:]]",    "\\#c", "#c", "\\!d", " e", "f\\ ", "f ", "[[]g]", "[g]", "h\\*", "h*", "файл",
    "ф*", "файл?log", "日*", "日?", ".*",
    ".hid",    "a-b", "x/*/z", "x/**/w", "x/y/z/w", "*/y", "sub/dir/", "/", "", "\\", "[", "[z-a]", "***",
    "a**", "**a", "dir//a",
)  # fmt: skip
AFTER = ("", "!a\n", "!keep.log\n!dir/\n", "!*/\n", "!/dir/sub\n")


def test_a_matrix_of_rules_gives_the_files_of_git(tmp_path: Path) -> None:
    """Each case is a folder with its own rules; git is asked once."""
    cases = list(enumerate(product(PATTERNS, AFTER)))
    assert len(cases) >= 150
    for number, (pattern, after) in cases:
        files = {f"case-{number}/{each}": "x\n" for each in FILES}
        write(tmp_path, {f"case-{number}/.gitignore": f"{pattern}\n{after}", **files})
    git(tmp_path, "init", "-q")
    asked = ["git", "ls-files", "-z", "-o", "--exclude-standard"]
    listed = subprocess.run(asked, cwd=tmp_path, capture_output=True, check=True).stdout
    its = {os.fsdecode(each) for each in listed.split(b"\0") if each}
    assert len(its) > len(cases)
    assert {each.path for each in Source(str(tmp_path), use_gitignore=True).list().found} == its
    shutil.rmtree(tmp_path / ".git")
    assert {each.path for each in list_by_walking(str(tmp_path), Timekeeper(), use_gitignore=True).found} == its
    assert {each.path for each in Source(str(tmp_path), use_gitignore=True).list().found} == its


def test_git_is_not_asked_again_where_it_had_no_end(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "x\n"})
    git(tmp_path, "init", "-q")
    source = Source(str(tmp_path), use_gitignore=True, blocked=GitBlockedError(".gitignore is a pipe"))
    assert [each.path for each in source.list().found] == ["a.py"]
    assert source.way is Way.WALK
    assert source.note is not None
    assert source.note.reason.endswith("its index was not used: .gitignore is a pipe")


def test_one_link_in_a_circle_hides_nothing_beside_it(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "x\n", "b/c.py": "x\n"})
    (tmp_path / "circle").symlink_to("circle")
    assert {each.path for each in list_by_walking(str(tmp_path), Timekeeper(), use_gitignore=True).found} == {
        "a.py",
        "b/c.py",
        "circle",
    }
