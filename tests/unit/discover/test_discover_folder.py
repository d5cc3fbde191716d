"""The same rules without a repository, and without git."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as tuned
from hypothesis import strategies as st

from ctxpack.discover import discover, find_root
from ctxpack.discover.globs import translate
from ctxpack.discover.named_paths import ignored_by
from ctxpack.discover.walk import list_by_walking
from ctxpack.discover.worktree import list_worktree
from ctxpack.system.clock import Timekeeper
from ctxpack.system.git import Git, GitProcess, find_git
from tests.unit.discover.making import GitRun, Make, Wish, Write

TREE = {
    ".gitignore": "*.log\n!keep.log\n/build/\n# comment\n\\#odd\ntrail \\ \n**/cache/\n",
    "a.py": "", "x.log": "", "keep.log": "", "build/x.py": "", "sub/build/x.py": "", "#odd": "",
    "sub/cache/y": "", "sub/.gitignore": "!x.log\nonly/*\n!only/this.py\n", "sub/x.log": "", "sub/only/this.py": "",
    "sub/only/that.py": "",
}  # fmt: skip
VISIBLE = [
    ".gitignore", "a.py", "keep.log", "sub/.gitignore", "sub/build/x.py", "sub/only/this.py", "sub/x.log",
]  # fmt: skip


@pytest.fixture(params=["git", "no git"])
def _either_way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    if request.param == "no git":
        monkeypatch.setenv("PATH", str(tmp_path))


@pytest.mark.usefixtures("_either_way")
def test_plain_folder_follows_its_ignore_files(folder: Make, settings: Wish) -> None:
    found = discover(settings(folder(TREE)))
    assert [file.path for file in found.files] == VISIBLE
    assert (found.state.is_git, found.state.name, found.state.commit) == (False, "repo", "")
    assert found.files[1].blob == "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"


@pytest.mark.usefixtures("_either_way")
def test_users_own_ignore_file_counts(folder: Make, settings: Wish, write: Write) -> None:
    root = folder({"a.py": "", "b.mine": ""})
    write(Path(os.environ["XDG_CONFIG_HOME"]), {"git/ignore": "*.mine\n"})
    assert [file.path for file in discover(settings(root)).files] == ["a.py"]


@pytest.mark.usefixtures("_either_way")
def test_the_rule_is_named(folder: Make, settings: Wish) -> None:
    root = folder(TREE)
    assert ignored_by(settings(root), "x.log") == 'ignored by .gitignore: "*.log"'
    assert ignored_by(settings(root), "build/x.py") == 'ignored by .gitignore: "/build/"'
    assert ignored_by(settings(root), "a.py") == ""


def test_repository_without_git(repo: Make, write: Write, settings: Wish, monkeypatch: pytest.MonkeyPatch) -> None:
    root = repo({"a.py": "", "sub/.gitignore": "*.log\n"})
    write(root, {".git/info/exclude": "*.own\n", "b.own": "", "sub/c.log": "", "sub/d.py": ""})
    monkeypatch.setenv("PATH", "")
    assert [file.path for file in discover(settings(root)).files] == ["a.py", "sub/.gitignore", "sub/d.py"]
    assert [file.path for file in discover(settings(root / "sub")).files] == [".gitignore", "d.py"]
    assert find_root(root / "sub") == root


def test_folder_of_several_repositories(folder: Make, git: GitRun, settings: Wish) -> None:
    root = folder({"one/a.py": "", "two/b.py": "", "two/.gitignore": "*.log\n", "two/c.log": "", "d.md": ""})
    for name in ("one", "two"):
        git(root / name, "init", "-q")
    assert [file.path for file in discover(settings(root)).files] == ["d.md", "one/a.py", "two/.gitignore", "two/b.py"]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The commands of git that are started from here on."""
    started, start = list[str](), Git.start

    def note(self: Git, *arguments: str, reads_input: bool = False) -> GitProcess:
        started.append(arguments[0])
        return start(self, *arguments, reads_input=reads_input)

    monkeypatch.setattr(Git, "start", note)
    return started


def test_git_is_asked_once_where_there_is_no_repository(folder: Make, settings: Wish, asked: list[str]) -> None:
    root = folder({"a.py": "", "sub/b.py": ""})
    found = discover(settings(root))
    assert [file.path for file in found.files] == ["a.py", "sub/b.py"]
    assert not found.state.is_git
    assert asked == ["ls-files"]


def test_git_is_asked_where_its_index_is_only_where_that_may_be_anywhere(
    repo: Make, git: GitRun, settings: Wish, asked: list[str]
) -> None:
    root = repo({"a.py": "", "sub/b.py": ""})
    discover(settings(root))
    assert "rev-parse" not in asked
    git(root, "worktree", "add", "-q", "../other")
    for place in (root / "sub", root.parent / "other"):
        asked.clear()
        assert all(file.blob for file in discover(settings(place)).files)
        assert "rev-parse" in asked


PIECES = st.sampled_from(["a", "b", "ab", "*", "?", "**", "[ab]", "[!a]", "a*", "*b", "\\a", "[[:alpha:]]", "a.b", "["])
PATTERNS = st.builds(
    lambda negation, root, parts, end: f"{negation}{root}{'/'.join(parts)}{end}",
    st.sampled_from(["", "", "!"]),
    st.sampled_from(["", "", "/"]),
    st.lists(PIECES, min_size=1, max_size=3),
    st.sampled_from(["", "", "/", " ", "\\ ", "/**"]),
)
NAMES = ["a", "b", "ab", "a.b", "c"]


@pytest.fixture
def forest(folder: Make, git: GitRun) -> Path:
    """Every path of three of the names, so that any pattern finds something to hide."""
    files = {f"{one}/{two}/{three}": "" for one in NAMES[:3] for two in NAMES[:3] for three in NAMES}
    root = folder({**files, **{f"d{name}": "" for name in NAMES}, **{f"a/f{name}": "" for name in NAMES}})
    git(root, "init", "-q")
    return root


@tuned(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(PATTERNS, max_size=4), st.lists(PATTERNS, max_size=3), st.lists(PATTERNS, max_size=2))
def test_our_walk_agrees_with_git(forest: Path, top: list[str], middle: list[str], deep: list[str]) -> None:
    for place, lines in (("", top), ("a", middle), ("a/b", deep)):
        (forest / place / ".gitignore").write_bytes("\n".join(lines).encode())
    git = find_git(str(forest))
    assert git is not None
    expected = {found.path for found in list_worktree(git, use_gitignore=True).found}
    assert {found.path for found in list_by_walking(str(forest), Timekeeper(), use_gitignore=True).found} == expected


@pytest.mark.parametrize("pattern", ["[", "[a", "a\\", "[[:nonsense:]]"])
def test_invalid_patterns_match_nothing(pattern: str) -> None:
    assert translate(pattern) == "(?!)" or "(?!)" in translate(pattern)


def test_git_is_never_taken_from_the_repository(folder: Make, settings: Wish, monkeypatch: pytest.MonkeyPatch) -> None:
    root = folder({"a.py": "", "git": "#!/bin/sh\ntouch ran\n"})
    (root / "git").chmod(0o755)
    monkeypatch.setenv("PATH", "")
    monkeypatch.chdir(root)
    assert [file.path for file in discover(settings(root)).files] == ["a.py", "git"]
    assert not (root / "ran").exists()
