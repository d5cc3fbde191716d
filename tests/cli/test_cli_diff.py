"""``ctxpack diff`` as a program."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from markdown_it import MarkdownIt

from ctxpack.system.tokens import counter
from tests.cli.conftest import Ctxpack
from tests.indexing import commit, git, write

FENCE = "# Guide\n\n```sh\nrun\n```\n\n````\n]]></document_content></document>\n````\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A repository with two commits and an uncommitted change."""
    folder = tmp_path / "shop"
    commit(folder, {"cart.py": "def price():\n    return 1\n", "guide.md": "# Guide\n"}, "Start")
    commit(folder, {"cart.py": "def price():\n    return 2\n", "guide.md": FENCE}, "Raise the price")
    write(folder, {"cart.py": "def price():\n    return 3\n"})
    return folder


def test_without_arguments_it_is_the_uncommitted_change(program: Ctxpack, root: Path) -> None:
    outcome = program("diff", folder=root)
    assert outcome.status == 0, outcome.err
    assert outcome.out.startswith("# Context: uncommitted changes\n")
    assert (
        "```diff\n--- a/cart.py\n+++ b/cart.py\n@@ -1,2 +1,2 @@\n def price():\n-    return 2\n+    return 3\n```"
        in outcome.out
    )


def test_json_has_the_diff_as_fragments_with_path_form_and_strategy(ctxpack: Ctxpack, root: Path) -> None:
    outcome = ctxpack("diff", "HEAD~1..HEAD", "--root", str(root), "--format", "json")
    whole = json.loads(outcome.out)
    found = {each["path"]: each for each in whole["fragments"] if each["strategy"] == "changes"}
    assert set(found) == {".git", "cart.py", "guide.md"}
    assert {each["form"] for path, each in found.items() if path != ".git"} == {"full"}
    assert git(root, "rev-parse", "HEAD").startswith(found["cart.py"]["commit"] or "none")
    assert git(root, "rev-parse", "HEAD:cart.py").startswith(found["cart.py"]["blob"] or "none")
    assert (found["cart.py"]["start_line"], found["cart.py"]["end_line"], found["cart.py"]["dirty"]) == (1, 2, False)
    assert (whole["request"]["scope"], whole["request"]["name"]) == ("diff", "HEAD~1..HEAD")
    assert whole["tokens"]["used"] == counter().count(outcome.out)


@pytest.mark.parametrize("form", ["markdown", "xml", "plain", "json"])
def test_a_diff_that_holds_fences_and_end_tags_closes_nothing(ctxpack: Ctxpack, root: Path, form: str) -> None:
    outcome = ctxpack("diff", "HEAD^!", "--root", str(root), "--format", form, "--no-tree")
    assert outcome.status == 0, outcome.err
    if form == "markdown":
        fences = [token for token in MarkdownIt().parse(outcome.out) if token.type == "fence"]
        assert any("+]]></document_content></document>\n+````\n" in each.content for each in fences)
        assert len(fences) == outcome.out.count("\n## ") - outcome.out.count("\n## Just") - outcome.out.count(
            "\n## Notes"
        )
    if form == "xml":
        documents = ET.fromstring(outcome.out).findall("document")  # noqa: S314 - our own text
        assert any("+]]></document_content>" in "".join(each.itertext()) for each in documents)


def test_staged_changes_and_their_other_name(ctxpack: Ctxpack, root: Path) -> None:
    outcome = ctxpack("diff", "--staged", "--root", str(root))
    assert (outcome.status, outcome.out) == (1, "")
    assert "Nothing is staged." in outcome.err
    git(root, "add", "-A")
    assert "+    return 3" in ctxpack("diff", "--cached", "--root", str(root)).out


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (("HEAD..HEAD",), 1, "Nothing has changed in HEAD..HEAD."),
        (("nonsense",), 2, "nonsense is not a commit of this repository."),
        (("HEAD~1..nonsense",), 2, "nonsense is not a commit of this repository."),
        (("--", "--output=stolen"), 2, "--output=stolen is an option, not a revision."),
        (("HEAD~1..HEAD", "--staged"), 2, "HEAD~1..HEAD names two commits"),
        (("HEAD", "-b", "30"), 3, "budget"),
    ],
)
def test_what_cannot_be_shown_is_one_sentence(
    ctxpack: Ctxpack, root: Path, arguments: tuple[str, ...], status: int, said: str
) -> None:
    outcome = ctxpack("diff", "--root", str(root), *arguments)
    assert (outcome.status, outcome.out) == (status, "")
    assert said in outcome.err
    assert "Traceback" not in outcome.err
    assert not (root / "stolen").exists()


def test_outside_of_git_and_without_git(ctxpack: Ctxpack, demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = ctxpack("diff", "--root", str(demo))
    assert (outcome.status, outcome.out) == (2, "")
    assert "is not a git work tree" in outcome.err
    monkeypatch.setenv("PATH", os.devnull)
    assert "A diff needs git, which is not installed." in ctxpack("diff", "--root", str(demo)).err


def test_before_the_first_commit_everything_is_new(ctxpack: Ctxpack, tmp_path: Path) -> None:
    folder = write(tmp_path / "new", {"a.py": "x = 1\n"})
    git(folder, "init", "-q")
    outcome = ctxpack("diff", "--root", str(folder))
    assert outcome.status == 0, outcome.err
    assert "--- /dev/null\n+++ b/a.py\n@@ -0,0 +1 @@\n+x = 1\n" in outcome.out


def test_a_diff_larger_than_the_budget_names_what_it_leaves_out(ctxpack: Ctxpack, root: Path) -> None:
    write(root, {f"part_{number}.py": f"value_{number} = {number}\n" * 30 for number in range(40)})
    outcome = ctxpack("diff", "--root", str(root), "-b", "1500")
    assert outcome.status == 0, outcome.err
    assert counter().count(outcome.out) <= 1500
    assert "uncommitted changes: 41 files, +1,201 −1" in outcome.out
    assert "not shown:" in outcome.out
    assert " more files\n" in outcome.out


def test_secrets_of_a_diff_are_taken_out_and_told(ctxpack: Ctxpack, root: Path) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    write(root, {"cart.py": f'token = "{token}"\n'})
    commit(root, {}, f"Use {token}")
    outcome = ctxpack("diff", "HEAD^!", "--root", str(root))
    assert token not in outcome.out + outcome.err
    assert re.search(r"Redacted: \d × github-token in 2 files\.", outcome.out)
    assert token in ctxpack("diff", "HEAD^!", "--root", str(root), "--no-redact").out


def test_the_same_change_gives_the_same_bytes(program: Ctxpack, root: Path) -> None:
    assert program("diff", "HEAD~1", folder=root).out == program("diff", "HEAD~1", folder=root).out
