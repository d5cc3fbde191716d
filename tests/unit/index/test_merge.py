from __future__ import annotations

import os
from itertools import pairwise
from operator import attrgetter
from pathlib import Path

import pytest

from ctxpack.index import batches, build, merge
from ctxpack.index.segment import Segment, load_segment
from ctxpack.index.sharing import index_folder
from ctxpack.index.store import Store
from ctxpack.index.workers import write_segment
from ctxpack.model import Places
from tests.indexing import ask, opened, snapshot, write

REQUESTS = ("number three", "module", "What does number_7 return?", "numbre")


def numbered(count: int, first: int = 0) -> dict[str, str]:
    return {
        f"module_{n}/number_{n}.py": f"import module_0.number_0\n\n\ndef number_{n}():\n    return {n}  # ünï {n}\n"
        for n in range(first, first + count)
    }


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sizes at which a few files are joined: two of a batch, four segments of which are many."""
    monkeypatch.setattr(batches, "_BATCH_BYTES", 2 * batches.FILE_BYTES)
    monkeypatch.setattr(merge, "LEAST_CHUNKS", 2)
    monkeypatch.setattr(merge, "FEWEST", 3)
    monkeypatch.setattr(merge, "MOST_CHUNKS", 9)
    monkeypatch.setattr(build, "_LEVELS", (1, 2, 3))


def segment(folder: Path, root: Path, paths: list[str]) -> Segment:
    target = folder / f"segment-{len(list(folder.iterdir()))}"
    write_segment(Places(root), [(path, "python") for path in paths], target, lambda _: True)
    return load_segment(target)


@pytest.mark.parametrize("cuts", [(0, 7), (0, 3, 7), (0, 1, 2, 7), (0, 0, 7, 7)])
def test_joined_segments_are_what_all_their_files_make_at_once(tmp_path: Path, cuts: tuple[int, ...]) -> None:
    files = {**numbered(6), "empty.py": ""}
    root, paths = write(tmp_path / "root", files), sorted(files)
    whole = segment(tmp_path, root, paths)
    parts = [segment(tmp_path, root, paths[a:b]) for a, b in pairwise(cuts)]
    made = merge.join_arrays(parts)
    expected = {name: attrgetter(name)(whole) for name in made}
    for name, array in made.items():
        assert (array.dtype, array.tolist()) == (expected[name][:].dtype, expected[name][:].tolist()), name


@pytest.mark.usefixtures("small")
def test_many_segments_are_joined_and_answer_as_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root, cache = write(tmp_path / "root", numbered(12)), tmp_path / "cache"
    with monkeypatch.context() as alone:
        alone.setattr(merge, "FEWEST", 100)
        apart = opened(root, tmp_path / "apart")
    view = opened(root, cache)
    assert (len(apart.postings.segments), len(view.postings.segments)) == (6, 2)
    assert snapshot(view, REQUESTS) == snapshot(apart, REQUESTS)
    assert len(list(index_folder(cache, root).glob("segment-*"))) == 2
    view.close()
    again = opened(root, cache)
    assert again.postings.segment_names == view.postings.segment_names
    assert snapshot(again, REQUESTS) == snapshot(apart, REQUESTS)
    again.close()
    apart.close()


@pytest.mark.usefixtures("small")
def test_segments_of_earlier_runs_are_joined_too(tmp_path: Path) -> None:
    root, cache = write(tmp_path / "root", numbered(6)), tmp_path / "cache"
    before = opened(root, cache)
    assert len(before.postings.segments) == 3
    before.close()
    write(root, {**numbered(2, 6), "module_1/number_1.py": "def other():\n    return 1\n"})
    (root / "module_2/number_2.py").unlink()
    view, fresh = opened(root, cache), opened(root, tmp_path / "fresh")
    assert len(view.postings.segments) < 4
    assert snapshot(view, REQUESTS) == snapshot(fresh, REQUESTS)
    view.close()
    later = opened(root, cache)  # what was recorded says the same
    assert snapshot(later, REQUESTS) == snapshot(fresh, REQUESTS)
    later.close()
    fresh.close()


@pytest.mark.usefixtures("small")
def test_other_interpreters_join_as_this_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = write(tmp_path / "root", numbered(12))
    here = opened(root, tmp_path / "here")
    monkeypatch.setattr(batches, "_PARALLEL_BYTES", 0)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    monkeypatch.setattr(batches, "join_segments", None)  # nothing falls back
    programs = opened(root, tmp_path / "programs")
    assert len(programs.postings.segments) == 2
    assert snapshot(programs, REQUESTS) == snapshot(here, REQUESTS)
    assert ask("number_7", programs)[0].file.path == "module_7/number_7.py"
    programs.close()
    here.close()


@pytest.mark.usefixtures("small")
def test_a_file_that_cannot_be_read_stays_known_when_its_segment_is_joined(tmp_path: Path) -> None:
    root, cache = write(tmp_path / "root", numbered(12)), tmp_path / "cache"
    opened(root, cache).close()
    store = Store.open(index_folder(cache, root))
    names = {row.segment for row in store.rows().values()}
    assert all(row.slot >= 0 for row in store.rows().values())
    path = "module_3/number_3.py"
    row = store.rows()[path]
    facts = store.facts([(path, row.key)])[path]
    store.replace(store.read_recorded().generation, (), [(row._replace(slot=-1), facts)], "")
    store.replace(store.read_recorded().generation, (), (), "", dict.fromkeys(names, ("joined", 7)))
    rows = store.rows()
    assert {row.segment for row in rows.values()} == {"joined"}
    assert rows[path].slot == -1
    assert min(row.slot for row in rows.values() if row.path != path) >= 7
    store.close()


def test_a_segment_that_is_damaged_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(merge, "LEAST_CHUNKS", 1)
    monkeypatch.setattr(merge, "FEWEST", 1)
    root = write(tmp_path / "root", numbered(3))
    for number in range(3):
        write_segment(
            Places(root), [(f"module_{number}/number_{number}.py", "python")], tmp_path / f"{number}", lambda _: True
        )
    (tmp_path / "1").write_bytes(b"nothing")
    joins = merge.plan_joins(tmp_path, ["0", "1", "2", "missing"])
    assert [(join.sources, join.slots) for join in joins] == [(("0", "2"), (0, 1))]
