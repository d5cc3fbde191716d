"""Command lines that are read without Typer mean what they mean to Typer."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import typer
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxpack.cli.app import COMMANDS
from ctxpack.cli.options import CommandSpec, Flags
from ctxpack.cli.typed import read_words
from tests.test_imports import loaded_by


def by_typer(name: str, arguments: list[str]) -> tuple[list[str], Flags] | None:
    """What Typer makes of the arguments of a command; None where it refuses them."""
    found: list[tuple[list[str], Flags]] = []
    spec = COMMANDS[name]

    def body(text: list[str], flags: Flags) -> None:
        found.append((text, flags))

    app = typer.Typer()
    CommandSpec(body, spec.panels, spec.settings).register(app, name)
    try:
        typer.main.get_command(app).main(args=arguments, prog_name="x", standalone_mode=False)
    except typer.TyperException:
        return None
    return found[0] if found else None


WORDS = ("fix", "the retry", "-", "", "a=b", "--", "8k", "é")
FLAGS = (
    "--budget", "-b", "--budget=16k", "-b16k", "--root", "--root=.", "--format", "--format=json", "--include",
    "--quiet", "-q", "-qv", "--dry-run", "--dry-run=1", "--no-cache", "--cache", "--history", "--output", "-o",
    "--output=x", "--stdin", "--bogus", "--bud", "--hint", "--hint=a=b", "-k", "--help", "-h", "--null", "-0",
    "--require", "--explain", "--copy",
)  # fmt: skip


@pytest.mark.parametrize("name", ["task", "search", "ask"])
@settings(max_examples=150, deadline=None)
@given(arguments=st.lists(st.one_of(st.sampled_from(WORDS), st.sampled_from(FLAGS)), max_size=5))
def test_what_is_read_is_what_typer_reads(name: str, arguments: list[str]) -> None:
    plain = read_words(COMMANDS[name], arguments)
    if plain is not None:
        assert plain == by_typer(name, arguments)


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
    found = read_words(COMMANDS["task"], arguments)
    assert found is not None
    assert found[0] == words
    assert found == by_typer("task", arguments)


@pytest.mark.parametrize(
    "arguments", [[], ["a", "--help"], ["a", "-qv"], ["a", "--budget"], ["a", "-o"], ["a", "--bogus"], ["--", "a"]]
)
def test_anything_else_is_left_to_typer(arguments: list[str]) -> None:
    assert read_words(COMMANDS["task"], arguments) is None
    assert read_words(COMMANDS["index"], ["--status"]) is None


def test_a_task_loads_no_typer(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def retry(): ...\n", encoding="utf-8")
    task = ["task", "retry", "--root", str(tmp_path), "-q", "-o", str(tmp_path / "report.md")]
    cache = {"CTXPACK_CACHE_DIR": str(tmp_path / "cache")}
    assert "typer.main" not in loaded_by(f"from ctxpack.cli.run import run; run({task})", cache)
    assert (tmp_path / "report.md").exists()
    assert "typer.main" in loaded_by("from ctxpack.cli.run import run; run(['tsk'])")


def test_the_version_loads_next_to_nothing() -> None:
    code = "import sys; sys.argv = ['x', '-V']; from ctxpack.cli import main\ntry: main()\nexcept SystemExit: pass"
    loaded = {name for name in loaded_by(code) if name.startswith("ctxpack.")}
    of_system = {"ctxpack.system", "ctxpack.system.deferred", "ctxpack.system.version"}
    assert loaded == {"ctxpack.cli", "ctxpack.cli.entry", "ctxpack.cli.resident"} | of_system


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
def test_a_version_that_cannot_be_written_is_an_error() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "ctxpack", "--version"], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 4
    assert b"Standard output cannot be written" in done.stderr
