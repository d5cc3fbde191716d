"""A report that follows the files, by a real process that is watched and interrupted."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Timer

import pytest

from ctxpack.cli.options import Flags
from ctxpack.cli.upkeep import _state, follow_changes
from ctxpack.errors import UsageError
from tests.cli.conftest import Ctxpack

pytestmark = pytest.mark.usefixtures("warm_cache")
PATIENCE = 120  # seconds until something that should happen counts as not happening
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="an interrupt is a signal here")


def until(has_happened: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not has_happened():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.05)


@contextmanager
def watching(*arguments: str, folder: Path) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "ctxpack", *arguments, *(() if "watch" in arguments else ("--watch",))]
    process = subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True, env={**os.environ})
    limit = Timer(PATIENCE, process.kill)  # a line that never comes is a failure, too
    limit.start()
    try:
        yield process
    finally:
        limit.cancel()
        process.kill()
        process.wait()
        assert process.stderr
        process.stderr.close()


def replace_text(path: Path, text: str, folder: Path) -> None:
    """Change a file at once: who watches it never sees it empty."""
    beside = folder / path.name
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


@POSIX
def test_a_report_follows_the_files_until_it_is_interrupted(demo: Path, tmp_path: Path) -> None:
    report, source = tmp_path / "report.md", demo / "processing" / "uploader.py"
    with watching("file", "processing/uploader.py", "--root", str(demo), "-o", str(report), folder=demo) as process:
        until(lambda: "def send_with_retry" in text_of(report))
        replace_text(source, "def first_change():\n    return 1\n", tmp_path)
        until(lambda: "def first_change" in text_of(report))
        assert "def send_with_retry" not in text_of(report).partition("## 2.")[0]
        replace_text(demo / "ctxpack.toml", "line_numbers = true\n", tmp_path)
        until(lambda: "1  def first_change" in text_of(report))
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 0
        assert process.stderr
        assert process.stderr.read().count(" tokens (o200k_base), written to ") in {2, 3}  # the last may be cut


@POSIX
def test_a_mistake_meanwhile_is_told_and_mended(demo: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.md"
    with watching("task", "fix the retry bug", "--root", str(demo), "-o", str(report), folder=demo) as process:
        until(lambda: bool(text_of(report)))
        (demo / "ctxpack.toml").write_text("bugdet = 1\n", encoding="utf-8")
        assert process.stderr
        lines = iter(process.stderr.readline, "")
        assert next(line for line in lines if line.startswith("Error:")).startswith("Error: ctxpack.toml")
        (demo / "ctxpack.toml").write_text('budget = "900"\n', encoding="utf-8")
        assert next(line for line in lines if " of 900 tokens" in line)
        assert process.poll() is None


def test_files_that_the_command_writes_are_no_change(demo: Path) -> None:
    flags = Flags(root=[str(demo)], output=str(demo / "report.txt"), sources=demo / "sources.json")
    before = _state(flags)
    for name in ("report.txt", "sources.json"):
        (demo / name).write_text("x = 1\n", encoding="utf-8")
    assert _state(flags) == before
    (demo / "other.txt").write_text("x = 1\n", encoding="utf-8")
    changed = _state(flags)
    assert changed != before
    (demo / "ctxpack.toml").write_text('budget = "2k"\n', encoding="utf-8")
    assert _state(flags) not in (before, changed)


def test_what_changes_while_a_report_is_made_is_not_missed(demo: Path) -> None:
    made: list[int] = []

    def make() -> None:
        made.append(len(made))
        if len(made) == 3:
            raise KeyboardInterrupt
        (demo / f"new{len(made)}.py").write_text("x = 1\n", encoding="utf-8")
        if len(made) == 2:
            raise UsageError("Not now.")

    later = Timer(1.5, lambda: (demo / "later.py").write_text("y = 2\n", encoding="utf-8"))
    later.start()
    follow_changes(make, Flags(root=[str(demo)], output=str(demo / "report.md")))
    later.join()
    assert made == [0, 1, 2]


def test_the_first_report_may_fail(demo: Path) -> None:
    def make() -> None:
        raise UsageError("There is no such thing.")

    with pytest.raises(UsageError, match="no such thing"):
        follow_changes(make, Flags(root=[str(demo)], output="report.md"))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("task", "x", "--watch"), "--watch needs an output file."),
        (("task", "x", "--watch", "--stdin", "-o", "a.md"), "--watch cannot read standard input again."),
        (("file", "processing/uploader.py", "--watch", "--stdin-content", "-o", "a.md"), "--watch cannot read"),
        (("task", "x", "--watch", "--root", "nowhere", "-o", "a.md"), "There is no folder nowhere."),
        (("diff", "--watch"), "There is no option --watch."),
    ],
)
def test_what_cannot_be_watched_is_refused(program: Ctxpack, demo: Path, arguments: tuple[str, ...], said: str) -> None:
    outcome = program(*arguments, folder=demo)
    assert (outcome.status, said in outcome.err) == (2, True), outcome.err


def test_an_interrupt_that_nothing_could_catch_ends_it_all_the_same(demo: Path, tmp_path: Path) -> None:
    made = []

    def make() -> None:
        made.append("report")
        assert len(made) == 1, "it goes on"
        (demo / "new.py").write_text("changed = True\n", encoding="utf-8")
        with suppress(KeyboardInterrupt):  # as Python loses one while a process is started
            signal.raise_signal(signal.SIGINT)

    before = signal.getsignal(signal.SIGINT)
    follow_changes(make, Flags(root=[str(demo)], output=str(tmp_path / "report.md")))
    assert made == ["report"]
    assert signal.getsignal(signal.SIGINT) is before


@POSIX
def test_the_index_follows_the_files_until_it_is_interrupted(ctxpack: Ctxpack, demo: Path) -> None:
    with watching("watch", "--root", str(demo), folder=demo) as process:
        assert process.stderr
        lines = iter(process.stderr.readline, "")
        assert re.fullmatch(r"Indexed 2\d files in [\d.]+ s\. Waiting for changes\.\n", next(lines))
        (demo / "added.py").write_text("def walrus_of_the_north():\n    return 1\n", encoding="utf-8")
        assert next(lines).startswith("Indexed ")
        until(lambda: "walrus_of_the_north" in ctxpack("search", "walrus north", "--root", str(demo)).out)
        (demo / "ctxpack.toml").write_text("bugdet = 1\n", encoding="utf-8")
        assert next(lines).startswith("Error: ctxpack.toml")
        (demo / "ctxpack.toml").unlink()
        assert next(lines).startswith("Indexed ")
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 0
