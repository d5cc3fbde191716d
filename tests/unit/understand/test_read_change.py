"""Diffs of real repositories, with all that git has in store."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from ctxpack.errors import NothingFoundError, UsageError
from ctxpack.index.opening import open_repository
from ctxpack.model import Request, Scope
from ctxpack.settings import Settings
from ctxpack.understand.change import Change, FileChange
from ctxpack.understand.read import read_change
from tests.indexing import commit, git, write

ReadChange = Callable[..., Change]


@pytest.fixture
def changed(tmp_path: Path) -> Iterator[ReadChange]:
    """A function: a revision of the repository ``repo`` -> its Change; keywords are settings, or ``is_staged``."""
    with ExitStack() as stack:

        def read(revision: str = "", *, is_staged: bool = False, **wishes: object) -> Change:
            folder = tmp_path / "repo"
            settings = Settings(root=folder, cache_dir=tmp_path / "cache", **wishes)  # type: ignore[arg-type]
            view = stack.enter_context(open_repository(settings))
            return read_change(Request(Scope.DIFF, revision=revision, is_staged=is_staged), settings, view)

        yield read


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A repository with one commit."""
    folder = tmp_path / "repo"
    commit(folder, {"a.py": "def one():\n    return 1\n", "b.md": "# B\n", "c.bin": b"\0\1\2" * 50}, "Start")
    return folder


def by_path(change: Change) -> dict[str, FileChange]:
    return {file.path: file for file in change.files}


def text(file: FileChange) -> str:
    return "".join(hunk.text() for hunk in file.hunks)


def test_without_a_revision_it_is_all_that_is_not_committed(root: Path, changed: ReadChange) -> None:
    write(root, {"a.py": "def one():\n    return 2\n", "new.py": "x = 1\n", "s.py": "staged = 1\n"})
    git(root, "add", "s.py")
    change = changed()
    assert (change.title, change.counts) == ("uncommitted changes", "3 files, +3 −1")
    assert {path: file.status for path, file in by_path(change).items()} == {"a.py": "M", "s.py": "A", "new.py": "A"}
    assert text(by_path(change)["new.py"]) == "@@ -0,0 +1 @@\n+x = 1\n"
    assert not change.messages


def test_staged_is_what_the_next_commit_would_hold(root: Path, changed: ReadChange) -> None:
    write(root, {"a.py": "def one():\n    return 2\n"})
    git(root, "add", "a.py")
    write(root, {"a.py": "def one():\n    return 3\n", "new.py": "x = 1\n"})
    (file,) = changed(is_staged=True).files
    assert "+    return 2" in text(file)


def test_a_revision_is_compared_with_the_files_and_a_range_with_its_end(root: Path, changed: ReadChange) -> None:
    commit(root, {"a.py": "def one():\n    return 2\n"}, "Two\n\nBecause.\n\nSigned-off-by: A <a@b>")
    write(root, {"b.md": "# C\n"})
    assert set(by_path(changed("HEAD~1"))) == {"a.py", "b.md"}
    ranged = changed("HEAD~1..HEAD")
    assert set(by_path(ranged)) == {"a.py"} == set(by_path(changed("HEAD^!")))
    assert [(each.subject, each.body) for each in ranged.messages] == [("Two", "Because.")]
    assert by_path(changed("HEAD^!"))["a.py"].new_blob == git(root, "rev-parse", "HEAD:a.py")


def test_three_dots_compare_with_the_fork(root: Path, changed: ReadChange) -> None:
    git(root, "checkout", "-q", "-b", "topic")
    commit(root, {"t.py": "t = 1\n"}, "Topic")
    git(root, "checkout", "-q", "main")
    commit(root, {"m.py": "m = 1\n"}, "Main")
    assert set(by_path(changed("main...topic"))) == {"t.py"}
    assert set(by_path(changed("main..topic"))) == {"t.py", "m.py"}
    git(root, "checkout", "-q", "--orphan", "other")
    git(root, "commit", "-q", "-m", "Alone")
    with pytest.raises(UsageError, match="share no commit"):
        changed("main...other")


def test_the_first_commit_and_no_commit_at_all(root: Path, changed: ReadChange) -> None:
    first = changed("HEAD^!")
    assert {file.status for file in first.files} == {"A"}
    assert [each.subject for each in first.messages] == ["Start"]
    git(root, "checkout", "-q", "--orphan", "empty")
    assert set(by_path(changed())) == {"a.py", "b.md", "c.bin"} == set(by_path(changed(is_staged=True)))


def test_a_merge_shows_what_it_brought(root: Path, changed: ReadChange) -> None:
    git(root, "checkout", "-q", "-b", "topic")
    commit(root, {"t.py": "t = 1\n"}, "Topic")
    git(root, "checkout", "-q", "main")
    commit(root, {"m.py": "m = 1\n"}, "Main")
    git(root, "merge", "-q", "--no-edit", "topic")
    change = changed("HEAD^!")
    assert set(by_path(change)) == {"t.py"}
    assert [each.subject for each in change.messages] == ["Topic"]


def test_a_conflict_is_shown_as_it_stands_in_the_file(root: Path, changed: ReadChange) -> None:
    git(root, "checkout", "-q", "-b", "topic")
    commit(root, {"a.py": "def one():\n    return 5\n"}, "Topic")
    git(root, "checkout", "-q", "main")
    commit(root, {"a.py": "def one():\n    return 6\n"}, "Main")
    with pytest.raises(Exception, match="merge"):
        git(root, "merge", "topic")
    assert "+<<<<<<< HEAD" in text(by_path(changed())["a.py"])
    assert by_path(changed(is_staged=True))["a.py"].remark == "has conflicts"


def test_renames_modes_binaries_and_empty_files_are_named(root: Path, changed: ReadChange) -> None:
    commit(root, {"long.py": "".join(f"line_{number} = {number}\n" for number in range(20)), "run.sh": "echo 1\n"})
    git(root, "mv", "b.md", "moved.md")
    git(root, "mv", "long.py", "longer.py")
    (root / "longer.py").write_text((root / "longer.py").read_text().replace("line_3 = 3", "line_3 = 33"))
    (root / "run.sh").chmod(0o755)
    write(root, {"c.bin": b"\0\1" * 500, "empty.py": ""})
    git(root, "add", "-A")
    commit(root, {})
    found = by_path(changed("HEAD^!"))
    assert found["moved.md"].remark == "renamed from b.md, otherwise unchanged"
    assert (found["longer.py"].old_path, found["longer.py"].counts) == ("long.py", "+1 −1")
    assert found["run.sh"].remark == "only the file mode differs"
    assert found["c.bin"].remark == "binary, 150 bytes → 1 kB"
    assert found["empty.py"].remark == "empty file"


def test_a_link_that_becomes_a_file_is_one_change(root: Path, changed: ReadChange) -> None:
    (root / "link").symlink_to("a.py")
    commit(root, {}, "Link")
    (root / "link").unlink()
    commit(root, {"link": "now = 'text'\n"}, "File")
    (file,) = changed("HEAD^!").files
    assert (file.status, file.added, file.removed) == ("T", 1, 1)
    assert "-a.py" in text(file)
    assert "+now = 'text'" in text(file)


def test_a_submodule_is_named_with_its_commits(root: Path, tmp_path: Path, changed: ReadChange) -> None:
    inner = tmp_path / "inner"
    first = commit(inner, {"x.py": "x = 1\n"}, "Inner")
    git(root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner), "vendor/x")
    commit(root, {}, "Add it")
    assert by_path(changed("HEAD^!"))["vendor/x"].remark == f"submodule nothing → {first[:8]}"


def test_line_ends_are_no_change_to_look_at(root: Path, changed: ReadChange) -> None:
    commit(root, {"dos.py": b"a = 1\r\nb = 2\r\n"}, "Dos")
    write(root, {"dos.py": b"a = 1\r\nb = 3\r\n"})
    assert text(by_path(changed())["dos.py"]) == "@@ -1,2 +1,2 @@\n a = 1\n-b = 2\n+b = 3\n"
    write(root, {"dos.py": b"a = 1\nb = 2\n"})
    assert by_path(changed())["dos.py"].remark == "only line endings differ"


@pytest.mark.skipif(os.name == "nt", reason="names are Unicode there")
def test_names_of_any_bytes(root: Path, changed: ReadChange) -> None:
    odd = os.fsdecode(b'caf\xe9 "x"\t.py')
    commit(root, {odd: "x = 1\n"}, "Odd")
    write(root, {odd: "x = 2\n", "-dash.py": "y = 1\n"})
    found = by_path(changed())
    assert set(found) == {odd, "-dash.py"}
    assert "+x = 2" in text(found[odd])


def test_only_what_the_user_wants_to_see(root: Path, changed: ReadChange) -> None:
    commit(root, {".ctxpackignore": "hidden/\n", "hidden/a.py": "a = 1\n"}, "More")
    write(root, {"hidden/a.py": "a = 2\n", "a.py": "x = 1\n", "b.md": "# C\n"})
    assert by_path(changed())["hidden/a.py"].remark.startswith("ignored by")
    assert not by_path(changed())["hidden/a.py"].hunks
    assert by_path(changed(exclude=("*.md",)))["b.md"].remark == 'excluded by --exclude: "*.md"'
    assert set(by_path(changed(paths=("a.py",)))) == {"a.py"}


def test_a_folder_of_a_repository_shows_its_own_changes(root: Path, tmp_path: Path) -> None:
    commit(root, {"sub/x.py": "x = 1\n"}, "Sub")
    write(root, {"sub/x.py": "x = 2\n", "a.py": "gone = 1\n", "sub/new.py": "n = 1\n"})
    settings = Settings(root=root / "sub", cache_dir=tmp_path / "cache")
    with open_repository(settings) as view:
        assert set(by_path(read_change(Request(Scope.DIFF), settings, view))) == {"x.py", "new.py"}


def test_the_configuration_of_a_repository_neither_runs_nor_changes_anything(root: Path, changed: ReadChange) -> None:
    write(root, {"a.py": "def one():\n    return 2\n"})
    before = changed()
    ran = root.parent / "ran"
    program = f"touch {ran}; cat"
    for key, value in {
        "diff.external": f"touch {ran}", "diff.x.command": f"touch {ran}", "diff.x.textconv": program,
        "filter.x.clean": program, "filter.x.smudge": program, "filter.x.required": "true", "core.fsmonitor": program,
        "core.pager": program, "diff.noprefix": "true", "diff.mnemonicPrefix": "true", "diff.context": "9",
        "diff.algorithm": "patience", "color.ui": "always", "color.diff": "always", "diff.renames": "false",
        "diff.orderFile": "a.py", "diff.submodule": "log", "diff.suppressBlankEmpty": "true", "core.quotePath": "true",
        "log.showSignature": "true", "gpg.program": program, "diff.interHunkContext": "50", "diff.relative": "true",
        "diff.statGraphWidth": "1", "blame.ignoreRevsFile": "a.py", "format.pretty": "oneline",
    }.items():  # fmt: skip
        git(root, "config", key, value)
    (root / ".git" / "info" / "attributes").write_text("*.py diff=x filter=x\n")
    assert changed() == before
    assert not ran.exists()


def test_a_private_key_stays_private_where_only_its_middle_is_in_the_diff(root: Path, changed: ReadChange) -> None:
    rows = [f"{number:02}" + "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWY" for number in range(30)]

    def key(rows: list[str]) -> str:
        begin, end = (f"-----{word} RSA PRIVATE KEY-----" for word in ("BEGIN", "END"))
        return "\n".join(["the key:", begin, *rows, end, ""])

    commit(root, {"key.txt": key(rows)}, "Key")
    rows[15] = "XX" + rows[15][2:]
    write(root, {"key.txt": key(rows)})
    shown = text(by_path(changed())["key.txt"])
    assert "QUJD" not in shown
    assert "QUJD" in text(by_path(changed(use_redaction=False))["key.txt"])


@pytest.mark.usefixtures("root")
def test_what_cannot_be_compared_is_said(tmp_path: Path, changed: ReadChange) -> None:
    with pytest.raises(NothingFoundError, match="Nothing has changed since the last commit"):
        changed()
    with pytest.raises(NothingFoundError, match=r"Nothing has changed in HEAD\.\.HEAD"):
        changed("HEAD..HEAD")
    for revision in ("nonsense", "HEAD..nonsense", "a\0b", "HEAD~99", "HEAD^{tree}x"):
        with pytest.raises(UsageError, match="is not a commit"):
            changed(revision)
    for revision in ("--output=x", "-p"):
        with pytest.raises(UsageError, match="is an option"):
            changed(revision)
    with pytest.raises(UsageError, match="nothing of it is staged"):
        changed("HEAD..HEAD", is_staged=True)
    write(tmp_path / "plain", {"a.py": "x = 1\n"})
    settings = Settings(root=tmp_path / "plain", cache_dir=tmp_path / "cache")
    with open_repository(settings) as view, pytest.raises(UsageError, match="is not a git work tree"):
        read_change(Request(Scope.DIFF), settings, view)
