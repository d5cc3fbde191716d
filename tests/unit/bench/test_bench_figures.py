"""Intervals and tables of the benchmark scripts."""

from __future__ import annotations

from importlib import import_module

figures = import_module("figures")

ROWS = [
    {"id": "1", "repo": "b/b", "gold_in_query": "no", "measures": {"file@5": 1.0, "mrr": 0.5, "search s": 2.0}},
    {"id": "2", "repo": "a/a", "gold_in_query": "path", "measures": {"file@5": 0.0, "mrr": 0.5}},
]


def test_an_interval_surrounds_the_mean() -> None:
    low, high = figures.interval([0.0, 1.0] * 50)
    assert 0.35 < low < 0.5 < high < 0.65
    assert figures.interval([1.0]) == (1.0, 1.0)


def test_an_interval_is_the_same_each_time_and_narrows_with_more_tasks() -> None:
    few, many = figures.interval([0.0, 1.0] * 10), figures.interval([0.0, 1.0] * 200)
    assert figures.interval([0.0, 1.0] * 10) == few
    assert few[0] < many[0] < many[1] < few[1]


def test_a_paired_interval_of_equal_gains_is_a_point() -> None:
    low, high = figures.interval([0.25] * 30)
    assert abs(low - 0.25) < 1e-9
    assert abs(high - 0.25) < 1e-9


def test_a_summary_shows_every_figure_by_openness_and_the_main_one_by_repository() -> None:
    lines = figures.summary(ROWS).splitlines()
    assert lines[1] == "file@5           0.500   [0.000, 1.000]       2"
    assert "by gold_in_query path (1)             no (1)" in lines
    assert "file@5           0.000 [0.00, 0.00]   1.000 [1.00, 1.00]" in lines
    assert not any(line.startswith("search s") for line in lines[5:])  # seconds are no measure of relevance
    assert [line.split() for line in lines[-2:]] == [["a/a", "0.000", "1"], ["b/b", "1.000", "1"]]


def test_a_cell_without_values_is_a_dash() -> None:
    assert figures.cell([]) == "-"
    assert figures.values_of(ROWS, "search s") == [2.0]
