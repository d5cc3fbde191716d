"""What is damaged on disk is made anew by itself, and the answer is that of a clean run."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import pytest

from ctxpack.answer import pack
from ctxpack.errors import BrokenIndexError
from ctxpack.events import Guard, degraded_parts
from ctxpack.gather.plan import last_timings, record_timings
from ctxpack.index.arrays import load_arrays
from ctxpack.index.opening import find_files, mend_damage, open_repository
from ctxpack.index.sharing import index_folder
from ctxpack.index.store import Store
from ctxpack.model import Memory, Request, Scope
from ctxpack.pipeline import run_pack, search
from ctxpack.rank.vectors import VectorCache
from ctxpack.report.memory import SessionStore
from ctxpack.settings import Settings
from ctxpack.settings.loading import load
from ctxpack.system.disk import DamagedError, read_sealed, seal, unseal, write_sealed
from ctxpack.workflows.why_not import explain_absence
from tests.indexing import commit

CANARY = "quagmirian"
TASK = Request(Scope.TASK, text="fix the retry of uploads")
PLACE = Request(Scope.FILE, path="uploader.py", line=2)
FILES = {
    "uploader.py": f"from backoff import wait\n\n\ndef upload(event):\n    retry(wait(event), '{CANARY}')\n",
    "backoff.py": "def wait(event):\n    return event.delay\n\n\ndef retry(delay, name):\n    return upload(delay)\n",
    "docs/retries.md": "# Retries\n\nUploads are retried.\n\n## Delays\n\nEvery upload waits.\n",
}
TRIALS = 2  # of each fault on each file

REMADE = "The index was damaged or made by another version of ctxpack, and has been rebuilt."


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    commit(tmp_path / "root", FILES, f"Retry the {CANARY} upload")
    return load(tmp_path / "root")


def flip(path: Path, rng: random.Random) -> None:
    data = bytearray(path.read_bytes())
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    path.write_bytes(data)


def lose(path: Path, rng: random.Random) -> None:
    data = bytearray(path.read_bytes())
    at = rng.randrange(0, len(data), 256)
    data[at : at + 256] = bytes(len(data[at : at + 256]))
    path.write_bytes(data)


def cut(path: Path, rng: random.Random) -> None:
    os.truncate(path, rng.randrange(path.stat().st_size))


def delete(path: Path, rng: random.Random) -> None:  # noqa: ARG001
    path.unlink()


@pytest.mark.parametrize("kind", ["facts.sqlite", "segment-*", "graph-*", "history-*"])
@pytest.mark.parametrize("fault", [flip, lose, cut, delete])
def test_a_damaged_index_answers_as_a_clean_one(
    settings: Settings, kind: str, fault: Callable[[Path, random.Random], None]
) -> None:
    """The run that meets the damage and the one after it; so does a place in a file, which needs syntax trees."""
    rng = random.Random(f"{kind} {fault.__name__}")  # noqa: S311 - the same damage each time
    clean = [run_pack(request, settings).text for request in (TASK, PLACE)]
    folder = index_folder(settings.cache_dir, settings.root)
    kept = shutil.copytree(folder, settings.cache_dir / "kept")
    for _ in range(TRIALS):
        shutil.rmtree(folder)
        shutil.copytree(kept, folder)
        (place,) = folder.glob(kind)
        fault(place, rng)
        assert [run_pack(request, settings).text for request in (TASK, PLACE)] == clean
        again = run_pack(TASK, settings)
        assert (again.text, again.remarks) == (clean[0], ())


@pytest.mark.parametrize("kind", ["facts.sqlite", "segment-*", "graph-*", "history-*"])
def test_a_remark_tells_of_damage(settings: Settings, kind: str) -> None:
    clean = pack(TASK, settings)
    assert clean.remarks == ()
    (place,) = index_folder(settings.cache_dir, settings.root).glob(kind)
    data = place.read_bytes()
    place.write_bytes(data.replace(b"uploader", b"uplauder") if b"uploader" in data else data[:-1])
    found = search("retry", settings)
    assert found.remarks == (REMADE,)
    assert search("retry", settings).remarks == ()


def test_no_message_holds_what_a_broken_file_holds(settings: Settings) -> None:
    run_pack(TASK, settings)
    place = index_folder(settings.cache_dir, settings.root) / "facts.sqlite"
    with _opened(place.parent) as store:
        keys = [(row.path, row.key) for row in store.rows().values()]
    data = place.read_bytes()
    place.write_bytes(data.replace(b"backoff", b"back\xff\xfef"))
    with _opened(place.parent) as store:
        for read in (store.rows, partial(store.facts, keys)):
            with pytest.raises(BrokenIndexError) as caught:
                read()
            assert "back" not in str(caught.value)


class _opened:  # noqa: N801 - reads as a function
    def __init__(self, folder: Path) -> None:
        self.store = Store.open(folder)

    def __enter__(self) -> Store:
        return self.store

    def __exit__(self, *_: object) -> None:
        self.store.close()


def test_damage_that_is_met_late_is_mended_within_the_run(settings: Settings) -> None:
    """Only a component asks for the facts of all files, long after the index was opened."""
    commit(settings.root, {"docs/tagged.md": "---\ntags: [delay]\n---\n\n# Delay\n\nUploads wait.\n"})
    request = Request(Scope.COMPONENT, name="delay")
    clean = pack(request, settings).text
    shutil.rmtree(settings.cache_dir / "packs")
    place = index_folder(settings.cache_dir, settings.root) / "facts.sqlite"
    data = place.read_bytes()
    assert b'"backoff' in data
    place.write_bytes(data.replace(b'"backoff', b'"backoof'))
    found = pack(request, settings)
    assert (found.text, found.remarks) == (clean, (REMADE,))
    assert pack(request, settings).remarks == ()


def damage_facts(settings: Settings) -> None:
    """Damage the facts of all files: they are not read before something asks for them."""
    with _opened(index_folder(settings.cache_dir, settings.root)) as store:
        store._connection.execute("UPDATE file SET facts = facts || ' '")


def test_why_not_mends_damage_that_is_met_late(settings: Settings) -> None:
    clean = explain_absence("docs/retries.md", TASK.text, settings)
    damage_facts(settings)
    found = explain_absence("docs/retries.md", TASK.text, settings)
    assert (clean.remarks, found.remarks) == ((), (REMADE,))
    assert replace(found, remarks=()) == clean
    assert explain_absence("docs/retries.md", TASK.text, settings) == clean


def test_a_run_mends_damage_that_is_met_late(settings: Settings) -> None:
    clean = run_pack(TASK, settings)
    damage_facts(settings)
    found = run_pack(TASK, settings)
    assert (found.text, found.remarks, found.candidates) == (clean.text, (REMADE,), clean.candidates)
    assert run_pack(TASK, settings).remarks == ()


def test_a_search_has_read_all_that_it_needs_once_the_index_is_open(settings: Settings) -> None:
    clean = search("retry", settings)
    damage_facts(settings)
    assert search("retry", settings) == clean


@dataclass(frozen=True)
class Made:
    """What some work made."""

    text: str
    remarks: tuple[str, ...] = ()


def test_whatever_opens_an_index_can_mend_it(settings: Settings) -> None:
    """A file of arrays that vanishes within a run is damage that the store itself does not see."""
    turns = []

    @mend_damage
    def work(name: str, *, sign: str) -> Made:
        with open_repository(settings) as view:
            turns.append(name)
            if len(turns) == 1:
                load_arrays(view.store.folder / "gone")
            return Made(name + sign, view.remarks)

    assert work("made", sign="!") == Made("made!", (REMADE,))
    assert turns == ["made", "made"]
    assert work("made", sign="!") == Made("made!")


def test_what_cannot_be_mended_is_one_error(settings: Settings) -> None:
    tried = []

    @mend_damage
    def work() -> Made:
        tried.append("work")
        with open_repository(settings) as view:
            load_arrays(view.store.folder / "gone")
        return Made("")

    with pytest.raises(BrokenIndexError, match=r"The index file gone cannot be read\."):
        work()
    assert len(tried) == 2


def test_a_damaged_syntax_tree_is_made_anew(settings: Settings) -> None:
    clean = run_pack(PLACE, settings).text
    folder = index_folder(settings.cache_dir, settings.root)
    with _opened(folder) as store:
        rows = store._connection.execute("SELECT key, parsed FROM exact").fetchall()
        assert rows
        damaged = [(parsed.replace("upload", "uplaod"), key) for key, parsed in rows]
        store._connection.executemany("UPDATE exact SET parsed=? WHERE key=?", damaged)
    assert run_pack(PLACE, settings).text == clean
    with _opened(folder) as store:
        assert all("uplaod" not in store.exact(key) for key, _ in rows)


def test_a_store_that_turns_out_damaged_goes_when_it_is_closed(settings: Settings) -> None:
    clean = run_pack(TASK, settings).text
    folder = index_folder(settings.cache_dir, settings.root)
    with open_repository(settings) as view:
        view.store._connection.execute("DROP TABLE exact")
        view.store.remember_exact({"key": "parsed"})
        assert view.remarks == ("The index is damaged; the next run rebuilds it.",)
    assert not folder.exists()
    assert run_pack(TASK, settings).text == clean


@pytest.mark.parametrize("name", [b"segment TEXT", b"value TEXT"])
def test_names_of_columns_may_be_no_text(settings: Settings, name: bytes) -> None:
    clean = run_pack(TASK, settings).text
    place = index_folder(settings.cache_dir, settings.root) / "facts.sqlite"
    place.write_bytes(place.read_bytes().replace(name, b"\xe3" + name[1:]))
    for remarks in ((REMADE,), ()):
        found = run_pack(TASK, settings)
        assert (found.text, found.remarks) == (clean, remarks)


def test_what_is_known_of_files_is_forgotten_where_it_is_damaged(settings: Settings) -> None:
    for path in settings.root.rglob("*.py"):
        os.utime(path, (1_600_000_000, 1_600_000_000))
    clean = run_pack(TASK, settings).text
    place = index_folder(settings.cache_dir, settings.root) / "facts.sqlite"
    blob = find_files(settings).files[0].blob.encode()
    data = place.read_bytes()
    at = data.rindex(blob)
    place.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
    for _ in range(2):
        assert run_pack(TASK, settings).text == clean
    assert find_files(settings).files[0].blob.encode() == blob


@pytest.mark.parametrize("fault", [flip, lose, cut])
def test_a_damaged_answer_is_made_anew(settings: Settings, fault: Callable[[Path, random.Random], None]) -> None:
    clean = pack(TASK, settings).text
    (kept,) = (settings.cache_dir / "packs").iterdir()
    rng = random.Random(7)  # noqa: S311 - the same damage each time
    for _ in range(TRIALS):
        fault(kept, rng)
        found = pack(TASK, settings)
        assert found.text == clean
        assert found.remarks == ("The cached report was damaged, so it was made again.",)
        assert pack(TASK, settings).remarks == ()


def test_no_kept_answer_stands_in_the_place_of_another(settings: Settings) -> None:
    other = replace(TASK, text="where does every upload wait")
    clean = pack(TASK, settings).text
    (kept,) = (settings.cache_dir / "packs").iterdir()
    pack(other, settings)
    (second,) = {*(settings.cache_dir / "packs").iterdir()} - {kept}
    kept.write_bytes(second.read_bytes())
    assert pack(TASK, settings).text == clean


def test_a_file_of_arrays_holds_what_was_written_under_its_name(settings: Settings) -> None:
    run_pack(TASK, settings)
    (place,) = index_folder(settings.cache_dir, settings.root).glob("segment-*")
    load_arrays(place)
    with pytest.raises(BrokenIndexError, match="is damaged"):
        load_arrays(place.rename(place.with_name("segment-other")))


def test_timings_and_health_that_are_damaged_are_not_known(settings: Settings) -> None:
    settings.cache_dir.mkdir(parents=True)
    record_timings(settings, {"search": 1.0})
    Guard(settings, "rerank", "The command").record_failure()
    assert last_timings(settings) == {"search": 1.0}
    assert degraded_parts(settings)
    for name in ("strategy-timings.json", "health.json"):
        place = settings.cache_dir / name
        place.write_bytes(place.read_bytes().replace(b"1", b"2"))
    assert last_timings(settings) == {}
    assert degraded_parts(settings) == ()


def test_a_damaged_vector_is_not_there_and_is_kept_anew(tmp_path: Path) -> None:
    cache = VectorCache(tmp_path / "v.sqlite")
    cache.keep({b"one": b"first vector", b"two": b"second vector"})
    place = tmp_path / "v.sqlite"
    place.write_bytes(place.read_bytes().replace(b"first vector", b"fir5t vector"))
    assert cache.find([b"one", b"two"]) == {b"two": b"second vector"}
    cache.keep({b"one": b"first vector"})
    assert cache.find([b"one"]) == {b"one": b"first vector"}


def test_vectors_whose_table_is_damaged_are_made_anew(tmp_path: Path) -> None:
    cache, place = VectorCache(tmp_path / "v.sqlite"), tmp_path / "v.sqlite"
    cache.keep({b"one": b"vector"})
    place.write_bytes(place.read_bytes().replace(b"value BLOB", b"velue BLOB"))
    assert cache.find([b"one"]) == {}
    cache.keep({b"one": b"vector"})
    assert cache.find([b"one"]) == {b"one": b"vector"}


@pytest.mark.parametrize("written", ["uploads wait", "2026-01-01T00:00:00", '"format": 2'])
def test_a_memory_that_was_changed_cannot_be_read(tmp_path: Path, written: str) -> None:
    store = SessionStore(tmp_path)
    store.save("s", Memory("id", "uploads wait", 1_767_225_600.0, ("a", "b")))
    assert store.load("s").memories
    (place,) = tmp_path.rglob("*.json")
    text = place.read_text(encoding="utf-8")
    assert written in text
    place.write_text(text.replace(written, written.replace("2", "1").replace("wait", "fail")), encoding="utf-8")
    assert store.load("s").memories == ()
    assert len(store.load("s").unreadable) == 1


def test_a_seal_covers_text_and_name() -> None:
    sealed = seal("text\udc80", "name")
    assert unseal(sealed, "name") == "text\udc80"
    for other, name in ((sealed, "other"), (sealed + " ", "name"), (None, "name"), (3, "name"), ("", "name")):
        with pytest.raises(DamagedError):
            unseal(other, name)


def test_a_sealed_file_is_what_was_written_or_nothing(tmp_path: Path) -> None:
    place = tmp_path / "file"
    write_sealed(place, b"data")
    assert read_sealed(place) == b"data"
    for content in (b"", b"data", place.read_bytes()[:-1], place.read_bytes() + b"\n"):
        place.write_bytes(content)
        with pytest.raises(DamagedError):
            read_sealed(place)
