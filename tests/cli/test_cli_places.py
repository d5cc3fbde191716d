"""The file command as an editor calls it: a cursor, a selection, a definition, an unsaved buffer, hints."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ctxpack.system.tokens import counter
from tests.cli.conftest import Ctxpack

UPLOADER = "processing/uploader.py"


def fragments(text: str) -> list[tuple[str, str, str]]:
    return [(each["path"], each["strategy"], each["content"]) for each in json.loads(text)["fragments"]]


def line_of(demo: Path, words: str) -> int:
    lines = (demo / UPLOADER).read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if words in line)


def test_a_cursor_leads_to_its_definition_and_to_what_that_uses(ctxpack: Ctxpack, demo: Path) -> None:
    line = line_of(demo, "def send_with_retry")
    outcome = ctxpack("file", UPLOADER, "--line", str(line), "-b", "1500", "--format", "json", "--root", str(demo))
    assert outcome.status == 0, outcome.err
    assert counter().count(outcome.out) <= 1500
    path, _, content = fragments(outcome.out)[0]
    assert path == UPLOADER
    assert "def send_with_retry" in "".join(text for _, _, text in fragments(outcome.out))
    assert content


@pytest.mark.parametrize(
    "place", [("--lines", "12:20"), ("--lines", "12-20"), ("--lines", "12"), ("--symbol", "send_with_retry")]
)
def test_a_selection_is_in_the_smallest_pack(ctxpack: Ctxpack, demo: Path, place: tuple[str, str]) -> None:
    outcome = ctxpack("file", UPLOADER, *place, "-b", "700", "--format", "json", "--root", str(demo))
    assert outcome.status == 0, outcome.err
    assert counter().count(outcome.out) <= 700


def test_lines_around_a_cursor_can_be_set(ctxpack: Ctxpack, demo: Path) -> None:
    line = line_of(demo, "import")
    outcome = ctxpack(
        "file", UPLOADER, "--line", str(line), "--around", "1", "--strategies", "cursor", "--format", "json",
        "--root", str(demo),
    )  # fmt: skip
    ((_, strategy, content),) = fragments(outcome.out)
    assert strategy == "cursor"
    assert 1 <= len(content.splitlines()) <= 3


@pytest.mark.parametrize(
    ("flags", "sentence"),
    [
        (("--line", "0"), "'0' is not a line number."),
        (("--line", "x"), "'x' is not a line number."),
        (("--line", "99999"), "so there is no line 99999."),
        (("--lines", "9:3"), "'9:3' is not a range of lines."),
        (("--lines", ":"), "':' is not a range of lines."),
        (("--lines", "1:2:3"), "'1:2:3' is not a range of lines."),
        (("--symbol", "send_with_retri"), "does not define 'send_with_retri'."),
        (("--line", "3", "--symbol", "x"), "--line and --symbol cannot be combined."),
        (("--hint", "novalue"), "The hint 'novalue' is not of the form key=value."),
        (("--around", "0"), "--around must be a whole number from 1"),
    ],
)
def test_a_bad_place_is_one_sentence(ctxpack: Ctxpack, demo: Path, flags: tuple[str, ...], sentence: str) -> None:
    outcome = ctxpack("file", UPLOADER, *flags, "--root", str(demo))
    assert (outcome.status, outcome.out) == (2, "")
    assert sentence in outcome.err
    assert len(outcome.err.splitlines()) <= 2


def test_an_unsaved_buffer_stands_for_the_file(program: Ctxpack, demo: Path) -> None:
    text = b"from utils.backoff import delays\r\n\r\n\r\ndef zebra():\r\n    return delays\r\n"
    outcome = program(
        "file", UPLOADER, "--stdin-content", "--line", "5", "--format", "json", "--root", str(demo), stdin=text
    )
    assert outcome.status == 0, outcome.err
    found = fragments(outcome.out)
    assert found[0] == (UPLOADER, found[0][1], text.decode().replace("\r\n", "\n"))
    assert "utils/backoff.py" in [path for path, _, _ in found]
    assert b"zebra" not in (demo / UPLOADER).read_bytes()


def test_a_buffer_may_be_of_a_file_that_is_not_there_yet(program: Ctxpack, demo: Path) -> None:
    text = b"from processing.uploader import Uploader\n\n\ndef fresh():\n    return Uploader\n"
    outcome = program(
        "file", "new.py", "--stdin-content", "--format", "json", "--root", str(demo), stdin=text, folder=demo / "utils"
    )
    assert "utils/new.py" in [path for path, _, _ in fragments(outcome.out)]
    assert not (demo / "utils" / "new.py").exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("processing", "--stdin-content"), "processing is a folder."),
        (("../x.py", "--stdin-content"), "is outside the repository"),
        ((UPLOADER, "--stdin-content", "--stdin"), "cannot contain both the text of a file and the list of files."),
    ],
)
def test_a_buffer_needs_a_place_and_standard_input_for_itself(
    program: Ctxpack, demo: Path, arguments: tuple[str, ...], sentence: str
) -> None:
    outcome = program("file", *arguments, "--root", str(demo), stdin=b"x = 1\n")
    assert outcome.status == 2
    assert sentence in outcome.err


def test_a_hint_says_what_the_file_is_wanted_for(ctxpack: Ctxpack, demo: Path) -> None:
    outcome = ctxpack(
        "file", UPLOADER, "--hint", "task=how are delays computed", "--format", "json", "--root", str(demo)
    )
    request = json.loads(outcome.out)["request"]
    assert request["text"] == "how are delays computed"
    assert "delays" in request["keywords"]
