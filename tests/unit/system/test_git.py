from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ctxpack.system.git import Git, GitError, GitTimeoutError, enclosing_repository, find_git, plain_git, readable
from tests.indexing import git

MakeRepository = Callable[[dict[str, str]], Path]


@pytest.fixture
def here(repository: MakeRepository) -> Git:
    found = find_git(str(repository({"a/b.txt": "one\n"})))
    assert found
    return found


def test_a_refusal_is_the_first_sentence_of_git(here: Git) -> None:
    with pytest.raises(GitError, match=r"^Needed a single revision$"):
        here.start("rev-parse", "--verify", "no-such-name").text()


def test_a_program_that_cannot_run_is_told(tmp_path: Path) -> None:
    with pytest.raises(GitError, match=r"^git cannot run: No such file"):
        Git(str(tmp_path / "git"), str(tmp_path)).start("status")


def test_what_takes_too_long_is_ended(here: Git) -> None:
    run = here.start("cat-file", "--batch", reads_input=True)
    with pytest.raises(GitTimeoutError, match=r"^git took longer than 0 s$"):
        run.text(seconds=0.0)
    assert run.process.poll() is not None


def test_no_hook_of_the_repository_runs(here: Git) -> None:
    hook = Path(here.folder) / ".git" / "hooks" / "post-checkout"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\ntouch ran\n")
    hook.chmod(0o755)
    here.start("checkout", "-q", "-B", "other").text()
    assert not (Path(here.folder) / "ran").exists()


def test_a_plain_git_runs_no_filter(here: Git) -> None:
    root = Path(here.folder)
    git(root, "config", "filter.x.clean", "touch ran; cat")
    (root / ".gitattributes").write_text("*.txt filter=x\n")
    (root / "a" / "b.txt").write_text("two\n")
    plain_git(here).start("diff", "--stat").text()
    assert not (root / "ran").exists()


def test_a_filter_that_cannot_be_switched_off_is_refused(here: Git) -> None:
    git(Path(here.folder), "config", "filter.a=b.clean", "cat")
    with pytest.raises(GitError, match=r"filter that cannot be switched off: filter\.a=b"):
        plain_git(here)


def test_the_nearest_repository_around_a_folder(here: Git, tmp_path: Path) -> None:
    assert enclosing_repository(f"{here.folder}/a") == here.folder
    (tmp_path / "alone").mkdir()
    assert enclosing_repository(str(tmp_path / "alone")) is None


def test_bytes_that_are_not_utf8_become_readable() -> None:
    assert readable("caf\udce9") == "caf\ufffd"
