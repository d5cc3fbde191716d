from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxpack.query.subtokens import (
    MAX_WORD,
    is_identifier,
    raw_words,
    share_of_quotation,
    spell_numbers,
    split,
    subtokens,
    words,
    written_as_names,
)


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("retry", ("retry",)),
        ("Retry", ("retry",)),
        ("retryDelay", ("retry", "delay")),
        ("HTTPResponse", ("http", "response")),
        ("parseHTTP2Response", ("parse", "http2", "http", "response")),
        ("snake_case_name", ("snake", "case", "name")),
        ("_private", ("private",)),
        ("__init__", ("init",)),
        ("SHOUTING_NAME", ("shouting", "name")),
        ("utf8", ("utf8", "utf")),
        ("sha256sum", ("sha256", "sha", "sum")),
        ("v4", ("v4",)),
        ("E108", ("e108",)),
        ("x86_64", ("x86", "64")),
        ("x", ()),
        ("_", ()),
        ("ПовторЗагрузки", ("повтор", "загрузки")),
        ("ёлка", ("ёлка",)),
        ("Ёлка", ("ёлка",)),
        ("École", ("école",)),
        ("Überprüfung", ("überprüfung",)),
        ("ČasopisŽena", ("časopis", "žena")),
        ("Zażółć", ("zażółć",)),
        ("ΕλληνικάΝέα", ("ελληνικά", "νέα")),
        ("数据库", ("数据", "据库")),
        ("数据", ("数据",)),
        ("アップ", ("アッ", "ップ")),
    ],
)
def test_words_fall_apart_at_case_underscores_and_digits(word: str, parts: tuple[str, ...]) -> None:
    assert split(word) == parts


def test_words_of_a_text() -> None:
    assert raw_words("Fix the_thing, in a.b.C!") == ["Fix", "the_thing", "in", "a", "b", "C"]
    assert list(words("Fix the_Thing a")) == ["fix", "the_thing"]
    assert list(subtokens("Fix theThing")) == ["fix", "the", "thing"]


def test_over_long_words_are_nobodys() -> None:
    assert raw_words(f"ok {'a' * MAX_WORD} {'b' * (MAX_WORD + 1)}") == ["ok", "a" * MAX_WORD]


@given(st.text("aAbBsSxYzZ019_-. \n", max_size=9))
def test_a_word_in_ascii_is_cut_as_among_other_letters(word: str) -> None:
    assert split(word) == split(f"{word}_ж")


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("EIPs", ("eip",)),
        ("getURLs", ("get", "url")),
        ("IDsOfUser", ("id", "of", "user")),
        ("CSSstyle", ("cs", "sstyle")),
    ],
)
def test_the_plural_of_an_abbreviation_is_the_abbreviation(word: str, parts: tuple[str, ...]) -> None:
    assert split(word) == parts


@pytest.mark.parametrize("word", ["retryDelay", "snake_case", "HTTPServer", "utf8", "x_y", "Sha256", "isUp"])
def test_code_shaped_words(word: str) -> None:
    assert is_identifier(word)


@pytest.mark.parametrize("word", ["retry", "Retry", "HTTP", "URLs", "2024", "_x", "a", "__", "Повтор", "x1", ""])
def test_plain_words(word: str) -> None:
    assert not is_identifier(word)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("add a level FRIENDS and AT_WORK", {"friends"}),
        ("the Uploader of «повторы» and `retry_delay()`", {"uploader", "повторы", "retry", "delay"}),
        ("uploads and retries are 'not what' I want", set()),
        ("Uploads of a URL", set()),
        ("WHY DOES IT RETRY", set()),
    ],
)
def test_words_written_as_names(text: str, names: set[str]) -> None:
    assert written_as_names(text) == names


def _is_spaced(word: str) -> bool:
    return not any("\u0e00" <= char <= "\ufaff" for char in word)  # of the others, pairs overlap


@settings(max_examples=200, deadline=None)
@given(st.text(st.characters(codec="utf-8", categories=("L", "Nd", "Pc")), min_size=1, max_size=20).filter(_is_spaced))
def test_parts_are_lower_case_and_come_in_order(word: str) -> None:
    parts = split(word)
    assert all(part == part.lower() and len(part) >= 2 for part in parts)
    rest = word.lower()
    for before, part in pairwise(("", *parts)):
        if before != part == before.rstrip("0123456789"):
            continue  # the letters of the part before
        _, found, rest = rest.partition(part)
        assert found, (part, before)


@settings(max_examples=100, deadline=None)
@given(st.text(st.sampled_from("abcdéüßčžαбвгё"), min_size=2, max_size=12))
def test_a_capital_makes_no_other_word(word: str) -> None:
    if len(word.capitalize()) == len(word):
        assert split(word.capitalize()) == split(word)


@pytest.mark.parametrize(
    ("said", "template", "share"),
    [
        ("parcel home sweet home is missing", 'say("parcel %q is missing", name)', 1.0),
        ("parcel 4711 not found", 'f"parcel {number} not found"', 1.0),
        ("could not fetch https example org now", '"Could not fetch " + url + " now"', 1.0),
        ("parcel 4711 not found", '"Parcel #{id} not found"', 1.0),
        ("parcel 4711 not found", '"Parcel ${parcel.id} not found"', 1.0),
        ("parcel 4711 not found", '"Parcel {Id} not found"', 1.0),
        ("parcel 4711 not found", 'say("not a parcel of ours, found")', 0.0),
        ("no parcel of mine here", "there is no parcel of", 1 / 3),
    ],
)
def test_a_quotation_is_that_of_a_template_whatever_it_is_filled_with(said: str, template: str, share: float) -> None:
    assert share_of_quotation(tuple(said.split()), template) == pytest.approx(share)


@pytest.mark.parametrize(
    ("text", "simplified"),
    [
        ("it says 2024-03-01T09:12:33.123456Z, not local time", "it says  , not local time"),
        ("customer wants 2024-03-01 09:12 everywhere", "customer wants   everywhere"),
        ("2024/03/01 09:12:33.123456 [ERR] (cli) no queue", " ] (cli) no queue"),
        ("Mar  1 09:12:33 host sends", "  host sends"),
        ("[01/Mar/2024:09:12:33 +0000] GET", "[ ] GET"),
        ("Fri, 01 Mar 2024 09:12:33 GMT no queue", "  no queue"),
        ("Fri Mar 1 09:12:33 2024 no queue", "  no queue"),
        ("E0301 09:12:33.123456   12345 queue.go:80] no queue", "  queue.go:80] no queue"),
        ("2024-03-01 09:12:33 ERROR no queue", "  no queue"),
        ("posts/2024/03/01/queue.md", "posts/2024/03/01/queue.md"),
        ("in March 12 users", "in March 12 users"),
        ("on 01.02.2024 or 1/2/2024, at 10:30 pm", "on   or  , at  "),
        ("took 2h48m30s is too noisy", "took   is too noisy"),
        ("the order 123e4567-e89b-12d3-a456-426614174000!", "the order  !"),
        ("1,800,000 of 8 000", "1800000 of 8 000"),
        (
            "app.py:12:30, port 8080:80, 16:9, in 3m, python:3.12",
            "app.py:12:30, port 8080:80, 16:9, in 3m, python:3.12",
        ),
    ],
)
def test_values_of_records_are_no_words(text: str, simplified: str) -> None:
    assert spell_numbers(text) == simplified


@given(st.text("abz_-09A.", max_size=12))
def test_names_in_small_letters_are_cut_as_others_are(word: str) -> None:
    assert split(f"{word}_Qq") == (*split(word), "qq")  # a pattern cuts what has a capital


def test_no_pattern_cuts_a_name_in_small_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ctxpack.query.subtokens._ASCII_PART", None)
    assert split("a_snake-case__name_of_q") == ("snake", "case", "name", "of")
