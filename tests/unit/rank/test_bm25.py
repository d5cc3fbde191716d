from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from weakref import ref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from ctxpack.index.postings import Terms, distinct, idf
from ctxpack.rank import bm25
from ctxpack.rank.bm25 import (
    Collection,
    Concept,
    Saturation,
    best_first,
    chunk_scores,
    concepts_of,
    covered_shares,
    file_scores,
    holding,
    pair_scores,
    rank_of,
    scores_of,
    sum_scores,
    unite,
)
from tests.indexing import opened, write


def test_idf_is_never_negative_and_falls() -> None:
    values = [idf(count, 10) for count in range(11)]
    assert values == sorted(values, reverse=True)
    assert values[10] > 0
    assert idf(1, 2) == pytest.approx(math.log(1 + 1.5 / 1.5))


def test_a_file_by_hand(tmp_path: Path) -> None:
    root = write(tmp_path / "root", {"a.txt": "apple apple pear\n", "b.txt": "pear plum\n"})
    view = opened(root, tmp_path / "cache")
    scores = file_scores(view, "sub", concepts_of({"apple": 2.0, "missing": 9.0}), Saturation(1.2, 0.75))
    norm = 1.2 * (0.25 + 0.75 * 3 / 2.5)
    assert scores.tolist() == pytest.approx([2.0 * idf(1, 2) * 2.2 * 2 / (2 + norm), 0.0])
    assert chunk_scores(view, "sub", (), Saturation()).at([0, 1]).tolist() == [0.0, 0.0]
    view.close()


def test_an_empty_field_scores_nothing(tmp_path: Path) -> None:
    root = write(tmp_path / "root", {"a.txt": "--\n"})
    view = opened(root, tmp_path / "cache")
    assert chunk_scores(view, "definition", concepts_of({"a": 1.0}), Saturation()).max() == 0
    assert not file_scores(view, "sub", concepts_of({"a": 1.0}), Saturation()).any()
    view.close()


def test_forms_count_as_one_term_and_a_synonym_is_never_rarer_than_its_word(tmp_path: Path) -> None:
    files = {"a.txt": "letter\n", "b.txt": "letters\n", "c.txt": "missive\n", "d.txt": "other\n"}
    view = opened(write(tmp_path / "root", files), tmp_path / "cache")
    concept = Concept(1.0, (("letter", 1.0), ("letters", 1.0)), ((("missive", 1.0),),))
    scores = file_scores(view, "sub", (concept,), Saturation()).tolist()
    assert scores[0] == scores[1] == scores[2] == pytest.approx(idf(2, 4))
    assert scores[3] == 0
    view.close()


def test_the_forms_of_a_synonym_count_as_one_term_as_well(tmp_path: Path) -> None:
    files = {"a.txt": "missive\n", "b.txt": "missives\n", "c.txt": "missive\n", "d.txt": "other\n"}
    view = opened(write(tmp_path / "root", files), tmp_path / "cache")
    concept = Concept(1.0, (("письмо", 1.0),), ((("missive", 0.8), ("missives", 0.8)),))
    scores = file_scores(view, "sub", (concept,), Saturation()).tolist()
    assert scores[0] == scores[1] == scores[2] == pytest.approx(0.8 * idf(3, 4))  # the plural is rare by itself
    assert scores[3] == 0
    view.close()


def test_coverage_counts_each_concept_once(tmp_path: Path) -> None:
    view = opened(write(tmp_path / "root", {"a.txt": "apple apple pear\n", "b.txt": "pear\n"}), tmp_path / "cache")
    first, second = covered_shares(view, "sub", concepts_of({"apple": 1.0, "pear": 1.0})).at([0, 1]).tolist()
    assert first == pytest.approx(1.0)
    assert 0 < second < 0.5
    view.close()


def test_a_word_is_no_rarer_in_names_than_in_texts(tmp_path: Path) -> None:
    common = {f"{name}.py": f"def {name}():\n    return get(1)\n" for name in ("one", "two", "three", "four")}
    files = {**common, "get.py": "def get(key):\n    return key\n", "quota.py": "def quota(key):\n    return key\n"}
    view = opened(write(tmp_path / "root", files), tmp_path / "cache")
    words = concepts_of({"get": 1.0, "quota": 1.0})
    alone = chunk_scores(view, "name", words, Saturation())
    bound = chunk_scores(view, "name", words, Saturation(), bound="sub")
    of_get, of_quota = (view.postings.terms("name", word).docs[0] for word in ("get", "quota"))
    get_alone, quota_alone = alone.at([of_get, of_quota]).tolist()
    get_bound, quota_bound = bound.at([of_get, of_quota]).tolist()
    assert get_alone == pytest.approx(quota_alone)
    assert get_bound < get_alone
    assert quota_bound == pytest.approx(quota_alone)
    view.close()


def test_scores_are_added_up_alike_among_few_chunks_and_among_many() -> None:
    first, second = np.array([1, 3, 4], np.int32), np.array([0, 3], np.int32)
    shares = [np.array([0.1, 0.2, 0.0]), np.array([0.7, 0.7]), np.array([0.3, 0.1, 0.0])]
    parts = list(zip((first, second, first), shares, strict=True))
    few, many = sum_scores(parts, 5), sum_scores(parts, 5_000)
    assert few.numbers.tolist() == many.numbers.tolist() == [0, 1, 3]
    assert few.values.tolist() == many.values.tolist() == [0.7, 0.1 + 0.3, 0.2 + 0.7 + 0.1]
    assert many.at([4_999, 3, 2, 0]).tolist() == [0, 0.2 + 0.7 + 0.1, 0, 0.7]
    assert many.max() == 0.2 + 0.7 + 0.1


def test_chunks_without_points_have_no_score() -> None:
    assert scores_of({7: 0.5, 2: 1.0, 3: 0.0}).numbers.tolist() == [2, 7]
    for nothing in (scores_of({}), sum_scores([], 10), sum_scores([], 0)):
        assert (len(nothing.numbers), nothing.max(), nothing.at([0, 3]).tolist()) == (0, 0, [0, 0])


def test_numbers_are_told_once_and_in_order() -> None:
    numbers = np.array([4, 0, 4, 2, 0], np.int64)
    assert distinct(numbers).tolist() == [0, 2, 4]
    assert distinct(numbers[:0]).tolist() == []
    assert numbers.tolist() == [4, 0, 4, 2, 0]


_PARTS = st.lists(st.lists(st.integers(0, 60), unique=True, max_size=12), max_size=4)


@given(_PARTS, st.sampled_from((1, 5_000)))
def test_parts_are_united_in_order_whether_they_are_many_or_few(parts: list[list[int]], apart: int) -> None:
    numbers = [np.array(sorted(part), np.int32) * apart for part in parts]
    held, places = unite(numbers)
    assert held.tolist() == sorted({number * apart for part in parts for number in part})
    assert held.dtype == np.int32
    assert [held[at].tolist() for at in places] == [part.tolist() for part in numbers]


@given(_PARTS.filter(bool), st.sampled_from((1, 5_000)))
def test_gains_of_a_document_are_added_one_after_the_other(parts: list[list[int]], apart: int) -> None:
    numbers = [np.array(sorted(part), np.int32) * apart for part in parts]
    gains = [np.linspace(0.1, 0.7, len(part)) / (at + 3) for at, part in enumerate(numbers)]
    expected: dict[int, float] = {}
    for docs, values in zip(numbers, gains, strict=True):
        for doc, value in zip(docs.tolist(), values.tolist(), strict=True):
            expected[doc] = expected.get(doc, 0.0) + value
    docs, added = bm25._add_gains(list(zip(numbers, gains, strict=True)))
    assert dict(zip(docs.tolist(), added.tolist(), strict=True)) == expected


def test_where_a_term_is_among_all_that_hold_one_is_looked_up_only_if_it_is_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    held = [Terms(np.array(docs, np.int32), np.ones(len(docs), np.uint8)) for docs in ([1, 3], [0, 3])]
    monkeypatch.setattr(bm25, "_places_among", None)
    assert holding(held).tolist() == [0, 1, 3]
    with pytest.raises(TypeError):
        unite([each.docs for each in held])


def test_most_parts_are_added_up_before_the_next_one_is_made() -> None:
    made, most = list[ref[NDArray[np.int32]]](), 0

    def parts() -> Iterator[tuple[NDArray[np.int32], float]]:
        nonlocal most
        for number in range(40):
            part = np.arange(number, number + 10, dtype=np.int32)
            made.append(ref(part))
            most = max(most, sum(each() is not None for each in made))
            yield part, 1.0

    assert sum_scores(parts(), 100).max() == 10.0
    assert most <= 5


def test_norms_of_many_documents_are_those_of_each() -> None:
    lengths = np.arange(700, dtype=np.uint16) % 256
    its, docs = Collection(lengths.astype(np.uint8), 700), np.arange(700, dtype=np.int32)
    alone = [its.norms(docs[at : at + 1], Saturation(1.2, 0.6))[0] for at in range(700)]
    assert its.norms(docs, Saturation(1.2, 0.6)).tolist() == alone


@pytest.mark.parametrize("count", [0, 1, 3, 4, 7, 8, 9])
def test_the_best_are_first_and_equals_stay_in_order(count: int) -> None:
    scores = np.array([1.0, -2.0, 3.0, 1.0, 0.0, 3.0, -0.0, 1.0])
    ordered = np.argsort(-scores, kind="stable").tolist()
    assert best_first(scores, count).tolist() == ordered[:count]
    assert [rank_of(scores, number) for number in ordered] == list(range(len(scores)))


def pairs_in(tmp_path: Path, texts: dict[str, str], *concepts: Concept) -> dict[str, float]:
    view = opened(write(tmp_path / "root", texts), tmp_path / "cache")
    numbers = [number for file in range(len(view.files)) for number in view.postings.chunks_of(file)]
    names = [view.files[int(view.postings.chunk_file[number])].path for number in numbers]
    scores = dict(zip(names, pair_scores(view, numbers, concepts).tolist(), strict=True))
    view.close()
    return scores


def test_words_that_stand_close_together_count_the_more_the_closer(tmp_path: Path) -> None:
    concepts = concepts_of({"stale": 1.0, "pool": 1.0})
    other = "one two three four five six seven"
    texts = {
        "near.txt": f"{other} stale pool\n",
        "name.txt": f"{other} StalePool\n",
        "apart.txt": f"stale one two three four five six pool {other[-5:]}\n",
        "window.txt": f"stale {other} eight nine pool\n",
        "alone.txt": f"{other} stale stale\n",
    }
    scores = pairs_in(tmp_path, texts, *concepts)
    assert scores["near.txt"] == scores["name.txt"]
    assert 0 < scores["apart.txt"] < scores["near.txt"] / 6
    assert scores["window.txt"] == scores["alone.txt"] == 0


def test_of_a_long_line_only_the_beginning_is_read_for_pairs(tmp_path: Path) -> None:
    long = "one two three " * 1_000
    scores = pairs_in(
        tmp_path,
        {"first.txt": f"stale pool {long}\n", "last.txt": f"{long} stale pool\n"},
        *concepts_of({"stale": 1.0, "pool": 1.0}),
    )
    assert scores["first.txt"] > scores["last.txt"] == 0


def test_a_synonym_stands_for_its_word_at_its_share_and_a_pair_counts_once(tmp_path: Path) -> None:
    texts = {"own.txt": "stale pool\n", "other.txt": "old pool\n", "twice.txt": "stale pool stale pool\n"}
    stale = Concept(1.0, (("stale", 1.0),), ((("old", 0.5),),))
    scores = pairs_in(tmp_path, texts, stale, *concepts_of({"pool": 1.0}))
    assert scores["other.txt"] == pytest.approx(scores["own.txt"] / 2)
    assert scores["twice.txt"] < scores["own.txt"]  # it is longer


def test_a_word_with_two_meanings_is_no_pair(tmp_path: Path) -> None:
    both = (Concept(1.0, (("stale", 1.0),)), Concept(1.0, (("old", 1.0),), ((("stale", 0.5),),)))
    assert pairs_in(tmp_path, {"a.txt": "a stale one\n", "b.txt": "an old one\n"}, *both) == {"a.txt": 0, "b.txt": 0}


def test_what_occurs_nowhere_makes_no_pairs(tmp_path: Path) -> None:
    concepts = concepts_of({"stale": 1.0, "missing": 1.0})
    assert pairs_in(tmp_path, {"a.txt": "stale pool\n"}, *concepts) == {"a.txt": 0}


def test_two_words_side_by_side_by_hand(tmp_path: Path) -> None:
    concepts = concepts_of({"stale": 2.0, "pool": 1.0})
    scores = pairs_in(tmp_path, {"a.txt": "stale pool\n", "b.txt": "pool plum\n"}, *concepts)
    assert scores == {"a.txt": pytest.approx(2 * idf(1, 2) * idf(2, 2)), "b.txt": 0}


def test_pairs_count_the_same_in_an_index_that_was_updated(tmp_path: Path) -> None:
    """What an update left behind has no part in the usual length of a chunk."""
    pages = {f"{name}.txt": f"stale pool {name}\n" for name in ("a", "b", "c", "d")}
    root, cache, concepts = tmp_path / "root", tmp_path / "cache", concepts_of({"stale": 1.0, "pool": 1.0})
    opened(write(root, {**pages, "long.txt": "one two three\n" * 90}), cache).close()
    write(root, {"long.txt": "two stale words and a pool\n", "a.txt": "stale pool, changed\n"})
    scores = []
    for each in (cache, tmp_path / "new"):
        view = opened(root, each)
        numbers = [number for file in range(len(view.files)) for number in view.postings.chunks_of(file)]
        scores.append(pair_scores(view, numbers, concepts).tolist())
        view.close()
    assert scores[0] == scores[1]
