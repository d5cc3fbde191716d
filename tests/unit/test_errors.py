"""Hints that ask what was meant."""

from __future__ import annotations

import pytest

from ctxpack.errors import did_you_mean, suggest


@pytest.mark.parametrize(
    ("word", "known", "hint"),
    [
        ("budgte", ["limit", "budget"], "Did you mean budget?"),
        ("uplaod", ["upload", "uploads", "other"], "Did you mean upload or uploads?"),
        ("zzz", ["limit", "budget"], ""),
        ("x", [], ""),
    ],
)
def test_the_nearest_words_are_named(word: str, known: list[str], hint: str) -> None:
    assert did_you_mean(word, known, count=2) == hint
    assert did_you_mean(word, reversed(known), count=2) == hint


def test_a_word_is_shown_as_the_user_writes_it_and_must_be_alike_enough() -> None:
    assert did_you_mean("budgte", ["budget"], show=repr) == "Did you mean 'budget'?"
    assert did_you_mean("budgte", ["budget"], cutoff=0.95) == ""
    assert suggest(["a.py", "b.py"]) == "Did you mean a.py or b.py?"
    assert suggest([]) == ""
