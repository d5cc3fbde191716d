"""Texts that keep a parser busy: it is stopped, and the definitions are found by patterns."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from ctxpack.parse import exact, outline
from ctxpack.parse.parser import parse_exactly
from ctxpack.system.clock import TREE_SECONDS
from tests.conftest import MakeRepository
from tests.indexing import opened

LANGUAGES = ("python", "rust", "c", "cpp", "go", "javascript", "java", "ruby")
UNITS = ("(", "[[", "{", "<!--", "- ", "\\\n", '"""', "`${", "template<", "class A{", "def f(", "#if\n")


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_keeps_the_parser_longer_than_it_may(language: str) -> None:
    """By the time of this thread, which a busy machine does not change; the outline is not counted."""
    for unit in UNITS:
        text = unit * (60_000 // len(unit))
        began = time.thread_time()
        parsed = exact(text, language, seconds=0.1)
        spent = time.thread_time() - began
        began = time.thread_time()
        cheap = outline(text, language)
        assert spent - (time.thread_time() - began) < TREE_SECONDS
        assert parsed.is_exact != parsed.is_late
        assert parsed.chunks[-1].end_line == cheap.chunks[-1].end_line


def test_a_late_text_is_taken_apart_by_patterns() -> None:
    text = "def real():\n    return 1\n\n" + "<!--" * 20_000 + "\n"
    late = parse_exactly(text, "python", seconds=0.001)
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
