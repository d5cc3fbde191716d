"""Flags as users' hands type them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from ctxpack.cli.run import aliases, foreign_flags, replace_aliases, suggestion
from ctxpack.model.formats import FORMAT_NAMES
from ctxpack.system.tokens import ENCODINGS
from tests.cli.conftest import Ctxpack


def test_aliases_become_our_names() -> None:
    assert replace_aliases(["task", "x", "--max-tokens", "8k", "--style=xml", "-b", "1"]) == [
        "task", "x", "--budget", "8k", "--format=xml", "-b", "1",
    ]  # fmt: skip


def test_nothing_after_two_dashes_is_touched() -> None:
    assert replace_aliases(["task", "--ignore=a", "--", "--ignore", "--tokens"]) == [
        "task", "--exclude=a", "--", "--ignore", "--tokens",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("flag", "hint"),
    [
        ("--bugdet", "Did you mean --budget?"),
        ("--max-token", "Did you mean --max-tokens?"),
        ("--bogus", ""),
        ("--cxml", "Use --format xml."),
        ("--output-show-line-numbers", "Use --line-numbers."),
        ("--zzz", ""),
    ],
)
def test_suggestions(flag: str, hint: str) -> None:
    assert suggestion(flag, ["--budget", "--format"]) == hint


def test_what_is_suggested_exists(ctxpack: Ctxpack) -> None:
    known = "".join(ctxpack(command, "--help").out for command in ("task", "search", "diff"))
    words = " ".join([*aliases().values(), *foreign_flags().values()]).replace(",", " ").split()
    for flag in (word for word in words if word.startswith("--")):
        assert flag in known


@pytest.mark.parametrize(
    ("arguments", "sentence", "hint"),
    [
        (["task", "x", "--budgte", "1"], "There is no option --budgte.", "Did you mean --budget?"),
        (
            ["task", "--dry-run does nothing"],
            "There is no option --dry-run does nothing.",
            'A text that begins with a hyphen comes last, behind --: ctxpack task -- "--dry-run does nothing"',
        ),
        (["task", "x", "--map-tokens", "1"], "There is no option --map-tokens.", "Use --budget."),
        (["--budget", "1"], "There is no option --budget.", "Options follow the command: ctxpack task … --budget"),
        (["task", "x", "-k", "1"], "There is no option -k.", "It belongs to another command: search."),
        (["task", "x", "--top-k=1"], "There is no option --limit.", "It belongs to another command: search."),
        (
            ["memory", "list", "--staged"],
            "There is no option --staged.",
            "It belongs to other commands: diff, preview.",
        ),
        (["memory", "list", "--rebuild"], "There is no option --rebuild.", "It belongs to another command: index."),
        (["tsak", "x"], "There is no command 'tsak'.", "Did you mean task?"),
        (
            ["fix the bug"],
            "There is no command 'fix the bug'.",
            'To pack what a task needs: ctxpack task "fix the bug"',
        ),
        (["task"], "Missing argument 'TEXT'.", 'For example: ctxpack task "fix the retry bug in the uploader"'),
        (["config"], "Missing argument 'show|check'.", "For example: ctxpack config show --origin"),
        (["index", "--clear", "--rebuild"], "--rebuild and --clear cannot be combined.", ""),
        (["task", "x", "--null"], "--null needs --stdin.", "Add --stdin, or leave out --null."),
        (["search", "x", "--limit", "none"], "--limit must be a whole number from 1", ""),
        (["task", "x", "--format", "pdf"], f"--format must be one of {', '.join(FORMAT_NAMES)}, not 'pdf'.", ""),
        (
            ["task", "x", "--format", "Markdwn"],
            f"--format must be one of {', '.join(FORMAT_NAMES)}, not 'Markdwn'.",
            "Did you mean markdown?",
        ),
        (["task", "x", "--order", "paths"], "--order must be one of relevance, path, edges", "Did you mean path?"),
        (["search", "x", "--format", "jsn"], "--format must be plain or json for this command", "Did you mean json?"),
        (["memory", "lst"], "'lst' is not an action of memory: list, show or delete.", "Did you mean list?"),
        (["task", "x", "--encoding", "gpt"], f"--encoding must be one of {', '.join(ENCODINGS)}, not 'gpt'.", ""),
    ],
)
def test_misuse_is_told_in_one_sentence(
    ctxpack: Ctxpack, demo: Path, arguments: list[str], sentence: str, hint: str
) -> None:
    root = ["--root", str(demo)] if len(arguments) > 1 and arguments[0] != "memory" else []
    outcome = ctxpack(*arguments, *root)
    assert (outcome.status, outcome.out) == (2, "")
    first, *rest = outcome.err.splitlines()
    assert first.startswith(f"Error: {sentence}")
    assert rest == ([f"Hint: {hint}"] if hint else [])


def test_help_is_also_a_word(ctxpack: Ctxpack) -> None:
    assert ctxpack("help") == ctxpack("--help")
    assert ctxpack("help", "search") == ctxpack("search", "--help")
    assert ctxpack("help", "serach").err.splitlines()[-1] == "Hint: Did you mean search?"


def test_help_and_version(ctxpack: Ctxpack) -> None:
    overview = ctxpack()
    assert overview.status == 0
    for name in ("task", "file", "component", "search", "index", "refresh"):
        assert name in overview.out
        assert ctxpack(name, "-h").status == 0
    assert ctxpack("--version").out == "ctxpack 0.1.0\n"


@pytest.mark.parametrize("limit", [("-k", "1"), ("-k1",), ("--max-results", "1"), ("--top-k=1",), ("--limit", "1")])
def test_other_names_of_limit_mean_the_same(ctxpack: Ctxpack, demo: Path, limit: tuple[str, ...]) -> None:
    outcome = ctxpack("search", "retry", "--format", "json", *limit, "--root", str(demo))
    assert (outcome.status, len(json.loads(outcome.out)["results"])) == (0, 1)


def test_md_is_markdown(ctxpack: Ctxpack, demo: Path) -> None:
    short, long = (ctxpack("task", "retry", "--format", name, "--root", str(demo)) for name in ("md", "markdown"))
    assert (short.status, short.out) == (0, long.out)


LISTS = {
    "search": ("retry",), "eval": (), "doctor": (), "memory": ("list",), "why-not": ("README.md", "retry"),
    "profiles": (), "strategies": (),
}  # fmt: skip


@pytest.mark.parametrize(("command", "arguments"), LISTS.items())
def test_a_list_takes_the_formats_that_its_help_names_and_no_other(
    ctxpack: Ctxpack, demo: Path, command: str, arguments: tuple[str, ...]
) -> None:
    written = " ".join(re.sub(r"[│╭╮╰╯─]", " ", ctxpack(command, "--help").out).split())
    assert "plain (a table, the default) or json" in written
    root = () if command == "memory" else ("--root", str(demo))
    for name in FORMAT_NAMES:
        outcome = ctxpack(command, *arguments, "--format", name, *root)
        refused = "--format must be plain or json" in outcome.err
        assert refused == (name not in ("plain", "json")), outcome.err
        assert not refused or outcome.status == 2


def test_a_pack_takes_the_formats_that_its_help_names(ctxpack: Ctxpack, demo: Path) -> None:
    written = ctxpack("task", "--help").out
    for name in FORMAT_NAMES:
        assert name in written
        assert ctxpack("task", "retry", "--format", name, "--root", str(demo)).status == 0
