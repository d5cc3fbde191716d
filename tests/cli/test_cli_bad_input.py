"""Bad input: one clear sentence, the right status, nothing half-written."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Ctxpack
from tests.conftest import MakeRepository


def raises(error: BaseException) -> Callable[..., None]:
    def fail(*_: object, **__: object) -> None:
        raise error

    return fail


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        (["task", ""], 2, "The request is empty."),
        (["component", " "], 2, "The request is empty."),
        (["search", "\n"], 2, "The request is empty."),
        (["file", "gone.py"], 2, "There is no file gone.py in"),
        (["file", "processing"], 2, "processing is a folder."),
        (["file", "../other.py"], 2, "../other.py is outside the repository"),
        (["task", "retry", "-b", "20"], 3, ""),
        (["task", "retry", "-b", "0"], 2, "--budget must be a positive whole number"),
        (["task", "retry", "-o", "gone/report.md"], 2, "The folder gone does not exist."),
        (["task", "retry", "-o", "."], 2, ". is a folder."),
        (["search", "retry", "--limit", "0"], 2, "--limit must be a whole number from 1, not '0'."),
        (["search", "retry", "--limit", "8k"], 2, "--limit must be a whole number from 1, not '8k'."),
        (["task", "retry", "--include", "*.rs"], 2, ""),
        (["task", "retry", "--config", "gone.toml"], 2, "There is no configuration file gone.toml."),
        (["task", "retry", "--profile", "gone"], 2, "There is no profile 'gone'."),
        (["task", "zzqqxxvv"], 1, ""),
    ],
)
def test_one_sentence_and_the_right_status(
    ctxpack: Ctxpack, demo: Path, arguments: list[str], status: int, sentence: str
) -> None:
    outcome = ctxpack(*arguments, "--root", str(demo))
    assert (outcome.status, outcome.out) == (status, "")
    first, *rest = outcome.err.splitlines()
    assert first.startswith(f"Error: {sentence}")
    assert all(line.startswith("Hint: ") for line in rest)
    assert "Traceback" not in outcome.err


def test_root_that_is_not_there(ctxpack: Ctxpack, tmp_path: Path) -> None:
    outcome = ctxpack("task", "retry", "--root", str(tmp_path / "gone"))
    assert outcome.status == 2
    assert "There is no folder" in outcome.err


def test_repository_without_files(ctxpack: Ctxpack, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    outcome = ctxpack("task", "retry", "--root", str(tmp_path / "empty"))
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.startswith("Error: ")


def test_the_rule_that_hid_everything_is_named(ctxpack: Ctxpack, repository: MakeRepository) -> None:
    root = repository({"a.py": "def retry(): ...\n"})
    (root / ".ctxpackignore").write_text("*\n")
    outcome = ctxpack("task", "retry", "--root", str(root))
    assert outcome.status == 2
    assert ".ctxpackignore" in outcome.err


def test_broken_configuration(ctxpack: Ctxpack, demo: Path) -> None:
    (demo / "ctxpack.toml").write_text("budgte = 1\n")
    outcome = ctxpack("task", "retry", "--root", str(demo))
    assert (outcome.status, outcome.err) == (
        2,
        "Error: ctxpack.toml: budgte is not a known setting.\nHint: Did you mean 'budget'?\n",
    )


def test_failed_run_leaves_the_old_report(ctxpack: Ctxpack, demo: Path, tmp_path: Path) -> None:
    (tmp_path / "report.md").write_text("old")
    assert ctxpack("task", "retry", "-b", "20", "--root", str(demo), "-o", str(tmp_path / "report.md")).status == 3
    assert (tmp_path / "report.md").read_text() == "old"


@pytest.mark.skipif(sys.platform != "linux", reason="/proc takes no files, not even from root")
def test_folder_that_may_not_be_written(ctxpack: Ctxpack, demo: Path) -> None:
    outcome = ctxpack("task", "retry", "--root", str(demo), "-o", "/proc/report.md")
    assert outcome.status == 4
    assert outcome.err.startswith("Error: /proc/report.md cannot be written: ")


def test_program_exits_with_the_status(program: Ctxpack) -> None:
    assert program("task", "").status == 2
    assert program("--version").status == 0


def test_interruption_is_one_line(ctxpack: Ctxpack, demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ctxpack.pipeline.run_pack", raises(KeyboardInterrupt()))
    outcome = ctxpack("task", "retry", "--root", str(demo))
    assert (outcome.status, outcome.err) == (130, "Error: Interrupted.\n")


def test_unforeseen_error_is_a_sentence_and_a_traceback_only_with_v(
    ctxpack: Ctxpack, demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ctxpack.pipeline.run_pack", raises(ZeroDivisionError("division by zero")))
    quiet = ctxpack("task", "retry", "--root", str(demo))
    assert quiet.status == 4
    assert quiet.err.startswith("Error: ctxpack failed unexpectedly: ZeroDivisionError: division by zero\nHint: ")
    assert "Traceback" in ctxpack("task", "retry", "--root", str(demo), "-v").err


@pytest.mark.parametrize(
    ("command", "hint"), [("component", "Name a folder, module, class or page:"), ("file", "Name a file")]
)
def test_the_hint_on_nothing_speaks_of_what_the_command_takes(
    ctxpack: Ctxpack, demo: Path, command: str, hint: str
) -> None:
    outcome = ctxpack(command, "", "--root", str(demo))
    assert outcome.status == 2
    assert f"Hint: {hint}" in outcome.err
    assert "task" not in outcome.err
