"""The first files of a new index are read while others are looked for, and the index is what it would be without."""

from __future__ import annotations

import hashlib
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from functools import partial
from pathlib import Path

import pytest

from ctxpack.answer import pack
from ctxpack.index import arrays, batches, opening, workers
from ctxpack.index.batches import Beginning, Crew, _Job
from ctxpack.index.opening import expecting_index, find_files, open_repository, update_index
from ctxpack.index.sharing import index_folder
from ctxpack.index.store import Store
from ctxpack.index.workers import result_of
from ctxpack.light import replace
from ctxpack.model import Places, Request, Scope, SourceFile
from ctxpack.settings import Settings
from ctxpack.system.clock import Timekeeper, thread_pool
from tests.building import source_file
from tests.indexing import commit, git, write

FILES = {f"part_{number:02}.py": f"def step_{number}(value):\n    return value + {number}\n" for number in range(11)}
NEW = {f"later_{number}.py": f"def later_{number}():\n    return {number}\n" for number in range(3)}  # not committed


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """A repository of five batches for two interpreters, the files of no commit before the others."""
    monkeypatch.setattr(batches, "_BATCH_BYTES", 3 * batches.FILE_BYTES)
    monkeypatch.setattr(batches, "_PARALLEL_BYTES", 0)
    monkeypatch.setattr(batches, "most_workers", lambda: 2)
    commit(tmp_path / "root", FILES)
    write(tmp_path / "root", NEW)
    return Settings(root=tmp_path / "root", cache_dir=tmp_path / "cache")


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What happens: the files that are found, and the first file of each batch that somebody begins."""
    heard: list[str] = []
    add, index = Beginning.add, Crew.index

    def hear_file(self: Beginning, file: SourceFile) -> None:
        heard.append(f"found {file.path}")
        add(self, file)

    def hear_batch(self: Crew, batch: list[SourceFile]) -> None:
        heard.append(f"begun {batch[0].path}")
        index(self, batch)

    monkeypatch.setattr(Beginning, "add", hear_file)
    monkeypatch.setattr(Crew, "index", hear_batch)
    return heard


def folder_of(settings: Settings) -> Path:
    return index_folder(settings.cache_dir, settings.root)


def segments_of(settings: Settings) -> set[str]:
    return {path.name for path in folder_of(settings).glob("segment-*")}


def contents(settings: Settings) -> dict[str, tuple[str, int]]:
    """For each path the digest of its segment, and its slot there."""
    store = Store.open(folder_of(settings))
    rows = store.rows()
    held = {name: (store.folder / name).read_bytes()[arrays._CHECKED :] for name in segments_of(settings)}  # no names
    digests = {name: hashlib.sha256(data).hexdigest() for name, data in held.items()}
    store.close()
    assert digests.keys() == {row.segment for row in rows.values()}  # nothing is left over
    return {path: (digests[row.segment], row.slot) for path, row in rows.items()}


def fail_at(path: str, error: BaseException, add: Callable[..., None]) -> Callable[..., None]:
    def look(self: Beginning, file: SourceFile) -> None:
        if file.path == path:
            raise error
        add(self, file)

    return look


def test_batches_are_begun_before_all_files_are_found(settings: Settings, steps: list[str]) -> None:
    with open_repository(settings) as view:
        assert len(view.files) == len(FILES) + len(NEW)
    found = [each for each in steps if each.startswith("found")]
    assert found == [f"found {path}" for path in sorted(FILES | NEW)]
    begun = [each for each in steps if each.startswith("begun")]
    assert begun == [f"begun {path}" for path in sorted(FILES | NEW)[::3]]
    assert steps.index("begun later_0.py") < steps.index("found part_01.py")
    assert steps.index("begun part_06.py") < steps.index("found part_10.py") < steps.index("begun part_09.py")


def test_the_segments_are_those_of_files_that_are_all_known_before(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    update_index(settings)
    other = replace(settings, cache_dir=tmp_path / "other")
    monkeypatch.setattr(Beginning, "add", lambda *_: None)
    update_index(other)
    assert contents(settings) == contents(other)
    assert len({digest for digest, _ in contents(settings).values()}) == 5


def test_outside_git_it_is_the_same(settings: Settings, tmp_path: Path, steps: list[str]) -> None:
    plain = replace(settings, root=write(tmp_path / "plain", FILES | NEW), cache_dir=tmp_path / "other")
    update_index(plain)
    assert steps.index("begun later_0.py") < steps.index("found part_01.py")
    update_index(settings)
    assert contents(plain) == contents(settings)


@pytest.mark.parametrize("error", [KeyboardInterrupt(), OSError("gone")], ids=["interrupted", "failed"])
def test_what_is_begun_ends_with_the_search(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    started: list[subprocess.Popen[bytes]] = []

    def start() -> subprocess.Popen[bytes]:
        started.append(start_one())
        return started[-1]

    start_one = workers._start
    monkeypatch.setattr(workers, "_start", start)
    with monkeypatch.context() as patch:
        patch.setattr(Beginning, "add", fail_at("part_07.py", error, Beginning.add))
        with pytest.raises(type(error)):
            update_index(settings)
    assert started
    assert all(each.returncode is not None for each in started)
    assert workers._waiting == workers._ended == []
    assert segments_of(settings) == set()
    status = update_index(settings)
    assert (status.files, status.is_fresh) == (len(FILES) + len(NEW), True)


def test_an_interpreter_that_dies_meanwhile_costs_nothing_but_time(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add = Beginning.add

    def kill(self: Beginning, file: SourceFile) -> None:
        add(self, file)
        for each in self._crew.interpreters._workers if self._crew else ():
            if each._process:
                each._process.kill()

    update_index(settings)
    other = replace(settings, cache_dir=tmp_path / "other")
    monkeypatch.setattr(Beginning, "add", kill)
    update_index(other)
    assert contents(settings) == contents(other)


def test_nothing_is_begun_where_there_is_an_index(settings: Settings, steps: list[str]) -> None:
    update_index(settings)
    steps.clear()
    write(settings.root, {"more.py": "def more():\n    return 1\n"})
    update_index(settings)
    assert steps == ["begun more.py"]


def test_nothing_is_begun_for_one_who_does_not_wait_for_all(settings: Settings, steps: list[str]) -> None:
    with open_repository(settings, keeper=Timekeeper(patience=60.0), about="later") as view:
        assert not view.is_passing
    assert not [each for each in steps if each.startswith("found")]


def test_nothing_is_begun_where_another_work_tree_has_an_index(
    settings: Settings, tmp_path: Path, steps: list[str]
) -> None:
    update_index(settings)
    git(settings.root, "worktree", "add", "-q", str(tmp_path / "tree"))
    steps.clear()
    update_index(replace(settings, root=tmp_path / "tree"))
    assert [each for each in steps if each.startswith("found")]
    assert not [each for each in steps if each.startswith("begun")]


def test_nothing_is_begun_where_nothing_can_be_written(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.cache_dir.write_text("a file")
    monkeypatch.setattr(Crew, "index", lambda *_: pytest.fail("a batch was begun"))
    with expecting_index(settings, Timekeeper()) as beginning:
        assert len(find_files(settings, beginning=beginning).files) == len(FILES) + len(NEW)


def test_what_was_begun_of_other_batches_is_given_up(settings: Settings) -> None:
    folder = folder_of(settings)
    with expecting_index(settings, Timekeeper()) as beginning:
        found = find_files(settings, beginning=beginning)
        assert beginning is not None
        assert found.beginning is beginning
        mixed = [[*found.files][::-1]]
        assert beginning.take(folder, mixed) is None
        assert segments_of(settings) == set()
        assert beginning.take(folder, mixed) is None  # also again


def test_small_files_alone_are_no_work_for_others(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "_PARALLEL_BYTES", 1_000_000)
    monkeypatch.setattr(batches, "most_workers", lambda: pytest.fail("somebody was hired"))
    beginning = Beginning(Places(settings.root), Timekeeper(), lambda: pytest.fail("a store was made"))
    for path in FILES:
        beginning.add(source_file(path))
    beginning.close()


def test_who_does_not_open_the_index_leaves_nothing(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "_LARGE", 10)
    with expecting_index(settings, Timekeeper()) as beginning:
        find_files(settings, beginning=beginning)
    assert workers._waiting == workers._ended == []
    assert segments_of(settings) == set()


def test_other_work_is_done_when_the_last_batches_are_handed_out(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[int] = []
    left: list[int] = []
    look = Crew.do_meanwhile

    def note(self: Crew, steps: Iterable[object]) -> list[Future[list[str]]]:
        left.append(sum(not job.lines.done() for job in self.jobs))
        return look(self, steps)

    def work(files: Sequence[SourceFile]) -> Iterator[int]:
        done.append(len(files))
        yield 1
        done.append(left[-1])

    monkeypatch.setattr(Crew, "do_meanwhile", note)
    with open_repository(settings, meanwhile=work):
        assert done[:1] == [len(FILES) + len(NEW)]
        assert done[1] <= 2
        assert all(each > 2 for each in left[: left.index(done[1])])
    done.clear()
    with open_repository(settings, meanwhile=work):
        assert done == []  # nobody is waited for


def test_other_work_begins_as_soon_as_nothing_is_left_to_hand_out_whatever_job_is_waited_for() -> None:
    crew = Crew(Path(), Places(Path()), Timekeeper(), 2)
    jobs = [Future[list[str]]() for _ in range(3)]
    crew.jobs += [_Job("segment", job) for job in jobs]
    done: list[int] = []
    look_around = partial(crew.do_meanwhile, map(done.append, [1, 2]))
    with crew, thread_pool(1) as threads:
        first = threads.submit(result_of, jobs[0], crew.keeper, crew.interpreters, look_around=look_around)
        assert done == []
        jobs[1].set_result([])
        while not done:
            time.sleep(0.01)
        jobs[0].set_result(["line"])
        assert first.result() == ["line"]
    assert done == [1, 2]


def test_the_answer_is_prepared_while_the_last_batches_are_indexed(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepared: list[object] = []

    def prepare(text: str, _: Settings, files: Sequence[SourceFile]) -> Iterator[object]:
        prepared.append((text, len(files)))
        yield text
        prepared.append(text)

    monkeypatch.setattr("ctxpack.pipeline.prepare_in_steps", prepare)
    pack(Request(Scope.TASK, text="what does step_7 do"), settings)
    assert prepared == [("what does step_7 do", len(FILES) + len(NEW)), "what does step_7 do"]
