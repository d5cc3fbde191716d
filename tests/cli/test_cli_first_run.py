"""A first run says on a terminal what it is about before it takes long, and an interrupt ends it in one sentence."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

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
