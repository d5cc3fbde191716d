from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ctxpack.discover import discover
from ctxpack.index import batches, opening, workers
from ctxpack.index.known import known_files
from ctxpack.index.opening import clear_index, expecting_index, hold_indexes, open_repository, rebuild_index
from ctxpack.index.store import Store
from ctxpack.index.view import IndexView
from ctxpack.light import replace
from ctxpack.settings import Settings
from ctxpack.system.clock import Timekeeper
from tests.indexing import commit, write

FILES = {
    "upload.py": "import queue\n\n\ndef upload(batch):\n    return batch\n",
    "queue.py": "def take():\n    return 1\n",
    "docs/upload.md": "# Upload\n\nHow batches are sent.\n",
}


@pytest.fixture(autouse=True)
def held() -> Iterator[None]:
    hold_indexes(2)
    yield
    hold_indexes(0)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    commit(tmp_path / "root", FILES)
    return Settings(root=tmp_path / "root", cache_dir=tmp_path / "cache")


def later() -> int:
    return time.time_ns() + 60_000_000_000


def ask(settings: Settings) -> IndexView:
    """Open the repository as a request does, when all that was written before is settled; and ask for a term."""
    with open_repository(settings, discovery=discover(settings, known_files(settings), later)) as view:
        view.postings.terms("sub", "upload")
        assert "batch" in view.files.text("upload.py")
        assert view.files.numbers
        return view


def settled(settings: Settings) -> IndexView:
    """The view of a later request: the first ones make the index, and record what they found."""
    ask(settings)
    ask(settings)
    return ask(settings)


def is_held(view: IndexView, before: IndexView) -> bool:
    return view.postings.segments is before.postings.segments


def test_what_is_unchanged_is_worked_out_once(settings: Settings) -> None:
    before = settled(settings)
    asked: list[str] = []
    view = ask(settings)
    assert is_held(view, before)
    assert view.files.numbers is before.files.numbers
    assert view.files.derive(lambda files: asked.append(files[0].path)) is None
    assert asked == ["docs/upload.md"]


def test_a_function_is_asked_once_for_the_same_files(settings: Settings) -> None:
    def paths(files: object) -> list[object]:
        return [files]

    first = settled(settings).files.derive(paths)
    assert ask(settings).files.derive(paths) is first
    write(settings.root, {"new.py": "x = 1\n"})
    assert ask(settings).files.derive(paths) is not first


def test_a_run_tells_of_what_it_read_itself(settings: Settings) -> None:
    settled(settings)
    with open_repository(settings, discovery=discover(settings, known_files(settings), later)) as view:
        assert not any((view.files._texts, view.files._exact, view.postings._terms))
        assert not view.files.missing_grammars


def test_without_wish_nothing_is_held(settings: Settings) -> None:
    hold_indexes(0)
    assert not is_held(ask(settings), settled(settings))


@pytest.mark.parametrize("path", ["upload.py", "new.py"])
def test_a_changed_file_is_seen(settings: Settings, path: str) -> None:
    before = settled(settings)
    write(settings.root, {path: "def upload_twice(batch):\n    return batch\n"})
    view = ask(settings)
    assert not is_held(view, before)
    assert len(view.postings.terms("sub", "twice").docs) == 1


def test_what_another_process_recorded_is_seen(settings: Settings) -> None:
    before = settled(settings)
    store = Store.open(before.store.folder)
    store.replace(store.read_recorded().generation, ("queue.py",), (), "")
    store.close()
    assert not is_held(ask(settings), before)


def test_other_settings_of_the_history_open_another_view(settings: Settings) -> None:
    before = settled(settings)
    assert len(before.history) == 1
    assert len(ask(replace(settings, use_history=False)).history) == 0


def test_an_index_that_was_made_anew_or_deleted_is_opened_anew(settings: Settings) -> None:
    before = settled(settings)
    rebuild_index(settings)
    view = ask(settings)
    assert not is_held(view, before)
    clear_index(settings)
    assert not is_held(ask(settings), view)


def test_another_file_in_the_place_of_a_segment_is_seen(settings: Settings) -> None:
    before = settled(settings)
    segment = before.store.folder / before.postings.segment_names[0]
    shutil.copy(segment, segment.with_name("copy"))
    segment.with_name("copy").replace(segment)
    assert not is_held(ask(settings), before)
    segment.unlink()
    view = ask(settings)
    assert len(view.postings.terms("sub", "upload").docs) > 0


def test_those_used_last_are_held(settings: Settings, tmp_path: Path) -> None:
    others = [replace(settings, root=tmp_path / name) for name in ("second", "third")]
    for each in others:
        commit(each.root, FILES)
    first, second = settled(settings), settled(others[0])
    assert is_held(ask(settings), first)
    settled(others[1])
    assert is_held(ask(settings), first)
    assert not is_held(ask(others[0]), second)


def test_interpreters_are_started_ahead_for_the_first_index_of_a_large_repository_alone(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[int] = []
    monkeypatch.setattr(batches, "most_workers", lambda: 3)
    monkeypatch.setattr(workers, "start_ahead", started.append)
    with expecting_index(settings, Timekeeper()):
        assert started == []
    monkeypatch.setattr(opening, "_LARGE", 10)
    with expecting_index(settings, Timekeeper()):
        assert started == [3]
    rebuild_index(settings)
    assert started == [3, 3]
    with open_repository(settings):
        pass
    assert started == [3, 3]


def test_what_was_started_ahead_ends_where_no_files_are_found(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "_LARGE", 10)
    monkeypatch.setattr(batches, "most_workers", lambda: 2)
    monkeypatch.setattr(opening, "discover", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        rebuild_index(settings)
    assert workers._waiting == []
