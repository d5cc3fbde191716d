from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

import numpy as np
import pytest

from ctxpack.errors import EmbeddingError
from ctxpack.rank.vectors import Lookup, TimeLimit, VectorCache, stack_vectors, text_key
from tests.embedding import BrokenEmbedder, WordEmbedder

if TYPE_CHECKING:
    from ctxpack.rank.embedders import Matrix


class Fixed:
    """Gives the same rows whatever it is asked."""

    name = "fixed"

    def __init__(self, rows: Sequence[Sequence[float]]) -> None:
        self._rows = np.array(rows, np.float32)

    def embed(self, texts: Sequence[str], *, is_query: bool = False) -> Matrix:
        assert texts or is_query
        return self._rows


def test_rows_have_length_one_and_are_those_of_their_texts(tmp_path: Path) -> None:
    lookup = Lookup(WordEmbedder(), VectorCache(tmp_path / "kept"))
    found = lookup.vectors(["red car", "green tree", "red vehicle"])
    rows = stack_vectors([found[text_key(text)] for text in ("red car", "green tree", "red vehicle")])
    assert np.linalg.norm(rows, axis=1) == pytest.approx([1, 1, 1], abs=1e-3)
    assert rows[0] @ rows[2] == pytest.approx(1, abs=1e-3)
    assert rows[0] @ rows[1] < 0.5


def test_each_text_is_computed_once_also_by_the_next_run(tmp_path: Path) -> None:
    cache = VectorCache(tmp_path / "kept")
    first, second = WordEmbedder(), WordEmbedder()
    before = Lookup(first, cache).vectors(["a car", "a tree", "a car"])
    assert first.asked == ["a car", "a tree"]
    assert Lookup(second, cache).vectors(["a tree", "a car"]) == {
        text_key("a tree"): before[text_key("a tree")],
        text_key("a car"): before[text_key("a car")],
    }
    assert second.asked == []


def test_without_a_cache_a_run_still_remembers() -> None:
    embedder = WordEmbedder()
    lookup = Lookup(embedder, None)
    lookup.vectors(["a car"])
    lookup.vectors(["a car"])
    assert embedder.asked == ["a car"]


def test_a_request_is_not_a_piece_of_the_same_words() -> None:
    embedder = WordEmbedder()
    lookup = Lookup(embedder, None)
    (query,) = lookup.vectors(["a car"], is_query=True)
    assert query != text_key("a car")
    lookup.vectors(["a car"])
    assert len(embedder.asked) == 2


def test_batches_tell_how_far_they_are_and_long_texts_are_cut() -> None:
    told: list[tuple[str, int, int]] = []
    embedder = WordEmbedder()
    texts = [f"word{number}" for number in range(70)] + ["x" * 10_000]
    Lookup(embedder, None).vectors(texts, on_progress=lambda *step: told.append(step))
    assert told == [("embed", 32, 71), ("embed", 64, 71), ("embed", 71, 71)]
    assert max(map(len, embedder.asked)) == 6_000


def test_what_was_computed_in_time_is_kept(tmp_path: Path) -> None:
    ticks = count(step=10)
    limit = TimeLimit(10, lambda: float(next(ticks)))
    cache = VectorCache(tmp_path / "kept")
    with pytest.raises(EmbeddingError, match="longer than 10 seconds"):
        Lookup(WordEmbedder(), cache, limit.check).vectors([f"word{number}" for number in range(64)])
    assert len(cache.find(text_key(f"word{number}") for number in range(64))) == 32


def test_whatever_a_model_raises_becomes_one_sentence() -> None:
    with pytest.raises(EmbeddingError, match="The embedding model failed: RuntimeError: out of memory for 1 texts"):
        Lookup(BrokenEmbedder(), None).vectors(["a"])


@pytest.mark.parametrize("rows", [[[1.0, 2.0]], [[float("nan")], [1.0]], [[], []]])
def test_rows_that_are_no_vectors_are_refused(rows: list[list[float]]) -> None:
    with pytest.raises(EmbeddingError, match="no vector for each of 2 texts"):
        Lookup(Fixed(rows), None).vectors(["a", "b"])


def test_a_text_without_meaning_is_close_to_nothing() -> None:
    found = Lookup(Fixed([[0.0, 0.0]]), None).vectors(["…"])
    assert stack_vectors(list(found.values())).tolist() == [[0.0, 0.0]]


def test_vectors_of_different_lengths_are_refused() -> None:
    with pytest.raises(EmbeddingError, match="different lengths"):
        stack_vectors([b"1234", b"12"])
    assert stack_vectors([]).shape == (0, 0)


def test_what_the_work_gives_or_raises_comes_through() -> None:
    limit = TimeLimit(60)
    assert limit.run(lambda: 3) == 3
    with pytest.raises(ZeroDivisionError):
        limit.run(lambda: 1 / 0)


def test_work_that_hangs_is_left_behind() -> None:
    never = Event()
    with pytest.raises(EmbeddingError, match=r"longer than 0\.05 seconds"):
        TimeLimit(0.05).run(never.wait)
    never.set()


def test_the_seconds_are_for_all_work_together() -> None:
    ticks = count(step=5)
    limit = TimeLimit(10, lambda: float(next(ticks)))
    limit.check()
    assert limit.run(lambda: "in time") == "in time"
    with pytest.raises(EmbeddingError, match="longer than 10 seconds"):
        limit.run(lambda: "too late")


def test_work_that_sees_that_it_is_late_says_the_same_and_it_is_told_once() -> None:
    told: list[str] = []
    ticks = count(step=5)
    limit = TimeLimit(10, lambda: float(next(ticks)), on_late=lambda: told.append("late"))

    def work() -> None:
        while True:
            limit.check()

    for late in (work, work):
        with pytest.raises(EmbeddingError, match="longer than 10 seconds"):
            limit.run(late)
    assert told == ["late"]
