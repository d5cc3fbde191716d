from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ctxpack.discover import discover
from ctxpack.errors import BrokenIndexError, CancelledError
from ctxpack.index import batches, build
from ctxpack.index.sharing import index_folder
from ctxpack.index.store import Store
from ctxpack.index.view import Facts
from ctxpack.index.workers import write_segment
from ctxpack.model import Places
from ctxpack.settings import Settings
from ctxpack.system.clock import Timekeeper
from tests.indexing import ask, commit, git, opened, snapshot, write

REQUESTS = ("number three", "module", "What does number_7 return?")
PROGRAM = """
import sys
from pathlib import Path
from tests.indexing import as_lines, ask, opened
view = opened(Path(sys.argv[1]), Path(sys.argv[2]))
print(as_lines(ask("number three", view)))
view.close()
"""


def numbered(count: int) -> dict[str, str]:
    body = "\n\n".join(f"def part_{n}():\n    return {n}" for n in range(40))
    names = ("zero", "one", "two", "three", "four")
    return {
        f"module_{n}/number_{n}.py": f"import module_0.number_0\n\n\n# {names[n % 5]}\n{body}\n\n\n"
        f"def number_{n}():\n    return {n}\n"
        for n in range(count)
    }


def run(root: Path, cache: Path) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", PROGRAM, str(root), str(cache)], stdout=subprocess.PIPE, text=True)


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def test_progress_counts_files_up_to_all(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "_BATCH_BYTES", 2 * batches.FILE_BYTES)
    root = write(tmp_path / "root", numbered(5))
    heard: list[tuple[str, int, int]] = []
    settings = Settings(root=root, cache_dir=cache)
    build.open_index(settings, discover(settings), lambda *step: heard.append(step)).close()
    assert heard == [("index", 0, 5), ("index", 2, 5), ("index", 4, 5), ("index", 5, 5)]
    heard.clear()
    build.open_index(settings, discover(settings), lambda *step: heard.append(step)).close()
    assert heard == []


@pytest.mark.parametrize("error", [KeyboardInterrupt(), CancelledError("cancelled")], ids=["interrupted", "cancelled"])
def test_what_is_finished_is_kept_when_it_is_interrupted(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    monkeypatch.setattr(batches, "_BATCH_BYTES", 2 * batches.FILE_BYTES)
    root = write(tmp_path / "root", numbered(61))  # so many that others cannot finish them before the interrupt
    settings = Settings(root=root, cache_dir=cache)

    def interrupt(_stage: str, done: int, _total: int) -> None:
        if done == 4:
            raise error

    with pytest.raises(type(error)):
        build.open_index(settings, discover(settings), interrupt)
    heard: list[int] = []
    view = build.open_index(settings, discover(settings), lambda _stage, _done, total: heard.append(total))
    assert heard
    assert max(heard) <= 61 - 4  # at least the first four are not indexed again
    whole = opened(root, tmp_path / "other")
    assert snapshot(view, REQUESTS) == snapshot(whole, REQUESTS)
    whole.close()
    view.close()


def test_programs_in_parallel_answer_as_one_process(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write(tmp_path / "root", numbered(6))
    here = opened(root, tmp_path / "other")
    monkeypatch.setattr(batches, "_BATCH_BYTES", 3 * batches.FILE_BYTES)
    monkeypatch.setattr(batches, "_PARALLEL_BYTES", 0)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    monkeypatch.setattr(batches, "_run_here", None)  # nothing falls back
    programs = opened(root, cache)
    assert len(programs.postings.segments) == 2
    assert snapshot(programs, REQUESTS) == snapshot(here, REQUESTS)
    here.close()
    programs.close()


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-ins are shell scripts")
@pytest.mark.parametrize("program", ["missing", "false", "silent"])
def test_a_worker_that_fails_is_replaced(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    root = write(tmp_path / "root", numbered(4))
    monkeypatch.setattr(batches, "_BATCH_BYTES", 2 * batches.FILE_BYTES)
    monkeypatch.setattr(batches, "_PARALLEL_BYTES", 0)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    fake = tmp_path / program
    if program != "missing":
        fake.write_text(f"#!/bin/sh\nexit {int(program == 'false')}\n")
        fake.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(fake))
    view = opened(root, cache)
    assert ask("number_3", view)[0].file.path == "module_3/number_3.py"
    assert all(row is not None and row.slot >= 0 for row in view.postings.rows)
    view.close()


def test_modules_of_the_repository_are_never_run(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trap = f"open({str(tmp_path / 'sprung')!r}, 'w').close()\n"
    root = write(
        tmp_path / "root", dict.fromkeys(("json.py", "numpy.py", "ctxpack/__init__.py", "sitecustomize.py"), trap)
    )
    monkeypatch.setattr(batches, "_BATCH_BYTES", 2 * batches.FILE_BYTES)
    monkeypatch.setattr(batches, "_PARALLEL_BYTES", 0)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    monkeypatch.delenv("PYTHONPATH")
    monkeypatch.chdir(root)
    opened(root, cache).close()
    assert not (tmp_path / "sprung").exists()


def test_a_file_that_cannot_be_read_is_skipped_with_its_reason_every_time(tmp_path: Path, cache: Path) -> None:
    root = tmp_path / "root"
    commit(root, {"gone.py": "def gone():\n    return 1\n", "kept.py": "def kept():\n    return 1\n"})
    settings = Settings(root=root, cache_dir=cache)
    discovery = discover(settings)
    (root / "gone.py").unlink()
    (root / "gone.py").mkdir()  # what was a file when it was listed is a folder when it is read
    for _ in range(2):
        view = build.open_index(settings, discovery)
        assert [file.path for file in view.files] == ["kept.py"]
        reasons = [item.reason for item in view.skipped if item.path == "gone.py"]
        assert [reason.split(":")[0] for reason in reasons] == ["unreadable"]
        assert ask("gone", view) == ()
        view.close()
    (root / "gone.py").rmdir()
    write(root, {"gone.py": "def gone():\n    return 1\n"})
    view = opened(root, cache)
    assert ask("gone", view)[0].file.path == "gone.py"
    view.close()


class Busy(Timekeeper):
    """Does something at the second checkpoint, when a file was read: the first is before all files."""

    def __init__(self, act: Callable[[], None]) -> None:
        super().__init__()
        self._act, self._calls = act, 0

    def checkpoint(self) -> None:
        super().checkpoint()
        self._calls += 1
        if self._calls == 2:
            self._act()


def test_what_was_written_while_it_was_indexed_is_indexed_again_also_where_it_holds_the_same_again(
    tmp_path: Path, cache: Path
) -> None:
    root = write(tmp_path / "root", {"a.py": "import b\n", "b.py": "x = 1\n"})
    settings = Settings(root=root, cache_dir=cache)
    found = discover(settings)
    write(root, {"a.py": "y = 2222\n"})

    def restore() -> None:
        """Write what was found once more when a file was read, as two switches of branches do."""
        write(root, {"a.py": "import b\n"})

    view = build.open_index(settings, found, keeper=Busy(restore))
    assert view.files.changing == ("a.py",)
    assert view.is_passing
    view.close()
    view = opened(root, cache)
    assert view.graph.imports("a.py") == ("b.py",)
    view.close()


def test_what_another_process_records_meanwhile_makes_a_view_a_passing_one(tmp_path: Path, cache: Path) -> None:
    root = write(tmp_path / "root", {"a.py": "import b\n", "b.py": "x = 1\n"})
    opened(root, cache).close()
    settings = Settings(root=root, cache_dir=cache)
    write(root, {"b.py": "x = 2\n"})

    def record() -> None:
        """Let another process add a file and record it; what was recorded before is read by now."""
        write(root, {"c.py": "z = 1\n"})
        opened(root, cache).close()

    view = build.open_index(settings, discover(settings), keeper=Busy(record))
    assert view.is_superseded
    assert view.is_passing
    view.close()
    view = opened(root, cache)
    assert not view.is_passing
    view.close()


def test_facts_survive_their_line_of_json() -> None:
    facts = Facts(-1, error="Permission denied \udcff\n")
    assert "\n" not in facts.to_json()
    assert Facts.from_json(facts.to_json()) == facts


def test_a_segment_that_cannot_be_written_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write_segment(Places(tmp_path), [], tmp_path / "missing" / "segment", lambda _: True)


def test_two_processes_at_once_answer_alike_and_leave_a_store_for_the_next(tmp_path: Path, cache: Path) -> None:
    root = tmp_path / "root"
    commit(root, numbered(60))
    outputs = [process.communicate()[0] for process in [run(root, cache), run(root, cache)]]
    assert outputs[0] == outputs[1] != ""
    assert len(Store.open(index_folder(cache, root)).rows()) == 60
    assert run(root, cache).communicate()[0] == outputs[0]


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
def test_a_killed_process_leaves_a_store_that_the_next_completes(tmp_path: Path, cache: Path) -> None:
    root = write(tmp_path / "root", numbered(250))
    process = run(root, cache)
    folder = index_folder(cache, root)
    while not folder.exists() and process.poll() is None:
        time.sleep(0.01)
    time.sleep(0.05)  # in the middle of reading 250 files
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    updated, fresh = opened(root, cache), opened(root, tmp_path / "other")
    assert len(Store.open(folder).rows()) == 250
    assert snapshot(updated, REQUESTS) == snapshot(fresh, REQUESTS)
    updated.close()
    fresh.close()


def test_small_segments_are_joined(tmp_path: Path, cache: Path) -> None:
    root = write(tmp_path / "root", {"a.py": "x = 1\n"})
    for number in range(build._MOST_OF_A_LEVEL + 3):
        write(root, {f"added_{number}.py": f"def added_{number}():\n    return retry\n"})
        view = opened(root, cache)
        assert len(view.postings.segments) <= build._MOST_OF_A_LEVEL + 1
        view.close()
    fresh = opened(root, tmp_path / "other")
    last = opened(root, cache)
    assert len(last.postings.segments) < build._MOST_OF_A_LEVEL
    assert snapshot(last, ("added retry",)) == snapshot(fresh, ("added retry",))
    last.close()
    fresh.close()


def indexed(root: Path, cache: Path) -> int:
    """Update the index; returns how many files had to be read for it."""
    totals = [0]
    settings = Settings(root=root, cache_dir=cache)
    build.open_index(settings, discover(settings), lambda _stage, _done, total: totals.append(total)).close()
    return totals[-1]


@pytest.mark.parametrize("size", [10, 20_000], ids=["many small files", "few large files"])
def test_after_one_edit_one_file_is_indexed(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(batches, "_BATCH_BYTES", 50_000)
    monkeypatch.setattr(build, "_LEVELS", (1_000, 10_000, 30_000))
    files = {f"header_{number}.h": f"int field_{number};\n" * (size // 10) for number in range(120)}
    root = write(tmp_path / "root", files)
    assert indexed(root, cache) == len(files)
    assert indexed(root, cache) == 0
    for number in range(3):
        write(root, {"header_7.h": f"int edited_{number};\n"})
        assert indexed(root, cache) == 1
    (root / "header_9.h").unlink()
    assert indexed(root, cache) == 0


def test_a_branch_that_comes_back_is_not_indexed_again(tmp_path: Path, cache: Path) -> None:
    root = tmp_path / "root"
    commit(root, {f"part_{number}.py": f"def part_{number}():\n    return old\n" for number in range(40)})
    assert indexed(root, cache) == 40
    git(root, "checkout", "-q", "-b", "other")
    commit(root, {f"part_{number}.py": f"def part_{number}():\n    return new_{number}\n" for number in range(30)})
    (root / "part_39.py").unlink()
    commit(root, {"added.py": "def added():\n    return new_1\n"})
    assert indexed(root, cache) == 31
    for branch in ("main", "other", "main"):
        git(root, "checkout", "-q", branch)
        assert indexed(root, cache) == 0
        view, fresh = opened(root, cache), opened(root, tmp_path / "fresh")
        assert snapshot(view, ("old part", "new_1")) == snapshot(fresh, ("old part", "new_1"))
        view.close()
        fresh.close()


def test_of_single_edits_nothing_is_kept(tmp_path: Path, cache: Path) -> None:
    root = write(tmp_path / "root", numbered(30))
    indexed(root, cache)
    for text in ("x = 1\n", "x = 2\n"):
        write(root, {"module_0/number_0.py": text})
        indexed(root, cache)
    store = Store.open(index_folder(cache, root))
    assert not store.spare_segments()
    store.close()


def test_a_look_at_a_part_keeps_nothing(tmp_path: Path, cache: Path) -> None:
    root = write(tmp_path / "root", numbered(30))
    indexed(root, cache)
    write(root, {"module_0/number_0.py": "x = 1\n"})
    view = opened(root, cache, include=("module_0/",))
    assert not view.store.spare_segments()
    view.close()


def test_what_is_kept_of_branches_is_bounded(tmp_path: Path, cache: Path) -> None:
    root = tmp_path / "root"
    for number in range(8):
        write(root, {f"part_{place}.py": f"x = {number}\n" for place in range(25)})
        indexed(root, cache)
    store = Store.open(index_folder(cache, root))
    assert len(store.spare_segments()) == 4
    store.close()


def test_many_edits_index_every_file_but_a_few_times(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batches, "_BATCH_BYTES", 400 * batches.FILE_BYTES)
    monkeypatch.setattr(build, "_LEVELS", tuple(times * batches.FILE_BYTES for times in (4, 32, 300)))
    root = write(tmp_path / "root", {f"old_{number}.py": f"x = {number}\n" for number in range(60)})
    indexed(root, cache)
    again, edits = 0, 40
    for number in range(edits):
        write(root, {f"new_{number}.py": f"y = {number}\n"})
        again += indexed(root, cache) - 1
    assert again <= edits * 2  # once for each level that a segment rises


def test_an_edit_resolves_the_imports_of_one_file(tmp_path: Path, cache: Path) -> None:
    root = write(tmp_path / "root", {"a.py": "import b\n", "b.py": "import c\n", "c.py": "", "d.py": "import a\n"})
    graphs: list[str] = []
    for text in ("import c\n", "import c\nx = 1\n", "import b\nimport d\n", ""):
        write(root, {"a.py": text})
        view, fresh = opened(root, cache), opened(root, tmp_path / f"fresh{len(graphs)}")
        assert snapshot(view, ("a",)) == snapshot(fresh, ("a",))
        store = Store.open(index_folder(cache, root))
        graphs.append(store.read_recorded().graph)
        store.close()
        view.close()
        fresh.close()
    assert graphs[0] == graphs[1]  # it imports what it did
    assert len(set(graphs)) == 3


def test_what_a_package_is_called_now_resolves_what_others_import(tmp_path: Path, cache: Path) -> None:
    files = {
        "app/a.ts": "import { pay } from '@shop/till';\n",
        "till/package.json": '{"name": "@shop/bank"}\n',
        "till/index.ts": "export function pay() {}\n",
    }
    root = write(tmp_path / "root", files)
    view = opened(root, cache)
    assert view.graph.importers("till/index.ts") == ()
    view.close()
    for number, (name, importers) in enumerate([("@shop/till", ("app/a.ts",)), ("@shop/bank", ())]):
        write(root, {"till/package.json": f'{{"name": "{name}"}}\n'})
        view, fresh = opened(root, cache), opened(root, tmp_path / f"fresh{number}")
        assert view.graph.importers("till/index.ts") == importers
        assert snapshot(view, ("pay",)) == snapshot(fresh, ("pay",))
        view.close()
        fresh.close()


def test_a_part_leaves_the_imports_of_the_whole(tmp_path: Path, cache: Path) -> None:
    root = write(tmp_path / "root", {"app.py": "import tool\n", "tool.py": "x = 1\n", "other.py": "import tool\n"})
    opened(root, cache).close()
    write(root, {"tool.py": "x = 2\n"})
    part = opened(root, cache, include=("tool.py", "other.py"))
    assert part.graph.importers("tool.py") == ("other.py",)
    part.close()
    whole = opened(root, cache)
    assert whole.graph.importers("tool.py") == ("app.py", "other.py")
    whole.close()


def test_the_error_of_an_index_that_cannot_be_written_says_what_to_do(tmp_path: Path, cache: Path) -> None:
    root = write(tmp_path / "root", {"a.py": "x = 1\n"})
    folder = index_folder(cache, root)
    opened(root, cache).close()
    for path in folder.glob("history-*"):
        path.unlink()
        path.mkdir()
    with pytest.raises(BrokenIndexError) as caught:
        batches._run_here(Places(root), [], folder / "missing" / "segment", Timekeeper())
    assert "CTXPACK_CACHE_DIR" in caught.value.hint
    opened(root, cache).close()  # the folder in the place of a file was cleared away
