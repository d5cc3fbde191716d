"""What a repository holds neither commands a terminal nor hides from who reads: in reports, messages and lists."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ctxpack.model.formats import FORMAT_NAMES
from ctxpack.text import printable, visible
from tests.cli.conftest import Ctxpack
from tests.hostile.conftest import in_every_way
from tests.indexing import commit, git, write

COMMANDING = re.compile("[\x00-\x08\x0b\x0d-\x1f\x7f-\x9f]")
UNSEEN = re.compile("[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e0fff]")
ESCAPE = "\x1b]0;owned\x07\x1b[2J\x1b[31m"
TRICKS = f"{ESCAPE}\x08\x08\r# \u202egnihton\u2066 \u200bzero\u2060 \U000e0068\U000e0069 \x9b31m"
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="such names are refused there")


def assert_plain(text: str) -> None:
    assert not COMMANDING.search(text.replace("\r\n", "\n")), repr(text)
    assert not UNSEEN.search(text), repr(text)


@pytest.mark.parametrize("name", FORMAT_NAMES)
def test_a_report_shows_what_a_file_hides(ctxpack: Ctxpack, root: Path, name: str) -> None:
    text = f"def retry(upload):\n    # {TRICKS}\n    return upload\n"
    (root / "upload.py").write_text(text, encoding="utf-8", newline="")
    outcome = ctxpack("task", "retry the upload", "--root", str(root), "--format", name, "--no-redact")
    assert outcome.status == 0
    assert_plain(outcome.out + outcome.err)
    for sign in ("⟨U+001B⟩", "⟨U+202E⟩", "⟨U+200B⟩", "⟨U+E0068⟩", "⟨U+000D⟩"):
        assert sign in outcome.out
    note = "Shown as signs such as ⟨U+202E⟩: 2 × bidirectional control, 8 × control character, 4 × invisible character"
    assert note in outcome.out
    assert note in outcome.err


def test_a_report_moves_no_line_and_notes_only_what_it_holds(ctxpack: Ctxpack, root: Path) -> None:
    commit(
        root, {"other/page.md": f"# Courier\n\n{TRICKS}\n", "upload.py": "def retry(upload):\r\n    return '\f'\r\n"}
    )
    outcome = ctxpack("file", "upload.py", "--root", str(root), "--strategies", "document")
    assert "return '\f'" in outcome.out
    assert "Shown as signs" not in outcome.out


@POSIX
def test_names_and_messages_command_no_terminal(ctxpack: Ctxpack, root: Path) -> None:
    names = (
        f"retry{ESCAPE}.py",
        "retry\nError: all is well.py",
        "retry\u202eyp.txt",
        "retry\u200b.md",
        "-rf",
        "--output=x",
    )
    for name in names:
        write(root, {name: f"def retry_{len(name)}(upload): ...\n"})
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", f"Retry the upload {TRICKS.replace(chr(0), '')}")
    git(root, "checkout", "-q", "-b", "retry\u202eniam")
    (root / ".ctxpackignore").write_text(f"*.log{ESCAPE}\n", encoding="utf-8")
    assert_plain(in_every_way(ctxpack, root))
    for arguments in (("file", names[0]), ("why-not", names[2], "retry"), ("search", "retry", "--explain")):
        outcome = ctxpack(*arguments, "--root", str(root))
        assert outcome.status == 0
        assert_plain(outcome.out + outcome.err)


@POSIX
@pytest.mark.parametrize("name", FORMAT_NAMES)
def test_names_are_seen_in_every_format(ctxpack: Ctxpack, root: Path, name: str) -> None:
    odd = f"retry\u202eyp\u200b\ufeff\U000e0068[bold]{chr(0x7F)}.py"
    write(root, {odd: "def retry_upload(upload): ...\n"})
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", f"Retry the upload {TRICKS.replace(chr(0), '')}")
    git(root, "checkout", "-q", "-b", "retry\u202eniam\u200b")
    for arguments in (("task", "retry the upload"), ("diff", "HEAD~1"), ("file", odd)):
        outcome = ctxpack(*arguments, "--root", str(root), "--format", name)
        assert outcome.status == 0
        assert_plain(outcome.out + outcome.err)
        assert "bold" in outcome.out
    if name == "json":  # for programs the names are what they are
        assert json.loads(outcome.out)["fragments"][0]["path"] == odd
        assert json.loads(outcome.out)["repository"]["branch"] == "retry\u202eniam\u200b"


@POSIX
def test_lists_for_programs_command_no_terminal(ctxpack: Ctxpack, root: Path) -> None:
    odd = "retry\u202eyp\u200b.py"
    write(root, {odd: "def retry_upload(upload): ...\n"})
    outcome = ctxpack("search", "retry_upload", "--root", str(root), "--format", "json")
    assert_plain(outcome.out + outcome.err)
    assert odd in {each["path"] for each in json.loads(outcome.out)["results"]}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("ctxpack.toml", 'budget = "{}"'),
        ("ctxpack.toml", '"{}" = 1'),
        ("ctxpack.toml", 'require = ["{}"]'),
        ("ctxpack.toml", '[[context]]\npath = "../{}"\nrequest = "x"'),
        ("ctxpack.toml", '[[strategy]]\nid = "{}"\ncommand = "x"'),
        (".ignore", "*{}\n*"),
        (".ctxpackignore", "*\n!*{}"),
    ],
)
def test_messages_about_a_configuration_command_no_terminal(ctxpack: Ctxpack, root: Path, name: str, text: str) -> None:
    said = r"\u001b]0;owned\u0007\u001b[2J\u202e" if name.endswith("toml") else ESCAPE + "\u202e"
    (root / name).write_text(text.format(said), encoding="utf-8")
    for arguments in (("task", "retry the upload"), ("refresh",), ("doctor",), ("strategies",)):
        outcome = ctxpack(*arguments, "--root", str(root))
        assert_plain(outcome.out + outcome.err)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such terminals there")
@pytest.mark.usefixtures("warm_cache")
def test_nothing_but_colours_reaches_a_terminal(root: Path) -> None:
    write(root, {f"retry{ESCAPE}.py": f"def retry(upload):\n    # {TRICKS}\n"})
    for arguments in (
        ["search", "retry", "--format", "json"],
        ["search", "retry"],
        ["task", "retry", "--format", "json"],
    ):
        ours, its = os.openpty()
        done = subprocess.Popen(
            [sys.executable, "-m", "ctxpack", *arguments, "--root", str(root)], stdout=its, stderr=its, stdin=its
        )
        os.close(its)
        data = b""
        while chunk := _read(ours):
            data += chunk
        assert done.wait() == 0
        shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", data.decode())  # colours, and the cursor of the progress bar
        assert "retry" in shown
        assert "\x1b]" not in shown
        assert_plain(shown.replace("\r", ""))


def _read(place: int) -> bytes:
    try:
        return os.read(place, 65_536)
    except OSError:  # Linux ends a terminal so
        return b""


@pytest.mark.parametrize(
    "text",
    [
        "a\tb\n",
        "\f",
        "👨\u200d👩\u200d👧",
        "❤️\u200d🔥",
        "می\u200cخواهم",
        "क्\u200dष",
        "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "é",
        "…",
    ],
)
def test_what_people_write_stays(text: str) -> None:
    assert visible(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\u200db", "a⟨U+200D⟩b"),
        ("\u200c\u200d", "⟨U+200C⟩⟨U+200D⟩"),
        ("می\u200c\u200c", "می\u200c⟨U+200C⟩"),
        ("x\ufe0f\ufe0f", "x\ufe0f⟨U+FE0F⟩"),
        ("\U000e0001\U000e007f", "⟨U+E0001⟩⟨U+E007F⟩"),
        ("a\r\r", "a⟨U+000D⟩⟨U+000D⟩"),
        ("\u3164", "⟨U+3164⟩"),
    ],
)
def test_what_hides_is_shown(text: str, shown: str) -> None:
    assert visible(text) == shown
    assert visible(shown) == shown


def test_names_show_what_hides() -> None:
    assert printable("a\u200bb\u202e\x1b\U000e0041") == r"a\u200bb\u202e\x1b\ue0041"
