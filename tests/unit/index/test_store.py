from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from ctxpack.errors import BrokenIndexError
from ctxpack.index import store as store_module
from ctxpack.index.sharing import index_folder
from ctxpack.index.store import FACTS, FORMAT, IndexRow, Store
from ctxpack.system.disk import seal
from tests.indexing import ask, commit, opened, write

FILES = {"retry.py": "def retry():\n    return backoff\n", "cache.py": "def evict():\n    return None\n"}
LONG_AGO = time.time() - 86_400


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path / "root", FILES)


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


@pytest.fixture
def folder(root: Path, cache: Path) -> Path:
    """The store's folder, after a first run."""
    opened(root, cache).close()
    return index_folder(cache, root)


def first(root: Path, cache: Path) -> str:
    view = opened(root, cache)
    try:
        return ask("retry backoff", view)[0].file.path
    finally:
        view.close()


def test_nobody_waits_for_the_disk_not_even_when_a_store_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    connect = sqlite3.connect

    def listen(*arguments: Any, **named: Any) -> sqlite3.Connection:  # noqa: ANN401 - whatever connect takes
        said.append("connect")
        found: sqlite3.Connection = connect(*arguments, **named)
        found.set_trace_callback(said.append)
        return found

    monkeypatch.setattr(sqlite3, "connect", listen)
    Store.open(tmp_path / "index").close()
    after = [then for before, then in pairwise(said) if before == "connect"]
    assert set(after) == {"PRAGMA synchronous=OFF"}


@contextmanager
def holding(folder: Path, *statements: str) -> Iterator[None]:
    """Another connection in the middle of a transaction."""
    other = sqlite3.connect(folder / "facts.sqlite", isolation_level=None)
    try:
        for statement in statements:
            other.execute(statement)
        yield
    finally:
        other.close()


def test_what_another_process_replaced_keeps_no_facts_of_the_new_content(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    old, new = IndexRow("a.py", "old", "segment", 1), IndexRow("a.py", "new", "segment", 2)
    assert store.replace("", (), [(old, "old facts")], "graph")
    assert store.replace(store.read_recorded().generation, (), [(new, "new facts")], "graph")
    store.keep_spare([old])  # read before the other process wrote
    assert store.spare([("a.py", "old")]) == {}
    store.keep_spare([new])
    assert store.spare([("a.py", "new")]) == {"a.py": (new, "new facts")}
    assert store.replace(store.read_recorded().generation, ["a.py"], [], "graph")
    assert store.facts([("a.py", "new")]) == {"a.py": "new facts"}
    store.close()


def test_a_row_comes_back_with_its_facts(tmp_path: Path) -> None:
    path = b"caf\xe9\n.py".decode("utf-8", "surrogateescape")
    store = Store.open(tmp_path)
    assert store.replace("", (), [(IndexRow(path, "key", "segment", 3), "facts")], "graph-1")
    assert store.rows() == {path: IndexRow(path, "key", "segment", 3)}
    assert store.facts([(path, "key"), ("other", "key")]) == {path: "facts"}
    assert store.facts([(path, "another")]) == {}
    first = store.read_recorded()
    assert store.replace(first.generation, [path], [], "graph-2")
    last = store.read_recorded()
    assert (first.graph, last.graph, last.rows) == ("graph-1", "graph-2", {})
    assert first.generation != last.generation
    store.close()


def test_who_comes_second_records_nothing(tmp_path: Path) -> None:
    one, other = Store.open(tmp_path), Store.open(tmp_path)
    assert one.replace("", (), [(IndexRow("a", "1", "s", 0), "f")], "mine")
    assert not other.replace("", ["a"], [(IndexRow("b", "2", "t", 0), "g")], "theirs")
    assert (list(other.rows()), other.read_recorded().graph) == (["a"], "mine")
    one.close()
    other.close()


@pytest.mark.parametrize("content", [b"", b"no database at all" * 100, bytes(5000)])
def test_a_broken_database_is_made_again(root: Path, cache: Path, folder: Path, content: bytes) -> None:
    (folder / "facts.sqlite").write_bytes(content)
    assert first(root, cache) == "retry.py"
    assert len(Store.open(folder).rows()) == 2


def test_a_database_with_damaged_pages_is_made_again(root: Path, cache: Path, folder: Path) -> None:
    with sqlite3.connect(folder / "facts.sqlite") as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    data = (folder / "facts.sqlite").read_bytes()
    page = int.from_bytes(data[16:18], "big")
    (folder / "facts.sqlite").write_bytes(data[: page * 2] + b"\xa5" * (len(data) - page * 2))
    assert first(root, cache) == "retry.py"
    assert first(root, cache) == "retry.py"


def test_tables_of_another_kind_are_made_again(root: Path, cache: Path, folder: Path) -> None:
    (folder / "facts.sqlite").unlink()
    connection = sqlite3.connect(folder / "facts.sqlite")
    connection.execute("CREATE TABLE meta (other TEXT)")
    connection.close()
    assert first(root, cache) == "retry.py"


def test_another_format_is_made_again(root: Path, cache: Path, folder: Path) -> None:
    with sqlite3.connect(folder / "facts.sqlite") as connection:
        connection.execute("UPDATE meta SET value='0' WHERE key='format'")
    connection.close()
    before = set(folder.glob("segment-*"))
    assert first(root, cache) == "retry.py"
    assert Store.open(folder).meta("format") == str(FORMAT)
    assert not before & set(folder.glob("segment-*"))


@pytest.mark.parametrize("pattern", ["segment-*", "graph-*", "history-*"])
@pytest.mark.parametrize("damage", ["missing", "short", "garbage"])
def test_a_lost_or_damaged_file_is_made_again(root: Path, cache: Path, folder: Path, pattern: str, damage: str) -> None:
    (path,) = folder.glob(pattern)
    if damage == "missing":
        path.unlink()
    else:
        path.write_bytes(path.read_bytes()[:80] if damage == "short" else b"garbage")
    assert first(root, cache) == "retry.py"
    assert list(folder.glob(pattern))


def test_a_missing_segment_costs_only_its_own_files(root: Path, cache: Path, folder: Path) -> None:
    (before,) = folder.glob("segment-*")
    write(root, {"new.py": "def new():\n    return retry\n"})
    opened(root, cache).close()
    (added,) = set(folder.glob("segment-*")) - {before}
    added.unlink()
    opened(root, cache).close()
    assert {row.segment for path, row in Store.open(folder).rows().items() if path in FILES} == {before.name}


def test_leftovers_go_when_they_are_old(root: Path, cache: Path, folder: Path) -> None:
    for name in ("segment-of-killed.abc.tmp", "segment-unreferenced", "young.tmp"):
        (folder / name).write_bytes(b"left")
        if name != "young.tmp":
            os.utime(folder / name, (LONG_AGO, LONG_AGO))
    used = {path.name for path in folder.iterdir() if path.name.startswith(("segment-", "graph-", "history-"))}
    opened(root, cache).close()
    left = {path.name for path in folder.iterdir()}
    assert {"segment-of-killed.abc.tmp", "segment-unreferenced"}.isdisjoint(left)
    assert used - {"segment-of-killed.abc.tmp", "segment-unreferenced"} <= left
    assert "young.tmp" in left


ROW = IndexRow("a", "1", "s", 0)


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM file WHERE path = x'62'",
        "UPDATE file SET slot = 5 WHERE path = x'62'",
        "UPDATE file SET key = x'31' WHERE path = x'62'",
        "UPDATE file SET segment = iif(segment = 's', 't', 's')",
    ],
)
@pytest.mark.parametrize("path", ["b", "c"])
def test_an_update_does_not_cover_the_damage_of_rows(tmp_path: Path, damage: str, path: str) -> None:
    store = Store.open(tmp_path / "store")
    rows = [(ROW, "f"), (ROW._replace(path="b", segment="t"), "g")]
    generation = store.replace("", (), rows, "graph")
    generation = store.replace(generation, (), [(ROW._replace(path="c", slot=1), "h")], "graph")
    generation = store.replace(generation, ("c",), (), "graph")
    assert store.rows() == {row.path: row for row, _ in rows}
    with closing(sqlite3.connect(store.folder / FACTS)) as connection:
        connection.execute(damage)
        connection.commit()
    assert store.replace(generation, (), [(ROW._replace(path=path, slot=7), "i")], "graph")
    with pytest.raises(BrokenIndexError):
        store.rows()
    store.close()


def test_a_part_sweeps_nothing_that_the_whole_needs(root: Path, cache: Path, folder: Path) -> None:
    write(root, {"new.py": "def new():\n    return retry\n"})
    opened(root, cache).close()
    needed = {path for path in folder.iterdir() if path.name.startswith(("segment-", "history-"))}
    needed.add(folder / Store.open(folder).meta("graph"))
    for path in needed:
        os.utime(path, (LONG_AGO, LONG_AGO))
    opened(root, cache, include=("new.py",)).close()
    assert all(path.exists() for path in needed)


def test_what_an_update_replaced_goes_one_run_later(root: Path, cache: Path, folder: Path) -> None:
    (old,) = folder.glob("segment-*")
    os.utime(old, (LONG_AGO, LONG_AGO))
    write(root, {path: text + "# edited\n" for path, text in FILES.items()})
    opened(root, cache).close()
    assert old.exists()  # another process may have read the rows that name it
    opened(root, cache).close()
    assert not old.exists()


@pytest.mark.parametrize("statements", [("BEGIN IMMEDIATE",), ("PRAGMA locking_mode=EXCLUSIVE", "BEGIN EXCLUSIVE")])
def test_a_locked_database_is_answered_from_anyway(
    root: Path, cache: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, statements: tuple[str, ...]
) -> None:
    monkeypatch.setattr(store_module, "_BUSY_SECONDS", 0.05)
    write(root, {"retry.py": FILES["retry.py"] + "# edited\n"})
    segments = set(folder.glob("segment-*"))
    with holding(folder, *statements):
        assert first(root, cache) == "retry.py"
        assert segments < set(folder.glob("segment-*"))  # the edited file's was added
    assert first(root, cache) == "retry.py"
    assert len(Store.open(folder).rows()) == 2


def test_a_store_that_is_locked_altogether_is_not_deleted(
    root: Path, cache: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "_BUSY_SECONDS", 0.05)
    for name in ("facts.sqlite", "facts.sqlite-wal", "facts.sqlite-shm"):
        (folder / name).unlink(missing_ok=True)
    segments = set(folder.glob("segment-*"))
    for path in segments:
        os.utime(path, (LONG_AGO, LONG_AGO))
    with holding(folder, "BEGIN EXCLUSIVE"):  # a new file without a write-ahead log: nobody else may even read
        assert first(root, cache) == "retry.py"
    assert segments <= set(folder.glob("segment-*"))


OPENING = """
import sys
from pathlib import Path
from ctxpack.index.store import Store
print("ready", flush=True)
sys.stdin.readline()
for folder in sorted(Path(sys.argv[1]).iterdir()):
    if folder.suffix not in (".tmp", ".lock"):
        store = Store.open(folder)
        store.read_recorded()
        store.close()
"""


def test_several_processes_replace_a_store_of_an_older_version_without_an_error(tmp_path: Path) -> None:
    for number in range(100):  # in one of fourteen a process met what the other had half deleted
        with closing(sqlite3.connect(_made(tmp_path / "stores" / str(number)))) as connection:
            connection.execute("UPDATE meta SET value = ? WHERE key = 'format'", (seal("1", "format"),))
            connection.commit()
    command = [sys.executable, "-c", OPENING, str(tmp_path / "stores")]
    processes = [
        subprocess.Popen(command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(4)
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    assert [(process.communicate()[1], process.returncode) for process in processes] == [("", 0)] * 4
    assert sorted(path.name for path in (tmp_path / "stores").iterdir()) == sorted(map(str, range(100)))


def _made(folder: Path) -> Path:
    Store.open(folder).close()
    return folder / FACTS


def test_a_cache_folder_that_cannot_be_made(root: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(BrokenIndexError, match=r"The index folder .* cannot be created") as caught:
        opened(root, tmp_path / "file")
    assert "CTXPACK_CACHE_DIR" in caught.value.hint


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_a_cache_folder_that_cannot_be_written(root: Path, cache: Path, folder: Path) -> None:
    write(root, {"new.py": "x = 1\n"})
    folder.chmod(0o555)
    try:
        with pytest.raises(BrokenIndexError) as caught:
            opened(root, cache)
    finally:
        folder.chmod(0o755)
    assert "CTXPACK_CACHE_DIR" in caught.value.hint


def test_a_database_that_cannot_be_opened(root: Path, cache: Path, folder: Path) -> None:
    for name in ("facts.sqlite", "facts.sqlite-wal", "facts.sqlite-shm"):
        (folder / name).unlink(missing_ok=True)
    (folder / "facts.sqlite").mkdir()
    with pytest.raises(BrokenIndexError, match=r"The index in .* cannot be written") as caught:
        opened(root, cache)
    assert "CTXPACK_CACHE_DIR" in caught.value.hint


def test_two_roots_of_one_name_have_their_own_folders(tmp_path: Path) -> None:
    one, other = index_folder(tmp_path, Path("/a/project")), index_folder(tmp_path, Path("/b/project"))
    assert one != other
    assert one.name.startswith("project-")


def test_an_index_of_a_commit_moves_with_it(tmp_path: Path, cache: Path) -> None:
    root = tmp_path / "versioned"
    for number in range(2):
        name = commit(root, {"a.py": f"x = {number}\n"})
        opened(root, cache).close()
        assert Store.open(index_folder(cache, root)).meta("commit") == name
