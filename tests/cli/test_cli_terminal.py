"""Colours are for terminals: what is written to one, and what to a pipe."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ctxpack.cli.output import coloured_message, coloured_report, has_colours
from tests.cli.conftest import Ctxpack

TASK = "fix the retry bug in the uploader"
COLOUR = re.compile(r"\x1b\[[\d;]*m")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("env", "platform", "shown"),
    [
        ({}, "linux", True),
        ({"NO_COLOR": "1"}, "linux", False),
        ({"NO_COLOR": ""}, "linux", True),
        ({"TERM": "dumb"}, "linux", False),
        ({}, "win32", False),
        ({"WT_SESSION": "x"}, "win32", True),
    ],
)
def test_colours_are_for_terminals_that_show_them(env: dict[str, str], platform: str, *, shown: bool) -> None:
    assert has_colours(Terminal(), env, platform) is shown
    assert not has_colours(io.StringIO(), env, platform)


def test_the_word_that_says_what_a_message_is_has_a_colour() -> None:
    assert coloured_message("Error: no file.") == "\x1b[1;31mError:\x1b[0m no file."
    assert COLOUR.sub("", coloured_message("Hint: look.")) == "Hint: look."
    assert coloured_message("1 piece of 1 file. Note: no") == "1 piece of 1 file. Note: no"


REPORT = (
    "# Context: x\n\n- main; 1 piece\n\n## 1. `a.py:1-2`\n```python\nx = 1  # \x1b]0;title\x07 one\n# no heading\n```\n"
)


def test_a_report_is_the_same_but_for_colours_and_control_characters() -> None:
    shown = coloured_report(REPORT)
    assert COLOUR.sub("", shown) == REPORT.replace("\x1b", "␛").replace("\x07", "␇")
    lines = shown.splitlines()
    assert lines[0] == "\x1b[1m# Context: x\x1b[0m"
    assert lines[7] == "\x1b[90m# no heading\x1b[0m"
    assert "\x1b[33m1" in lines[6]
    assert coloured_report('{"a": 1}\n') == '{"a": 1}\n'


def test_a_fence_that_nothing_closes_is_kept() -> None:
    text = "# A\n```\nx\ny\n"
    assert COLOUR.sub("", coloured_report(text)) == text


def on_a_terminal(*arguments: str, **env: str) -> tuple[str, str]:
    """What a command writes where both its outputs are terminals."""
    import pty

    read: dict[int, bytes] = {}
    ends = [pty.openpty() for _ in range(2)]
    command = [sys.executable, "-m", "ctxpack", *arguments]
    done = subprocess.Popen(command, stdout=ends[0][1], stderr=ends[1][1], env={**os.environ, "TERM": "xterm", **env})
    for _, theirs in ends:
        os.close(theirs)
    for ours, _ in ends:
        read[ours] = b""
        try:
            while chunk := os.read(ours, 65_536):
                read[ours] += chunk
        except OSError:
            pass  # the other end is closed
        os.close(ours)
    done.wait()
    out, err = (text.decode().replace("\r\n", "\n") for text in read.values())
    return out, err


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_terminal_gets_colours_and_a_pipe_the_text(demo: Path, program: Ctxpack) -> None:
    task = ("task", TASK, "--root", str(demo), "-b", "1500")
    piped = program(*task)
    assert not COLOUR.search(piped.out + piped.err)
    out, _ = on_a_terminal(*task)
    assert COLOUR.search(out)
    assert COLOUR.sub("", out) == piped.out
    plain, _ = on_a_terminal(*task, NO_COLOR="1")
    assert plain == piped.out


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_an_error_on_a_terminal_is_red() -> None:
    _, err = on_a_terminal("task", "x", "--format", "markdwon")
    assert err.startswith("\x1b[1;31mError:\x1b[0m ")
    assert "\x1b[36mHint:\x1b[0m " in err
    _, plain = on_a_terminal("task", "x", "--format", "markdwon", NO_COLOR="1")
    assert plain.startswith("Error: ")
