"""What an ablation leaves out: one thing at a time, and only that."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ctxpack.index import IndexView
from ctxpack.model import Expansion, Shape
from ctxpack.query import query_of_text
from ctxpack.rank import Purpose, rank
from ctxpack.rank.board import Board
from ctxpack.rank.chunks import ChunkRanking
from ctxpack.rank.file_scores import score_files
from ctxpack.rank.weights import BUILT_IN_TABLES
from tests.indexing import commit, opened

if TYPE_CHECKING:
    from ctxpack.rank.bm25 import Scores

variants = import_module("variants")
ablation = import_module("ablation")

FILES = {
    "app/retry.py": "def retry_delay(tries):\n    return 2**tries\n\n\ndef unrelated():\n    pass\n",
    "app/upload.py": "class Uploader:\n    def send(self):\n        retry_delay(1)\n",
    "tests/test_retry.py": "from app.retry import retry_delay\n\n\ndef test_it():\n    assert retry_delay(1) == 2\n",
    "docs/retry.md": "# Retry delay\n\nHow long the retry delay lasts.\n",
}


@pytest.fixture
def view(tmp_path: Path) -> Iterator[IndexView]:
    commit(tmp_path / "root", FILES, "Delay each retry")
    view = opened(tmp_path / "root", tmp_path / "cache")
    yield view
    view.close()


def ranking(board: Board) -> ChunkRanking:
    return ChunkRanking(board, score_files(board, Purpose.LIST), Purpose.LIST)


def test_each_variant_lacks_one_thing() -> None:
    found = {each.name: each.tables for each in variants.variants(BUILT_IN_TABLES)}
    assert len(found) == len(list(variants.variants(BUILT_IN_TABLES)))
    assert {f"file: {signal.name}" for signal in BUILT_IN_TABLES.files} < set(found)
    assert {signal.name.replace("chunk ", "chunk: ") for signal in BUILT_IN_TABLES.chunks} < set(found)
    path = found["file: path"]
    assert [each.name for each in BUILT_IN_TABLES.files if each not in path.files] == ["path"]
    assert replace(path, files=BUILT_IN_TABLES.files) == BUILT_IN_TABLES
    name = found["chunk: name"]
    assert [each.name for each in BUILT_IN_TABLES.chunks if each not in name.chunks] == ["chunk name"]
    assert replace(name, chunks=BUILT_IN_TABLES.chunks) == BUILT_IN_TABLES
    assert found["file: phrases"].phrases.weight(Shape.ISSUE) == 0
    key = (Purpose.LIST, Shape.ISSUE)
    assert found["cost: tests"].costs[key] == replace(BUILT_IN_TABLES.costs[key], tests=0)
    assert found["blend: rank cost"].blends[key] == replace(BUILT_IN_TABLES.blends[key], rank_cost=0)


def test_only_what_takes_part_matters(view: IndexView) -> None:
    base = ranking(Board(query_of_text("retry delay"), view))
    matters = {each.name: each.matters(base) for each in variants.variants(base.files.tables)}
    assert matters["file: subtokens"]
    assert matters["chunk: subtokens"]
    assert matters["cost: tests"]
    assert matters["blend: repeat cost"]
    assert not matters["file: words"]  # no weight in a question
    assert not matters["file: traceback"]  # no points
    assert not matters["chunk: traceback"]


def test_expansions_go_by_origin() -> None:
    words = tuple(Expansion(term, "x", origin, 0.5) for term, origin in (("a", "synonym"), ("b", "correction")))
    query = replace(query_of_text("x"), expansions=words)
    found = variants.without_expansions(query)
    assert {name: [each.term for each in other.expansions] for name, other in found.items()} == {
        "words: correction": ["a"],
        "words: synonym": ["b"],
        "words: all of them": [],
    }
    assert variants.without_expansions(query_of_text("x")) == {}


def test_remembered_signals_rank_alike_and_are_computed_once(view: IndexView) -> None:
    board = Board(query_of_text("retry delay of the uploader"), view)
    computed = []

    def counted(given: Board) -> Scores:
        computed.append(given)
        return BUILT_IN_TABLES.files[0].explain(given).scores

    tables = replace(
        BUILT_IN_TABLES, files=(replace(BUILT_IN_TABLES.files[0], score=counted), *BUILT_IN_TABLES.files[1:])
    )
    remembered = variants.remembering(tables, board)
    assert (
        score_files(board, Purpose.LIST, remembered).total.tolist() == score_files(board, Purpose.LIST).total.tolist()
    )
    score_files(board, Purpose.LIST, remembered)
    assert len(computed) == 1


def test_with_everything_on_the_list_is_the_product_s(view: IndexView) -> None:
    query = query_of_text("retry delay of the uploader")
    trial = ablation.Trial({"gold_files": ["app/retry.py"]}, view, query, 0, "*")
    spans = [
        (each.file.path, each.chunk.start_line, each.chunk.end_line) for each in rank(query, view, limit=ablation.LIMIT)
    ]
    assert list(trial._spans(ranking(Board(query, view)))) == spans
    assert trial._list(ranking(Board(query, view))) == spans


def test_a_list_goes_on_to_ten_files_and_the_first_gold_one(tmp_path: Path) -> None:
    commit(tmp_path / "root", {f"a{number:02}.py": "def retry():\n    pass\n" for number in range(31)})
    view = opened(tmp_path / "root", tmp_path / "cache")
    query = query_of_text("retry")  # equal files, and a commit too wide to tell them apart

    def shown(**task: object) -> int:
        return len(ablation.Trial(task, view, query, 0, "*")._list(ranking(Board(query, view))))

    assert shown(gold_files=["a00.py"]) == 10
    assert shown(gold_files=["a00.py"], twins=["a01.py"]) == 11
    assert shown(gold_files=["a19.py"]) == 20
    assert shown(gold_files=["none.py"]) == 31
    assert shown(targets=[["a00.py", 1, 2]]) == 10
    view.close()


def test_a_trial_measures_what_is_left_without_each_part(view: IndexView) -> None:
    task = {"gold_files": ["tests/test_retry.py"], "gold_hunks": [["tests/test_retry.py", 4, 5]], "root": ""}
    outcomes = dict(ablation.Trial(task, view, query_of_text("retry delay"), 8000, "*").outcomes())
    assert outcomes[""]["mrr"] < outcomes["cost: tests"]["mrr"]
    assert outcomes[""]["files in pieces"] == outcomes[""]["lines in pieces"] == 1
    tight = dict(ablation.Trial(task, view, query_of_text("retry delay"), 1, "*").outcomes())
    assert tight[""]["files in pieces"] == 0


def test_a_trial_tries_only_what_is_asked_for(view: IndexView) -> None:
    trial = ablation.Trial({"gold_files": ["app/retry.py"]}, view, query_of_text("retry delay"), 0, "cost: *")
    assert {name.partition(":")[0] for name, _ in trial.outcomes()} == {"", "cost"}
