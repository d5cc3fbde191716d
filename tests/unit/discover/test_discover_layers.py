"""Our own layers: .ignore, .ctxpackignore, --include, --exclude, named paths, and what is told when nothing is left."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctxpack.discover import discover
from ctxpack.discover.globs import compile_globs, expand_braces
from ctxpack.discover.named_paths import ignored_by
from ctxpack.errors import ConfigError, UsageError
from ctxpack.model import Kind
from tests.unit.discover.making import Make, Wish, Write, paths, reasons


def test_ctxpackignore_has_the_last_word(repo: Make, settings: Wish) -> None:
    root = repo({".ignore": "*.txt\ngone/\n", ".ctxpackignore": "!kept.txt\nbuild/\n", "kept.txt": "", "other.txt": ""})
    (root / "build").mkdir()
    (root / "build" / "a.py").write_text("")
    found = discover(settings(root))
    assert paths(found) == [".ctxpackignore", ".ignore", "kept.txt"]
    assert reasons(found) == {
        "build/a.py": 'ignored by .ctxpackignore: "build/"',
        "other.txt": 'ignored by .ignore: "*.txt"',
    }
    assert "other.txt" in paths(discover(settings(root, use_dot_ignore=False)))


def test_ignore_files_of_ours_work_at_any_level_and_from_above(repo: Make, settings: Wish) -> None:
    root = repo(
        {".ctxpackignore": "*.gen\n", "a/.ctxpackignore": "!x.gen\n/y\n", "a/x.gen": "", "a/y": "", "z.gen": ""}
    )
    assert paths(discover(settings(root))) == [".ctxpackignore", "a/.ctxpackignore", "a/x.gen"]
    assert paths(discover(settings(root / "a"))) == [".ctxpackignore", "x.gen"]
    assert ignored_by(settings(root), "a/y") == 'ignored by a/.ctxpackignore: "/y"'


@pytest.mark.parametrize("is_git_there", [True, False])
def test_negation_brings_back_what_git_hides(
    repo: Make, write: Write, settings: Wish, monkeypatch: pytest.MonkeyPatch, *, is_git_there: bool
) -> None:
    root = repo({".gitignore": "/out/\n*.log\n", ".ctxpackignore": "!/out/\nout/no.py\n!one.log\n", "a.py": ""})
    write(root, {"out/b.py": "", "out/deep/c.py": "", "out/no.py": "", "one.log": "", "two.log": ""})
    if not is_git_there:
        monkeypatch.setenv("PATH", "")
    expected = [".ctxpackignore", ".gitignore", "a.py", "one.log", "out/b.py", "out/deep/c.py"]
    assert paths(discover(settings(root))) == expected


def test_negation_lifts_our_own_limits(repo: Make, settings: Wish) -> None:
    line = "var a=1;" * 1000
    root = repo({"a.py": "", "big.txt": "x\n" * 600, "lib.js": line})
    assert reasons(discover(settings(root, max_file_size=1000))) == {
        "big.txt": "larger than 1 kB (limit max_file_size)",
        "lib.js": "larger than 1 kB (limit max_file_size)",
    }
    assert reasons(discover(settings(root)))["lib.js"] == "minified: a line of more than 5,000 characters"
    (root / ".ctxpackignore").write_text("!big.txt\n!lib.js\n")
    assert paths(discover(settings(root, max_file_size=1000))) == [".ctxpackignore", "a.py", "big.txt", "lib.js"]


def test_include_and_exclude(repo: Make, settings: Wish) -> None:
    root = repo({"src/a.ts": "", "src/b.tsx": "", "src/c.py": "", "docs/a.md": "", "lib/src/d.ts": ""})
    assert paths(discover(settings(root, include=("src",)))) == ["lib/src/d.ts", "src/a.ts", "src/b.tsx", "src/c.py"]
    found = discover(settings(root, include=("./src/*.{ts,tsx}", "docs/"), exclude=("b.*",)))
    assert paths(found) == ["docs/a.md", "src/a.ts"]
    assert reasons(found)["src/b.tsx"] == 'excluded by --exclude: "b.*"'
    assert reasons(found)["src/c.py"] == "not matched by --include"


@pytest.mark.parametrize(
    ("glob", "matching", "other"),
    [
        ("*.py", "a/b.py", "a/b.pyc"),
        ("/a", "a/b/c", "b/a"),
        ("a/**/c", "a/x/y/c", "a/x/cc"),
        ("docs/", "x/docs/y", "docs"),
        ("a?c", "abc", "a/c"),
        ("[ab].c", "x/a.c", "c.c"),
        (r"src\*.py", "src*.py", "src/a.py"),
    ],
)
def test_globs(glob: str, matching: str, other: str) -> None:
    assert compile_globs([glob]).matching(matching) == glob
    assert compile_globs([glob]).matching(other) is None


def test_braces() -> None:
    assert expand_braces("{a,b}/*.{c,d}") == ["a/*.c", "a/*.d", "b/*.c", "b/*.d"]
    assert expand_braces("{a}") == ["{a}"]


def test_named_paths_are_all_there_is(repo: Make, write: Write, settings: Wish) -> None:
    root = repo({"a.py": "", "b.py": "", ".gitignore": "*.log\n"})
    write(root, {"x.log": ""})
    found = discover(settings(root, paths=("./a.py", "x.log", str(root / "a.py"), "gone.py", "sub/../b.py")))
    assert paths(found) == ["a.py", "b.py", "x.log"]
    assert reasons(found) == {"gone.py": "no such file"}


@pytest.mark.parametrize("outside", ["../secret", "/etc/passwd", "a/../../x", "link/secret"])
def test_named_paths_outside_the_root_are_errors(repo: Make, settings: Wish, tmp_path: Path, outside: str) -> None:
    root = repo({"a.py": ""})
    (root / "link").symlink_to(tmp_path)
    with pytest.raises(UsageError, match="outside the root"):
        discover(settings(root, paths=(outside,)))


def test_empty_results_name_the_rules(repo: Make, write: Write, settings: Wish) -> None:
    root = repo({"a.py": "", "b.py": "", "c.bin": b"\0"})
    with pytest.raises(UsageError, match=r'2 excluded by --exclude: "\*.py"; 1 binary'):
        discover(settings(root, exclude=("*.py",)))
    write(root, {".ctxpackignore": "*\n"})
    with pytest.raises(UsageError, match=r'4 ignored by \.ctxpackignore: "\*"'):
        discover(settings(root))


@pytest.mark.parametrize("is_git_there", [True, False])
def test_gits_rules_are_named_when_they_hide_everything(
    folder: Make, settings: Wish, monkeypatch: pytest.MonkeyPatch, *, is_git_there: bool
) -> None:
    if not is_git_there:
        monkeypatch.setenv("PATH", "")
    with pytest.raises(UsageError, match=r'ignored by \.gitignore: "\*"'):
        discover(settings(folder({".gitignore": "*\n", "a.py": "", "b/c.py": ""})))


def test_empty_repository_gets_its_own_sentence(repo: Make, settings: Wish) -> None:
    with pytest.raises(UsageError, match="holds no files"):
        discover(settings(repo({})))


def test_kinds_can_be_configured(repo: Make, settings: Wish) -> None:
    root = repo({"notes/a.md": "", "b.md": ""})
    kinds = {file.path: file.kind for file in discover(settings(root, kinds={"runbook": ("notes/",)})).files}
    assert kinds == {"notes/a.md": Kind.RUNBOOK, "b.md": Kind.DOC}
    with pytest.raises(ConfigError, match='unknown kind "recipe"'):
        discover(settings(root, kinds={"recipe": ("*",)}))


def test_a_notebook_may_be_large_for_its_pictures(repo: Make, settings: Wish) -> None:
    root = repo({"a.py": "", "plot.ipynb": "x\n" * 3_000, "huge.ipynb": "x\n" * 6_000})
    assert reasons(discover(settings(root, max_file_size=1000))) == {
        "huge.ipynb": "larger than 10 kB (limit max_file_size)"
    }
