"""The help: commands in groups, examples and frequent options first; and what a shell completes."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

from ctxpack.cli.app import COMMANDS, app_for
from ctxpack.cli.help_pages import current_style
from ctxpack.cli.options import COMMAND_GROUPS, OFTEN, declared_flags
from ctxpack.cli.run import run
from ctxpack.gather.registry import STRATEGIES
from ctxpack.model.formats import FORMAT_NAMES
from ctxpack.settings.declaration import RANKING
from tests.cli.conftest import Ctxpack
from tests.test_imports import loaded_by


def boxes(text: str) -> dict[str, str]:
    """The text of each box of a help page, by its title."""
    return dict(re.findall(r"^╭─ ([\w ]+?) ─+╮\n(.*?)^╰", text, re.MULTILINE | re.DOTALL))


def test_commands_are_in_groups(ctxpack: Ctxpack) -> None:
    found = boxes(ctxpack("--help").out)
    assert list(found) == ["Options", *COMMAND_GROUPS]
    shown = {name: re.findall(r"^│ ([a-z-]+)", found[name], re.MULTILINE) for name in COMMAND_GROUPS}
    assert shown == {name: [each for each, its in COMMANDS.items() if its.group == name] for name in COMMAND_GROUPS}
    assert shown["Pack"] == ["task", "file", "component", "diff", "preview", "ask"]


@pytest.mark.parametrize("name", COMMANDS)
def test_examples_are_above_the_options_and_can_be_typed(ctxpack: Ctxpack, name: str) -> None:
    page = ctxpack(name, "--help").out
    examples = page.partition("Examples:")[2].partition("╭")[0]
    lines = [line.strip() for line in examples.splitlines() if line.startswith("   ctxpack")]
    assert len(lines) == len(COMMANDS[name].examples) >= 1
    known = set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", page.partition("╭")[2]))
    for line in lines:
        program, command, *words = shlex.split(line)
        assert (program, command) == ("ctxpack", name)
        assert {word for word in words if re.match(r"--?[a-z]", word)} - {"-p"} <= known


@pytest.mark.parametrize("name", ["task", "file", "component", "diff"])
def test_frequent_options_come_first(ctxpack: Ctxpack, name: str) -> None:
    found = boxes(ctxpack(name, "--help").out)
    flags = {setting.name: flag.name for setting, flag in declared_flags()}
    shown = re.findall(r"^│ (--[a-z-]+)", found["Options"], re.MULTILINE)
    own = [each for each in shown if each in {"--line", "--lines", "--symbol", "--stdin-content", "--staged"}]
    assert shown == [*own, *(flags[each] for each in OFTEN), "--help"]
    assert len(OFTEN) == 10
    assert list(found).index("Options") < list(found).index("Files")


@pytest.mark.parametrize("name", ["init", "profiles"])
def test_a_command_that_ranks_nothing_has_no_options_for_it(ctxpack: Ctxpack, name: str) -> None:
    ranking = [flag.name for _, flag in declared_flags() if flag.panel == RANKING]
    assert {"--explain", "--rerank", "--no-typos", "--semantic"} <= {each.partition("/")[0] for each in ranking}
    page = ctxpack(name, "--help").out
    assert [each for each in ranking if each.partition("/")[0] in page] == []
    assert "--no-typos" in ctxpack("refresh", "--help").out


def completed(line: str, folder: Path | None = None) -> list[str]:
    """What bash is told to complete at the end of a line."""
    words = line.split(" ")
    env = {**os.environ, "_CTXPACK_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    command = [sys.executable, "-m", "ctxpack"]
    done = subprocess.run(command, env=env, cwd=folder, capture_output=True, text=True, check=False)
    assert not done.stderr
    return done.stdout.split()


def test_values_of_options_are_completed(tmp_path: Path) -> None:
    assert completed("ctxpack task x --format ", tmp_path) == sorted(FORMAT_NAMES)
    assert completed("ctxpack task x --order e", tmp_path) == ["edges"]
    assert completed("ctxpack task x --strategies search,te", tmp_path) == ["search,tests"]
    assert set(completed("ctxpack task x --enable ", tmp_path)) == set(STRATEGIES)
    assert "gpt-5" in completed("ctxpack task x --model gpt-5", tmp_path)
    assert completed("ctxpack task x --budget 1", tmp_path) == []
    assert {"task", "why-not"} <= set(completed("ctxpack ", tmp_path))


def test_profiles_paths_and_symbols_of_the_repository_are_completed(demo: Path) -> None:
    (demo / "ctxpack.toml").write_text("[profile.ours]\nbudget = '2k'\n", encoding="utf-8")
    assert {"ours", "review"} <= set(completed("ctxpack task x --profile ", demo))
    assert completed("ctxpack file processing/up", demo) == ["processing/uploader.py"]
    inside = completed("ctxpack why-not pro", demo)  # a folder alone would be taken as the whole word
    assert {"processing/", "processing/uploader.py"} <= set(inside)
    assert all(each.startswith("processing/") for each in inside)
    assert {"docs/", "docs/specs/", "docs/wiki/"} == set(completed("ctxpack task x --root do", demo))
    assert completed("ctxpack task x --root docs/w", demo)[:1] == ["docs/wiki/"]
    assert completed(f"ctxpack file --root {demo} processing/up", demo.parent) == ["processing/uploader.py"]
    assert completed("ctxpack preview fi", demo) == ["file"]
    assert completed("ctxpack preview file processing/up", demo) == ["processing/uploader.py"]
    assert completed("ctxpack preview task processing/up", demo) == []
    again = completed("ctxpack preview file processing/uploader.py --symbol Batch", demo)
    symbols = completed("ctxpack file processing/uploader.py --symbol Batch", demo)
    assert again == symbols
    assert "Batch" in symbols
    assert all(each.startswith("Batch") for each in symbols)


def test_what_cannot_be_completed_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "ctxpack.toml").write_text("no toml [", encoding="utf-8")
    assert completed("ctxpack task x --profile ", tmp_path) == []
    assert completed("ctxpack file nowhere/x", tmp_path) == []
    assert completed("ctxpack file nowhere.py --symbol A", tmp_path) == []


def test_the_help_of_all_commands_is_reached(capfd: pytest.CaptureFixture[str]) -> None:
    assert [run([name, "--help"]) for name in COMMANDS] == [0] * len(COMMANDS)
    assert capfd.readouterr().err == ""


def page_of_typer(*arguments: str) -> None:
    """Print the help as Typer does."""
    typer.main.get_command(app_for(arguments)).main([*arguments, "--help"], prog_name="ctxpack", standalone_mode=False)


def looks(page: str) -> Iterator[list[tuple[str, frozenset[str]]]]:
    """The signs of each line with the codes of their looks; no matter how spaces look, or what is behind the last."""
    codes = frozenset[str]()
    for line in page.splitlines():
        signs: list[tuple[str, frozenset[str]]] = []
        for escape, text in re.findall(r"\x1b\[([\d;]*)m|([^\x1b]+)", line):
            codes = codes if text else frozenset(escape.split(";")) - {"0"}
            signs += [(each, frozenset() if each == " " else codes) for each in text]
        while signs and signs[-1][0] == " ":
            signs.pop()
        yield signs


@pytest.mark.parametrize("width", [80, 100, 140])
@pytest.mark.parametrize("is_coloured", [False, True])
def test_pages_look_as_those_of_typer(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, width: int, *, is_coloured: bool
) -> None:
    from typer import rich_utils

    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setattr(rich_utils, "FORCE_TERMINAL", is_coloured)
    monkeypatch.setattr(rich_utils, "COLOR_SYSTEM", "standard" if is_coloured else None)
    monkeypatch.setattr("ctxpack.cli.help_pages.has_colours", lambda _: is_coloured)
    for arguments in [(), *((name,) for name in COMMANDS)]:
        page_of_typer(*arguments)
        expected = list(looks(capsys.readouterr().out))
        run([*arguments, "--help"])
        assert list(looks(capsys.readouterr().out)) == expected


@pytest.mark.parametrize("width", [1, 40, 60, 72])
def test_no_line_of_a_page_is_wider_than_the_terminal(
    ctxpack: Ctxpack, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    for name in COMMANDS:
        lines = ctxpack(name, "--help").out.splitlines()
        assert max(map(len, lines)) == max(width, 40)


def test_a_page_is_as_wide_as_the_terminal_and_has_signs_that_it_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "99")
    assert current_style().width == 99
    monkeypatch.setenv("COLUMNS", "")
    monkeypatch.setattr(os, "get_terminal_size", lambda _: os.terminal_size((77, 9)))
    assert current_style().width == 77
    with Path(os.devnull).open("w", encoding="cp1252") as stream:
        monkeypatch.setattr(sys, "stdout", stream)
        assert current_style().box.isascii()


def test_help_loads_no_typer() -> None:
    for arguments in ([], ["--help"], ["task", "-h"], ["help"], ["help", "search"]):
        loaded = loaded_by(f"from ctxpack.cli.run import run; run({arguments})")
        assert not {"typer.main", "rich", "ctxpack.pipeline"} & loaded
