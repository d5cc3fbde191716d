"""What changes together with the best files, and what they import."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ctxpack.index import IndexView
from ctxpack.rank import Purpose, rank
from ctxpack.rank.board import BestFiles, Board
from ctxpack.rank.file_scores import score_files
from ctxpack.rank.signals import relations
from tests.indexing import board, commit, opened, prepared, write

UPLOADER = "import store\n\n\ndef upload_batch():\n    return store.keep()\n"
STORE = "def keep():\n    return 1\n"
OTHER = "def other():\n    return 2\n"


@pytest.fixture
def past(tmp_path: Path) -> Path:
    """The uploader and the store change together, once each with forty others; the other changes alone."""
    root = tmp_path / "root"
    commit(root, {"uploader.py": UPLOADER, "store.py": STORE, "other.py": OTHER} | wide(0), "Begin")
    for number in range(3):
        commit(root, {"uploader.py": UPLOADER + f"# {number}\n", "store.py": STORE + f"# {number}\n"}, "Tidy")
    commit(root, {"other.py": OTHER + "# 1\n"}, "Tidy the other")
    return root


def wide(number: int) -> dict[str, str]:
    return {f"wide{place}.txt": f"{number}\n" for place in range(40)}


def with_best(view: IndexView, text: str, path: str) -> BestFiles:
    return BestFiles(board(text, view), np.array([float(file.path == path) for file in view.files]) * 9)


def named(view: IndexView, scores: np.ndarray) -> list[str]:
    return [view.files[number].path for number in scores.nonzero()[0].tolist() if scores[number] > 0.01]


def test_what_changes_together_with_the_best_gains_and_tells_it(past: Path, tmp_path: Path) -> None:
    view = opened(past, tmp_path / "cache")
    found = relations.changed_together(with_best(view, "upload batch", "uploader.py"))
    store = view.files.numbers["store.py"]
    assert named(view, found.scores) == ["store.py"]
    assert found.scores[store] == pytest.approx(1.0, abs=0.01)  # each of its three changes
    assert found.reasons[store] == "3 commits changed it together with uploader.py"
    view.close()


def test_a_single_commit_is_told_as_well(tmp_path: Path) -> None:
    root = tmp_path / "root"
    commit(root, {"uploader.py": UPLOADER, "store.py": STORE}, "Begin")
    view = opened(root, tmp_path / "cache")
    found = relations.changed_together(with_best(view, "upload batch", "uploader.py"))
    assert found.reasons[view.files.numbers["store.py"]] == "1 commit changed it together with uploader.py"
    view.close()


def test_what_the_best_import_gains_and_tells_it(past: Path, tmp_path: Path) -> None:
    view = opened(past, tmp_path / "cache")
    found = relations.imported_by_best(with_best(view, "upload batch", "uploader.py"))
    assert named(view, found.scores) == ["store.py"]
    assert found.reasons == {view.files.numbers["store.py"]: "uploader.py imports it"}
    view.close()


def test_a_file_counts_less_the_further_it_is_behind(past: Path, tmp_path: Path) -> None:
    view = opened(past, tmp_path / "cache")
    points = np.zeros(len(view.files))
    points[:3] = (1.0, 5.0, 4.0)
    weights = relations.best_weights(BestFiles(board("upload", view), points), 3)
    assert list(weights) == [1, 2, 0]
    assert weights[1] == 1 > weights[2] > weights[0] > 0
    view.close()


def test_a_companion_comes_into_the_ranking_with_its_reason(past: Path, tmp_path: Path) -> None:
    view = opened(past, tmp_path / "cache")
    asked = board("upload_batch and keep of the store", view)
    scores = score_files(asked, Purpose.LIST)
    gained = {signal.name for signal, points in scores.points.items() if points[view.files.numbers["store.py"]] > 0}
    assert {"changed together", "imported by the best"} <= gained
    found = rank(asked.query, view, limit=9, purpose=Purpose.PACK)
    reasons = {each.reason for one in found if one.file.path == "store.py" for each in one.evidence}
    assert {"uploader.py imports it", "3 commits changed it together with uploader.py"} <= reasons
    view.close()


def test_votes_tell_how_many_commits_speak_for_a_file(past: Path, tmp_path: Path) -> None:
    for number in range(8):
        commit(past, {"other.py": OTHER + f"# {number}\n"}, f"Tidy {number}")
    commit(past, {"store.py": STORE}, "Limit the uploads by quota")
    commit(past, {"store.py": STORE + "\n"}, "Quota of uploads once more")
    view = opened(past, tmp_path / "cache")
    asked = board("quota of uploads", view)
    store = view.files.numbers["store.py"]
    for found in (relations.votes(asked), relations.votes_by_all(asked)):
        assert found.scores[store] > 0
        assert found.reasons == {store: "2 commits with similar messages changed it"}
    view.close()


@pytest.mark.parametrize(
    ("text", "declaring"),
    [
        ("how do I plug in my own storage", ["Storage"]),
        ("what does a custom storage have to do", ["Storage"]),
        ("implement a sender for faxes", ["BaseSender"]),
        ("как подключить своё хранилище", ["Storage"]),
        ("how is the storage filled", []),  # nobody wants an own one
        ("our own parcel is lost", []),  # there is nothing to implement
    ],
)
def test_what_an_own_part_has_to_implement_is_told(tmp_path: Path, text: str, declaring: list[str]) -> None:
    files = {
        "storage.go": "package parcels\n\n// Storage keeps parcels.\ntype Storage interface {\n\tKeep() error\n}\n\n"
        "type StorageKeys struct {\n\tName string\n}\n",
        "sender.py": "class BaseSender:\n    def send(self):\n        raise NotImplementedError\n\n\n"
        "class MailSender(BaseSender):\n    def send(self):\n        return 1\n",
        "parcel.py": "class Parcel:\n    def weigh(self):\n        return 1\n",
    }
    view = opened(write(tmp_path / "root", files), tmp_path / "cache")
    found = relations.declaring_chunks(Board(prepared(text, view), view))
    assert [view.postings.chunk(number).symbol for number in found.numbers.tolist()] == declaring
    view.close()


WAYS = frozenset({"road", "rail", "ship", "plane"})


@pytest.mark.parametrize(
    ("code", "what"),
    [
        (
            'switch (way) {\n  case "road":\n    go();\n  case "rail":\n  case "ship":\n  case "plane":\n}',
            "switch (way) {",
        ),
        ("switch way {\ncase Way.Road:\ncase Way.Rail:\ncase Way.Ship, Way.Raft:\ncase Way.Plane:\n}", "switch way {"),
        (
            "match way {\n    Way::Road => 1,\n    Way::Rail => 2,\n    Way::Ship(fee) => 3,\n    Way::Plane => 4,\n}",
            "match way {",
        ),
        (
            'if way == "road":\n    go()\nelif way in late or way == "rail":\n    wait(way == "ship", way == "plane")',
            "way",
        ),
        ('WAYS = ("road", "rail", "ship", "plane")', "WAYS = ("),
        ('WAYS = [\n    "road",\n    "rail",\n    "ship",\n    "plane",\n]', "WAYS = ["),
        ("type Way = 'road' | 'rail' | 'ship' | 'plane';", "type Way ="),
        ("enum Way {\n    ROAD,\n    RAIL,\n    SHIP,\n    PLANE,\n}", "enum Way {"),
        ("enum Way {\n    ROAD = 1,\n    RAIL = 2,\n    SHIP = 3,\n    PLANE = 4,\n}", "enum Way {"),
    ],
)
def test_what_code_tells_apart_is_found_with_what_it_is(code: str, what: str) -> None:
    assert [(said.strip(), names) for said, names in relations.cases_in(code)] == [(what, WAYS)]


@pytest.mark.parametrize(
    "code",
    [
        'switch (way) {\n  case "road":\n  case "rail":\n}',  # too few
        "import { Road, Rail, Ship, Plane } from './ways'",
        "from ways import (\n    Road,\n    Rail,\n    Ship,\n    Plane,\n)",
        'if way == "road":\n    go()\nelif fee == "rail":\n    wait(box == "ship", day == "plane")',
    ],
)
def test_names_that_are_not_told_apart_are_no_cases(code: str) -> None:
    assert relations.cases_in(code) == []
