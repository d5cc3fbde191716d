"""Typing errors."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxpack.query.expansions import CORRECTION_SHARES, MAX_CORRECTIONS, CorrectionVocabulary, correct

WORDS = "request middleware authentication serializer paginator resolver resolved авторизация wrapper tokenize table"
VOCABULARY = tuple(WORDS.split())


def wanted_of(vocabulary: Sequence[str]) -> CorrectionVocabulary:
    return lambda is_wanted, letters: [known for known in vocabulary if known[:1] in letters and is_wanted(known)]


def run(word: str, vocabulary: Sequence[str] = VOCABULARY) -> list[str]:
    return [found.term for found in correct({word: 1.0}, wanted_of(vocabulary), vocabulary.__contains__)]


@pytest.mark.parametrize(
    ("typo", "word"),
    [
        ("midleware", "middleware"),
        ("authentcation", "authentication"),
        ("serialzier", "serializer"),
        ("apginator", "paginator"),
        ("авторзация", "авторизация"),
        ("tokenise", "tokenize"),
    ],
)
def test_typing_errors(typo: str, word: str) -> None:
    assert run(typo) == [word]


@pytest.mark.parametrize(
    "word", ["tabe", "middleware", "resolver", "wrappers", "reqs", "rquest9", "database", "xiddleware", "giraffe"]
)
def test_what_is_known_short_odd_or_far_is_left_alone(word: str) -> None:
    assert run(word) == []


def test_words_of_our_tables_are_no_typing_errors() -> None:
    assert run("probably", ["probable"]) == []
    assert run("caching", ["catching"]) == []


@pytest.mark.parametrize(
    ("word", "resembling"),
    [("strange", "storage"), ("patch", "path"), ("happily", "happy"), ("matter", "master"), ("house", "hose")],
)
def test_common_words_are_no_typing_errors(word: str, resembling: str) -> None:
    assert run(word, [resembling]) == []


def test_vocabulary_is_not_asked_for_without_need() -> None:
    def refuse(*_: object) -> Sequence[str]:
        raise AssertionError

    assert correct({"middleware": 1.0, "cfg": 1.0}, refuse, VOCABULARY.__contains__) == ()


def test_frequent_words_win_ties() -> None:
    assert run("resolvet", ["resolver", "resolved"])[0] == "resolver"
    assert run("resolvet", ["resolved", "resolver"])[0] == "resolved"


def test_a_rare_word_must_be_much_nearer_than_a_frequent_one() -> None:
    fillers = [f"r{number:06}" for number in range(200)]
    assert run("requesst", ["request", *fillers, "requesstt"])[0] == "request"
    assert run("requesst", ["requesstt", *fillers, "request"])[0] == "requesstt"


def test_weights_share_the_weight_of_the_word() -> None:
    found = correct({"resolvet": 2.0}, wanted_of(VOCABULARY), VOCABULARY.__contains__)
    assert [item.weight for item in found] == [2 * share for share in CORRECTION_SHARES]
    assert {(item.source, item.origin) for item in found} == {("resolvet", "correction")}


@given(
    st.text(alphabet="abcde", min_size=4, max_size=9),
    st.lists(st.text("abcde", min_size=1, max_size=9), max_size=40, unique=True),
)
def test_corrections_come_from_the_vocabulary(word: str, vocabulary: list[str]) -> None:
    terms = run(word, vocabulary)
    assert len(terms) <= MAX_CORRECTIONS
    assert set(terms) <= set(vocabulary)
    assert word not in terms
