"""Text arrives as it is, or it is said why not."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest

from ctxpack.cli.display import align_columns
from ctxpack.cli.options import Flags
from ctxpack.cli.output import _commands, check_output, copy, deliver, encode
from ctxpack.errors import InternalError, UsageError
from ctxpack.text import printable

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="programs are shell scripts here")


def test_everything_can_be_encoded() -> None:
    assert encode("é\r\n\udcff\x00") == b"\xc3\xa9\r\n\\xff\x00"


def test_report_goes_to_standard_output_unchanged(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    deliver("tail \r\n\nИ\n", Flags())
    assert capfdbinary.readouterr().out == "tail \r\n\nИ\n".encode()


def test_report_goes_to_a_file_and_nowhere_else(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    deliver("text\n", Flags(output=str(tmp_path / "report.md")))
    assert (tmp_path / "report.md").read_bytes() == b"text\n"
    assert capfdbinary.readouterr().out == b""


@pytest.mark.parametrize(("name", "sentence"), [("", "is a folder"), ("gone/report.md", "gone does not exist")])
def test_target_that_cannot_be_written_is_refused_early(tmp_path: Path, name: str, sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        check_output(Flags(output=str(tmp_path / name)))


@POSIX
def test_clipboard_gets_the_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "pbcopy" if sys.platform == "darwin" else "xclip"
    program = tmp_path / name
    program.write_text(f"#!/bin/sh\n/bin/cat > {tmp_path}/copied\n")
    program.chmod(program.stat().st_mode | stat.S_IEXEC)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    copy("Текст\n")
    assert (tmp_path / "copied").read_text(encoding="utf-8") == "Текст\n"


def test_clipboard_without_a_program_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InternalError, match="No clipboard program was found"):
        copy("text")


@POSIX
def test_clipboard_program_that_fails_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for command in _commands(sys.platform, {"DISPLAY": ":0"}):
        (tmp_path / command[0]).write_text("#!/bin/sh\nexit 1\n")
        (tmp_path / command[0]).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InternalError, match="could not copy"):
        copy("text")


def test_clipboard_programs_of_each_platform() -> None:
    assert _commands("darwin", {}) == [("pbcopy",)]
    assert _commands("win32", {}) == [("clip",)]
    linux = [command[0] for command in _commands("linux", {"WAYLAND_DISPLAY": "0", "DISPLAY": ":0"})]
    assert linux == ["wl-copy", "xclip", "xsel", "clip.exe"]


def test_names_cannot_command_a_terminal() -> None:
    assert printable("a\x1b[31m\n\udcff \u202eé") == "a\\x1b[31m\\n\\xff \\u202eé"


def test_columns_stand_under_each_other() -> None:
    rows = [("", "n", "name"), ("1", "10", "日本"), ("2", "9", "a")]
    assert align_columns(rows, right=(1,)) == "    n  name\n1  10  日本\n2   9  a\n"
    assert align_columns([("日本", "x"), ("a", "y")]) == "日本  x\na     y\n"


@POSIX
def test_links_in_a_circle_are_refused_and_a_device_is_taken(tmp_path: Path) -> None:
    (tmp_path / "circle.md").symlink_to("circle.md")
    with pytest.raises(UsageError, match="no permission to write"):
        check_output(Flags(output=str(tmp_path / "circle.md")))
    check_output(Flags(output=os.devnull))


@POSIX
@pytest.mark.skipif(sys.platform != "win32" and os.geteuid() == 0, reason="the superuser may write anywhere")
def test_folder_and_file_that_may_not_be_written_are_refused_early(tmp_path: Path) -> None:
    (tmp_path / "old.md").touch(0o444)
    closed = tmp_path / "closed"
    closed.mkdir(0o555)
    for place in (tmp_path / "old.md", closed / "new.md"):
        with pytest.raises(UsageError, match="no permission to write"):
            check_output(Flags(output=str(place)))


def test_a_write_that_fails_later_is_no_wrong_request(tmp_path: Path) -> None:
    with pytest.raises(InternalError, match="cannot be written"):
        deliver("x", Flags(output=str(tmp_path / ("long" * 100))))
