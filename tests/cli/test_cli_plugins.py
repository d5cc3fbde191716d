"""Plug-ins as a stranger writes and installs them: the example package, and the module of the documentation."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from ctxpack.settings.loading import load
from tests.cli.conftest import Ctxpack
from tests.commanding import command_line
from tests.conftest import PROJECT
from tests.installing import install

DOCS = (PROJECT / "docs" / "plugins.md").read_text(encoding="utf-8")
CODE = "def refund():\n    return 2\n\n\n" + "x = 1\n" * 9 + "# TODO: ask the bank\n" + "y = 2\n" * 9


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    root.mkdir()
    (root / "pay.py").write_text(CODE, encoding="utf-8")
    (root / "README.md").write_text("# Shop\n\nPay and refund.\n", encoding="utf-8")
    return root


def use(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let programs that are started find what is installed in a folder."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join((str(PROJECT), str(folder))))


def fences(language: str) -> list[str]:
    return [token.content for token in MarkdownIt().parse(DOCS) if token.type == "fence" and token.info == language]


def test_the_example_package_works_once_it_is_installed(
    program: Ctxpack, shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, target = PROJECT / "fixtures" / "plugin_example", tmp_path / "site"
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-build-isolation", "--no-deps", "--no-index"]
    done = subprocess.run(
        [*pip, "--disable-pip-version-check", "--target", str(target), str(source)], capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    use(target, monkeypatch)
    outcome = program("strategies", "--format", "json", "--root", str(shop))
    todos = next(each for each in json.loads(outcome.out)["strategies"] if each["id"] == "todos")
    assert (todos["origin"], todos["max_tokens"], todos["timeout_s"], todos["enabled"]) == (
        "ctxpack-todos",
        500,
        2,
        True,
    )
    assert program("task", "refund", "--root", str(shop)).status == 0
    outcome = program("strategies", "--format", "json", "--root", str(shop))
    assert next(each for each in json.loads(outcome.out)["strategies"] if each["id"] == "todos")["last_s"] > 0
    outcome = program("task", "refund", "--strategies", "todos", "--root", str(shop))
    assert "open task in line 14" in outcome.out
    outcome = program("task", "refund", "--strategies", "todos", "--format", "places", "--root", str(shop))
    assert re.fullmatch(r"# \d+ of 8000 tokens\npay\.py:12-16\n", outcome.out)
    (shop / "pay.py").write_text(CODE.replace("TODO", "Later"), encoding="utf-8")
    outcome = program("task", "refund", "--hint", "todos=must", "--root", str(shop))
    assert "The strategy todos says: there is no open task in the files that match." in outcome.err


def test_the_module_of_the_documentation_works_as_it_stands(
    program: Ctxpack, shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (module,) = fences("python")
    entry_points = tomllib.loads(fences("toml")[0])["project"]["entry-points"]
    use(install(tmp_path / "site", "ctxpack_todos", module, entry_points), monkeypatch)
    outcome = program("task", "refund", "--strategies", "todos", "--format", "json", "--root", str(shop))
    assert outcome.status == 0, outcome.err
    assert [each["content"] for each in json.loads(outcome.out)["fragments"]] == ["# TODO: ask the bank\n"]


def test_the_program_of_the_documentation_is_told_and_understood_as_it_says(program: Ctxpack, shop: Path) -> None:
    asked, printed = fences("json")
    (shop / "retry.py").write_text("x = 1\n" * 20, encoding="utf-8")
    (shop / "queue.py").write_text("y = 2\n", encoding="utf-8")
    lines = printed.replace("shop/", "")
    (shop / "tickets.py").write_text(
        "import json, sys\nasked = json.load(sys.stdin)\nassert sys.argv[1] == '--open'\n"
        f"told = json.loads({asked!r})\n"
        "assert set(asked) == set(told) and set(asked['request']) == set(told['request']), asked\n"
        "assert set(asked['candidates'][0]) == set(told['candidates'][0])\n"
        f"print({lines!r})\n",
        encoding="utf-8",
    )
    entry = fences("toml")[1].replace(
        "./tickets.py --open", command_line(shop / "tickets.py", "--open").replace('"', "'")
    )
    (shop / "ctxpack.toml").write_text(entry, encoding="utf-8")
    arguments = ("task", "fix the retry bug", "--strategies", "tickets", "--allow-commands", "--format", "json")
    outcome = program(*arguments, "--root", str(shop))
    assert outcome.status == 0, outcome.err
    found = [(each["path"], each["reasons"], each["content"]) for each in json.loads(outcome.out)["fragments"]]
    assert found == [
        ("retry.py", ["ticket 14 names it"], "x = 1\n" * 7),
        ("queue.py", ["open tickets"], "Two open tickets: 12 and 14.\n"),
    ]


def test_limits_of_the_documentation_are_understood(tmp_path: Path) -> None:
    (tmp_path / "ctxpack.toml").write_text(fences("toml")[2], encoding="utf-8")
    assert [(each.id, each.max_tokens) for each in load(tmp_path).strategy_entries] == [("search", 4000)]


def test_a_plug_in_lying_in_the_repository_is_not_run(
    program: Ctxpack, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = "open('it-ran', 'w').close()\ndef gather(context):\n    return []\n"
    install(shop, "evil", code, {"ctxpack.strategies": {"evil": "evil:gather"}})
    monkeypatch.delenv("PYTHONPATH")
    monkeypatch.setenv("PYTHONPATH", str(PROJECT))
    outcome = program("task", "refund", folder=shop)
    assert outcome.status == 0, outcome.err
    assert not (shop / "it-ran").exists()
