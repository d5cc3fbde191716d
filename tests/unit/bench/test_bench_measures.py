"""The measures of the benchmark scripts, by hand."""

from __future__ import annotations

from importlib import import_module

import pytest

measures = import_module("measures")


def test_all_gold_files_must_be_among_the_first() -> None:
    assert measures.file_accuracy(["a", "b", "c"], ["a", "c"], 3) == 1
    assert measures.file_accuracy(["a", "b", "c"], ["a", "c"], 2) == 0
    assert measures.file_accuracy(["a", "b", "c"], ["a", "c"], 1) == 1  # more gold than places: all places are gold
    assert measures.file_accuracy([], ["a"], 10) == 0


def test_reciprocal_rank_is_of_the_first_gold_file() -> None:
    assert measures.reciprocal_rank(["x", "a", "b"], ["b", "a"]) == 0.5
    assert measures.reciprocal_rank(["x"], ["a"]) == 0


def test_a_function_is_met_by_a_result_that_is_not_much_longer() -> None:
    function = ("a.py", 100, 109)
    assert measures.function_accuracy([("a.py", 105, 106)], [function], 5) == 1
    assert measures.function_accuracy([("a.py", 100, 157)], [function], 5) == 1  # 3 times its length, and 30 lines
    assert measures.function_accuracy([("a.py", 100, 158)], [function], 5) == 0
    assert measures.function_accuracy([("a.py", 90, 99), ("b.py", 100, 109)], [function], 5) == 0
    assert measures.function_accuracy([("x.py", 1, 2), ("a.py", 100, 109)], [function], 1) == 0


def test_all_functions_must_be_met() -> None:
    functions = [("a.py", 1, 9), ("b.py", 1, 9)]
    assert measures.function_accuracy([("a.py", 1, 9)], functions, 5) == 0
    assert measures.function_accuracy([("a.py", 1, 9)], functions, 1) == 1
    assert measures.function_accuracy([("a.py", 1, 9), ("b.py", 1, 9)], functions, 5) == 1


def test_a_result_hits_where_lines_meet() -> None:
    assert measures.hits(("src/a.py", 10, 20), ("a.py", 20, 30))
    assert not measures.hits(("src/a.py", 10, 20), ("a.py", 21, 30))
    assert measures.hits(("a.py", 10, 20), ("a.py", None, None))
    assert not measures.hits(("ba.py", 1, 2), ("a.py", None, None))


def test_discounted_gain_counts_each_target_once() -> None:
    results = [("a", 1, 5), ("a", 6, 9), ("b", 1, 2)]
    assert measures.discounted_gain(results, [("a", None, None)]) == 1
    assert measures.discounted_gain(results, [("b", None, None)]) == pytest.approx(0.5)
    assert measures.discounted_gain(results, [("c", None, None)]) == 0
    assert measures.discounted_gain([("a", 1, 1), ("b", 1, 1)], [("a", None, None), ("b", None, None)]) == 1


def test_a_hunk_is_held_only_whole() -> None:
    held = [("a", 1, 10), ("a", 11, 20), ("b", 5, 6)]
    assert measures.share_held(held, [("a", 8, 12)]) == 1
    assert measures.share_held(held, [("a", 8, 12), ("b", 6, 7)]) == 0.5


def test_a_file_is_held_in_part() -> None:
    assert measures.files_held([("a", 5, 5), ("a", 9, 9)], ["a", "b"]) == 0.5


def test_a_list_is_measured_by_what_its_task_knows() -> None:
    results = [("twin", 1, 9), ("a", 1, 9)]
    issue = {"query": "", "gold_files": ["a"], "twins": ["twin"]}
    assert measures.list_measures(issue, results) == {
        "file@1": 1, "file@3": 1, "file@5": 1, "file@10": 1, "mrr": 1, "ndcg@10": 1,
    }  # fmt: skip
    with_functions = measures.list_measures({**issue, "gold_function_spans": [["a", 3, 4]]}, results)
    assert (with_functions["fn@5"], with_functions["fn@10"]) == (1, 1)
    assert measures.list_measures({"query": "", "targets": [["a", 20, 30]]}, results) == {"ndcg@10": 0}


def test_a_pack_is_measured_by_what_its_task_knows() -> None:
    task = {"gold_files": ["a", "b"], "gold_hunks": [["a", 2, 3], ["b", 1, 1]]}
    assert measures.pack_measures(task, [("a", 1, 9)], 100, 101) == {"over@100": 1, "files@100": 0.5, "lines@100": 0.5}
    assert measures.pack_measures({"targets": []}, [], 100, 100) == {"over@100": 0}


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("see src/store.py", "path"),
        ("see store.py", "basename"),
        ("`Store` fails", "stem"),
        ("pkg.store.load fails", "stem"),
        ("restore fails", "no"),
    ],
)
def test_openness(query: str, named: str) -> None:
    assert measures.openness(query, ["src/store.py"]) == named
    assert measures.named_in_query({"query": query, "targets": [["src/store.py", 1, 2]]}) == named


def test_a_task_may_say_how_openly_it_names_a_file() -> None:
    assert measures.named_in_query({"query": "see src/a.py", "gold_files": ["src/a.py"], "gold_in_query": "no"}) == "no"
