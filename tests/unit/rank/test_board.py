from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ctxpack.model import Expansion
from ctxpack.query import query_of_text
from ctxpack.rank.bm25 import ChunkScores, scores_of
from ctxpack.rank.board import BestFiles, Board
from tests.indexing import opened, write

FILES = {
    "a.py": "".join(f"def part_{n}():\n" + "    apple()\n" * 20 + "\n\n" for n in range(6)),
    "b.py": "def only():\n    return apple, pear\n",
    "c.py": "",
}


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Board]:
    root = write(tmp_path / "root", FILES)
    opened(root, tmp_path / "cache").close()
    write(root, {"b.py": FILES["b.py"] + "# again\n"})  # leaves a dead chunk behind
    view = opened(root, tmp_path / "cache")
    yield Board(query_of_text("apple pears"), view)
    view.close()


def test_expansions_add_terms_and_never_lower_one(board: Board) -> None:
    own = board.query.terms["apple"]
    expansions = (Expansion("pear", "pears", "inflection", 0.3), Expansion("apple", "pears", "synonym", 0.1))
    terms = Board(replace(board.query, expansions=expansions), board.view).terms
    assert (terms["pear"], terms["apple"]) == (0.3, own)


def test_a_request_without_title_uses_its_terms(board: Board) -> None:
    assert Board(replace(board.query, title={}), board.view).title == board.query.terms


def test_chunks_become_files(board: Board) -> None:
    files = board.view.postings.chunk_file
    values = np.where(files >= 0, np.arange(1.0, len(files) + 1), 100.0)  # dead chunks must not count
    chunks = ChunkScores(np.arange(len(files), dtype=np.int32), values)
    mine = [[float(value) for value, file in zip(values, files, strict=True) if file == n] for n in range(3)]
    assert (files < 0).any()
    assert len(mine[0]) > 2
    assert board.files_max(chunks).tolist() == [max(values, default=0.0) for values in mine]
    assert board.files_sum(chunks).tolist() == [sum(values) for values in mine]
    best = [sorted(values, reverse=True)[:2] for values in mine]
    assert board.files_decayed(chunks, 2, 0.5).tolist() == [sum(v / 2**n for n, v in enumerate(row)) for row in best]
    assert board.files_decayed(scores_of({0: 0.0}), 2, 0.5).tolist() == [0, 0, 0]


def test_the_chunks_with_a_term_are_found_once(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    terms = (("apple", 1.0), ("only", 0.5))
    found = board.holders[terms]
    assert {int(board.view.postings.chunk_file[each]) for each in found} == {0, 1}
    assert not len(board.holders[()])
    monkeypatch.setattr(type(board.view.postings), "terms", None)
    assert board.holders[terms] is found


def test_the_best_files_are_put_in_order_once(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    best = BestFiles(board, np.array([1.0, 3.0, 3.0]))
    assert best.first(2).tolist() == [1, 2]
    monkeypatch.setattr(np, "argsort", None)
    assert best.first(3).tolist() == [1, 2, 0]


def test_rare_terms_weigh_more(board: Board) -> None:
    terms = replace(board.query, terms={"apple": 1.0, "pear": 1.0, "none": 1.0})
    idf = Board(terms, board.view).term_idf
    assert idf["none"] > idf["pear"] > idf["apple"] > 0
