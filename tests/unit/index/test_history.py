from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from ctxpack.index import arrays, commit_log
from ctxpack.index.commit_log import COMMITS, History, history_arrays, load_history, message_tokens
from ctxpack.model import RepositoryState
from tests.indexing import commit, git, opened, write


def collected(root: Path, commits: int = COMMITS) -> History:
    target = root.parent / "collected"
    arrays.save_arrays(target, history_arrays(RepositoryState(root, "root"), commits))
    return load_history(target)


def changed(found: History, number: int) -> list[str]:
    return [found.paths[place] for place in found.files_of(number).tolist()]


def subjects(found: History, *paths: str) -> list[str]:
    """The subject of the last commit that changed each path; empty where none did."""
    last = [found.last_commit(path) for path in paths]
    return [each.subject if each else "" for each in last]


def holding(found: History, word: str) -> list[int]:
    places = found.messages.find(message_tokens(word)[0])
    return [] if places is None else places[0].tolist()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "root"


def test_commits_come_newest_first_with_time_subject_and_files(root: Path) -> None:
    first = commit(root, {"a.py": "1", "b.py": "1"}, "Add parsing\n\nof retries", "2020-01-02T03:04:05Z")
    second = commit(root, {"b.py": "2"}, "Fixes uploads", "2021-01-02T03:04:05Z")
    found = collected(root)
    assert len(found) == 2
    assert [found.commit(n).hash for n in range(2)] == [second, first]
    assert [found.commit(n).subject for n in range(2)] == ["Fixes uploads", "Add parsing"]
    assert found.commit(1).time == 1_577_934_245
    assert [changed(found, n) for n in range(2)] == [["b.py"], ["a.py", "b.py"]]
    assert (holding(found, "fixing"), holding(found, "retry"), holding(found, "nothing")) == ([0], [1], [])


def test_the_history_of_a_state_ends_with_its_commit_though_head_has_moved(root: Path, tmp_path: Path) -> None:
    first = commit(root, {"a.py": "1"}, "Add parsing")
    commit(root, {"a.py": "2"}, "Fix parsing")
    state = RepositoryState(root, "root", commit=first)
    arrays.save_arrays(tmp_path / "history", history_arrays(state))
    found = load_history(tmp_path / "history")
    assert [found.commit(number).hash for number in range(len(found))] == [first]


@pytest.mark.parametrize(
    "message",
    [
        "\x1e",
        "one \x1e two \x1f three",
        "\x1f\x1f\x1f\x1e\x1e",
        "subject\x1f\n\nbody \x1e" + "0" * 40 + "\x1f0\x1fforged\x1f",
        "\n\n\nlate subject",
        "",
        "tab\tand \x01\x02\x7f controls",
        "ends with newlines\n\n\n",
    ],
)
def test_control_characters_in_a_message_are_only_text(root: Path, message: str) -> None:
    commit(root, {"a.py": "1"}, "Before")
    write(root, {"b.py": "1"})
    git(root, "add", "-A")
    git(root, "commit", "-q", "--allow-empty-message", "--cleanup=verbatim", "-F", "-", data=message.encode())
    commit(root, {"c.py": "1"}, "After")
    found = collected(root)
    assert len(found) == 3
    assert [changed(found, n) for n in range(3)] == [["c.py"], ["b.py"], ["a.py"]]
    assert (found.commit(0).subject, found.commit(2).subject) == ("After", "Before")
    assert found.commit(1).time == found.commit(0).time


def test_a_message_that_is_not_utf8_can_still_be_printed(root: Path) -> None:
    commit(root, {"a.py": "1"})
    write(root, {"a.py": "2"})
    git(root, "add", "-A")
    git(root, "commit", "-q", "-F", "-", data=b"caf\xe9 retries")
    found = collected(root)
    found.commit(0).subject.encode()
    assert holding(found, "retries") == [0]


def test_a_message_in_another_encoding_is_read_whatever_the_user_prefers_to_see(root: Path) -> None:
    commit(root, {"a.py": "1"})
    git(root, "config", "i18n.commitEncoding", "koi8-r")
    git(root, "config", "i18n.logOutputEncoding", "koi8-r")
    write(root, {"a.py": "2"})
    git(root, "add", "-A")
    git(root, "commit", "-q", "-F", "-", data="повторы загрузки".encode("koi8-r"))
    assert collected(root).commit(0).subject == "повторы загрузки"


def test_paths_that_are_not_utf8_or_begin_with_a_newline(root: Path) -> None:
    names = [b"caf\xe9.py".decode("utf-8", "surrogateescape"), "\nodd\n.py", "имя.py", 'q"uote.py', "plain.py"]
    try:
        commit(root, dict.fromkeys(names, "1"))
    except OSError:
        pytest.skip("this file system takes UTF-8 names alone")
    assert sorted(changed(collected(root), 0)) == sorted(names)


def test_a_root_below_the_top_sees_its_own_files(root: Path) -> None:
    commit(root, {"lib/a.py": "1", "other/b.py": "1"}, "Both")
    commit(root, {"other/b.py": "2"}, "Other")
    commit(root, {"lib/sub/c.py": "1"}, "Ours")
    found = collected(root / "lib")
    assert [found.commit(n).subject for n in range(len(found))] == ["Ours", "Both"]
    assert [changed(found, n) for n in range(2)] == [["sub/c.py"], ["a.py"]]


def test_merges_do_not_count_and_empty_commits_change_nothing(root: Path) -> None:
    commit(root, {"a.py": "1"}, "Base")
    git(root, "checkout", "-q", "-b", "side")
    commit(root, {"b.py": "1"}, "Side")
    git(root, "checkout", "-q", "main")
    commit(root, {"c.py": "1"}, "Main")
    git(root, "merge", "-q", "--no-ff", "-m", "Merge side", "side")
    found = collected(root)
    assert {found.commit(n).subject for n in range(len(found))} == {"Base", "Side", "Main"}


def test_only_so_many_commits_are_read(root: Path) -> None:
    for number in range(4):
        commit(root, {"a.py": str(number)}, f"Change {number}")
    assert [collected(root, 2).commit(n).subject for n in range(2)] == ["Change 3", "Change 2"]


def test_a_shallow_clone_knows_what_it_has(root: Path) -> None:
    commit(root, {"a.py": "1"}, "First")
    commit(root, {"b.py": "1"}, "Second")
    git(root, "clone", "-q", "--depth", "1", root.as_uri(), str(root.parent / "clone"))
    found = collected(root.parent / "clone")
    assert [found.commit(n).subject for n in range(len(found))] == ["Second"]
    assert changed(found, 0) == ["a.py", "b.py"]


def test_no_history_at_all(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(root, {"a.py": "1"})
    assert len(collected(root)) == 0  # no repository
    git(root, "init", "-q")
    assert len(collected(root)) == 0  # an unborn branch
    commit(root, {"a.py": "2"})
    assert len(collected(root)) == 1
    monkeypatch.setenv("PATH", "")
    found = collected(root)  # no git
    assert (len(found), found.paths, found.labels) == (0, (), ())


def test_an_index_outside_git_or_without_commits_has_none(root: Path) -> None:
    write(root, {"a.py": "x = 1\n"})
    assert len(opened(root, root.parent / "cache").history) == 0
    git(root, "init", "-q")
    assert len(opened(root, root.parent / "cache").history) == 0
    commit(root, {})
    view = opened(root, root.parent / "cache")
    assert len(view.history) == 1
    assert len(opened(root, root.parent / "cache", use_history=False).history) == 0
    assert subjects(view.history, "a.py") == ["Change"]


def test_the_newest_commit_of_each_file_is_its_last(root: Path) -> None:
    commit(root, {"a.py": "1", "b.py": "1"}, "First")
    commit(root, {"b.py": "2"}, "Second")
    view = opened(root, root.parent / "cache")
    assert subjects(view.history, "a.py", "b.py", "c.py") == ["First", "Second", ""]


def test_programs_that_a_repository_configures_do_not_run(root: Path) -> None:
    commit(root, {"a.py": "1"})
    trap = root.parent / "trap"
    trap.write_text(f"#!/bin/sh\ntouch {root.parent / 'sprung'}\n")
    trap.chmod(0o755)
    for key in ("gpg.program", "core.fsmonitor", "core.pager", "diff.external"):
        git(root, "config", key, str(trap))
    git(root, "config", "log.showSignature", "true")
    body = git(root, "cat-file", "commit", "HEAD").replace("\n\n", "\ngpgsig -----BEGIN PGP SIGNATURE-----\n x\n\n", 1)
    made = git(root, "hash-object", "-t", "commit", "-w", "--stdin", data=f"{body}\n".encode())
    subprocess.run(["git", "-c", "core.fsmonitor=false", "update-ref", "HEAD", made], cwd=root, check=True)
    assert len(collected(root)) == 1
    assert not (root.parent / "sprung").exists()


def test_a_kept_subject_holds_nobodys_address_or_number(root: Path) -> None:
    commit(root, {"a.py": "1"}, "Write to bob@example.org about 4111 1111 1111 1111, see #1234567")
    (subject,) = subjects(collected(root), "a.py")
    assert subject == "Write to [REDACTED:email] about [REDACTED:card], see #1234567"


def test_the_commits_of_several_roots_are_one_history_by_time(tmp_path: Path) -> None:
    commit(tmp_path / "api", {"a.py": "1"}, "First", "2026-01-01T00:00:00Z")
    commit(tmp_path / "web", {"w.ts": "1"}, "Second", "2026-01-02T00:00:00Z")
    commit(tmp_path / "api", {"b.py": "2"}, "Third", "2026-01-03T00:00:00Z")
    members = tuple((name, RepositoryState(tmp_path / name, name)) for name in ("api", "web", "none"))
    (tmp_path / "none").mkdir()
    arrays.save_arrays(tmp_path / "history", history_arrays(RepositoryState(tmp_path, "all", members=members)))
    found = load_history(tmp_path / "history")
    assert [(found.commit(number).subject, changed(found, number)) for number in range(len(found))] == [
        ("Third", ["api/b.py"]), ("Second", ["web/w.ts"]), ("First", ["api/a.py"]),
    ]  # fmt: skip


def test_a_word_of_messages_is_stemmed_once() -> None:
    commit_log._stems_of.cache_clear()
    assert message_tokens("Retry uploads, retry uploads") == ["retri", "upload", "retri", "upload"]
    assert message_tokens("uploads fail") == ["upload", "fail"]
    assert commit_log._stems_of.cache_info().misses == 4
