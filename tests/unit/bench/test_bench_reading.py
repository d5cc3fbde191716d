"""How a pack reads, in figures, by hand."""

from __future__ import annotations

from importlib import import_module

import pytest

reading = import_module("reading_measures")
TASK = {"must": [["a.py", 1, 10], ["b.py", 5, 6]], "nice": [["c.py", 1, 5]], "wrong": ["docs/*"]}


def test_a_needed_place_is_there_with_four_fifths_of_its_lines() -> None:
    most = reading.Piece("a.py", 3, 12, "x = 1\n" * 10)
    measured = reading.reading_measures(TASK, [most], most.text)
    assert (measured["must"], measured["all_must"]) == (0.5, 0.0)
    fewer = reading.Piece("a.py", 4, 12, "x = 1\n" * 9)
    assert reading.reading_measures(TASK, [fewer], fewer.text)["must"] == 0.0
    both = [most, reading.Piece("b.py", 1, 9, "y = 2\n" * 9)]
    assert reading.reading_measures(TASK, both, "")["all_must"] == 1.0


def test_lines_that_help_are_precise_and_those_of_wrong_files_are_not() -> None:
    pieces = [reading.Piece("c.py", 1, 5, "c\n" * 5), reading.Piece("docs/x.md", 1, 15, "d\n" * 15, is_code=False)]
    measured = reading.reading_measures(TASK, pieces, "")
    assert (measured["precision"], measured["wrong"], measured["one_file"]) == (0.25, 0.75, 0.75)


def test_gold_hunks_and_functions_stand_for_places_where_nobody_read_the_repository() -> None:
    task = {"gold_hunks": [["a.py", 2, 3]], "gold_function_spans": [["a.py", 1, 4]]}
    piece = reading.Piece("a.py", 1, 8, "def f():\n" * 8)
    measured = reading.reading_measures(task, [piece], piece.text)
    assert (measured["must"], measured["precision"]) == (1.0, 0.5)
    assert "wrong" not in measured


def test_content_is_the_share_of_a_report_that_stands_in_the_repository() -> None:
    piece = reading.Piece("a.py", 1, 2, "first = 1\nsecond = 2\n")
    report = "# Context\n\n" + piece.text
    assert reading.reading_measures(TASK, [piece], report)["content"] == pytest.approx(21 / 32, abs=0.04)


@pytest.mark.parametrize(
    ("text", "is_cut"),
    [
        ("def f(a):\n    return [a]\n", False),
        ("def f(\n", True),
        ('x = "("\n', False),
        ("# (\nx = 1\n", False),
        ('def f():\n    """Says\n', True),
        ("fn main() { // }\n}\n", False),
        ("}\n", True),
    ],
)
def test_a_piece_is_cut_where_something_does_not_close(text: str, *, is_cut: bool) -> None:
    path = "a.rs" if "fn" in text else "a.py"
    assert reading.is_cut(reading.Piece(path, 1, 9, text)) == is_cut


def test_two_lines_that_say_something_are_a_stump() -> None:
    assert reading.is_stump(reading.Piece("a.py", 1, 4, "impl Args {\n\n}\nx = 1\n"))
    assert not reading.is_stump(reading.Piece("a.py", 1, 3, "a = 1\nb = 2\nc = 3\n"))


def test_lines_that_stand_before_are_repeated() -> None:
    one = reading.Piece("a.py", 1, 2, "the first line\nthe second line\n")
    two = reading.Piece("b.py", 1, 2, "    the first line\nanother line there\n}\n")
    assert reading.repetition([one, two]) == 0.25
