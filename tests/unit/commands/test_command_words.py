"""A command line is taken apart as its platform does it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from ctxpack.commands import name_of, program_of, words_of


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("llm -m gpt-4o", ["llm", "-m", "gpt-4o"]),
        ("claude -p --append-system-prompt 'be brief'", ["claude", "-p", "--append-system-prompt", "be brief"]),
        (r"a\ b/tool 'it''s' \"", ["a b/tool", "its", '"']),
        ("echo $HOME; rm *", ["echo", "$HOME;", "rm", "*"]),
    ],
)
def test_posix_words(written: str, words: list[str]) -> None:
    assert words_of(written, "linux") == words


@pytest.mark.parametrize(
    ("written", "words"),
    [
        (r'"C:\Program Files\llm.exe" -m x', [r"C:\Program Files\llm.exe", "-m", "x"]),
        (r"C:\tools\llm.exe 'a b'", [r"C:\tools\llm.exe", "'a", "b'"]),
        (r'run "say \"hi\"" C:\\x\ ""', ["run", 'say "hi"', "C:\\\\x\\", ""]),
        (r'run "C:\my dir\\" next', ["run", "C:\\my dir\\", "next"]),
        (r'a"b c"d', ["ab cd"]),
    ],
)
def test_windows_words(written: str, words: list[str]) -> None:
    assert words_of(written, "win32") == words


@pytest.mark.parametrize("platform", ["linux", "win32"])
@pytest.mark.parametrize("written", ["", "  ", 'llm "open', '""'])
def test_what_names_no_program_is_refused(written: str, platform: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        words_of(written, platform)


def test_a_bare_name_is_looked_up_on_the_path_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A repository may hold a program that is called like the user's."""
    program = tmp_path / ("oracle.exe" if sys.platform == "win32" else "oracle")
    program.write_text("")
    program.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", os.curdir)
    assert program_of([program.stem]) is None
    assert program_of([str(program)]) == str(program)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert program_of([program.stem]) == str(program)


def test_messages_name_the_program_without_its_arguments() -> None:
    assert name_of("/opt/tools/llm --key sk-secret") == "llm"
    assert name_of('"open') == "The command"
