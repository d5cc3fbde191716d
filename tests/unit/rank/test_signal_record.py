"""The record of a signal: its fields agree with each other, and one row with one function is a whole signal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from ctxpack.index import IndexView
from ctxpack.model import Confidence, Evidence, Shape
from ctxpack.rank import Purpose
from ctxpack.rank.board import Board, Explained, Signal
from ctxpack.rank.candidates import best_candidates
from ctxpack.rank.evidence import confidence_of
from ctxpack.rank.file_scores import score_files
from ctxpack.rank.weights import BUILT_IN_SIGNALS, BUILT_IN_TABLES
from tests.indexing import board, opened, write

if TYPE_CHECKING:
    from ctxpack.model import Candidate

FILES = {
    "app/alpha.py": "def retry():\n    return 1\n",
    "app/beta.py": "def retry():\n    return 1\n",
    "app/gamma.py": "def other():\n    return 2\n",
}
SIGNALS = list(BUILT_IN_SIGNALS.values())


@pytest.fixture
def view(tmp_path: Path) -> Iterator[IndexView]:
    view = opened(write(tmp_path / "root", FILES), tmp_path / "cache")
    yield view
    view.close()


def by_beta(given: Board) -> Explained:
    """The one function of a new signal."""
    number = given.view.files.numbers["app/beta.py"]
    scores = np.zeros(len(given.view.files))
    scores[number] = 5.0
    return Explained(scores, {number: "beta said so"})


def ranked(view: IndexView, row: Signal[Board], text: str = "retry") -> tuple[Candidate, ...]:
    given, tables = board(text, view), replace(BUILT_IN_TABLES, files=(*BUILT_IN_TABLES.files, row))
    return best_candidates(given, score_files(given, Purpose.LIST, tables), 9, Purpose.LIST)


def test_every_row_has_a_name_of_its_own() -> None:
    its = BUILT_IN_TABLES
    tables = (its.files, its.companions, (its.phrases,), its.chunks)
    assert [each.name for table in tables for each in table] == list(BUILT_IN_SIGNALS)
    assert all(each.name.startswith("chunk ") for each in its.chunks)


@pytest.mark.parametrize("signal", SIGNALS, ids=lambda signal: signal.name)
def test_the_fields_of_a_row_agree(signal: Signal[Any]) -> None:
    is_of_chunks = signal in BUILT_IN_TABLES.chunks
    assert signal.reason
    assert any(signal.weight(shape, purpose) > 0 for shape in Shape for purpose in Purpose)
    assert (signal.pack is not None) == is_of_chunks
    assert not signal.locates or (signal.names and signal.confirms)
    assert not signal.whole_from or (signal.names and signal.whole_from <= 1)
    assert (
        not (signal.locates or signal.names or signal.confirms or signal.whole_from) or signal in BUILT_IN_TABLES.files
    )
    assert not signal.is_prior or not (signal.names or signal.confirms or signal.same_as)
    assert not signal.same_as or (signal.same_as in BUILT_IN_SIGNALS and signal.same_as != signal.name)
    assert signal.defined is None or is_of_chunks


def test_a_weight_is_of_the_list_unless_packs_have_their_own() -> None:
    row = Signal("new", by_beta, 1.0, 2.0, "it is new")
    assert (row.weight(Shape.ISSUE), row.weight(Shape.QUESTION, Purpose.PACK)) == (1.0, 2.0)
    assert replace(row, pack=3.0).weight(Shape.ISSUE, Purpose.PACK) == 3.0
    assert replace(row, pack=3.0).weight(Shape.ISSUE) == 1.0


def test_one_row_and_one_function_are_a_signal(view: IndexView) -> None:
    best = ranked(view, Signal("new", by_beta, 1.0, 1.0, "it is new"))[0]
    assert best.file.path == "app/beta.py"
    assert Evidence("new", 1.0, "beta said so") in best.evidence


def test_a_file_without_a_word_of_the_request_is_shown_where_a_signal_locates_it(view: IndexView) -> None:
    def by_gamma(given: Board) -> Explained:
        return Explained(np.array([float(file.path == "app/gamma.py") for file in given.view.files]), {})

    row = Signal("new", by_gamma, 1.0, 1.0, "it is new")
    assert "app/gamma.py" not in [each.file.path for each in ranked(view, row)]
    located = ranked(view, replace(row, locates=True, names=True))
    assert Evidence("new", 1.0, "it is new") in next(e for e in located if e.file.path == "app/gamma.py").evidence


def test_confidence_follows_the_score_alone() -> None:
    assert [confidence_of(score) for score in (1.0, 0.65, 0.64, 0.25, 0.24)] == [
        Confidence.HIGH, Confidence.HIGH, Confidence.MEDIUM, Confidence.MEDIUM, Confidence.LOW,
    ]  # fmt: skip
