"""What the user names is found, or it is said why not."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from ctxpack.cli.inputs import parse_paths, path_in_root, request_text, settings_of
from ctxpack.cli.options import Flags, flags_of
from ctxpack.errors import UsageError
from ctxpack.model import Places
from tests.cli.conftest import Ctxpack


def test_words_need_no_quotes() -> None:
    assert request_text(["fix", "the", "bug"], Flags()) == "fix the bug"


@pytest.mark.parametrize("words", [[""], [" ", "\n"]])
def test_empty_request_is_refused(words: list[str]) -> None:
    with pytest.raises(UsageError, match="The request is empty"):
        request_text(words, Flags())


def test_path_may_be_relative_to_the_root_or_to_the_current_folder(demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert path_in_root(Places(demo), "utils/backoff.py") == "utils/backoff.py"
    assert path_in_root(Places(demo), str(demo / "utils" / "backoff.py")) == "utils/backoff.py"
    monkeypatch.chdir(demo / "utils")
    assert path_in_root(Places(demo), "backoff.py") == "utils/backoff.py"
    assert path_in_root(Places(demo), "../processing/queue.py") == "processing/queue.py"
    assert path_in_root(Places(demo), "processing/queue.py") == "processing/queue.py"


@pytest.mark.parametrize(
    ("written", "sentence", "hint"),
    [
        ("", "The path is empty.", ""),
        (
            "processing/uplaoder.py",
            "There is no file processing/uplaoder.py in",
            "Did you mean processing/uploader.py?",
        ),
        ("zzz/no such.rs", "There is no file zzz/no such.rs in", ": ctxpack search 'no such'"),
        ("processing", "processing is a folder.", "ctxpack component processing"),
        ("../outside.py", "../outside.py is outside the repository", "--root"),
    ],
)
def test_path_that_cannot_be_meant(demo: Path, written: str, sentence: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        path_in_root(Places(demo), written)
    assert sentence in str(caught.value)
    assert hint in caught.value.hint


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_links_do_not_lead_outside(demo: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.py").write_text("")
    (demo / "way_out").symlink_to(tmp_path)
    (tmp_path / "way_in").symlink_to(demo)
    with pytest.raises(UsageError, match="outside the repository"):
        path_in_root(Places(demo), "way_out/secret.py")
    assert path_in_root(Places(demo), str(tmp_path / "way_in" / "utils" / "log.py")) == "utils/log.py"


def test_file_lists(demo: Path) -> None:
    places = Places(demo)
    assert parse_paths(places, b"utils/log.py\r\nAGENTS.md\nutils/log.py\n", null=False) == (
        "AGENTS.md",
        "utils/log.py",
    )
    assert parse_paths(places, b"two\nlines\0AGENTS.md\0", null=True) == ("AGENTS.md", "two\nlines")
    with pytest.raises(UsageError, match="no file names"):
        parse_paths(places, b"\n", null=False)
    with pytest.raises(UsageError, match="outside"):
        parse_paths(places, b"/etc/passwd\n", null=False)


@pytest.mark.skipif(sys.platform != "linux", reason="only there a name may be any bytes")
def test_file_lists_keep_names_that_are_not_utf8(demo: Path) -> None:
    (name,) = parse_paths(Places(demo), b"caf\xe9.py", null=True)
    assert os.fsencode(name) == b"caf\xe9.py"


def test_root_is_the_repository_around_the_current_folder(demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(demo / "docs")
    assert settings_of(Flags()).root == demo / "docs"
    (demo / ".git").mkdir()
    assert settings_of(Flags()).root == demo
    assert settings_of(Flags(root=["wiki"])).root == demo / "docs" / "wiki"


def test_flags_become_settings(demo: Path) -> None:
    typed = {"include": ["a,b", "c"], "budget": "2k", "use_history": True, "line_numbers": True, "use_tree": False}
    settings = settings_of(flags_of({**typed, "root": [str(demo)], "use_redaction": True}), limit="5")
    assert (settings.include, settings.budget, settings.limit) == (("a", "b", "c"), 2000, 5)
    assert (settings.use_history, settings.line_numbers, settings.use_redaction) == (False, True, False)
    assert settings.use_tree
    assert settings.origins["use_history"] == "--no-history"


def test_a_cache_that_cannot_be_written_is_told_and_done_without(
    ctxpack: Ctxpack, demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = tmp_path / "taken"
    taken.write_text("a file where the cache folder should be")
    monkeypatch.setenv("CTXPACK_CACHE_DIR", str(taken))
    outcome = ctxpack("search", "retry", "--root", str(demo), "--limit", "1")
    assert (outcome.status, outcome.out.count("\n")) == (0, 2)
    assert outcome.err == f"Note: {taken} cannot be written, so every run reads the whole repository again.\n"
    assert taken.is_file()
