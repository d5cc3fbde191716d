"""``ctxpack refresh`` writes instructions: what to run, where things are, what is asked of whoever changes them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.cli.conftest import Ctxpack

Make = Callable[[Mapping[str, str]], Path]

CI = "jobs:\n  check:\n    steps:\n      - run: |\n          ruff check .\n          mypy src\n"
PROJECT = (
    "[project]\nname = 'courier'\n[project.scripts]\ncourier = 'courier.main:run'\n[tool.ruff]\nline-length = 99\n"
)
FILES = {
    "ctxpack.toml": "[[context]]\npath = 'AGENTS.md'\nbudget = 1500\n",
    "README.md": "# Courier\n\nCourier delivers parcels.\n",
    "Makefile": "build: ## Build the wheel\n\tpython -m build\n\ntest:\n\tpytest -q\n",
    "CONTRIBUTING.md": (
        "# Contributing\n\n```sh\npip install -e '.[dev]'\n```\n\n"
        "Every new function must have a test of its behaviour.\n\n"
        "Never edit the generated client code by hand.\n"
    ),
    ".github/workflows/ci.yml": CI,
    ".github/workflows/release.yml": "jobs:\n  out:\n    steps:\n      - run: make release-test\n",
    "pyproject.toml": PROJECT,
    "src/courier/__init__.py": '"""Delivers parcels to doors."""\n',
    "src/courier/main.py": "def run():\n    return 'parcel'\n",
    "src/courier/routes/__init__.py": '"""Finds the shortest way."""\n',
    "src/courier/routes/plan.py": "def plan(parcel):\n    return parcel\n",
    "tests/test_main.py": "def test_run():\n    assert True\n",
}


def written(ctxpack: Ctxpack, root: Path) -> str:
    outcome = ctxpack("refresh", "--root", str(root))
    assert outcome.status == 0, outcome.err
    return (root / "AGENTS.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("request_line", ["", "request = 'how the code is organised, built and tested'\n"])
def test_an_agent_file_gets_instructions(ctxpack: Ctxpack, repository: Make, request_line: str) -> None:
    text = written(ctxpack, repository(FILES | {"ctxpack.toml": FILES["ctxpack.toml"] + request_line}))
    for command in ("make build", "make test", "pip install -e '.[dev]'", "ruff check .", "mypy src"):
        assert f"`{command}`" in text
    assert "(Makefile:4)" in text
    assert "- `src/courier/`: Delivers parcels to doors" in text
    assert "- `src/courier/routes/`: Finds the shortest way" in text
    assert "`courier` runs `courier.main:run`" in text
    assert "lines of 99" in text
    assert "must have a test" in text.partition("## Conventions")[2].partition("## Pitfalls")[0]
    assert "Never edit the generated client code" in text.partition("## Pitfalls")[2]
    assert "[[context]]" not in text  # nor its own configuration
    assert "def test_run" not in text
    assert "release" not in text


def test_instructions_stay_fresh_and_are_no_evidence(ctxpack: Ctxpack, repository: Make) -> None:
    root = repository(FILES | {"AGENTS.md": "# Rules\n\nParcels are weighed twice.\n"})
    text = written(ctxpack, root)
    assert ctxpack("refresh", "--check", "--root", str(root)).status == 0
    assert text.startswith("# Rules\n\nParcels are weighed twice.\n")
    (root / "ctxpack.toml").unlink()
    (root / "AGENTS.md").rename(root / "notes.md")  # whatever the file is called
    outcome = ctxpack("task", "make test courier parcel Commands weighed", "--format", "json", "--root", str(root))
    pieces = json.loads(outcome.out)["fragments"]
    own = "".join(each["content"] for each in pieces if each["path"] == "notes.md")
    assert "weighed twice" in own
    assert "## Commands" not in own


def test_a_file_that_is_all_instructions_is_no_evidence(ctxpack: Ctxpack, repository: Make) -> None:
    root = repository(FILES | {"ctxpack.toml": FILES["ctxpack.toml"] + "markers = false\n"})
    text = written(ctxpack, root)
    assert text.startswith("# Working on repository")
    outcome = ctxpack("task", "make test courier parcel", "--format", "json", "--root", str(root))
    assert "AGENTS.md" not in {each["path"] for each in json.loads(outcome.out)["fragments"]}


def test_another_request_still_gets_its_pack(ctxpack: Ctxpack, repository: Make) -> None:
    entry = FILES["ctxpack.toml"] + "request = 'how a parcel finds its way'\n"
    text = written(ctxpack, repository(FILES | {"ctxpack.toml": entry}))
    assert "# Context: how a parcel finds its way" in text


def test_instructions_keep_to_their_budget(ctxpack: Ctxpack, repository: Make) -> None:
    from ctxpack.system.tokens import counter

    text = written(ctxpack, repository(FILES | {"ctxpack.toml": "[[context]]\npath = 'AGENTS.md'\nbudget = 120\n"}))
    body = text.partition("-->\n")[2].rpartition("<!--")[0]
    assert 0 < counter().count(body) <= 120
