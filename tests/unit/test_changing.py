"""What changes, vanishes or cannot be read while a run looks: the answer comes, says so, and harms no later one."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from ctxpack.answer import Report, pack
from ctxpack.errors import UsageError
from ctxpack.index.opening import find_files, open_repository
from ctxpack.model import Request, Scope
from ctxpack.pipeline import run_pack, search
from ctxpack.settings import Settings
from ctxpack.workflows.metrics import Metric, Samples, add_to_file
from tests.indexing import commit, git, write

TASK = Request(Scope.TASK, text="the retry of uploads")
PLACE = Request(Scope.FILE, path="uploader.py", line=2)
OLD = "def retry(upload):\n    return upload.old()\n"
NEW = "import time\n\n\ndef retry(upload):\n    # waits\n    return upload.new()\n"
FILES = {"uploader.py": OLD, "backoff.py": "def wait(upload):\n    return 1  # before the retry\n"}
NOBODY = 65_534
YEARS = 10 * 365 * 86_400 * 10**9

Change = Callable[[Path], None]


@pytest.fixture(params=[True, False], ids=["git", "folder"])
def settings(tmp_path: Path, request: pytest.FixtureRequest) -> Settings:
    (commit if request.param else write)(tmp_path / "root", FILES)
    return Settings(root=tmp_path / "root", cache_dir=tmp_path / "cache")


def edit(root: Path) -> None:
    (root / "uploader.py").write_text(NEW, encoding="utf-8", newline="")


def remove(root: Path) -> None:
    (root / "uploader.py").unlink()


def cut(root: Path) -> None:
    os.truncate(root / "uploader.py", 5)


def replace_by_folder(root: Path) -> None:
    remove(root)
    (root / "uploader.py").mkdir()


CHANGES = [edit, remove, cut, replace_by_folder]


def clean(request: Request, settings: Settings) -> str:
    """The answer of a run with nothing in its cache."""
    return run_pack(request, replace(settings, use_cache=False)).text


def pack_while(change: Change, settings: Settings, request: Request = TASK) -> Report:
    """Pack, and change the repository between indexing and reading."""
    left = [change]

    def hear(stage: str, done: int, total: int) -> None:
        if stage == "index" and done == total and left:
            left.pop()(settings.root)

    report = pack(request, settings, on_progress=hear)
    assert not left
    return report


@pytest.mark.parametrize(("change", "request_"), [*((change, TASK) for change in CHANGES), (edit, PLACE)])
def test_what_changes_before_it_is_read_is_told_and_not_kept(
    settings: Settings, change: Change, request_: Request
) -> None:
    report = pack_while(change, settings, request_)
    (note,) = (each for each in report.notes if each.startswith("While this report was made"))
    assert (
        note == "While this report was made, uploader.py changed or disappeared; the report may be out of date there."
    )
    assert note in report.text
    assert not (settings.cache_dir / "packs").exists()
    (settings.root / "late.py").write_text("retry = 1\n", encoding="utf-8")
    assert pack(TASK, settings).text == clean(TASK, settings)


@pytest.mark.parametrize("change", [remove, cut])
def test_a_place_that_goes_away_is_one_sentence(settings: Settings, change: Change) -> None:
    with pytest.raises(UsageError, match=r"uploader\.py has \d lines?, so there is no line 2"):
        pack_while(change, settings, PLACE)


@pytest.mark.parametrize("change", CHANGES)
def test_what_changes_before_it_is_indexed_is_indexed_again(settings: Settings, change: Change) -> None:
    """Also when its first content comes back: the index never holds one content under the name of another."""
    before, place = clean(TASK, settings), settings.root / "uploader.py"
    found, times = find_files(settings), place.stat()
    change(settings.root)
    assert run_pack(TASK, settings, discovery=found).is_cut
    if place.is_dir():
        place.rmdir()
    place.write_text(OLD, encoding="utf-8", newline="")
    os.utime(place, ns=(times.st_atime_ns, times.st_mtime_ns))
    again = run_pack(TASK, settings)
    assert (again.text, again.is_cut) == (before, False)


def test_a_tree_of_another_content_is_not_kept(settings: Settings) -> None:
    with open_repository(settings) as view:
        edit(settings.root)
        assert view.exact("uploader.py").symbols[0].start_line == 4
    (settings.root / "uploader.py").write_text(OLD, encoding="utf-8", newline="")
    with open_repository(settings) as view:
        assert view.exact("uploader.py").symbols[0].start_line == 1


def test_what_is_only_touched_has_not_changed(settings: Settings) -> None:
    report = pack_while(lambda root: os.utime(root / "uploader.py", (1, 1)), settings)
    assert report.notes == ()
    assert not report.run.is_cut


@pytest.mark.parametrize("by", [YEARS, -YEARS, -(10**18), 1])
def test_clocks_that_jump_change_nothing(settings: Settings, by: int) -> None:
    """Files of the future and of the past, an edit that seems older than what it replaced, kept packs of the future."""
    place = settings.root / "uploader.py"
    now = place.stat().st_mtime_ns
    os.utime(place, ns=(now + by, now + by))
    first = pack(TASK, settings).text
    assert first == clean(TASK, settings)
    place.write_text(NEW, encoding="utf-8", newline="")
    os.utime(place, ns=(now - by, now - by))
    second = pack(TASK, settings).text
    assert second == clean(TASK, settings) != first
    for kept in (settings.cache_dir / "packs").iterdir():
        os.utime(kept, ns=(now + YEARS, now + YEARS))
    again = pack(TASK, settings)
    assert (again.text, again.is_kept) == (second, True)


def test_a_branch_that_is_switched_in_mid_run(tmp_path: Path) -> None:
    commit(tmp_path / "root", FILES)
    git(tmp_path / "root", "checkout", "-q", "-b", "other")
    commit(tmp_path / "root", {"uploader.py": NEW, "more.py": "retry = 2\n"})
    git(tmp_path / "root", "checkout", "-q", "main")
    settings = Settings(root=tmp_path / "root", cache_dir=tmp_path / "cache")
    before = clean(TASK, settings)

    def switch(root: Path) -> None:
        git(root, "checkout", "-q", "other")

    report = pack_while(switch, settings)
    assert report.run.is_cut
    assert pack(TASK, settings).text == clean(TASK, settings)
    git(settings.root, "checkout", "-q", "main")
    assert pack(TASK, settings).text == before


@pytest.mark.parametrize("name", [".git/index.lock", ".git/HEAD.lock", ".git/refs/heads/main.lock"])
def test_locks_that_a_dead_git_left_are_in_nobodys_way(tmp_path: Path, name: str) -> None:
    commit(tmp_path / "root", FILES)
    settings = Settings(root=tmp_path / "root", cache_dir=tmp_path / "cache")
    before = clean(TASK, settings)
    (settings.root / name).write_bytes(b"")
    report = pack(TASK, settings)
    assert (report.text, report.notes, report.remarks) == (before, (), ())
    assert (settings.root / name).exists()


@pytest.mark.parametrize("name", ["facts.sqlite-journal", "facts.sqlite-wal", "facts.sqlite-shm"])
def test_what_a_dead_process_left_beside_the_index_is_in_nobodys_way(settings: Settings, name: str) -> None:
    before = run_pack(TASK, settings).text
    (folder,) = (each.parent for each in settings.cache_dir.rglob("facts.sqlite"))
    (folder / name).write_bytes(b"\xd9\xd5\x05\xf9 \xa1c\xd7" + bytes(4_096))
    for _ in range(2):
        assert run_pack(TASK, settings).text == before


def test_a_lock_of_metrics_that_nobody_holds_is_in_nobodys_way(tmp_path: Path) -> None:
    place = tmp_path / "ctxpack.prom"
    (tmp_path / ".ctxpack.prom.lock").write_bytes(b"4194305")
    runs, samples = Metric("runs_total", "Runs."), Samples()
    samples.count(runs, {})
    add_to_file(place, {runs.name: runs}, samples)
    assert "runs_total 1" in place.read_text(encoding="utf-8")


@contextmanager
def as_somebody_else(*own: Path) -> Iterator[None]:
    """Be a user without rights; ``own`` is what belongs to him. Only root can become one, and others are one."""
    if os.geteuid():
        yield
        return
    for place in own:
        os.chown(place, NOBODY, NOBODY)
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder that every user may enter: those of pytest belong to one alone."""
    place = Path(tempfile.mkdtemp(prefix="ctxpack-test-"))
    place.chmod(0o755)
    yield place
    for each in place.rglob("*"):
        if each.is_dir():
            each.chmod(0o755)
    shutil.rmtree(place)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="there are no such permissions there")
def test_files_and_folders_of_other_users_are_passed_over(public: Path) -> None:
    root = write(public / "root", {**FILES, "secret.py": "retry = 'theirs'\n", "locked/a.py": "retry = 'theirs'\n"})
    (public / "cache").mkdir()
    (root / "secret.py").chmod(0)
    (root / "locked").chmod(0)
    settings = Settings(root=root, cache_dir=public / "cache")
    pack(TASK, Settings(root=write(public / "other", FILES), cache_dir=public / "other cache"))  # loads what root has
    with as_somebody_else(public / "cache"):
        found = pack(TASK, settings)
        with open_repository(settings) as view:
            reasons = {each.path: each.reason for each in view.skipped}
    assert reasons == {"secret.py": "cannot be read: Permission denied"}
    assert "theirs" not in found.text
    assert {each.provenance.path for each in found.pack.selection.fragments} == {"uploader.py", "backoff.py"}


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="there are no such permissions there")
def test_a_cache_that_cannot_be_written_changes_nothing(public: Path) -> None:
    root = write(public / "root", FILES)
    settings = Settings(root=root, cache_dir=public / "cache" / "below")
    (public / "cache").mkdir(mode=0o555)
    (public / "cache").chmod(0o555)
    before = clean(TASK, settings)
    with as_somebody_else():
        assert pack(TASK, settings).text == before
        assert search("retry", settings).candidates
    assert [*(public / "cache").iterdir()] == []


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="there are no such permissions there")
def test_a_cache_that_may_be_read_only_is_not_harmed(public: Path) -> None:
    root = write(public / "root", FILES)
    settings = Settings(root=root, cache_dir=public / "cache")
    before = pack(TASK, settings).text
    edit(root)
    held = sorted((each, each.stat().st_mtime_ns) for each in (public / "cache").rglob("*"))
    with as_somebody_else():
        assert pack(TASK, settings).text == clean(TASK, settings) != before
    assert sorted((each, each.stat().st_mtime_ns) for each in (public / "cache").rglob("*")) == held
