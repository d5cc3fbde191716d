"""What the record of a work tree may hold: all that git itself puts there is read as ever."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from ctxpack.system.git import find_git, own_excludes
from tests.indexing import commit, git

POSIX = pytest.mark.skipif(os.name == "nt", reason="needs links and sockets of Unix")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    commit(tmp_path / "root", {"a.py": "x = 1\n"})
    return tmp_path / "root"


def refusal_in(folder: Path) -> str:
    found = find_git(str(folder))
    assert found is not None
    return found.refusal


@POSIX
def test_what_git_puts_into_a_record_is_no_reason_to_refuse_it(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root / ".git")  # the path of a socket is short
    with socket.socket(socket.AF_UNIX) as monitor:
        monitor.bind("fsmonitor--daemon.ipc")
        git(root, "config", "core.preferSymlinkRefs", "true")
        git(root, "symbolic-ref", "HEAD", "refs/heads/other")
        git(root, "config", "core.excludesFile", "~/.gitignore")
        git(root, "config", "core.hooksPath", "/dev/null")
        git(root, "config", "include.path", "missing")
        git(root, "pack-refs", "--all")
        assert refusal_in(root) == ""
        assert refusal_in(root / ".git") == ""


def test_a_folder_without_a_record_is_not_refused(tmp_path: Path) -> None:
    assert refusal_in(tmp_path) == ""
    (tmp_path / ".git").write_text("gitdir: nowhere\n", encoding="utf-8")
    assert refusal_in(tmp_path) == ""


def test_a_configuration_that_git_cannot_read_is_told(root: Path) -> None:
    (root / ".git" / "config").write_text("[core]\n\texcludesFile = ~no-such-user-here/x\n", encoding="utf-8")
    assert refusal_in(root).startswith("its .git cannot be read: ")


@POSIX
def test_rules_of_another_record_are_not_those_of_a_folder(root: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    assert own_excludes(str(root)) == str(root.resolve() / ".git" / "info" / "exclude")
    (other / ".git").symlink_to(root / ".git")
    assert own_excludes(str(other)) == ""
