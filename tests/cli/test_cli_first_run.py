"""A first run says on a terminal what it is about before it takes long, and an interrupt ends it in one sentence."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.cli.conftest import Ctxpack

pytestmark = pytest.mark.usefixtures("warm_cache")
LINE = "Reading demo for the first time"
INTERRUPTED = """
import sys
from ctxpack import cli

class Loading:
    def find_spec(self, name, path=None, target=None):
        if name == "ctxpack.cli.run":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Loading())
sys.argv = ["ctxpack", "task", "retry"]
cli.main()
"""


def on_terminal(folder: Path, *arguments: str) -> str:
    """What a command shows on a terminal besides its report."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "ctxpack", *arguments], cwd=folder, stdout=subprocess.DEVNULL, stderr=theirs
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:  # the other side is closed
            break
        if not part:
            break
        shown += part
    os.close(ours)
    assert process.wait() == 0
    return shown.decode()


@pytest.mark.parametrize("command", [("task", "fix the retry bug"), ("search", "retry")])
def test_only_a_first_run_says_that_it_reads_all(demo: Path, command: tuple[str, ...]) -> None:
    assert LINE in on_terminal(demo, *command)
    assert LINE not in on_terminal(demo, *command, "--exclude", "nothing/")


@pytest.mark.parametrize("flag", ["--quiet", "--no-cache"])
def test_nothing_is_said_that_nobody_wants_to_know(demo: Path, flag: str) -> None:
    assert LINE not in on_terminal(demo, "search", "retry", flag)


def test_a_pipe_gets_no_such_line(demo: Path) -> None:
    command = [sys.executable, "-m", "ctxpack", "search", "retry"]
    assert LINE not in subprocess.run(command, cwd=demo, capture_output=True, text=True, check=True).stderr


def test_an_interrupt_before_a_command_has_begun_is_one_sentence(tmp_path: Path) -> None:
    environment: Mapping[str, str] = {**os.environ}
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (130, "Error: Interrupted.\n")


PATIENCE = """
import sys
from ctxpack.cli.inputs import patient_settings
from ctxpack.cli.options import Flags

sys.stderr.write(str(patient_settings(Flags({values}, output={output!r}, watch={watch})).wait))
"""


@pytest.mark.parametrize(
    ("values", "output", "watch", "expected"),
    [
        ({}, "-", False, False),
        ({}, "report.md", False, True),
        ({}, "-", True, True),
        ({"wait": True}, "-", False, True),
        ({"wait": False}, "report.md", False, False),
    ],
)
def test_only_on_a_terminal_nobody_waits_for_a_long_index(
    demo: Path, values: Mapping[str, bool], output: str, *, watch: bool, expected: bool
) -> None:
    pty = pytest.importorskip("pty")
    code = PATIENCE.format(values=values, output=output, watch=watch)
    ours, theirs = pty.openpty()
    done = subprocess.run([sys.executable, "-c", code], cwd=demo, stdout=theirs, stderr=subprocess.PIPE, check=True)
    os.close(ours)
    os.close(theirs)
    assert done.stderr.decode() == str(expected)


def test_a_report_of_a_small_repository_is_whole_either_way(
    demo: Path, ctxpack: Ctxpack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(demo)
    reports = {ctxpack("task", "fix the retry bug", *flags).out for flags in ((), ("--wait",), ("--no-wait",))}
    assert len(reports) == 1
