"""Nothing outside the root is read or written, whatever a repository links to, records or asks for."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Ctxpack
from tests.hostile.conftest import SECRET, in_every_way
from tests.indexing import commit, git

LINKS = pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")


def forge_index(root: Path, old: bytes, new: bytes) -> None:
    """Put another path of the same length into git's index, which git itself would refuse to add."""
    place = root / ".git" / "index"
    data = place.read_bytes()
    assert data.count(old) == 1
    data = data.replace(old, new)[:-20]
    place.write_bytes(data + hashlib.sha1(data, usedforsecurity=False).digest())


@LINKS
@pytest.mark.parametrize("is_tracked", [False, True])
def test_links_out_of_the_root_are_not_followed(
    ctxpack: Ctxpack, root: Path, outside: Path, *, is_tracked: bool
) -> None:
    for name in [
        "README.md",
        "AGENTS.md",
        "retry.md",
        "pyproject.toml",
        ".ctxpackignore",
        ".gitignore",
        ".gitattributes",
    ]:
        (root / name).symlink_to(outside / "retry.md")
    (root / "relative.md").symlink_to("../private/retry.md")
    (root / "folder").symlink_to(outside)
    (root / "circle").symlink_to("circle")
    if is_tracked:
        git(root, "add", "-A")
        git(root, "commit", "-q", "-m", "Link")
    assert SECRET not in in_every_way(ctxpack, root)
    for path in ("retry.md", "folder/retry.md", "relative.md", "folder", "circle", str(outside / "retry.md")):
        for arguments in (("file", path), ("task", "retry", "--require", path)):
            outcome = ctxpack(*arguments, "--root", str(root))
            assert outcome.status == 2
            assert SECRET not in outcome.out + outcome.err
    shutil.rmtree(root / ".git")
    assert SECRET not in ctxpack("task", "retry the upload", "--root", str(root)).out


@LINKS
def test_a_link_in_the_place_of_a_tracked_folder_is_not_followed(ctxpack: Ctxpack, root: Path, outside: Path) -> None:
    commit(root, {"inner/deep/notes.txt": "the retry\n", "inner/retry.md": "retry the upload\n"})
    shutil.rmtree(root / "inner")
    (outside / "deep").mkdir()
    shutil.copy(outside / "notes.txt", outside / "deep")
    (root / "inner").symlink_to(outside)
    assert SECRET not in in_every_way(ctxpack, root)
    outcome = ctxpack("task", "retry", "--require", "inner/retry.md", "--root", str(root))
    assert (outcome.status, outcome.out) == (2, "")


@pytest.mark.parametrize(
    ("name", "forged"),
    [
        ("aa/private_notes.txt", "../private/notes.txt"),
        ("xgit/config", ".git/config"),
        ("a/xgit/config", "a/.GIT/config"),
        ("a/xxxxx/config", "a/git~1/config"),
    ],
)
def test_paths_that_only_a_forged_index_holds_are_not_read(
    ctxpack: Ctxpack, root: Path, outside: Path, name: str, forged: str
) -> None:
    commit(root, {name: "the retry of the upload\n"})
    shutil.rmtree(root / name.split("/", maxsplit=1)[0])
    git(root, "config", "http.extraHeader", f"retry upload {SECRET}")
    (root / "a").mkdir(exist_ok=True)
    (root / forged).parent.mkdir(exist_ok=True)
    if not forged.startswith((".git", "..")):
        (root / forged).write_text(f"retry upload {SECRET}\n")
    forge_index(root, name.encode(), forged.encode())
    assert outside.is_dir()
    assert SECRET not in in_every_way(ctxpack, root)
    assert SECRET not in ctxpack("task", SECRET[:6], "--root", str(root)).out


def test_nothing_in_the_folder_of_git_is_read(ctxpack: Ctxpack, root: Path) -> None:
    git(root, "config", "http.extraHeader", f"retry upload {SECRET}")
    (root / ".ctxpackignore").write_text("!.git\n!.git/**\n!**/config\n")
    assert SECRET not in in_every_way(ctxpack, root)
    for path in (".git/config", "docs/../.git/config", ".git"):
        (root / "ctxpack.toml").write_text(f'require = ["{path}"]\n')
        outcome = ctxpack("task", "retry the upload", "--root", str(root))
        assert (outcome.status, outcome.out) == (2, "")


@pytest.fixture
def another(outside: Path) -> Path:
    """A private repository beside the one of the attacker."""
    commit(outside, {"upload.py": f"def retry(upload):\n    return '{SECRET}'\n"}, f"Retry the upload {SECRET}")
    commit(outside, {"upload.py": f"def retry(upload):\n    return '{SECRET} again'\n"}, f"Retry again {SECRET}")
    return outside / ".git"


def replace_by_file(record: Path, target: Path) -> None:
    shutil.rmtree(record)
    record.write_text(f"gitdir: {target}\n")


def replace_by_link(record: Path, target: Path) -> None:
    shutil.rmtree(record)
    record.symlink_to(target)


def name_the_common_folder(record: Path, target: Path) -> None:
    (record / "commondir").write_text(f"{target}\n")


def borrow_objects(record: Path, target: Path) -> None:
    (record / "objects" / "info" / "alternates").write_text(f"{target / 'objects'}\n")


def link_a_ref(record: Path, target: Path) -> None:
    borrow_objects(record, target)
    (record / "refs" / "heads" / "main").unlink()
    (record / "refs" / "heads" / "main").symlink_to(target / "refs" / "heads" / "main")


def link_all_refs(record: Path, target: Path) -> None:
    borrow_objects(record, target)
    shutil.rmtree(record / "refs")
    (record / "refs").symlink_to(target / "refs")


def link_the_index(record: Path, target: Path) -> None:
    borrow_objects(record, target)
    (record / "index").unlink()
    (record / "index").symlink_to(target / "index")


def use_its_linked_work_tree(record: Path, target: Path) -> None:
    git(target.parent, "worktree", "add", "-q", "--detach", str(target.parent.parent / "linked"))
    replace_by_file(record, target / "worktrees" / "linked")


@LINKS
@pytest.mark.parametrize(
    "lead",
    [replace_by_file, replace_by_link, name_the_common_folder, link_a_ref, link_all_refs, link_the_index,
     use_its_linked_work_tree],
)  # fmt: skip
def test_a_record_that_leads_to_another_repository_is_not_used(
    ctxpack: Ctxpack, root: Path, another: Path, lead: Callable[[Path, Path], None]
) -> None:
    lead(root / ".git", another)
    asked = (("log", "-1"), ("diff", "--cached"))
    shown = [subprocess.run(["git", *each], cwd=root, capture_output=True, check=False).stdout for each in asked]
    assert SECRET in str(shown)
    assert SECRET not in in_every_way(ctxpack, root)
    for _ in range(2):  # the second is kept
        assert "Note: git cannot read this repository" in ctxpack("task", "retry the upload", "--root", str(root)).err
    outcome = ctxpack("task", "retry the upload", "--root", str(root), "-v")
    assert (outcome.status, "once_more" in outcome.out) == (0, True)
    assert f"git cannot read this repository, its index was not used: its .git leads to {another}" in outcome.err
    assert ctxpack("diff", "--root", str(root)).err.startswith("Error: Git cannot read the repository ")


def test_objects_of_another_repository_are_found_by_no_name_of_this_one(
    ctxpack: Ctxpack, root: Path, another: Path
) -> None:
    borrow_objects(root / ".git", another)
    assert SECRET not in in_every_way(ctxpack, root)
    assert ctxpack("diff", "HEAD~1", "--root", str(root)).status == 0


def test_a_folder_that_looks_like_a_repository_leads_nowhere(ctxpack: Ctxpack, root: Path, another: Path) -> None:
    inner = root / "docs"
    (inner / "refs").mkdir()
    (inner / "HEAD").write_text("ref: refs/heads/main\n")
    (inner / "commondir").write_text(f"{another}\n")
    (inner / "config").write_text(f"[core]\n\tbare = false\n\tworktree = {inner}\n")
    assert SECRET in git(inner, "log", "-1")
    assert SECRET not in in_every_way(ctxpack, inner)


def test_records_elsewhere_that_know_their_work_tree_are_used(ctxpack: Ctxpack, root: Path, tmp_path: Path) -> None:
    linked, moved = tmp_path / "linked", tmp_path / "android" / ".repo" / "projects" / "app"
    git(root, "worktree", "add", "-q", "--detach", str(linked))
    library = tmp_path / "library"
    commit(library, {"retry.py": "def retry(): ...\n"})
    git(root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(library), "lib")
    project = tmp_path / "android" / "app" / "core"
    shutil.copytree(library, project)
    moved.mkdir(parents=True)
    (project / ".git").rename(moved / "core.git")
    (project / ".git").write_text("gitdir: ../../.repo/projects/app/core.git\n")
    for place, name in ((linked, "upload.py"), (root / "lib", "retry.py"), (project, "retry.py")):
        (place / name).write_text("def retry(changed): ...\n")
        outcome = ctxpack("diff", "--root", str(place))
        assert (outcome.status, "+def retry(changed): ..." in outcome.out) == (0, True)


@LINKS
def test_a_file_that_becomes_a_link_while_it_is_read_is_not_followed(root: Path, outside: Path) -> None:
    from ctxpack.system.disk import read_regular

    (root / "upload.py").unlink()
    (root / "upload.py").symlink_to(outside / "notes.txt")
    with pytest.raises(OSError, match=r"symbolic links|not a regular file|Invalid"):
        read_regular(root / "upload.py")


@pytest.mark.parametrize(
    "path", ["../evil.md", "{outside}/evil.md", "docs/../../evil.md", ".git/config", ".git/hooks/pre-commit", ".GIT/x"]
)
@pytest.mark.parametrize("markers", ["true", "false", '["[alias]", "[core]"]'])
def test_refresh_writes_neither_outside_nor_into_git(
    ctxpack: Ctxpack, root: Path, outside: Path, path: str, markers: str
) -> None:
    before = (root / ".git" / "config").read_bytes()
    target = path.format(outside=outside.as_posix())
    (root / "ctxpack.toml").write_text(f'[[context]]\npath = "{target}"\nrequest = "retry"\nmarkers = {markers}\n')
    for arguments in (("refresh",), ("refresh", "--check")):
        outcome = ctxpack(*arguments, "--root", str(root))
        assert (outcome.status, outcome.out) == (2, "")
        assert outcome.err.startswith("Error: The context file ")
    assert (root / ".git" / "config").read_bytes() == before
    assert not (root.parent / "evil.md").exists()
    assert not (outside / "evil.md").exists()
    assert not (root / ".git" / "hooks" / "pre-commit").exists()


@LINKS
def test_refresh_writes_through_no_link_out_of_the_root(ctxpack: Ctxpack, root: Path, outside: Path) -> None:
    (root / "folder").symlink_to(outside)
    (root / "AGENTS.md").symlink_to(outside / "notes.txt")
    (root / "hidden").symlink_to(".git")
    before = (outside / "notes.txt").read_bytes()
    for path in ("folder/new.md", "AGENTS.md", "hidden/config"):
        (root / "ctxpack.toml").write_text(f'[[context]]\npath = "{path}"\nrequest = "retry"\n')
        assert ctxpack("refresh", "--root", str(root)).status == 2
    assert (outside / "notes.txt").read_bytes() == before
    assert not (outside / "new.md").exists()


@LINKS
def test_registering_with_an_agent_writes_neither_outside_nor_into_git(
    ctxpack: Ctxpack, root: Path, outside: Path
) -> None:
    config = root / ".git" / "config"
    before = config.read_bytes(), (outside / "notes.txt").read_bytes()
    for target, said in ((config, "into the folder of git"), (outside / "notes.txt", "outside the repository")):
        for name in ("CLAUDE.md", ".mcp.json", ".claude"):
            (root / name).symlink_to(target)
            outcome = ctxpack("init", "--agent", "claude", "--root", str(root))
            assert (outcome.status, outcome.out) == (2, "")
            assert f" points {said}." in outcome.err
            (root / name).unlink()
    assert (config.read_bytes(), (outside / "notes.txt").read_bytes()) == before


def test_a_report_cannot_ask_about_the_folder_of_git(ctxpack: Ctxpack, root: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.md"
    (root / "config").write_text("[core]\n\tbare = false\n")
    assert ctxpack("file", "config", "--root", str(root), "-o", str(report)).status == 0
    assert ctxpack("verify", str(report), "--root", str(root)).status == 0
    (root / "config").unlink()
    (root / ".git" / "config").write_text("[core]\n\tbare = false\n")
    report.write_text(report.read_text(encoding="utf-8").replace("`config:", "`.git/config:"), encoding="utf-8")
    outcome = ctxpack("verify", str(report), "--root", str(root))
    assert (outcome.status, "gone" in outcome.out) == (1, True)


@LINKS
def test_a_configuration_that_links_out_of_the_root_is_not_read(ctxpack: Ctxpack, root: Path, outside: Path) -> None:
    (outside / "settings.toml").write_text(f'{SECRET} = "{SECRET}"\nbudget = "{SECRET}"\n')
    (root / "ctxpack.toml").symlink_to(outside / "settings.toml")
    outcome = ctxpack("task", "retry the upload", "--root", str(root))
    assert (outcome.status, outcome.out) == (2, "")
    assert "a link that leads outside the repository" in outcome.err
    assert SECRET not in outcome.err
    assert SECRET not in ctxpack("doctor", "--root", str(root)).out


def test_modules_of_the_current_folder_are_not_imported(program: Ctxpack, root: Path) -> None:
    for name in ("typer", "json", "numpy", "rapidfuzz", "Stemmer", "splintr_rs", "tree_sitter", "shutil", "hashlib"):
        (root / f"{name}.py").write_text("open('ran', 'w').close()\n")
    assert program("task", "retry the upload", folder=root).status == 0
    assert not (root / "ran").exists()
