"""Pipes, devices, sockets, giant and deep files: no run waits for one, reads one whole or breaks on one."""

from __future__ import annotations

import json
import os
import shutil
import socket
import sys
from pathlib import Path

import pytest

from ctxpack.system.git import what_blocks
from tests.cli.conftest import Ctxpack
from tests.indexing import git

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no pipes in folders there")


def test_pipes_sockets_and_devices_are_not_opened(ctxpack: Ctxpack, root: Path) -> None:
    (root / "docs" / "retry.md").unlink()
    os.mkfifo(root / "docs" / "retry.md")  # a tracked file became a pipe
    os.mkfifo(root / "retry.py")
    with socket.socket(socket.AF_UNIX) as listener:
        here = Path.cwd()
        os.chdir(root)  # the path of a socket is short
        try:
            listener.bind("retry.sock")
        finally:
            os.chdir(here)
    (root / "zero.py").symlink_to("/dev/zero")
    found = ctxpack("task", "retry the upload", "--root", str(root))
    assert (found.status, "once_more" in found.out) == (0, True)
    for path in ("docs/retry.md", "retry.py", "retry.sock", "zero.py"):
        assert ctxpack("file", path, "--root", str(root)).status == 2
    shutil.rmtree(root / ".git")
    assert ctxpack("task", "retry the upload", "--root", str(root)).status == 0


@pytest.mark.parametrize("name", [".ignore", ".ctxpackignore", ".gitmodules", "README.md", "AGENTS.md", "ctxpack.toml"])
def test_a_pipe_in_the_place_of_a_file_that_is_looked_for(ctxpack: Ctxpack, root: Path, name: str) -> None:
    os.mkfifo(root / name)
    assert ctxpack("task", "retry the upload", "--root", str(root)).status == 0


@pytest.mark.parametrize(
    "name",
    [".gitignore", "docs/.gitignore", ".git/info/exclude", ".git/index", ".git/config", ".git/packed-refs",
     ".git/refs/heads/main", ".git/objects/info/alternates",
     f".git/objects/pack/pack-{'a' * 40}.idx", f"borrowed/pack/pack-{'b' * 40}.idx"],
)  # fmt: skip
def test_a_pipe_that_git_would_wait_for(ctxpack: Ctxpack, root: Path, name: str) -> None:
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).unlink(missing_ok=True)
    os.mkfifo(root / name)
    if name.endswith(".idx"):
        (root / name).with_suffix(".pack").touch()
        (root / ".git" / "objects" / "info" / "alternates").write_text("../../borrowed\n")
        (root / ".git" / "refs" / "heads" / "main").write_text(f"{'c' * 40}\n")  # it is looked for in every pack
    found = ctxpack("task", "retry the upload", "--root", str(root), "-v")
    assert (found.status, "once_more" in found.out) == (0, True)
    assert "git cannot read this repository, its index was not used: " in found.err
    assert f"{name} is a pipe or a device, no file" in found.err


@pytest.mark.parametrize("key", ["core.excludesFile", "core.attributesFile", "mailmap.file", "diff.orderFile"])
@pytest.mark.parametrize("is_included", [False, True])
def test_a_pipe_or_device_that_the_configuration_of_git_names(
    ctxpack: Ctxpack, root: Path, key: str, *, is_included: bool
) -> None:
    os.mkfifo(root / "pipe")
    for target in (root / "pipe", Path("/dev/zero")):
        git(root, "config", "--file", "shared" if is_included else ".git/config", key, str(target))
        git(root, "config", "--file", ".git/config", "include.path", "../shared")
        found = ctxpack("task", "retry the upload", "--root", str(root), "-v")
        assert (found.status, "once_more" in found.out) == (0, True)
        assert f"its configuration names {target}, which is a pipe or a device, no file" in found.err
        found = ctxpack("diff", "--root", str(root))
        assert (found.status, found.out) == (2, "")


def test_a_configuration_of_git_that_is_a_pipe_or_includes_too_many(ctxpack: Ctxpack, root: Path) -> None:
    git(root, "config", "include.path", "../pipe")
    os.mkfifo(root / "pipe")
    said = {"": "its configuration names ../pipe", "pipe": "its configuration includes too many files"}
    for name, sentence in said.items():
        if name:
            (root / "pipe").unlink()
            lines = "".join(f"path = ../part{number}\n" for number in range(200))
            (root / "pipe").write_text(f"[include]\n{lines}")
        found = ctxpack("task", "retry the upload", "--root", str(root), "-v")
        assert found.status == 0
        assert sentence in found.err


def test_a_diff_that_git_cannot_end_is_told(ctxpack: Ctxpack, root: Path) -> None:
    os.mkfifo(root / ".gitattributes")
    found = ctxpack("diff", "--root", str(root))
    assert (found.status, found.out) == (4, "")
    assert found.err.startswith("Error: Git cannot tell what changed: .gitattributes is a pipe or a device, no file.")


def test_refresh_waits_for_no_pipe(ctxpack: Ctxpack, root: Path) -> None:
    os.mkfifo(root / "AGENTS.md")
    (root / "ctxpack.toml").write_text('[[context]]\npath = "AGENTS.md"\nrequest = "retry"\n')
    for arguments in (("refresh",), ("refresh", "--check")):
        found = ctxpack(*arguments, "--root", str(root))
        assert (found.status, found.out) == (2, "")
        assert "AGENTS.md is no regular file" in found.err


@pytest.mark.parametrize("name", [".mcp.json", "CLAUDE.md", ".claude/skills/ctxpack/SKILL.md"])
@pytest.mark.parametrize("is_giant", [True, False])
def test_registering_with_an_agent_waits_for_no_pipe_and_reads_no_giant(
    ctxpack: Ctxpack, root: Path, name: str, *, is_giant: bool
) -> None:
    place = root / name
    place.parent.mkdir(parents=True, exist_ok=True)
    if is_giant:
        place.touch()
        os.truncate(place, 20_000_000_000)
    else:
        os.mkfifo(place)
    before = sorted(root.rglob("*"))
    for more in ((), ("--remove",)):
        found = ctxpack("init", "--agent", "claude", *more, "--root", str(root))
        assert (found.status, found.out) == (4, "")
        said = "it is too large" if is_giant else "not a regular file"
        assert found.err.startswith(f"Error: {name} cannot be read: {said}.")
    assert sorted(root.rglob("*")) == before


def test_no_giant_is_read_to_verify_a_report_or_to_refresh_a_file(ctxpack: Ctxpack, root: Path, tmp_path: Path) -> None:
    assert ctxpack("file", "upload.py", "--root", str(root), "-o", str(tmp_path / "report.md")).status == 0
    os.truncate(root / "upload.py", 20_000_000_000)
    found = ctxpack("verify", str(tmp_path / "report.md"), "--root", str(root))
    assert (found.status, "gone" in found.out) == (1, True)
    (root / "ctxpack.toml").write_text('[[context]]\npath = "upload.py"\nrequest = "retry"\n')
    found = ctxpack("refresh", "--root", str(root))
    assert found.status == 4
    assert "upload.py cannot be read: it is too large." in found.err


def test_giants_that_git_keeps_are_not_read(ctxpack: Ctxpack, root: Path, tmp_path: Path) -> None:
    """They take some kilobytes in a repository, and git several times their size to compare them."""
    (root / "data.txt").write_bytes(b"retry the upload\n" * 7_000_000)
    git(root, "config", "core.bigFileThreshold", "100g")
    git(root, "add", "data.txt")
    git(root, "commit", "-q", "-m", "Add data")
    giant = git(root, "rev-parse", "HEAD:data.txt")
    (root / "data.txt").write_text("retry the upload\n")
    found = ctxpack("diff", "--root", str(root))
    assert (found.status, "data.txt  binary, 119 MB" in found.out) == (0, True)
    report = tmp_path / "report.json"
    assert ctxpack("file", "data.txt", "--root", str(root), "--format", "json", "-o", str(report)).status == 0
    document = json.loads(report.read_text(encoding="utf-8"))
    for blob, status in ((git(root, "hash-object", "-w", "data.txt"), 0), (giant, 1)):
        document["fragments"] = [each | {"commit": "HEAD", "blob": blob} for each in document["fragments"][:1]]
        report.write_text(json.dumps(document | {"check": ""}), encoding="utf-8")
        found = ctxpack("verify", str(report), "--root", str(root))
        assert (found.status, "gone" in found.out) == (status, bool(status))


def test_a_giant_file_is_not_read_even_where_a_rule_brings_it_back(ctxpack: Ctxpack, root: Path) -> None:
    with (root / "giant.txt").open("wb") as file:
        file.write(b"retry the upload\n" * 1_000)
        file.truncate(20_000_000_000)  # without a block on disk
    (root / ".ctxpackignore").write_text("!giant.txt\n")
    found = ctxpack("task", "retry the upload", "--root", str(root), "-v")
    assert found.status == 0
    assert "giant.txt: larger than 32 MB (limit max_file_size)" in found.err


def test_a_repository_cannot_have_giant_files_read(ctxpack: Ctxpack, root: Path) -> None:
    (root / "ctxpack.toml").write_text('max_file_size = "1000M"\n')
    outcome = ctxpack("task", "retry the upload", "--root", str(root))
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.startswith("Error: ctxpack.toml: max_file_size may be at most 32M here")
    (root / "ctxpack.toml").unlink()
    assert ctxpack("task", "retry the upload", "--root", str(root), "--max-file-size", "1000M").status == 0


def test_archives_are_not_opened(ctxpack: Ctxpack, root: Path) -> None:
    for name in ("bomb.zip", "bomb.tar.gz", "bomb.jar", "bomb.7z"):
        (root / name).write_bytes(b"retry the upload\n" * 100)  # of text, by its content
    found = ctxpack("task", "retry the upload", "--root", str(root), "-v")
    assert found.status == 0
    assert found.err.count(": binary") == 4


def make_deep(root: Path, depth: int) -> None:
    """Make a file below so many folders that its path is longer than the system lets one write."""
    place = os.open(root, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("a", dir_fd=place)
        inner = os.open("a", os.O_RDONLY, dir_fd=place)
        os.close(place)
        place = inner
    file = os.open("retry.py", os.O_CREAT | os.O_WRONLY, dir_fd=place)
    os.write(file, b"def retry_deep(): ...\n")
    os.close(file)
    os.close(place)


def remove_deep(root: Path) -> None:
    """Take away one folder after the other: what removes whole trees goes down as deep as they are."""
    outer, kept = root / "a", root / "kept"
    while (outer / "a").exists():
        (outer / "a").rename(kept)
        outer.rmdir()
        kept.rename(outer)


@pytest.mark.parametrize("is_git", [True, False])
def test_a_tree_of_thousands_of_folders_is_passed_over(ctxpack: Ctxpack, root: Path, *, is_git: bool) -> None:
    make_deep(root, 1_500)
    (root / ".ignore").write_text("*.log\n")
    if not is_git:
        shutil.rmtree(root / ".git")
    runs = (("task", "retry the upload"), ("diff",)) if is_git else (("task", "retry the upload"),)
    outcomes = [ctxpack(*arguments, "--root", str(root), "-v") for arguments in runs]
    remove_deep(root)
    for found in outcomes:
        assert (found.status, "once_more" in found.out) == (0, True)


def test_what_blocks_git_is_looked_for_in_no_endless_depth(root: Path) -> None:
    """On a busy machine git takes seconds for such a tree, and then a pipe is looked for that it may wait for."""
    make_deep(root, 1_500)
    found = what_blocks(str(root))
    remove_deep(root)
    assert found == ""


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there are no such devices there")
@pytest.mark.parametrize("named", [("verify",), ("task", "retry", "--instructions"), ("task", "retry", "--history")])
def test_a_pipe_or_device_that_the_user_names_has_an_end(
    ctxpack: Ctxpack, root: Path, tmp_path: Path, named: tuple[str, ...]
) -> None:
    """A file of a stranger that looks like a report may be one."""
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "device.md").symlink_to("/dev/zero")
    more = ("--format", "messages") if named[0] == "task" else ()
    assert ctxpack(*named, str(tmp_path / "device.md"), *more, "--root", str(root)).status in {2, 4}
    outcome = ctxpack(*named, str(tmp_path / "pipe.md"), *more, "--root", str(root))
    assert outcome.status == (0 if "--instructions" in named else 2)  # as with an empty file
