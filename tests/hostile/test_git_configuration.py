"""What a repository's own git configuration names is never run, and nothing is fetched."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import Ctxpack
from tests.hostile.conftest import Trap, in_every_way
from tests.indexing import commit, git

PROGRAMS = (
    "core.fsmonitor", "diff.external", "diff.x.command", "diff.x.textconv", "filter.x.clean", "filter.x.smudge",
    "filter.x.process", "core.pager", "pager.log", "pager.diff", "core.editor", "core.sshCommand", "core.askPass",
    "core.gitProxy", "core.alternateRefsCommand", "credential.helper", "gpg.program", "gpg.ssh.program",
    "merge.x.driver", "interactive.diffFilter", "uploadpack.packObjectsHook", "trailer.x.command", "diff.orderFile",
)  # fmt: skip
SETTINGS = {
    "log.showSignature": "true", "filter.x.required": "true", "diff.submodule": "log", "submodule.recurse": "true",
    "status.submoduleSummary": "true", "protocol.ext.allow": "always", "diff.ignoreSubmodules": "none",
}  # fmt: skip
HOOKS = ("post-checkout", "post-index-change", "pre-commit", "reference-transaction", "fsmonitor-watchman")


def prepare(folder: Path, trap: Trap) -> None:
    """Name the trap wherever git's configuration can name a program."""
    for key in PROGRAMS:
        git(folder, "config", key, trap.line)
    for name in ("log", "diff", "ls-files", "blame"):
        git(folder, "config", f"alias.{name}", f"!{trap.line}")
    for key, value in SETTINGS.items():
        git(folder, "config", key, value)
    (folder / ".gitattributes").write_text("* filter=x diff=x merge=x\n")


def test_no_program_that_the_configuration_names_runs(ctxpack: Ctxpack, root: Path, trap: Trap) -> None:
    prepare(root, trap)
    hooks = Path(git(root, "rev-parse", "--absolute-git-dir")) / "hooks"
    other = root.parent / "hooks"
    for folder in (hooks, other):
        folder.mkdir(exist_ok=True)
        for name in HOOKS:
            (folder / name).write_bytes(trap.path.read_bytes())
            (folder / name).chmod(0o755)
    git(root, "config", "core.hooksPath", str(other))
    trap.has_run()
    subprocess.run(["git", "status"], cwd=root, capture_output=True, check=False)
    assert trap.has_run()  # the traps do work
    in_every_way(ctxpack, root)
    assert not trap.has_run()


def test_no_program_of_an_included_configuration_runs(ctxpack: Ctxpack, root: Path, trap: Trap) -> None:
    (root / "shared.conf").write_text(
        f'[core]\n\tfsmonitor = "{trap.line}"\n[diff]\n\texternal = "{trap.line}"\n'
        f'[filter "x"]\n\tclean = "{trap.line}"\n'
    )
    (root / ".gitattributes").write_text("* filter=x diff=x\n")
    git(root, "config", "include.path", "../shared.conf")
    git(root, "config", "includeIf.gitdir:**.path", "../shared.conf")
    subprocess.run(["git", "diff"], cwd=root, capture_output=True, check=False)
    assert trap.has_run()
    in_every_way(ctxpack, root)
    assert not trap.has_run()


def test_no_program_of_a_submodule_runs(ctxpack: Ctxpack, root: Path, tmp_path: Path, trap: Trap) -> None:
    library = tmp_path / "library"
    commit(library, {"retry.py": "def retry(): ...\n"})
    git(root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(library), "lib")
    git(root, "commit", "-q", "-m", "Add lib")
    prepare(root / "lib", trap)
    (root / "lib" / "retry.py").write_text("def retry(upload): ...\n")
    git(root, "config", "submodule.lib.update", f"!{trap.line}")
    subprocess.run(["git", "status"], cwd=root / "lib", capture_output=True, check=False)
    assert trap.has_run()
    in_every_way(ctxpack, root)
    assert not trap.has_run()


@pytest.mark.parametrize("address", ["ext::{trap}", "ssh://nowhere/x", "{library}", "file://{library}"])
def test_no_missing_object_is_fetched(ctxpack: Ctxpack, root: Path, tmp_path: Path, trap: Trap, address: str) -> None:
    library = tmp_path / "library"
    commit(library, {"retry.py": "def retry(): ...\n"})
    for key, value in {
        "core.repositoryformatversion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.promisor": "true",
        "remote.origin.url": address.format(trap=trap.line, library=library),
        "remote.origin.uploadpack": trap.line,
        "core.sshCommand": trap.line,
        "protocol.ext.allow": "always",
        "protocol.file.allow": "always",
    }.items():
        git(root, "config", key, value)
    blob = git(root, "rev-parse", "HEAD~1:upload.py")
    (root / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    outcome = ctxpack("diff", "HEAD~1", "--root", str(root))
    assert outcome.status == 4
    assert outcome.err.startswith("Error: Git cannot tell what changed: ")
    assert ctxpack("task", "retry the upload", "--root", str(root)).status == 0
    assert not trap.has_run()


@pytest.mark.parametrize("address", ["--upload-pack={trap}", "ext::{trap}", "-oProxyCommand={trap}"])
def test_no_address_of_a_submodule_is_used(ctxpack: Ctxpack, root: Path, trap: Trap, address: str) -> None:
    written = address.format(trap=trap.line)
    (root / ".gitmodules").write_text(
        f'[submodule "lib"]\n\tpath = lib\n\turl = "{written}"\n\tupdate = !{trap.line}\n'
    )
    git(root, "update-index", "--add", "--cacheinfo", f"160000,{git(root, 'rev-parse', 'HEAD')},lib")
    git(root, "config", "submodule.lib.url", written)
    in_every_way(ctxpack, root)
    assert not trap.has_run()


def test_evaluating_old_commits_runs_nothing(ctxpack: Ctxpack, root: Path, trap: Trap) -> None:
    prepare(root, trap)
    off = ("filter.x.clean=", "filter.x.process=", "filter.x.required=false", "core.fsmonitor=false")
    switches = (part for each in off for part in ("-c", each))
    git(root, *switches, "commit", "-q", "-am", "Retry the upload once more")
    trap.has_run()
    assert ctxpack("eval", "--commits", "2", "--root", str(root)).status == 0
    assert not trap.has_run()


def test_revisions_that_look_like_options_are_none(ctxpack: Ctxpack, root: Path, tmp_path: Path) -> None:
    for written in (f"--output={tmp_path}/stolen", f"HEAD..--output={tmp_path}/stolen", "-O/dev/null"):
        outcome = ctxpack("diff", "--root", str(root), "--", written)
        assert outcome.status == 2
        assert outcome.err.startswith("Error: ")
    assert not (tmp_path / "stolen").exists()


def test_programs_of_the_current_folder_are_not_taken_for_git(program: Ctxpack, root: Path, trap: Trap) -> None:
    for name in ("git", "python", "python3", "rg"):
        (root / name).write_bytes(trap.path.read_bytes())
        (root / name).chmod(0o755)
    assert program("task", "retry the upload", folder=root).status == 0
    assert not trap.has_run()
