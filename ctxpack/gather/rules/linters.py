"""Where linters and formatters keep their settings: files of their own, and parts of shared ones, by language."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

_SCRIPTS: Final = frozenset({"javascript", "typescript", "tsx", "vue", "svelte"})
_WEB: Final = _SCRIPTS | {"css", "scss", "less", "html", "json", "markdown", "yaml"}
_NATIVE: Final = frozenset({"c", "cpp", "cuda", "objectivec", "protobuf"})

_FILES: Final[Sequence[tuple[str, str, frozenset[str]]]] = (
    ("ruff", r"\.?ruff\.toml", frozenset({"python"})),
    ("flake8", r"\.flake8", frozenset({"python"})),
    ("pylint", r"\.?pylintrc(?:\.toml)?", frozenset({"python"})),
    ("isort", r"\.isort\.cfg", frozenset({"python"})),
    ("mypy", r"\.?mypy\.ini", frozenset({"python"})),
    ("yapf", r"\.style\.yapf", frozenset({"python"})),
    ("pyright", r"pyrightconfig\.json", frozenset({"python"})),
    ("eslint", r"\.eslintrc(?:\.\w+)?|eslint\.config\.[cm]?[jt]s", _SCRIPTS),
    ("prettier", r"\.prettierrc(?:\.\w+)?|prettier\.config\.[cm]?[jt]s", _WEB),
    ("biome", r"biome\.jsonc?", _SCRIPTS | {"css", "json"}),
    ("jshint", r"\.jshintrc", _SCRIPTS),
    ("stylelint", r"\.stylelintrc(?:\.\w+)?|stylelint\.config\.[cm]?js", frozenset({"css", "scss", "less", "sass"})),
    ("rustfmt", r"\.?rustfmt\.toml", frozenset({"rust"})),
    ("clippy", r"\.?clippy\.toml", frozenset({"rust"})),
    ("golangci", r"\.golangci\.\w+", frozenset({"go"})),
    ("rubocop", r"\.rubocop\.yml", frozenset({"ruby"})),
    ("clang-format", r"[._]clang-format", _NATIVE),
    ("clang-tidy", r"\.clang-tidy", _NATIVE),
    ("checkstyle", r"checkstyle(?:-\w+)?\.xml", frozenset({"java"})),
    ("detekt", r"detekt\.yml", frozenset({"kotlin"})),
    ("php-cs-fixer", r"\.php-cs-fixer(?:\.dist)?\.php", frozenset({"php"})),
    ("phpcs", r"\.?phpcs\.xml(?:\.dist)?", frozenset({"php"})),
    ("phpstan", r"phpstan\.neon(?:\.dist)?", frozenset({"php"})),
    ("scalafmt", r"\.scalafmt\.conf", frozenset({"scala"})),
    ("swiftlint", r"\.swiftlint\.yml", frozenset({"swift"})),
    ("swiftformat", r"\.swiftformat", frozenset({"swift"})),
    ("dart", r"analysis_options\.yaml", frozenset({"dart"})),
    ("credo", r"\.credo\.exs", frozenset({"elixir"})),
    ("mix format", r"\.formatter\.exs", frozenset({"elixir"})),
    ("shellcheck", r"\.shellcheckrc", frozenset({"bash"})),
    ("hlint", r"\.hlint\.yaml", frozenset({"haskell"})),
    ("luacheck", r"\.luacheckrc", frozenset({"lua"})),
    ("stylua", r"\.?stylua\.toml", frozenset({"lua"})),
    ("markdownlint", r"\.markdownlint(?:\.\w+)?", frozenset({"markdown"})),
    ("yamllint", r"\.yamllint(?:\.ya?ml)?", frozenset({"yaml"})),
)
_PATTERNS: Final = tuple((tool, re.compile(pattern), languages) for tool, pattern, languages in _FILES)
_PYTHON_TOOLS: Final = (
    "autopep8", "basedpyright", "black", "docformatter", "flake8", "isort", "mypy", "pep8", "pycodestyle", "pydocstyle",
    "pylint", "pyright", "ruff", "ty", "yapf",
)  # fmt: skip
_SHARED: Final[Mapping[str, str]] = {"pyproject.toml": "tool.", "setup.cfg": "", "tox.ini": ""}  # name -> prefix
_HEAD: Final = re.compile(r"\[{1,2}\s*([^\[\]]+?)\s*\]{1,2}\s*(?:[#;].*)?")

Span = tuple[int, int]


def tool_of(name: str, language: str) -> str:
    """The linter or formatter that a file by this name sets up for a language; empty if none."""
    lower = name.lower()
    return next((tool for tool, pattern, known in _PATTERNS if language in known and pattern.fullmatch(lower)), "")


def is_shared(name: str, language: str) -> bool:
    """Whether parts of a file by this name may set up linters for a language."""
    return language == "python" and name.lower() in _SHARED


def parts(name: str, lines: Sequence[str]) -> Iterator[tuple[str, Span]]:
    """The linters that parts of a shared file set up, each with the lines of a part."""
    prefix = _SHARED[name.lower()]
    for head, span in tables(lines):
        tool = head.removeprefix(prefix).split(".")[0].split("-")[0] if head.startswith(prefix) else ""
        if tool in _PYTHON_TOOLS:
            yield tool, span


def tables(lines: Sequence[str]) -> Iterator[tuple[str, Span]]:
    """The tables of a TOML or INI file: what stands in the brackets, lower-case, and the lines without blank ones."""
    heads = [
        (at, found[1].lower().replace('"', "")) for at, line in enumerate(lines) if (found := _HEAD.fullmatch(line))
    ]
    for (at, head), (following, _) in zip(heads, [*heads[1:], (len(lines), "")], strict=True):
        end = following
        while end > at + 1 and (not lines[end - 1].strip() or lines[end - 1].lstrip().startswith(("#", ";"))):
            end -= 1
        yield head, (at + 1, end)
