from __future__ import annotations

import codecs
import json
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxpack.system.disk import read_regular
from ctxpack.text import cells_of, decode, is_decoration, last_name, lines_of, without_markup


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", ""),
        (b"plain\n", "plain\n"),
        ("é 数 🎉".encode(), "é 数 🎉"),
        (codecs.BOM_UTF8 + b"marked", "marked"),
        (codecs.BOM_UTF16_LE + "naïve".encode("utf-16-le"), "naïve"),
        (codecs.BOM_UTF16_BE + "naïve\r\n".encode("utf-16-be"), "naïve\n"),
        (codecs.BOM_UTF32_LE + "naïve".encode("utf-32-le"), "naïve"),
        (codecs.BOM_UTF32_BE + "naïve".encode("utf-32-be"), "naïve"),
        (codecs.BOM_UTF16_LE + b"a\0b", "a\ufffd"),
        (codecs.BOM_UTF16_LE + b"\x00\xd8", "\ufffd"),
        (b"caf\xe9 ok", "caf\ufffd ok"),
        (b"\xff\xfe", ""),
        (b"one\r\ntwo\r\n", "one\ntwo\n"),
        (b"old mac\rtext\n", "old mac\rtext\n"),
        (b"\r\r\n", "\r\n"),
    ],
)
def test_bytes_become_text(data: bytes, text: str) -> None:
    assert decode(data) == text
    decode(data).encode()  # no lone surrogates: whatever we read can be written


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", []),
        ("\n", [""]),
        ("a", ["a"]),
        ("a\n", ["a"]),
        ("a\n\n", ["a", ""]),
        ("\na", ["", "a"]),
        ("a\x0bb\x0cc\u2028d\x85e\rf", ["a\x0bb\x0cc\u2028d\x85e\rf"]),
    ],
)
def test_only_a_line_feed_ends_a_line(text: str, lines: list[str]) -> None:
    assert lines_of(text) == lines


@pytest.mark.parametrize(
    "data", [b"", b"a", b"a\n", b"a\r\nb", b"\n\n\n", b"a\rb\n\x0cc", "a\u2028b\n".encode(), b"\xff\n"]
)
def test_lines_are_those_of_git(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "file").write_bytes(data)
    command = ["git", "grep", "--no-index", "-a", "-c", "-e", "", "--", "file"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    counted = int(done.stdout.strip().rpartition(":")[2] or 0)
    assert len(lines_of(decode(read_regular(tmp_path / "file")))) == counted


def test_a_missing_file_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="missing"):
        read_regular(tmp_path / "missing")


@pytest.mark.parametrize("qualified", ["send", "Uploader.send", "net::Uploader::send", "Uploader#send", "a.b:send"])
def test_the_last_name_of_a_qualified_one(qualified: str) -> None:
    assert last_name(qualified) == "send"


@pytest.mark.parametrize(
    ("heading", "seen"),
    [
        ("Plain `code` & more", "Plain `code` & more"),
        ("Clinic [![Build](https://a.b/c.svg)](https://a.b/c)[![Docs](d.svg)](e)", "Clinic"),
        ("[1.2.0](https://a.b/c...d) (2024-05-06)", "1.2.0 (2024-05-06)"),
        ("[1.2.0] - 2024-05-06", "[1.2.0] - 2024-05-06"),
        ("First steps { #first-steps }", "First steps"),
        ("First steps {#first-steps}", "First steps"),
        ('<a name="x"></a>Usage <img src="y.png">', "Usage"),
        ("The `<a>` element in Vec<T>", "The `<a>` element in Vec<T>"),
        ("![Logo](logo.png)", "Logo"),
        ('<img alt="Parcel" src="https://a.b/c.svg" width="220" />', "Parcel"),
        ("![](logo.png)", "![](logo.png)"),
    ],
)
def test_a_heading_is_what_its_readers_see(heading: str, seen: str) -> None:
    assert without_markup(heading) == seen


def notebook(*cells: tuple[str, list[str]], **metadata: object) -> str:
    """A notebook as Jupyter writes it; ``cells`` are kinds and lines."""
    written = [
        {
            "cell_type": kind,
            "metadata": {},
            **({"outputs": [{"data": {"image/png": "iVBORw0K"}, "text": ["7\n"]}]} if kind == "code" else {}),
            "source": [line + "\n" for line in lines],
        }
        for kind, lines in cells
    ]
    return json.dumps({"cells": written, "metadata": metadata, "nbformat": 4}, indent=1, ensure_ascii=False) + "\n"


def test_a_notebook_is_what_its_cells_say() -> None:
    text = notebook(
        ("markdown", ["# Totals", "", 'They are "sums".']), ("code", ["total = 3 + 4", "total"]), ("markdown", []),
        kernelspec={"language": "python"},
    )  # fmt: skip
    shown = decode(text.encode())
    said = [line for line in shown.split("\n") if line]
    assert said == ["# Totals", 'They are "sums".', "```python", "total = 3 + 4", "total", "```"]
    assert shown.split("\n")[text.split("\n").index('    "total = 3 + 4\\n",')] == "total = 3 + 4"
    assert decode(text.encode(), as_is=True) == text


@given(st.lists(st.tuples(st.sampled_from(["code", "markdown", "raw"]), st.lists(st.text(max_size=20), max_size=5))))
def test_every_line_of_a_notebook_keeps_its_number(cells: list[tuple[str, list[str]]]) -> None:
    text = notebook(*cells)
    assert len(cells_of(text).split("\n")) == len(text.split("\n"))


@pytest.mark.parametrize(
    "text",
    [
        '{"cells": [], "nbformat": 4}',  # on one line
        '{\n "cells": "nbformat",\n "source": [\n  "x"\n ]\n}\n',
        '{\n "name": "x",\n "nbformat": 4\n}\n',
    ],
)
def test_other_json_stays_as_it_is(text: str) -> None:
    assert decode(text.encode()) == text


_BANNER = "".join(
    f'<a href="https://example.com/{n}"><img src="https://example.com/source/{n}.svg" alt="retry"></a>\n&nbsp;\n'
    for n in range(9)
)


@pytest.mark.parametrize(
    ("text", "is_so"),
    [
        (_BANNER, True),
        ("[![build](https://example.com/badge.svg)](https://example.com)\n![logo](docs/logo.png)\n", True),
        ("(retries)=\n", True),
        (_BANNER[:200] + "Retries wait twice as long each time, until the queue of the uploader is empty.\n", False),
        ("See [retries](docs/retries.md).\n", False),
        ("| a | b |\n|---|---|\n| 1 | 2 |\n", False),
    ],
)
def test_tags_pictures_and_links_are_decoration(text: str, is_so: bool) -> None:  # noqa: FBT001
    assert is_decoration(text) is is_so
