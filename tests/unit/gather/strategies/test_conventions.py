from __future__ import annotations

from ctxpack.gather.strategies.conventions import gather_conventions
from ctxpack.model import Request, Scope
from tests.unit.gather.conftest import MakeContext

LONG_RULES = "".join(
    [
        "# Contributing\n\nThanks!\n\n## Releases\n\n", "Words.\n" * 40,
        "\n## Code style\n\nUse four blanks in Python.\n",
        "\n## Legal\n\n", "Text.\n" * 30,
    ]
)  # fmt: skip
PYPROJECT = (
    '[project]\nname = "shop"\n\n[tool.pytest.ini_options]\nx = 1\n\n[tool.ruff]\nline-length = 100\n\n'
    '[tool.ruff.lint]\nselect = ["ALL"]\n\n# types\n[tool.mypy]\nstrict = true\n'
)
FILES = {
    "pyproject.toml": PYPROJECT,
    "AGENTS.md": "# Rules\n\nShort functions.\n",
    "CONTRIBUTING.md": LONG_RULES,
    "CODE_OF_CONDUCT.md": "# Be kind\n",
    ".editorconfig": "root = true\n\n[*]\nindent_size = 4\n\n[*.js]\nindent_size = 2\n",
    ".eslintrc.json": '{"extends": "standard"}\n',
    "shop/AGENTS.md": "# The shop\n\nPrices are cents.\n",
    "shop/ruff.toml": "line-length = 79\n",
    "shop/cart.py": "def price():\n    return 1\n",
    "web/app.js": "export const price = 1;\n",
    "web/AGENTS.md": "# The pages\n\nNo frameworks.\n",
    ".github/instructions/python.instructions.md": '---\napplyTo: "**/*.py"\n---\n\nType hints.\n',
    ".cursor/rules/web.mdc": "---\nglobs: web/**, *.css\nalwaysApply: false\n---\n\nUse const.\n",
}


def found(context: MakeContext, request: Request) -> list[tuple[str, str]]:
    pieces = gather_conventions(context(FILES, request))
    return [(each.provenance.path, each.provenance.reasons[0]) for each in pieces]


def test_rules_in_force_for_a_python_file(context: MakeContext) -> None:
    assert found(context, Request(Scope.FILE, path="shop/cart.py")) == [
        ("shop/AGENTS.md", "rules for shop/"),
        (".github/instructions/python.instructions.md", "rules for this project"),
        ("AGENTS.md", "rules for this project"),
        ("CONTRIBUTING.md", "rules for this project"),
        ("shop/ruff.toml", "settings of ruff for python"),
        ("pyproject.toml", "settings of mypy for python"),
        (".editorconfig", "editor settings for *"),
    ]


def test_rules_in_force_for_a_script_are_none_of_another_language(context: MakeContext) -> None:
    assert [path for path, _ in found(context, Request(Scope.FILE, path="web/app.js"))] == [
        "web/AGENTS.md", ".cursor/rules/web.mdc", "AGENTS.md", ".eslintrc.json", ".editorconfig", ".editorconfig",
    ]  # fmt: skip


def test_of_long_rules_only_the_parts_about_style(context: MakeContext) -> None:
    pieces = gather_conventions(context(FILES, Request(Scope.FILE, path="shop/cart.py")))
    text = "".join(each.text for each in pieces if each.provenance.path == "CONTRIBUTING.md")
    assert "four blanks" in text
    assert "Legal" not in text
    assert "Releases" not in text


def test_of_a_shared_file_only_the_linters_and_neighbouring_parts_are_one(context: MakeContext) -> None:
    files = {name: text for name, text in FILES.items() if name != "shop/ruff.toml"}
    pieces = gather_conventions(context(files, Request(Scope.FILE, path="shop/cart.py")))
    parts = [each for each in pieces if each.provenance.path == "pyproject.toml"]
    assert [each.text.splitlines()[0] for each in parts] == ["[tool.ruff]", "[tool.mypy]"]
    assert "[tool.ruff.lint]" in parts[0].text
    assert "pytest" not in "".join(each.text for each in parts)


def test_a_task_has_the_rules_for_what_is_found(context: MakeContext) -> None:
    assert ("web/AGENTS.md", "rules for web/") in found(context, Request(Scope.TASK, text="price in the app script"))


def test_rules_are_not_told_about_themselves(context: MakeContext) -> None:
    assert "AGENTS.md" not in dict(found(context, Request(Scope.FILE, path="AGENTS.md")))


def test_a_project_without_rules_has_none(context: MakeContext) -> None:
    assert list(gather_conventions(context({"a.py": "x = 1\n"}, Request(Scope.FILE, path="a.py")))) == []


def test_a_file_that_only_says_where_the_rules_are_has_none(context: MakeContext) -> None:
    files = {
        "AGENTS.md": "# Rules\n\nShort functions.\n",
        "CLAUDE.md": "@AGENTS.md\n",
        "GEMINI.md": "AGENTS.md",
        "docs/contributing.rst": ".. include:: ../CONTRIBUTING.rst\n",
        "shop.py": "def price():\n    return 1\n",
    }
    pieces = gather_conventions(context(files, Request(Scope.FILE, path="shop.py")))
    assert [each.provenance.path for each in pieces] == ["AGENTS.md"]
