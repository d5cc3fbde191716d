from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from ctxpack.errors import InternalError, NothingFoundError, UsageError
from ctxpack.model import Memory
from ctxpack.report.memory import SessionStore

ONE = Memory("aa11", "Extract: ключ\nuser: keep it", 1_700_000_000.0, ("c1", "c2"))
TWO = Memory("bb22", "Extract: later", 1_700_000_100.0, ("c3",))


@pytest.fixture
def store(tmp_path: Path) -> SessionStore:
    return SessionStore(tmp_path / "data")


def test_what_was_saved_is_loaded_oldest_first(store: SessionStore) -> None:
    store.save("courier", TWO)
    store.save("courier", ONE)
    assert store.load("courier").memories == (ONE, TWO)
    assert store.load("other").memories == ()
    assert [each.name for each in store.sessions()] == ["courier"]


def test_capitals_make_no_difference(store: SessionStore) -> None:
    store.save("Курьер 2", ONE)
    assert store.load("курьер 2").memories == (ONE,)
    assert [each.name for each in store.sessions()] == ["курьер 2"]


def test_a_session_and_a_memory_are_forgotten(store: SessionStore) -> None:
    store.save("s", ONE)
    store.save("s", TWO)
    assert store.delete("s", "aa11") == 1
    assert store.load("s").memories == (TWO,)
    assert store.delete("s") == 1
    assert store.sessions() == ()
    with pytest.raises(NothingFoundError, match="Session s has no memories"):
        store.delete("s")
    store.save("s", ONE)
    with pytest.raises(NothingFoundError, match="Session s has no memory zz"):
        store.delete("s", "zz")


@pytest.mark.parametrize("name", ["", "..", "a/b", "a\\b", "../x", ".", "a.", "x" * 300, "ключ" * 30, "a\nb", "-a"])
def test_a_name_stays_in_its_folder(store: SessionStore, name: str) -> None:
    with pytest.raises(UsageError, match="is not a valid session name"):
        store.save(name, ONE)


@pytest.mark.parametrize("name", ["con", "NUL", "a.b", "команда", "a b", "x_1-2"])
def test_other_names_are_folders_of_their_own(store: SessionStore, name: str) -> None:
    store.save(name, ONE)
    (folder,) = (store.data_dir / "sessions").iterdir()
    assert folder.name.startswith("s-")
    assert store.sessions()[0].memories == (ONE,)


def test_a_damaged_file_is_named_and_the_others_are_read(store: SessionStore) -> None:
    store.save("s", ONE)
    folder = store.data_dir / "sessions" / "s-s"
    for name, text in (("x.json", "{"), ("y.json", '{"format": 9}'), ("z.json", "[" * 100_000), ("w.json", "[1]")):
        (folder / name).write_text(text)
    stored = store.load("s")
    assert stored.memories == (ONE,)
    assert [Path(each).name for each in stored.unreadable] == ["w.json", "x.json", "y.json", "z.json"]
    assert store.delete("s") == 5


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
def test_only_the_user_may_look(store: SessionStore) -> None:
    store.save("s", ONE)
    assert stat.S_IMODE((store.data_dir / "sessions").stat().st_mode) == 0o700


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    with pytest.raises(InternalError, match="cannot be kept") as caught:
        SessionStore(tmp_path / "data").save("s", ONE)
    assert "CTXPACK_DATA_DIR" in caught.value.hint
    with pytest.raises(InternalError, match="cannot be read"):
        SessionStore(tmp_path / "data").load("s")
