"""``ctxpack preview``: what is asked of it, and where it cannot show anything."""

from __future__ import annotations

import errno
import os
import select
import sys
import time
from pathlib import Path

import pytest

from tests.cli.conftest import Ctxpack


@pytest.mark.parametrize(
    ("words", "sentence", "hint"),
    [
        (["tsak", "x"], "'tsak' is not a command that packs.", "Did you mean task?"),
        (["retries"], "'retries' is not a command that packs.", "Write the command to preview: "),
        (["task", "retry", "--line", "3"], "Only a file has a line, lines or a symbol.", "Write: "),
        (["file", "a.py", "--staged"], "Only a diff has staged changes.", "Write: ctxpack preview diff --staged"),
        (
            ["file", "a.py", "--line", "3", "--symbol", "a"],
            "--line and --symbol cannot be combined.",
            "Name one place.",
        ),
        (["task"], "Missing argument 'TEXT'.", "For example: ctxpack task "),
        ([], "Missing argument 'task|file|component|diff'.", "For example: ctxpack preview task "),
    ],
)
def test_what_cannot_be_shown_is_told(ctxpack: Ctxpack, words: list[str], sentence: str, hint: str) -> None:
    outcome = ctxpack("preview", *words)
    assert (outcome.status, outcome.out) == (2, "")
    first, second = outcome.err.splitlines()
    assert first == f"Error: {sentence}"
    assert second.startswith(f"Hint: {hint}")


def test_without_a_terminal_another_way_is_named(ctxpack: Ctxpack, demo: Path) -> None:
    pytest.importorskip("textual", reason="needs the extra tui")
    outcome = ctxpack("preview", "task", "retry", "--root", str(demo))
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.splitlines()[0] == "Error: The preview needs a terminal."


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal of Unix")
@pytest.mark.usefixtures("warm_cache")
def test_it_opens_in_a_terminal_and_leaves(demo: Path) -> None:
    pytest.importorskip("textual", reason="needs the extra tui")
    import pty

    number, terminal = pty.fork()
    if not number:
        env = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "80", "LINES": "30"}
        place = ("--symbol", "Uploader.send_with_retry")
        words = ("preview", "file", "processing/uploader.py", *place, "--root", str(demo), "-b", "700")
        os.execve(sys.executable, [sys.executable, "-m", "ctxpack", *words], env)  # noqa: S606 - our own program
    seen, until, has_left = b"", time.monotonic() + 60, False
    while time.monotonic() < until:
        if not select.select([terminal], [], [], 0.2)[0]:
            continue
        try:
            part = os.read(terminal, 65_536)
        except OSError as error:
            assert error.errno == errno.EIO  # noqa: PT017 - the program has ended
            break
        if not part:
            break
        seen += part
        if b"tokens" in seen and b"Uploader.send_with_retry" in seen and not has_left:
            os.write(terminal, b"q")
            has_left = True
    os.close(terminal)
    _, status = os.waitpid(number, 0)
    assert has_left
    assert os.waitstatus_to_exitcode(status) == 0
