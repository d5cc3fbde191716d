"""What changes together with the best files, and what they import."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ctxpack.index import IndexView
from ctxpack.rank import Purpose, rank
from ctxpack.rank.board import Board
from ctxpack.rank.files import score_files
from ctxpack.rank.signals import companions, history
from tests.indexing import board, commit, opened

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


def with_best(view: IndexView, text: str, path: str) -> Board:
    asked = board(text, view)
    asked.best = companions.best_of(np.array([float(file.path == path) for file in view.files]) * 9)
    return asked


def named(view: IndexView, scores: np.ndarray) -> list[str]:
    return [view.files[number].path for number in scores.nonzero()[0].tolist() if scores[number] > 0.01]


def test_what_changes_together_with_the_best_gains_and_tells_it(past: Path, tmp_path: Path) -> None:
    view = opened(past, tmp_path / "cache")
    asked = with_best(view, "upload batch", "uploader.py")
    scores = companions.changed_together(asked)
    assert named(view, scores) == ["store.py"]
    assert scores[view.files.numbers["store.py"]] == pytest.approx(1.0, abs=0.01)  # each of its three changes
    told = asked.told["changed together"]
    assert told[view.files.numbers["store.py"]] == "3 commits changed it together with uploader.py"
    view.close()


def test_what_the_best_import_gains_and_tells_it(past: Path, tmp_path: Path) -> None:
    view = opened(past, tmp_path / "cache")
    asked = with_best(view, "upload batch", "uploader.py")
    assert named(view, companions.imported_by_best(asked)) == ["store.py"]
    assert asked.told["imported by the best"] == {view.files.numbers["store.py"]: "uploader.py imports it"}
    view.close()


def test_nobody_has_companions_before_the_best_are_known(past: Path, tmp_path: Path) -> None:
    view = opened(past, tmp_path / "cache")
    assert not companions.changed_together(board("upload", view)).any()
    assert not companions.imported_by_best(board("upload", view)).any()
    view.close()


def test_the_word_of_a_file_counts_less_the_further_it_is_behind() -> None:
    best = companions.best_of(np.array([1.0, 5.0, 4.0]))
    assert best.files.tolist() == [1, 2, 0]
    assert best.weights[0] == 1 > best.weights[1] > best.weights[2] > 0


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
    assert history.votes_by_all(asked)[view.files.numbers["store.py"]] > 0
    history.votes(asked)
    for name in ("commits", "commit words"):
        assert asked.told[name] == {view.files.numbers["store.py"]: "2 commits with similar messages changed it"}
    view.close()
