"""``--root`` with the address of a repository: a real one that git serves from a folder beside the test."""

from __future__ import annotations

import json
import os
import re
import subprocess
import time
from pathlib import Path

import pytest

from ctxpack.cli.inputs import Spot, complete_request, settings_of
from ctxpack.cli.options import Flags
from ctxpack.model import Request, Scope
from tests.cli.conftest import Ctxpack
from tests.indexing import commit, git

UPLOAD = "def retry(upload):\n    return upload\n"


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A repository with a tag, a branch and a proposed change."""
    place = tmp_path / "work"
    commit(place, {"app/upload.py": UPLOAD, "docs/retry.md": "# Retry\n\nAn upload waits.\n"}, "Start to retry")
    git(place, "tag", "-a", "v1", "-m", "One")
    changed = UPLOAD.replace("upload\n", "upload.again()\n")
    commit(place, {"app/upload.py": changed, "ctxpack.toml": "budget = '300'\nno such key\n"}, "Retry the upload again")
    git(place, "checkout", "-q", "-b", "topic")
    commit(place, {"app/upload.py": changed + "\n\ndef cancel(upload):\n    return None\n"}, "Cancel an upload")
    git(place, "update-ref", "refs/pull/7/head", "HEAD")
    git(place, "checkout", "-q", "main")
    return place


@pytest.fixture
def served(work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same as a bare repository that lets parts be fetched; addresses of GitHub lead to its folder."""
    bare = tmp_path / "hub" / "courier" / "app"
    git(work, "clone", "-q", "--mirror", str(work), str(bare))
    for key in ("uploadpack.allowFilter", "uploadpack.allowAnySHA1InWant"):
        git(bare, "config", key, "true")
    settings = tmp_path / "gitconfig"
    settings.write_text(f'[url "file://{(tmp_path / "hub").as_posix()}/"]\n\tinsteadOf = https://github.com/\n')
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(settings))
    monkeypatch.chdir(tmp_path)
    return bare


def clones(folder: Path | None = None) -> list[Path]:
    return sorted((folder or Path(os.environ["CTXPACK_CACHE_DIR"]) / "clones").iterdir())


def age(seconds: float) -> None:
    """Let the clones be of an earlier time."""
    for each in clones():
        os.utime(each / "fetched", (time.time() - seconds,) * 2)


def test_a_report_names_the_address_and_the_commit(ctxpack: Ctxpack, work: Path, served: Path) -> None:
    outcome = ctxpack("task", "retry the upload", "--root", "courier/app")
    assert outcome.status == 0, outcome.err
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=work, capture_output=True, text=True, check=True).stdout
    assert f"- https://github.com/courier/app, main at {head[:8]}; " in outcome.out
    assert "upload.again()" in outcome.out
    assert outcome.err.splitlines()[0] == "Fetching https://github.com/courier/app"
    again = ctxpack("task", "retry the upload", "--root", "https://github.com/courier/app", "--format", "json")
    repository = json.loads(again.out)["repository"]
    assert (repository["url"], repository["branch"]) == ("https://github.com/courier/app", "main")
    quiet = ctxpack("search", "retry", "--root", f"file://{served}", "-q")
    assert (quiet.status, quiet.err) == (0, "")


def test_the_configuration_of_the_repository_is_not_read(ctxpack: Ctxpack, served: Path, tmp_path: Path) -> None:
    assert ctxpack("config", "check", "--root", str(tmp_path / "work")).status == 2
    outcome = ctxpack("task", "retry", "--root", f"file://{served}")
    assert outcome.status == 0, outcome.err
    assert "of 8,000 tokens" in outcome.out
    own = tmp_path / "own.toml"
    own.write_text("budget = '2k'\n")
    assert "of 2,000 tokens" in ctxpack("task", "retry", "--root", f"file://{served}", "--config", str(own)).out


@pytest.mark.parametrize(
    ("address", "there", "missing"),
    [
        ("courier/app@v1", "return upload\n", "again"),
        ("courier/app@topic", "def cancel", "no such text"),
        ("https://github.com/courier/app/tree/topic", "def cancel", "no such text"),
        ("https://github.com/courier/app/tree/v1/app", "upload.py", "docs/retry.md"),
        ("https://github.com/courier/app/pull/7", "def cancel", "no such text"),
    ],
)
def test_a_revision_a_folder_or_a_change_is_meant(
    ctxpack: Ctxpack, served: Path, address: str, there: str, missing: str
) -> None:
    assert served
    outcome = ctxpack("task", "retry or cancel the upload", "--root", address)
    assert outcome.status == 0, outcome.err
    assert there in outcome.out
    assert missing not in outcome.out


def test_a_commit_is_meant_and_fetched_once(ctxpack: Ctxpack, work: Path, served: Path) -> None:
    first = subprocess.run(["git", "rev-parse", "v1^{}"], cwd=work, capture_output=True, text=True, check=True).stdout
    address = f"file://{served}@{first.strip()}"
    assert "again" not in ctxpack("task", "retry the upload", "--root", address).out
    age(100_000)
    assert "Fetching" not in ctxpack("task", "retry the upload", "--root", address).err


def test_the_file_of_a_link_is_in_the_pack(ctxpack: Ctxpack, served: Path) -> None:
    assert served
    link = "https://github.com/courier/app/blob/main/docs/retry.md"
    report = ctxpack("task", "cancel", "--root", link, "--strategies", "search").out
    assert re.search(r"^## 1\. `docs/retry\.md.*: required by the link", report, re.MULTILINE)
    gone = ctxpack("task", "cancel", "--root", link.replace("retry.md", "gone.md"))
    assert (gone.status, gone.err.splitlines()[-2:]) == (
        4, ["Error: There is no docs/gone.md in https://github.com/courier/app.", "Hint: Check the link."],
    )  # fmt: skip


def test_contents_are_fetched_when_they_are_needed(ctxpack: Ctxpack, served: Path) -> None:
    address = f"file://{served}"
    assert ctxpack("search", "retry", "--root", address).status == 0
    (home,) = clones()
    (tree,) = (each for each in home.iterdir() if each.is_dir())
    command = ["git", "rev-list", "--objects", "--all", "--missing=print"]
    listed = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=True).stdout
    assert "\n?" in listed  # the old content of upload.py is not there
    outcome = ctxpack("diff", "HEAD~1..HEAD", "--root", address)
    assert outcome.status == 0, outcome.err
    assert "-    return upload\n+    return upload.again()" in outcome.out


def test_a_proposed_change_is_the_diff(ctxpack: Ctxpack, served: Path) -> None:
    outcome = ctxpack("diff", "--root", "https://github.com/courier/app/pull/7")
    assert outcome.status == 0, outcome.err
    assert "- https://github.com/courier/app/pull/7, " in outcome.out
    assert "+def cancel(upload):" in outcome.out
    assert "+    return upload.again()" not in outcome.out  # of the default branch, not of the change
    bare = ctxpack("diff", "--root", f"file://{served}")
    assert (bare.status, "A clone has no uncommitted changes." in bare.err) == (2, True)


@pytest.mark.usefixtures("served")
def test_a_proposed_change_is_completed_for_every_face() -> None:
    flags = Flags(root=["https://github.com/courier/app/pull/7"], quiet=True)
    request, _ = complete_request(Request(Scope.DIFF), settings_of(flags), flags, Spot())
    assert request.revision == "origin/HEAD...HEAD"


def test_a_clone_is_brought_up_to_date(ctxpack: Ctxpack, work: Path, served: Path) -> None:
    address = f"file://{served}"
    assert ctxpack("search", "retry", "--root", address).status == 0
    git(work, "mv", "docs/retry.md", "docs/waiting.md")
    commit(work, {"app/upload.py": "def retry(upload):\n    return upload.once_more()\n"}, "Rewrite the upload")
    git(work, "push", "-q", "--force", str(served), "main")
    assert "once_more" not in ctxpack("task", "retry the upload", "--root", address).out  # it is fresh enough
    age(100_000)
    outcome = ctxpack("task", "retry the upload", "--root", address)
    assert "once_more" in outcome.out
    assert "with uncommitted changes" not in outcome.out
    assert "docs/retry.md" not in outcome.out


def test_without_a_network_the_last_clone_is_taken(ctxpack: Ctxpack, served: Path, tmp_path: Path) -> None:
    assert ctxpack("search", "retry", "--root", "courier/app").status == 0
    served.rename(tmp_path / "gone")
    age(100_000)
    outcome = ctxpack("search", "retry", "--root", "courier/app")
    assert outcome.status == 0
    assert "Note: https://github.com/courier/app cannot be fetched now (" in outcome.err
    never = ctxpack("search", "retry", "--root", "courier/other")
    assert (never.status, never.out) == (4, "")
    assert (
        "Error: There is no folder courier/other, and https://github.com/courier/other cannot be fetched:" in never.err
    )
    assert not [each for each in clones() if each.name.endswith(".tmp")]


def test_a_revision_that_there_is_not_is_told(ctxpack: Ctxpack, served: Path) -> None:
    outcome = ctxpack("search", "retry", "--root", f"file://{served}@nope")
    assert outcome.status == 4
    assert "it has no branch or tag nope." in outcome.err


def test_nothing_is_written_into_a_clone(ctxpack: Ctxpack, served: Path, tmp_path: Path) -> None:
    root = ("--root", f"file://{served}")
    own = tmp_path / "own.toml"
    own.write_text('[[context]]\npath = "AGENTS.md"\n')
    refresh = ("refresh", "--config", str(own))
    for command in (("init",), ("init", "--dry-run"), ("init", "--agent", "claude"), ("refresh",), refresh):
        outcome = ctxpack(*command, *root)
        assert (outcome.status, "is read only" in outcome.err) == (2, True), command
        assert f": git clone file://{served}\n" in outcome.err
    unread = ctxpack("refresh", "--check", *root)  # the file of the clone would not be read
    assert (unread.status, "to your own file, and name it with --config" in unread.err) == (2, True)


@pytest.mark.usefixtures("served")
def test_a_report_of_a_clone_is_verified(ctxpack: Ctxpack, tmp_path: Path) -> None:
    report = str(tmp_path / "report.md")
    assert ctxpack("task", "retry the upload", "--root", "courier/app", "-o", report).status == 0
    outcome = ctxpack("verify", report, "--root", "courier/app")
    assert outcome.status == 0, outcome.err
    assert "all 2 pieces match the repository" in outcome.out


@pytest.mark.usefixtures("served")
def test_a_folder_wins_over_an_address(ctxpack: Ctxpack, tmp_path: Path) -> None:
    (tmp_path / "courier" / "app").mkdir(parents=True)
    (tmp_path / "courier" / "app" / "own.py").write_text("def retry():\n    pass\n")
    outcome = ctxpack("search", "retry", "--root", "courier/app")
    assert "own.py" in outcome.out
    assert "Fetching" not in outcome.err


def test_a_policy_says_from_where_repositories_may_be_fetched(
    ctxpack: Ctxpack, served: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "policy.toml").write_text('[services]\nallow = ["git.example.org"]\n')
    monkeypatch.setenv("CTXPACK_POLICY", str(tmp_path / "policy.toml"))
    for address in ("courier/app", "git@github.com:courier/app", "ssh://git@GitHub.com:22/courier/app"):
        outcome = ctxpack("search", "retry", "--root", address)
        assert outcome.status == 2
        assert "Error: --root github.com is not allowed: " in outcome.err
        assert "Fetching" not in outcome.err
    assert ctxpack("search", "retry", "--root", f"file://{served}").status == 0


def test_few_clones_are_kept(ctxpack: Ctxpack, served: Path) -> None:
    assert ctxpack("search", "retry", "--root", f"file://{served}").status == 0
    (first,) = clones()
    age(100_000)
    for number in range(30):
        copy = first.with_name(f"copy{number:02}")
        copy.mkdir()
        (copy / "fetched").touch()
    (left := first.with_name(".abc.tmp")).mkdir()
    os.utime(left, (0, 0))
    assert ctxpack("search", "retry", "--root", f"file://{served}@v1").status == 0
    assert len(clones()) == 20
    assert first not in clones()


def test_the_first_digits_of_a_commit_are_enough(
    ctxpack: Ctxpack,
    work: Path,
    served: Path,  # noqa: ARG001 - git serves it
) -> None:
    first, topic = git(work, "rev-parse", "main~1"), git(work, "rev-parse", "topic")
    for commit_id in (first, topic):  # of the default branch, and of another
        outcome = ctxpack("search", "upload", "--root", f"courier/app@{commit_id[:8]}")
        assert outcome.status == 0, outcome.err
        report = json.loads(ctxpack("task", "upload", "--root", f"courier/app@{commit_id[:8]}", "--format", "json").out)
        assert report["repository"]["commit"] == commit_id[:12]
    missed = ctxpack("task", "upload", "--root", "courier/app@0123abcd")
    assert missed.status == 4
    assert "it has no branch or tag 0123abcd, and no commit of its last 3,000 begins so." in missed.err
