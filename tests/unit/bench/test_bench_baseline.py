"""BM25 over whole files, by hand and on a small repository."""

from __future__ import annotations

import math
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.indexing import Files, commit

baseline = import_module("baseline")
Corpus = Any  # the class stands in a script, which mypy does not follow
FILES: Files = {
    "src/a.py": "def load_cache():\n    return Cache\n",
    "src/b.py": "cache cache miss\n",
    "docs/c.md": "About the cache.\n",
    "big.txt": "cache " * 200_000,
    "logo.png": b"\x89PNG\0 cache",
    "empty.txt": "",
}


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    root = tmp_path / "own+one" / "repo"
    commit(root, FILES)
    made = baseline.Corpus(root / ".git")
    yield made
    made.close()


def test_terms_are_runs_of_word_characters() -> None:
    assert baseline.terms_of("Load_cache(x2), Кэш!") == ["load_cache", "x2", "кэш"]


def test_text_files_below_a_megabyte_are_documents(corpus: Corpus) -> None:
    assert list(corpus.at("HEAD")) == ["docs/c.md", "src/a.py", "src/b.py"]
    assert list(corpus.at("HEAD", "src")) == ["src/a.py", "src/b.py"]


def test_code_alone(corpus: Corpus) -> None:
    corpus.is_wanted = baseline.is_code
    assert list(corpus.at("HEAD")) == ["src/a.py", "src/b.py"]
    assert not baseline.is_code("tests/test_a.py")
    assert not baseline.is_code("vendor/a.py")


def test_files_by_score(corpus: Corpus) -> None:
    files = corpus.at("HEAD")
    assert corpus.ranked("the cache", files) == ["docs/c.md", "src/b.py", "src/a.py"]
    assert corpus.ranked("load_cache", files) == ["src/a.py"]
    assert corpus.ranked("unheard", files) == []


def test_a_score_by_hand(corpus: Corpus) -> None:
    documents = [corpus.document(blob) for blob in corpus.at("HEAD", "src").values()]
    miss = documents[1].terms.tolist()[1]
    assert documents[1].counts.tolist() == [2, 1]
    idf = math.log(1 + 1.5 / 1.5)
    norm = 1.2 * (0.25 + 0.75 * 3 / 3.5)
    assert baseline.bm25(documents, {miss: 2}) == pytest.approx([0, 2 * idf * 2.2 / (1 + norm)])
    assert baseline.bm25(documents, {}) == [0, 0]
    assert baseline.bm25([], {miss: 1}) == []


def test_a_pack_is_whole_files_and_a_cut_one() -> None:
    texts = {"a": "one\n" * 3, "b": "two\n" * 9, "c": "three\n"}

    def packed(budget: int) -> tuple[list[tuple[str, int, int]], int]:
        held, used = baseline.whole_files(["a", "b", "c"], texts.__getitem__, lambda text: len(text.split()), budget)
        return held, used

    assert packed(4) == ([("a", 1, 3)], 4)
    assert packed(5) == ([("a", 1, 3)], 4)  # a path alone is no piece
    assert packed(10) == ([("a", 1, 3), ("b", 1, 5)], 10)
    assert packed(100) == ([("a", 1, 3), ("b", 1, 9), ("c", 1, 1)], 16)


def test_a_task_is_scored_from_its_mirror_alone(corpus: Corpus) -> None:
    task = {"query": "cache miss", "commit": "HEAD", "gold_files": ["src/b.py"], "gold_hunks": [["src/b.py", 1, 1]]}
    scores = baseline.score(task, corpus, [50])
    assert (scores["file@1"], scores["files@50"], scores["lines@50"], scores["over@50"]) == (1, 1, 1, 0)
    assert baseline.score({"query": "cache miss", "commit": "HEAD", "targets": [["src/b.py", 1, 1]]}, corpus, [50]) == {
        "ndcg@10": 1
    }
