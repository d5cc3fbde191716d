from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from ctxpack.discover import discover
from ctxpack.index import open_index
from ctxpack.index.known import KNOWN, ROWS, known_files, known_rows, record_rows
from ctxpack.index.opening import find_files, usable_cache
from ctxpack.index.sharing import index_folder
from ctxpack.index.store import Recorded, Store
from ctxpack.settings import Settings

MakeRepository = Callable[[dict[str, str]], Path]
OLD = 1_600_000_000


@pytest.fixture
def settings(tmp_path: Path, repository: MakeRepository) -> Settings:
    root = repository({"a.py": "x = 1\n", "b/c.md": "# C\n", "blob.py": "\0\1\2" * 50})
    for path in root.rglob("*"):
        os.utime(path, (OLD, OLD))
    return Settings(root=root, cache_dir=tmp_path / "cache")


def run(settings: Settings) -> None:
    open_index(settings, discover(settings, known_files(settings))).close()


def test_files_and_skipped_files_are_remembered(settings: Settings) -> None:
    assert known_files(settings) == {}
    run(settings)
    known = known_files(settings)
    assert set(known) == {"a.py", "b/c.md", "blob.py"}
    assert (known["a.py"].language, known["a.py"].mtime_ns) == ("python", OLD * 10**9)
    assert known["blob.py"].skip_reason
    assert discover(settings, known) == discover(settings)


def test_what_changed_is_recorded_anew(settings: Settings) -> None:
    run(settings)
    (settings.root / "a.py").write_text("x = 22\n")
    os.utime(settings.root / "a.py", (OLD + 9, OLD + 9))
    (settings.root / "b" / "c.md").unlink()
    run(settings)
    known = known_files(settings)
    assert set(known) == {"a.py", "blob.py"}
    assert known["a.py"].size == 7


def test_a_part_of_the_repository_does_not_make_the_rest_forgotten(settings: Settings) -> None:
    run(settings)
    run(replace(settings, paths=("a.py",)))
    assert set(known_files(settings)) == {"a.py", "b/c.md", "blob.py"}


def test_names_that_are_not_utf8_survive(settings: Settings) -> None:
    path = os.fsencode(settings.root) + b"/odd\xff.py"
    try:
        Path(os.fsdecode(path)).write_text("y = 1\n")
    except OSError:
        pytest.skip("this file system only takes valid names")
    os.utime(path, (OLD, OLD))
    run(settings)
    assert "odd\udcff.py" in known_files(settings)


def test_a_broken_store_is_made_again_and_files_are_known_by_themselves(settings: Settings) -> None:
    run(settings)
    known = dict(known_files(settings))
    facts = index_folder(settings.cache_dir, settings.root) / "facts.sqlite"
    facts.write_bytes(b"no database" * 100)
    assert known_files(settings) == known
    run(settings)
    assert known_files(settings) == known


def test_a_relative_cache_folder_serves_like_any_other(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(settings.cache_dir.parent)
    near = replace(settings, cache_dir=Path("cache"), root=Path(os.path.relpath(settings.root)))
    run(near)
    assert set(known_files(near)) == {"a.py", "b/c.md", "blob.py"}
    assert known_files(settings) == known_files(near)


def test_a_root_is_known_by_its_whole_path(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(settings.root)
    here = replace(settings, root=Path())
    run(here)
    monkeypatch.chdir(settings.root / "b")
    assert known_files(here) == {}


@pytest.mark.parametrize("damage", ["empty", "short", "changed", "another"])
def test_a_damaged_record_knows_nothing_and_is_made_again(settings: Settings, damage: str) -> None:
    run(settings)
    known, place = dict(known_files(settings)), index_folder(settings.cache_dir, settings.root) / KNOWN
    data = bytearray(place.read_bytes())
    data[len(data) // 2] ^= 1
    graph = next(place.parent.glob("graph-*")).read_bytes()
    place.write_bytes({"empty": b"", "short": bytes(data[:-3]), "changed": bytes(data), "another": graph}[damage])
    assert known_files(settings) == {}
    run(settings)
    assert known_files(settings) == known


def test_what_has_not_changed_is_not_written_again(settings: Settings) -> None:
    run(settings)
    place = index_folder(settings.cache_dir, settings.root) / KNOWN
    before = place.stat().st_ino
    run(settings)
    assert place.stat().st_ino == before


def test_a_cache_that_shall_not_be_used_goes_away(settings: Settings) -> None:
    with usable_cache(replace(settings, use_cache=False)) as its:
        run(its)
        assert its.cache_dir.exists()
    assert not its.cache_dir.exists()
    with usable_cache(settings) as same:
        assert same is settings


def rows_of(settings: Settings) -> list[tuple[str, str, int]]:
    """Open the index; where each file is in it."""
    view = open_index(settings, find_files(settings))
    view.close()
    return [(file.path, row.segment, row.slot) for file, row in zip(view.files, view.postings.rows, strict=True) if row]


@pytest.fixture
def indexed(settings: Settings) -> Settings:
    """The repository, indexed twice: the rows are known."""
    for _ in range(2):
        rows_of(settings)
    return settings


def forget_rows(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Notice where the rows are read from the store."""
    asked: list[str] = []
    read = Store.read_recorded

    def noticed(store: Store) -> Recorded:
        asked.append("rows")
        return read(store)

    monkeypatch.setattr(Store, "read_recorded", noticed)
    return asked


def test_rows_are_read_from_the_store_only_where_something_has_changed(
    indexed: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = forget_rows(monkeypatch)
    before = rows_of(indexed)
    assert asked == []
    assert [path for path, _, _ in before] == ["a.py", "b/c.md"]
    (indexed.root / "a.py").write_text("def changed(): ...\n")
    changed = rows_of(indexed)
    assert [row for row in changed if row[0] == "b/c.md"] == before[1:]
    assert changed[0] != before[0]
    (indexed.root / "a.py").write_text("def changed_again(): ...\n")
    again = rows_of(indexed)
    assert rows_of(indexed) == again != changed
    assert asked == []  # an edit is known as well
    assert stored_rows(indexed) == again
    asked.clear()
    (indexed.root / "b" / "c.md").unlink()
    assert rows_of(indexed) == again[:1]
    assert asked


def stored_rows(settings: Settings) -> list[tuple[str, str, int]]:
    """Return the rows as the store has them."""
    store = Store.open(index_folder(settings.cache_dir, settings.root))
    rows = [(path, row.segment, row.slot) for path, row in store.rows().items()]
    store.close()
    return rows


def test_rows_are_not_kept_of_a_file_that_changed_while_it_was_read(indexed: Settings) -> None:
    folder, discovery = index_folder(indexed.cache_dir, indexed.root), find_files(indexed)
    store = Store.open(folder)
    recorded = store.read_recorded()
    (folder / ROWS).unlink()
    rows = {path: row._replace(key="changing") if path == "a.py" else row for path, row in recorded.rows.items()}
    record_rows(store, recorded._replace(rows=rows), discovery)
    assert not (folder / ROWS).exists()
    record_rows(store, recorded, discovery)
    assert known_rows(store, discovery) == recorded._replace(is_current=True)
    store.close()


def test_rows_of_another_update_or_a_damaged_file_are_not_used(
    indexed: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, folder = rows_of(indexed), index_folder(indexed.cache_dir, indexed.root)
    asked = forget_rows(monkeypatch)
    store = Store.open(folder)
    store.replace(store.latest()[0], (), (), store.latest()[1])
    store.close()
    assert rows_of(indexed) == before
    assert asked == ["rows"]
    assert rows_of(indexed) == before
    assert asked == ["rows"]
    (folder / ROWS).write_bytes((folder / ROWS).read_bytes()[:-2])
    assert rows_of(indexed) == before
    assert asked == ["rows", "rows"]
    next(folder.glob("segment-*")).unlink()
    assert [path for path, _, _ in rows_of(indexed)] == ["a.py", "b/c.md"]
