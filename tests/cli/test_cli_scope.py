"""What a new user stumbles over: lists of files, folders within a repository, bare ones, names without a folder."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.cli.conftest import Ctxpack
from tests.indexing import commit, git

Make = Callable[[Mapping[str, str]], Path]

FILES = {
    "app/session.py": "def open_session(name):\n    return name\n",
    "app/stack.py": "def push(item):\n    return [item]\n",
    "ci/build.yaml": "steps:\n  - run: make\n",
    "notes/plan.md": "# Plan\n\nNothing yet.\n",
}


def test_every_listed_file_is_in_the_pack(program: Ctxpack, repository: Make) -> None:
    listed = "\n".join(FILES).encode()
    outcome = program(
        "task", "open a session", "--stdin", "--format", "json", "--root", str(repository(FILES)), stdin=listed
    )
    assert outcome.status == 0, outcome.err
    assert {each["path"] for each in json.loads(outcome.out)["fragments"]} == set(FILES)


def test_a_list_needs_no_word_that_matches(program: Ctxpack, repository: Make) -> None:
    outcome = program("task", "zebra", "--stdin", "--root", str(repository(FILES)), stdin=b"app/stack.py\n")
    assert outcome.status == 0, outcome.err
    assert "def push" in outcome.out


@pytest.mark.parametrize(
    ("written", "meant"),
    [("session.py", "app/session.py"), ("src/session.py", "app/session.py"), ("app/sesion.py", "app/session.py")],
)
def test_a_file_of_another_folder_is_suggested(ctxpack: Ctxpack, repository: Make, written: str, meant: str) -> None:
    outcome = ctxpack("file", written, "--root", str(repository(FILES)))
    assert outcome.status == 2
    assert f"Did you mean {meant}?" in outcome.err


def test_a_file_that_is_too_big_names_the_flag_that_helps(ctxpack: Ctxpack, repository: Make) -> None:
    outcome = ctxpack("file", "big.py", "--root", str(repository({"big.py": "x = 1\n" * 300_000})))
    assert outcome.status == 2
    assert "Raise the limit with --max-file-size." in outcome.err


def test_a_bare_repository_is_called_one(ctxpack: Ctxpack, tmp_path: Path) -> None:
    commit(tmp_path / "full", FILES)
    subprocess.run(["git", "clone", "-q", "--bare", "full", "bare.git"], cwd=tmp_path, check=True)
    outcome = ctxpack("task", "open a session", "--root", str(tmp_path / "bare.git"))
    assert outcome.status == 2
    assert "is a bare repository" in outcome.err


def test_within_a_folder_of_a_repository_the_scope_is_said(program: Ctxpack, tmp_path: Path) -> None:
    root = tmp_path / "house"
    commit(root, FILES)
    inside = program("search", "push an item", folder=root / "notes")
    assert "../app/stack.py:" in inside.out
    assert "searching the whole repository house" in inside.err
    narrowed = program("task", "push an item", "--root", ".", folder=root / "app")
    assert "house/app" in narrowed.out
    assert "the whole repository" not in narrowed.err
    assert "the whole repository" not in program("search", "push an item", folder=root).err


def test_the_diff_of_a_clean_tree_speaks_of_commits(ctxpack: Ctxpack, tmp_path: Path) -> None:
    root = tmp_path / "house"
    commit(root, FILES)
    commit(root, {"app/stack.py": "def push(item):\n    return [item, item]\n"}, "Push twice")
    outcome = ctxpack("diff", "HEAD~1", "--root", str(root))
    assert "HEAD~1..HEAD" in outcome.out
    assert "uncommitted" not in outcome.out
    assert ".git:" not in outcome.out
    (root / "notes/plan.md").write_text("# Plan\n\nMore.\n", encoding="utf-8")
    mixed = ctxpack("diff", "HEAD~1", "--root", str(root), "--format", "json")
    dirty = {
        each["path"]: each["dirty"] for each in json.loads(mixed.out)["fragments"] if each["strategy"] == "changes"
    }
    assert (dirty["notes/plan.md"], dirty["app/stack.py"]) == (True, False)


def test_of_a_change_nothing_is_said_to_be_missing(ctxpack: Ctxpack, tmp_path: Path) -> None:
    root = tmp_path / "house"
    commit(root, FILES)
    commit(root, {"app/stack.py": "def push(item):\n    return [item, item]\n"}, "Zwiebelfisch quux (#48151)")
    outcome = ctxpack("diff", "HEAD~1", "--root", str(root))
    assert "Nowhere in the repository" not in outcome.out
    assert "may not contain" not in outcome.out
    assert "Nowhere in the repository" in ctxpack("task", "where is the zwiebelfisch pushed", "--root", str(root)).out


def test_a_diff_takes_no_test_of_a_namesake(ctxpack: Ctxpack, tmp_path: Path) -> None:
    root = tmp_path / "house"
    go = "package {0}\n\nfunc Parse{1}(text string) string {{\n\treturn text\n}}\n"
    test = 'package {0}\n\nimport "testing"\n\nfunc TestParse{1}(t *testing.T) {{\n\tParse{1}("x")\n}}\n'
    files = {
        "red/util.go": go.format("red", "Red"),
        "blue/util.go": go.format("blue", "Blue"),
        "blue/util_test.go": test.format("blue", "Blue"),
    }
    commit(root, files)
    git(root, "tag", "before")
    commit(root, {"red/util.go": files["red/util.go"].replace("return text", "return text + text")})
    outcome = ctxpack("diff", "before", "--root", str(root), "--format", "json")
    found = [each["path"] for each in json.loads(outcome.out)["fragments"] if each["strategy"] == "tests"]
    assert "blue/util_test.go" not in found


def test_a_component_is_a_part_of_the_project_and_no_folder_of_data(ctxpack: Ctxpack, repository: Make) -> None:
    files = {
        "data/search/words.json": '{"words": ["one", "two"]}\n',
        "app/search_index.py": "def search_words(text):\n    return text.split()\n",
        "app/search_query.py": "from app.search_index import search_words\n\n\ndef ask(text):\n    return text\n",
    }
    outcome = ctxpack("component", "search", "--root", str(repository(files)), "--format", "json")
    found = [each["path"] for each in json.loads(outcome.out)["fragments"] if each["strategy"] == "component"]
    assert found[0].startswith("app/search_")
