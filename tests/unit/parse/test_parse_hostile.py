"""Texts that keep a parser busy: it is stopped, and the definitions are found by patterns."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctxpack.parse import exact, outline
from ctxpack.parse.parser import parse_exactly
from ctxpack.parse.tree import bytes_to_parse
from ctxpack.system.clock import Timekeeper
from tests.conftest import MakeRepository
from tests.indexing import opened

LANGUAGES = ("python", "rust", "c", "cpp", "go", "javascript", "java", "ruby")
UNITS = ("(", "[[", "{", "<!--", "- ", "\\\n", '"""', "`${", "template<", "class A{", "def f(", "#if\n")


MOST_ASKED = 50


class CountingClock:
    """A clock that moves by a second whenever it is asked for the time."""

    def __init__(self) -> None:
        self.asked = -1  # where it begins

    def __call__(self) -> float:
        self.asked += 1
        return float(self.asked)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_keeps_the_parser_longer_than_it_may(language: str) -> None:
    """The time is over when the clock has been asked so often, and whatever was under way then has stopped."""
    stopped = []
    for unit in UNITS:
        text = unit * (60_000 // len(unit))
        clock = CountingClock()
        parsed = parse_exactly(text, language, deadline=Timekeeper(effort=clock).spending(MOST_ASKED))
        assert parsed.is_exact != parsed.is_late, unit
        assert clock.asked <= MOST_ASKED + 1, unit
        assert parsed.is_late or clock.asked <= MOST_ASKED, unit
        assert parsed.chunks[-1].end_line == outline(text, language).chunks[-1].end_line
        stopped += [unit] if clock.asked > MOST_ASKED else []
    assert len(stopped) >= len(UNITS) - 2  # the others are one long comment or directive


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_long_place_that_no_grammar_fits_is_not_queried(language: str) -> None:
    """A query cannot be stopped, and takes the square of such a place; no time passes here."""
    deadline = Timekeeper(effort=lambda: 0.0).spending(1.0)
    for unit in ("(", "{"):
        assert parse_exactly(unit * 60_000, language, deadline=deadline).is_late
        assert parse_exactly(unit * 6_000, language, deadline=deadline).is_exact


def test_a_late_text_is_taken_apart_by_patterns() -> None:
    text = "def real():\n    return 1\n\n" + "<!--" * 20_000 + "\n"
    late = parse_exactly(text, "python", deadline=Timekeeper().spending(0.001))
    assert (late.is_late, late.is_exact) == (True, False)
    assert late.chunks == outline(text, "python").chunks
    assert [symbol.name for symbol in late.symbols] == ["real"]


def test_definitions_within_each_other_have_an_end() -> None:
    assert exact("class A{\n" * 300 + "}\n" * 300, "java").is_late
    assert exact("class A{\n" * 30 + "}\n" * 30, "java").is_exact


def test_files_remember_what_was_late(tmp_path: Path, repository: MakeRepository) -> None:
    root = repository({"hostile.java": "class A{\n" * 300 + "}\n" * 300, "fine.java": "class Fine {\n}\n"})
    for _ in range(2):  # made, then from the cache
        view = opened(root, tmp_path / "cache")
        assert [view.exact(path).is_late for path in ("hostile.java", "fine.java")] == [True, False]
        assert view.files.late == ("hostile.java",)
        view.close()


def test_no_grammar_sees_a_character_beyond_its_tables() -> None:
    text = "greet() {\n  true\n}\n" + "\n".join("{" + chr(number) for number in range(0x10_000, 0x110_000, 0x800))
    parsed = bytes_to_parse(text).decode()
    assert max(parsed) < "\U00010000"
    assert [len(line.encode()) for line in parsed.split("\n")] == [len(line.encode()) for line in text.split("\n")]
    assert [(each.name, each.end_line) for each in exact(text, "bash").symbols] == [("greet", 3)]


def test_a_name_keeps_such_characters() -> None:
    assert [each.name for each in exact("func 🚀fly() {\n    land()\n}\n", "swift").symbols] == ["🚀fly"]
