from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from ctxpack.rank.vectors import VectorCache, vector_file

DAY = 86_400.0


def cache(path: Path, day: int = 1, most_bytes: int = 1_000_000) -> VectorCache:
    return VectorCache(path / "kept.sqlite", most_bytes, lambda: day * DAY)


def test_what_is_kept_is_found_and_nothing_else(tmp_path: Path) -> None:
    first = cache(tmp_path)
    assert first.find([b"a"]) == {}
    first.keep({b"a": b"1", b"b": b"2"})
    assert cache(tmp_path).find([b"b", b"c", b"b"]) == {b"b": b"2"}


def test_each_embedder_has_a_file_of_its_own(tmp_path: Path) -> None:
    assert vector_file(tmp_path, "one") != vector_file(tmp_path, "two")
    assert vector_file(tmp_path, "one") == vector_file(tmp_path, "one")


def test_the_longest_unused_is_dropped_first(tmp_path: Path) -> None:
    before = {bytes([number]): bytes(4_000) for number in range(40)}
    cache(tmp_path, day=1, most_bytes=200_000).keep(before)
    assert len(cache(tmp_path, day=2, most_bytes=200_000).find([bytes([3])])) == 1  # used again on the second day
    after = {bytes([100 + number]): bytes(4_000) for number in range(20)}
    cache(tmp_path, day=3, most_bytes=200_000).keep(after)
    left = cache(tmp_path, day=3).find([*before, *after])
    assert set(after) <= set(left)
    assert bytes([3]) in left
    assert len(left) < len(before) + len(after)


def test_a_file_that_is_no_database_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / "kept.sqlite").write_bytes(b"what is this? " * 1_000)
    broken = cache(tmp_path)
    assert broken.find([b"a"]) == {}
    (tmp_path / "kept.sqlite").write_bytes(b"what is this? " * 1_000)
    broken.keep({b"a": b"1"})
    assert broken.find([b"a"]) == {b"a": b"1"}


def test_a_place_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    nowhere = VectorCache(tmp_path / "file" / "kept.sqlite")
    nowhere.keep({b"a": b"1"})
    assert nowhere.find([b"a"]) == {}


def test_another_process_that_writes_is_waited_for_by_none_who_reads(tmp_path: Path) -> None:
    cache(tmp_path, day=1).keep({b"a": b"1"})
    with closing(sqlite3.connect(tmp_path / "kept.sqlite", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert cache(tmp_path, day=2).find([b"a"]) == {b"a": b"1"}  # the day of use is not noted, and that is all


def test_several_processes_keep_at_once(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from ctxpack.rank.vectors import VectorCache\n"
        "cache = VectorCache(Path(sys.argv[1]))\n"
        "for number in range(20): cache.keep({f'{sys.argv[2]}-{number}'.encode(): b'x'})\n"
    )
    place = tmp_path / "folder" / "kept.sqlite"
    running = [subprocess.Popen([sys.executable, "-c", code, str(place), str(name)]) for name in range(3)]
    assert [each.wait() for each in running] == [0, 0, 0]
    wanted = [f"{name}-{number}".encode() for name in range(3) for number in range(20)]
    assert len(VectorCache(place).find(wanted)) == 60
