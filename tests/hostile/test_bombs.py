"""Globs, rules and configurations that are made to take for ever come to an end, or are refused in a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctxpack.discover.globs import compile_globs, expand_braces
from ctxpack.errors import UsageError
from ctxpack.gather.style_rules import matches
from tests.cli.conftest import Ctxpack

STARS = "*a" * 12 + "*b"
FOLDERS = "**/a/" * 12 + "b"


@pytest.mark.parametrize("glob", [STARS, FOLDERS, "**/*a" * 10 + "b", "{a,{a,{a,{a,b}}}}" * 4, "[a]" * 1_300 + "*b"])
@pytest.mark.parametrize("name", [".ignore", ".ctxpackignore", ".gitignore", "ctxpack.toml", ".editorconfig"])
def test_no_glob_takes_for_ever(ctxpack: Ctxpack, root: Path, name: str, glob: str) -> None:
    (root / ("a" * 250)).write_text("retry the upload\n")
    (root / ("a/" * 60)).mkdir(parents=True)
    (root / ("a/" * 60) / "c.py").write_text("def retry(upload): ...\n")
    line = {"ctxpack.toml": f'exclude = ["{glob}"]\n', ".editorconfig": f"[{glob}]\nindent_size = 4\n"}.get(name, glob)
    (root / name).write_text(line)
    outcome = ctxpack("file", "a/" * 60 + "c.py", "--root", str(root), "--enable", "conventions")
    assert outcome.status == 0


@pytest.mark.parametrize(
    ("glob", "path", "is_match"),
    [(STARS, "a" * 4_000, False), (STARS, "a" * 4_000 + "b", True), (FOLDERS, "a/" * 2_000 + "c", False),
     (FOLDERS, "a/" * 2_000 + "b", True), ("a*a*a", "aa", False), ("a*a*a", "aaa", True), ("x*ab*b", "xaabb", True),
     ("**/a/b/**/b", "a/a/b/b", True), ("**/a/b/**/a/b", "a/b/b/a/b", True), ("a/**/**/b", "a/b", True)],
)  # fmt: skip
def test_globs_that_try_every_way_find_what_there_is(glob: str, path: str, *, is_match: bool) -> None:
    assert (compile_globs([glob]).matching(path) is not None) == is_match


def test_a_glob_that_means_too_many_is_refused(ctxpack: Ctxpack, root: Path) -> None:
    (root / "ctxpack.toml").write_text(f'exclude = ["{"{a,b}" * 30}"]\n')
    outcome = ctxpack("task", "retry the upload", "--root", str(root))
    assert (outcome.status, outcome.out) == (2, "")
    assert "expands to more than 1,000 globs" in outcome.err
    with pytest.raises(UsageError, match="characters"):
        expand_braces("{" + "," * 10_000 + "}")


@pytest.mark.parametrize(
    ("glob", "path", "is_match"),
    [("*a" * 12 + "*b", "a" * 250, False), ("{1..9999999}.py", "77.py", True), ("{-2..3}", "-1", True),
     ("{0..9}", "07", False), ("{" * 900, "x", False), ("{a,{b,c}d}.py", "cd.py", True), ("{a}", "{a}", True),
     ("[!a]x", "bx", True), ("**.py", "a/b.py", True), ("a/*.py", "a/b/c.py", False), ("*.py", "a/b.py", True),
     ("[z-a]", "b", False), ("{a..b,c}", "a..b", True), ("?" * 2_000, "x", False), ("\\*", "*", True)],
)  # fmt: skip
def test_globs_of_an_editor_configuration(glob: str, path: str, *, is_match: bool) -> None:
    assert matches(glob, path) == is_match


def test_the_rules_of_an_ignore_file_are_bounded(ctxpack: Ctxpack, root: Path) -> None:
    (root / ".ignore").write_text("docs/\n" + "".join(f"*x{number}*y\n" for number in range(50_000)))
    outcome = ctxpack("task", "retry the upload", "--root", str(root), "-v")
    assert (outcome.status, "docs/retry.md:" in outcome.out) == (0, False)
    assert "skipped .ignore: has too many rules" in outcome.err


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("x = " + "[" * 3_000 + "]" * 3_000, "has values in values, too many to be read"),
     ("synonyms = " + "{x = " * 2_000 + "1" + "}" * 2_000, "has values in values, too many to be read"),
     ("# " + "x" * 2_000_000, "has more than 1,000,000 bytes"),
     ("budget = " + "9" * 5_000, "is not valid TOML"),
     ("\x00", "is not valid TOML")],
)  # fmt: skip
@pytest.mark.parametrize("name", ["ctxpack.toml", "pyproject.toml"])
def test_a_configuration_that_cannot_be_read_is_told(
    ctxpack: Ctxpack, root: Path, name: str, text: str, sentence: str
) -> None:
    (root / name).write_text(f"{text}\n[tool.ctxpack]\n" if name == "pyproject.toml" else text)
    outcome = ctxpack("task", "retry the upload", "--root", str(root))
    assert (outcome.status, outcome.out) == (2, "")
    assert f"{name} {sentence}" in outcome.err


@pytest.mark.parametrize(
    ("agent", "name", "text"),
    [("claude", ".mcp.json", '{"a":' * 50_000), ("claude", ".mcp.json", f'{{"a": {"[" * 90_000}{"]" * 90_000}}}'),
     ("codex", ".codex/config.toml", "a = " + "[" * 50_000)],
)  # fmt: skip
def test_the_file_of_an_agent_that_cannot_be_read_is_told(
    ctxpack: Ctxpack, root: Path, agent: str, name: str, text: str
) -> None:
    (root / name).parent.mkdir(exist_ok=True)
    (root / name).write_text(text)
    outcome = ctxpack("init", "--agent", agent, "--root", str(root))
    assert (outcome.status, outcome.out) == (2, "")
    assert f"{name} is not valid " in outcome.err
    assert "it is nested too deeply" in outcome.err
    assert (root / name).read_text() == text


def test_the_file_of_an_agent_is_read_once_whatever_it_holds(ctxpack: Ctxpack, root: Path) -> None:
    (root / ".mcp.json").write_text(f'{{"a": [{"[1, ], " * 200_000}]}}')  # a comma too many before each bracket
    assert ctxpack("init", "--agent", "claude", "--root", str(root)).status == 0
    assert '"mcpServers"' in (root / ".mcp.json").read_text(encoding="utf-8")[:50]


def test_manifests_with_values_in_values_tell_nothing(ctxpack: Ctxpack, root: Path) -> None:
    (root / "Cargo.toml").write_text("a = " + "[" * 20_000)
    (root / "package.json").write_text('{"name":' * 20_000)
    (root / "docs" / "retry.md").write_text(f"+++\na = {'[' * 900}\n+++\n# Retry the upload\n")
    (root / "ctxpack.toml").write_text('[[context]]\npath = "AGENTS.md"\n')
    assert ctxpack("refresh", "--root", str(root)).status == 0
    assert "upload.py" in (root / "AGENTS.md").read_text(encoding="utf-8")
    assert ctxpack("task", "retry the upload", "--root", str(root)).status == 0
