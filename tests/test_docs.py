"""The README says what is true."""

from __future__ import annotations

import re
import runpy
import shlex
import sys
import tomllib
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from ctxpack.cli.run import aliases, run
from ctxpack.model import Lane
from ctxpack.rank.subject import LANE_SHARES
from ctxpack.settings.loading import load

PROJECT = Path(__file__).parent.parent
README = (PROJECT / "README.md").read_text(encoding="utf-8")
REFERENCE = (PROJECT / "docs" / "settings.md").read_text(encoding="utf-8")
SECURITY = (PROJECT / "SECURITY.md").read_text(encoding="utf-8")
COMMANDS = (
    "task", "file", "component", "diff", "search", "ask", "why-not", "eval", "index", "memory", "strategies",
    "profiles", "doctor", "refresh", "verify", "mcp", "init", "config",
)  # fmt: skip
OURS = re.compile(r"(?<![\w.-])(?:--[a-z][a-z-]+|-[a-z0]\b)")
MODULES = {"PyStemmer": "Stemmer", "splintr_rs": "splintr"}  # of a package, where they are called otherwise
OF_EXTRAS = {
    "sentence_transformers", "transformers", "huggingface_hub", "mcp", "mcp_types", "anyio", "uvicorn",
    "presidio_analyzer", "spacy", "llm",
}  # fmt: skip
"""Packages that extras bring; some come with others, and llm imports its own plug-in."""
NOT_OURS = {"-m", "-e", "-p", "-f", "--name-only", "--hidethinking"}  # of python, pip, git and models' commands


def fences(language: str) -> list[str]:
    return [token.content for token in MarkdownIt().parse(README) if token.type == "fence" and token.info == language]


def known_flags(capfd: pytest.CaptureFixture[str]) -> set[str]:
    for name in COMMANDS:
        run([name, "--help"])
    return {*OURS.findall(capfd.readouterr().out), *aliases()} - NOT_OURS


def test_flags_of_the_documents_exist_and_every_flag_is_in_one_of_them(capfd: pytest.CaptureFixture[str]) -> None:
    known = known_flags(capfd)
    in_readme = set(OURS.findall(README)) - NOT_OURS
    in_reference = set(OURS.findall(REFERENCE))
    assert in_readme <= known
    assert in_reference <= known
    assert known - in_readme - in_reference <= {"--help", "-h", "--clear", "--rebuild"}


def test_the_reference_of_settings_is_current() -> None:
    written = runpy.run_path(str(PROJECT / "scripts" / "reference.py"))["reference"]()
    assert (PROJECT / "docs" / "settings.md").read_text(encoding="utf-8") == written, "run scripts/reference.py"


def test_commands_of_the_readme_exist() -> None:
    assert set(re.findall(r"^ctxpack ([a-z-]+)", "".join(fences("sh")), re.MULTILINE)) == set(COMMANDS) - {"refresh"}


def test_configuration_of_the_readme_is_understood(tmp_path: Path) -> None:
    example, window, context = fences("toml")
    (tmp_path / "ctxpack.toml").write_text(window, encoding="utf-8")
    assert load(tmp_path).encoding == "llama3"
    (tmp_path / "ctxpack.toml").write_text(f"{example}\n{context}", encoding="utf-8")
    settings = load(tmp_path, profile="review")
    assert (settings.budget, settings.contexts[0].budget) == (32_000, 2_000)


def test_shares_of_the_readme_are_those_of_the_lanes() -> None:
    written = re.search(
        r"Documents take at most (\d+) % of the budget, tests (\d+) % and configuration (\d+) %", README
    )
    assert written
    assert [int(each) / 100 for each in written.groups()] == [
        LANE_SHARES[lane] for lane in (Lane.DOCS, Lane.TESTS, Lane.CONFIG)
    ]


def test_python_of_the_readme_compiles() -> None:
    (example,) = fences("python")
    compile(example, "README.md", "exec")


def test_ci_runs_the_test_line_of_the_readme() -> None:
    setup, test = (fence.strip() for fence in fences("sh")[:2])
    assert "\n" not in setup
    lines = (PROJECT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert test in lines
    assert lines[-1].endswith("pytest -q tests/semantic")


def test_imports_and_dependencies_are_the_same_and_every_version_is_classified() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = {re.split(r"[<>=]", each)[0].replace("-", "_") for each in project["dependencies"]}
    code = "".join(path.read_text(encoding="utf-8") for path in sorted((PROJECT / "ctxpack").rglob("*.py")))
    grammars = set(re.findall(r'"(tree_sitter_\w+)"', code))
    imported = set(re.findall(r"^ *(?:import|from) (\w+)", code, re.MULTILINE))
    foreign = grammars | (imported - sys.stdlib_module_names - {"ctxpack"} - OF_EXTRAS)
    assert foreign == {MODULES.get(each, each) for each in declared}
    assert "Programming Language :: Python :: 3.14" in project["classifiers"]


def test_every_promise_of_security_names_a_test_that_there_is() -> None:
    rows = re.findall(r"^\| (?!An attack|-)(.*) \|$", SECURITY, re.MULTILINE)
    assert len(rows) >= 40
    for row in rows:
        named = re.search(r"\| `(tests/[\w/]+\.py)::(test_\w+)`$", row)
        assert named, f"no test shows this: {row}"
        source = (PROJECT / named[1]).read_text(encoding="utf-8")
        assert re.search(rf"^def {named[2]}\(", source, re.MULTILINE), f"there is no test {named[2]} in {named[1]}"


def test_every_test_of_an_attack_is_promised() -> None:
    shown = {"test_bombs", "test_configuration", "test_git_configuration", "test_odd_files", "test_paths"}
    assert shown <= {Path(each).stem for each in re.findall(r"`(tests/hostile/\w+\.py)::", SECURITY)}


@pytest.mark.parametrize("page", ["models.md", "ci.md"])
def test_commands_of_a_page_can_be_typed(page: str, capfd: pytest.CaptureFixture[str]) -> None:
    text = (PROJECT / "docs" / page).read_text(encoding="utf-8")
    blocks = [token.content for token in MarkdownIt().parse(text) if token.type == "fence" and token.info == "sh"]
    lines = [line for block in blocks for line in block.splitlines() if line.startswith("ctxpack ")]
    assert lines
    for line in lines:
        name, *words = shlex.split(line.partition(" | ")[0])[1:]
        assert name in COMMANDS
        run([name, "--help"])
        assert {word for word in words if OURS.fullmatch(word)} <= set(OURS.findall(capfd.readouterr().out))
