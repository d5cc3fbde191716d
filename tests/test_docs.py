"""The README and the pages of docs/ say what is true."""

from __future__ import annotations

import html
import importlib.util
import re
import runpy
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from ctxpack.cli.run import aliases, run
from ctxpack.model import Lane
from ctxpack.parse.languages import languages
from ctxpack.report.making import LANE_SHARES
from ctxpack.settings.loading import load

PROJECT = Path(__file__).parent.parent
README = (PROJECT / "README.md").read_text(encoding="utf-8")
PAGES = {path.name: path.read_text(encoding="utf-8") for path in sorted((PROJECT / "docs").glob("*.md"))}
GENERATED = ("settings.md", "commands.md")
WRITTEN = "\n".join([README, *(text for name, text in PAGES.items() if name not in GENERATED)])
SECURITY = (PROJECT / "SECURITY.md").read_text(encoding="utf-8")
COMMANDS = (
    "task", "file", "component", "diff", "preview", "search", "serve", "ask", "why-not", "eval", "index", "watch",
    "memory", "strategies", "profiles", "doctor", "refresh", "verify", "mcp", "init", "config",
)  # fmt: skip
OURS = re.compile(r"(?<![\w.-])(?:--[a-z][a-z-]+|-[a-z0]\b)")
MODULES = {"PyStemmer": "Stemmer", "splintr_rs": "splintr"}  # of a package, where they are called otherwise
OF_EXTRAS = {
    "sentence_transformers", "transformers", "huggingface_hub", "mcp", "mcp_types", "anyio", "uvicorn",
    "presidio_analyzer", "spacy", "llm", "textual",
}  # fmt: skip
"""Packages that extras bring; some come with others, and llm imports its own plug-in."""
NOT_OURS = {
    "--zipapp",
    "-m",
    "-e",
    "-p",
    "-f",
    "--name-only",
    "--hidethinking",
    "--output-format",
    "--open",
    "--think",
    "--sandbox",
    "--skip-git-repo-check",
}  # of python, pip, git and models' commands


def fences(language: str, text: str = README) -> list[str]:
    return [token.content for token in MarkdownIt().parse(text) if token.type == "fence" and token.info == language]


def known_flags(capfd: pytest.CaptureFixture[str]) -> set[str]:
    for words in ([], *([name] for name in COMMANDS)):
        run([*words, "--help"])
    return {*OURS.findall(capfd.readouterr().out), *aliases()} - NOT_OURS


def test_flags_of_the_documents_exist_and_every_flag_is_in_one_of_them(capfd: pytest.CaptureFixture[str]) -> None:
    known = known_flags(capfd)
    written = set(OURS.findall(WRITTEN)) - NOT_OURS
    reference = {flag for name in GENERATED for flag in OURS.findall(PAGES[name])} - NOT_OURS
    assert written <= known
    assert reference <= known
    assert known - written - reference <= {"--help", "-h", "--version", "-V", "--show-completion"}


def test_the_generated_pages_are_current() -> None:
    script = runpy.run_path(str(PROJECT / "scripts" / "reference.py"))
    assert PAGES["settings.md"] == script["reference"](), "run scripts/reference.py"
    assert PAGES["commands.md"] == script["commands"](), "run scripts/reference.py"


def test_every_command_is_on_a_page_that_explains_it_and_no_other() -> None:
    blocks = "".join(fences("sh", WRITTEN))
    assert set(re.findall(r"^ctxpack ([a-z-]+)", blocks, re.MULTILINE)) == set(COMMANDS)
    explained = re.findall(r"^### ctxpack ([a-z-]+)$", PAGES["commands.md"], re.MULTILINE)
    assert sorted(explained) == sorted(COMMANDS)


def test_the_readme_is_short_and_the_rest_is_on_pages_that_the_index_and_the_site_name() -> None:
    assert len(README.splitlines()) < 150
    site = (PROJECT / "mkdocs.yml").read_text(encoding="utf-8")
    for name in PAGES.keys() - {"index.md"}:
        assert f"]({name})" in PAGES["index.md"]
        assert f"(docs/{name})" in README
        assert f"- {name}\n" in site


def test_the_excerpt_of_the_readme_is_the_beginning_of_that_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(PROJECT / "fixtures" / "demo", tmp_path / "demo")
    monkeypatch.chdir(tmp_path / "demo")
    run(["task", "fix the retry bug in the uploader", "-b", "900"])
    (excerpt,) = fences("markdown")
    assert capfd.readouterr().out.startswith(excerpt)
    assert excerpt.count("\n") > 10


def test_the_picture_shows_what_a_terminal_would() -> None:
    drawn = (PROJECT / "docs" / "images" / "run.svg").read_text(encoding="utf-8")
    rows: dict[str, str] = {}
    for number, text in re.findall(r'clip-path="url\(#run-line-(\d+)\)">(.*?)</text>', drawn):
        rows[number] = rows.get(number, "") + html.unescape(text).replace("\xa0", " ")
    shown = [line.plain.rstrip() for line in runpy.run_path(str(PROJECT / "scripts" / "picture.py"))["lines"]()]
    assert "".join(shown).replace(" ", "") == "".join(rows.values()).replace(" ", ""), "run scripts/picture.py"
    assert len(shown) > 20


def test_the_figures_of_the_readme_are_those_of_the_page_about_measuring() -> None:
    figures, _, speed = (
        README.partition("## How good it is")[2].partition("\n## ")[0].strip().partition("On a checkout")
    )
    assert figures.startswith("| Tasks |")
    assert figures in PAGES["measuring.md"]
    assert speed in PAGES["measuring.md"]


def test_the_bars_are_drawn_from_the_table() -> None:
    drawn = dict(runpy.run_path(str(PROJECT / "scripts" / "plots.py"))["plots"]())
    assert set(drawn) == {"files.svg", "questions.svg"}
    for name, text in drawn.items():
        assert (PROJECT / "docs" / "images" / name).read_text(encoding="utf-8") == text, "run scripts/plots.py"
    assert drawn["files.svg"].count("<rect") == 1 + 3 * 4
    assert drawn["questions.svg"].count("<rect") == 1 + 4


def anchors(text: str) -> set[str]:
    """What links to a heading of a page name, as GitHub and mkdocs make it."""
    headings = re.findall(r"^#+ (.+)$", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


def test_no_link_of_a_page_is_dead() -> None:
    pages = [*PROJECT.glob("*.md"), *(PROJECT / "docs").glob("*.md")]
    links = [
        (page, target)
        for page in pages
        for target in re.findall(r"(?<!`)\]\(([^()\s]+)\)", page.read_text(encoding="utf-8"))
        if not target.startswith(("https://", "http://"))
    ]
    assert len(links) > 50
    dead = []
    for page, target in links:
        place, _, anchor = target.partition("#")
        file = page.parent / place if place else page
        if not file.exists() or (anchor and anchor not in anchors(file.read_text(encoding="utf-8"))):
            dead.append(f"{page.name}: {target}")
    assert dead == []


@pytest.mark.skipif(not importlib.util.find_spec("mkdocs"), reason="needs the extra docs")
def test_the_site_is_built_strictly(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "finding.html").read_text(encoding="utf-8")
    assert 'href="SECURITY.html"' in page
    assert not re.search(r'<(?:link|script|img)[^>]+(?:href|src)="(?:https?:)?//', page)


def test_configuration_of_the_pages_is_understood(tmp_path: Path) -> None:
    (example,), (window,), (context,) = (
        fences("toml", PAGES[name]) for name in ("configuration.md", "budgets.md", "agents.md")
    )
    (tmp_path / "ctxpack.toml").write_text(window, encoding="utf-8")
    assert load(tmp_path).encoding == "llama3"
    (tmp_path / "ctxpack.toml").write_text(f"{example}\n{context}", encoding="utf-8")
    settings = load(tmp_path, profile="review")
    assert (settings.budget, settings.contexts[0].budget) == (32_000, 2_000)


def test_the_page_about_finding_counts_the_languages() -> None:
    text, known = " ".join(PAGES["finding.md"].split()), tuple(languages())
    trees, markups = (sum(bool(getattr(each, field)) for each in known) for field in ("grammar", "headings"))
    assert sum(each.patterns is not None for each in known) >= 100
    assert f"known in a hundred languages, in {trees} of them" in text
    assert f"sections in {('eight', 'nine', 'ten')[markups - 8]} markups" in text


def test_shares_of_the_page_about_budgets_are_those_of_the_lanes() -> None:
    written = re.search(
        r"Documents take at most (\d+) % of the budget, tests (\d+) % and configuration (\d+) %", PAGES["budgets.md"]
    )
    assert written
    assert [int(each) / 100 for each in written.groups()] == [
        LANE_SHARES[lane] for lane in (Lane.DOCS, Lane.TESTS, Lane.CONFIG)
    ]


@pytest.mark.parametrize("page", ["python.md", "plugins.md"])
def test_python_of_the_pages_compiles(page: str) -> None:
    examples = fences("python", PAGES[page])
    assert examples
    for example in examples:
        compile(example, page, "exec")


def test_ci_runs_the_test_line_of_the_readme() -> None:
    setup, test = (fence.strip() for fence in fences("sh")[:2])
    assert "\n" not in setup
    lines = (PROJECT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert test in lines
    assert lines[-1].endswith("pytest -q tests/semantic")


def test_imports_and_dependencies_are_the_same_and_every_version_is_classified() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = (*project["dependencies"], *project["optional-dependencies"]["grammars"])
    declared = {re.split(r"[<>=]", each)[0].replace("-", "_") for each in needed}
    code = "".join(path.read_text(encoding="utf-8") for path in sorted((PROJECT / "ctxpack").rglob("*.py")))
    grammars = set(re.findall(r'"(tree_sitter_\w+)"', code))
    imported = set(re.findall(r"^ *(?:import|from) (\w+)", code, re.MULTILINE))
    foreign = grammars | (imported - sys.stdlib_module_names - {"ctxpack"} - OF_EXTRAS)
    assert foreign == {MODULES.get(each, each) for each in declared}
    assert "Programming Language :: Python :: 3.14" in project["classifiers"]


def test_every_promise_of_security_names_a_test_that_there_is() -> None:
    rows = re.findall(r"^\| (?!Attack|-)(.*) \|$", SECURITY, re.MULTILINE)
    assert len(rows) >= 40
    for row in rows:
        named = re.search(r"\| `(tests/[\w/]+\.py)::(test_\w+)`$", row)
        assert named, f"no test shows this: {row}"
        source = (PROJECT / named[1]).read_text(encoding="utf-8")
        assert re.search(rf"^def {named[2]}\(", source, re.MULTILINE), f"there is no test {named[2]} in {named[1]}"


def test_every_test_of_an_attack_is_promised() -> None:
    shown = {"test_bombs", "test_configuration", "test_git_configuration", "test_odd_files", "test_paths"}
    assert shown <= {Path(each).stem for each in re.findall(r"`(tests/hostile/\w+\.py)::", SECURITY)}
