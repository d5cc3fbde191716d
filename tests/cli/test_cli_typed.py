"""Command lines that are read without Typer mean what they mean to Typer."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
import typer
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxpack.cli.app import COMMANDS
from ctxpack.cli.options import Flags
from ctxpack.cli.typed import read_plain
from tests.test_imports import loaded_by
from tests.trying import examples


def by_typer(name: str, arguments: list[str]) -> tuple[Mapping[str, object], Flags] | None:
    """What Typer makes of the arguments of a command; None where it refuses them."""
    found: list[tuple[Mapping[str, object], Flags]] = []
    spec = COMMANDS[name]

    @functools.wraps(spec.body)
    def body(*, flags: Flags, **values: object) -> None:
        found.append((values, flags))

    app = typer.Typer()
    spec._replace(body=body, lists=False).register(app, name)
    try:
        typer.main.get_command(app).main(args=arguments, prog_name="x", standalone_mode=False)
    except typer.TyperException:
        return None
    return found[0] if found else None


WORDS = ("fix", "the retry", "-", "", "a=b", "--", "8k", "é", "12")
FLAGS = (
    "--budget", "-b", "--budget=16k", "-b16k", "--root", "--root=.", "--format", "--format=json", "--include",
    "--quiet", "-q", "-qv", "--dry-run", "--dry-run=1", "--no-cache", "--cache", "--history", "--output", "-o",
    "--output=x", "--stdin", "--bogus", "--bud", "--hint", "--hint=a=b", "-k", "--help", "-h", "--null", "-0",
    "--require", "--explain", "--copy", "--line", "--line=3", "--lines", "--symbol=", "--symbol", "--stdin-content",
    "--staged", "--staged=1", "--llm", "--llm=x",
)  # fmt: skip


@pytest.mark.parametrize("name", ["task", "file", "component", "diff", "search", "ask", "why-not", "preview"])
@settings(max_examples=examples(60, 300), deadline=None)
@given(arguments=st.lists(st.one_of(st.sampled_from(WORDS), st.sampled_from(FLAGS)), max_size=5))
def test_what_is_read_is_what_typer_reads(name: str, arguments: list[str]) -> None:
    plain = read_plain(COMMANDS[name], arguments)
    if plain is not None:
        assert plain == by_typer(name, arguments)


@pytest.mark.parametrize(
    ("name", "arguments", "values"),
    [
        ("file", ["a.py"], {"path": "a.py", "line": None, "lines": None, "symbol": None, "stdin_content": False}),
        (
            "file",
            ["--line=3", "a.py", "--symbol", "x", "-q"],
            {"path": "a.py", "line": "3", "lines": None, "symbol": "x", "stdin_content": False},
        ),
        ("component", ["uploader", "-b", "16k"], {"name": "uploader"}),
        ("diff", [], {"revision": "", "staged": False}),
        ("diff", ["main...HEAD", "--staged"], {"revision": "main...HEAD", "staged": True}),
        ("why-not", ["a.py", "fix", "it"], {"path": "a.py", "text": ["fix", "it"]}),
        (
            "preview",
            ["task", "fix", "it"],
            {"scope": "task", "words": ["fix", "it"], "line": None, "lines": None, "symbol": None, "staged": False},
        ),
    ],
)
def test_arguments_and_options_of_a_command_are_read(name: str, arguments: list[str], values: object) -> None:
    found = read_plain(COMMANDS[name], arguments)
    assert found is not None
    assert found[0] == values
    assert found == by_typer(name, arguments)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [("file", []), ("file", ["a", "b"]), ("component", ["a", "b"]), ("diff", ["a", "--staged=1"]), ("why-not", ["a"])],
)
def test_too_few_and_too_many_arguments_are_left_to_typer(name: str, arguments: list[str]) -> None:
    assert read_plain(COMMANDS[name], arguments) is None


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["fix", "it"], ["fix", "it"]),
        (["fix", "--root", "x", "-b", "16k", "--quiet"], ["fix"]),
        (["-", "--format=json"], ["-"]),
        (["--include", "*.py", "--include=*.md", "a", "-o", "-"], ["a"]),
    ],
)
def test_plain_command_lines_are_read(arguments: list[str], words: list[str]) -> None:
    found = read_plain(COMMANDS["task"], arguments)
    assert found is not None
    assert found[0] == {"text": words}
    assert found == by_typer("task", arguments)


@pytest.mark.parametrize(
    "arguments", [[], ["a", "--help"], ["a", "-qv"], ["a", "--budget"], ["a", "-o"], ["a", "--bogus"], ["--", "a"]]
)
def test_anything_else_is_left_to_typer(arguments: list[str]) -> None:
    assert read_plain(COMMANDS["task"], arguments) is None
    assert read_plain(COMMANDS["index"], ["--status"]) is None


def test_a_task_loads_no_typer(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def retry(): ...\n", encoding="utf-8")
    task = ["task", "retry", "--root", str(tmp_path), "-q", "-o", str(tmp_path / "report.md")]
    cache = {"CTXPACK_CACHE_DIR": str(tmp_path / "cache")}
    assert "typer.main" not in loaded_by(f"from ctxpack.cli.run import run; run({task})", cache)
    assert (tmp_path / "report.md").exists()
    assert "typer.main" in loaded_by("from ctxpack.cli.run import run; run(['tsk'])")


def test_the_version_loads_next_to_nothing() -> None:
    code = "import atexit, sys; sys.argv = ['x', '-V']; atexit.register(lambda: print(*sys.modules))"
    loaded = {
        name for name in loaded_by(f"{code}\nfrom ctxpack.cli import main; main()") if name.startswith("ctxpack.")
    }
    of_system = {"ctxpack.system", "ctxpack.cli.entry", "ctxpack.system.version"}
    assert loaded == {"ctxpack.cli", "ctxpack.cli.entry", "ctxpack.cli.resident"} | of_system


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["search", "retry"]])
def test_what_cannot_be_written_is_an_error_of_one_sentence(demo: Path, arguments: list[str], unbuffered: str) -> None:
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "ctxpack", *arguments],
            cwd=demo, env=environment, stdout=full, stderr=subprocess.PIPE, check=False,
        )  # fmt: skip
    assert done.returncode == 4
    assert done.stderr.count(b"Standard output cannot be written") == 1
    assert b"Exception ignored" not in done.stderr
