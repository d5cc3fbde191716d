"""The why-not command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.building import retry_module
from tests.cli.conftest import Ctxpack
from tests.indexing import commit


@pytest.fixture
def root(tmp_path: Path) -> Path:
    files = {
        "uploader.py": retry_module("uploader_retry"),
        "other.py": retry_module("other_retry"),
        "paint.py": "x = 1\n",
        "logs/a.log": "retry\n",
        ".gitignore": "logs/\n",
    }
    commit(tmp_path / "repo", files, "Start it")
    return tmp_path / "repo"


def test_a_hidden_file_names_its_rule_and_the_advice_brings_it_back(ctxpack: Ctxpack, root: Path) -> None:
    outcome = ctxpack("why-not", "logs/a.log", "retry", "delay", "--root", str(root))
    assert outcome.status == 0, outcome.err
    said, advice = outcome.out.splitlines()
    assert said.startswith("logs/a.log is not searched: ")
    assert ".gitignore" in said
    assert advice == "To include it, change that rule or write !/logs/ into .ctxpackignore."
    (root / ".ctxpackignore").write_text("!/logs/\n")
    assert "is not searched" not in ctxpack("why-not", "logs/a.log", "retry delay", "--root", str(root)).out


@pytest.mark.parametrize(
    ("flags", "advice"),
    [
        (("--exclude", "paint.py"), "Leave that pattern out of --exclude and of the configuration."),
        (("--include", "other.py"), "Add the file with another --include."),
        (("--max-file-size", "3"), "Raise the limit with --max-file-size."),
    ],
)
def test_each_rule_has_its_advice(ctxpack: Ctxpack, root: Path, flags: tuple[str, str], advice: str) -> None:
    (root / "tiny.py").write_text("a")
    (root / "other.py").write_text("b")
    assert ctxpack("why-not", "paint.py", "retry", "--root", str(root), *flags).out.splitlines()[1] == advice


def test_a_packed_file_shows_its_pieces(ctxpack: Ctxpack, root: Path) -> None:
    out = ctxpack("why-not", "uploader.py", "uploader retry delay", "--root", str(root)).out
    assert out.startswith("uploader.py is in the pack of 8,000 tokens:\n  uploader.py:")
    assert "It is number 1 of 2 files with matches (" in out
    assert "subtokens: " in out
    assert "To include it" not in out


def test_a_file_that_missed_says_what_it_takes(ctxpack: Ctxpack, root: Path) -> None:
    text = "change the retry delay of each attempt in the uploader"
    asked = ("why-not", "other.py", text, "--root", str(root), "-b", "500")
    out = ctxpack(*asked).out
    assert out.startswith("other.py is not in the pack of 500 tokens.\nIt is number 2 of 2 files with matches (")
    assert "The weakest piece in the pack has score " in out
    document = json.loads(ctxpack(*asked, "--format", "json").out)
    assert "".join(f"{line}\n" for line in document["sentences"]) == out
    assert (document["searched"], document["in_pack"], document["pieces"]) == (True, False, [])
    assert document["enough_budget"] > 500
    assert f"A budget of {document['enough_budget']:,} tokens includes it.\n" in out
    assert document["best"]["rank"] == 2
    assert document["weakest_score"] > 0


def test_a_file_without_a_match_says_so(ctxpack: Ctxpack, root: Path) -> None:
    out = ctxpack("why-not", "paint.py", "uploader retry delay", "--root", str(root)).out
    assert "It contains too few words of the request.\n" in out
    assert out.endswith("or run: ctxpack file paint.py\n")
    nothing = ctxpack("why-not", "paint.py", "zzyzx", "--root", str(root))
    assert nothing.status == 0
    assert "Nothing in the repository matches the request.\n" in nothing.out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("uploade.py", "retry"), "There is no file uploade.py"),
        (("logs", "retry"), "logs is a folder."),
        (("paint.py", " "), "The request is empty."),
        (("paint.py", "retry", "--format", "xml"), "--format must be plain or json for this command, not 'xml'."),
    ],
)
def test_what_cannot_be_explained_is_a_wrong_request(
    ctxpack: Ctxpack, root: Path, arguments: tuple[str, ...], sentence: str
) -> None:
    outcome = ctxpack("why-not", *arguments, "--root", str(root))
    assert (outcome.status, outcome.out) == (2, "")
    assert sentence in outcome.err


def test_the_request_may_stand_before_the_file(ctxpack: Ctxpack, root: Path) -> None:
    usual = ctxpack("why-not", "uploader.py", "uploader retry delay", "--root", str(root)).out
    assert ctxpack("why-not", "uploader retry delay", "uploader.py", "--root", str(root)).out == usual
    assert "There is no file missing.py" in ctxpack("why-not", "missing.py", "retry", "--root", str(root)).err
