"""Synonyms, translations, abbreviations."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxpack.model import Expansion
from ctxpack.query.expansions import (
    ABBREVIATION_WEIGHT,
    MAX_PER_WORD,
    SYNONYM_WEIGHT,
    TRANSLATION_WEIGHT,
    USER_WEIGHT,
    expand,
)
from ctxpack.query.thesaurus import thesaurus


def run(request: str, known: str, extra: Mapping[str, tuple[str, ...]] | None = None) -> tuple[Expansion, ...]:
    words = dict.fromkeys(request.lower().split(), 1.0)
    return expand(words, extra=extra or {}, is_known=known.split().__contains__)


def test_synonym_has_its_source_origin_and_weight() -> None:
    assert run("delete", "remove") == (Expansion("remove", "delete", "synonym", SYNONYM_WEIGHT),)


@pytest.mark.parametrize("word", ["deletes", "deleting", "deleted", "deleter", "delete"])
def test_english_endings(word: str) -> None:
    assert [found.term for found in run(word, "erase")] == ["erase"]


def test_doubled_consonant_and_y() -> None:
    assert [found.term for found in run("stopping", "halt")] == ["halt"]
    assert [found.term for found in run("retries", "reattempt")] == ["reattempt"]


@pytest.mark.parametrize(
    ("request_", "term", "source"),
    [
        ("очистка кэша", "cache", "кэша"),
        ("повторной загрузкой файлов", "retry", "повторной"),
        ("повторной загрузкой файлов", "upload", "загрузкой"),
        ("проверка авторизации", "authorization", "авторизации"),
        ("миграция базы данных", "database", "базы данных"),
        ("данных в базе", "database", "базе данных"),
        ("удаление пользователей", "delete", "удаление"),
        ("отчётов", "report", "отчётов"),
        ("отчетов", "report", "отчетов"),
        ("очередями", "queue", "очередями"),
        ("аналитики", "analytics", "аналитики"),
        ("логирования", "logging", "логирования"),
    ],
)
def test_russian_forms(request_: str, term: str, source: str) -> None:
    found = run(request_, term)
    assert [(item.term, item.source, item.origin) for item in found] == [(term, source, "translation")]


def test_single_translation_weighs_most() -> None:
    assert run("кэша", "cache")[0].weight == TRANSLATION_WEIGHT


def test_half_of_a_phrase_is_not_the_phrase() -> None:
    assert run("обработка данных", "database") == ()


def test_english_to_russian_for_russian_repositories() -> None:
    assert [(item.term, item.origin) for item in run("cache", "кэш")] == [("кэш", "translation")]


@pytest.mark.parametrize(
    ("word", "other"), [("cfg", "config"), ("repository", "repo"), ("msg", "message"), ("i18n", "internationalization")]
)
def test_abbreviations_go_both_ways(word: str, other: str) -> None:
    for source, term in ((word, other), (other, word)):
        assert (term, source, "abbreviation", ABBREVIATION_WEIGHT) in [
            (item.term, item.source, item.origin, item.weight) for item in run(source, term)
        ]


def test_unknown_terms_are_dropped() -> None:
    assert run("delete cfg кэш", "nothing") == ()


def test_words_of_the_request_are_not_repeated() -> None:
    assert run("delete remove erase", "delete remove erase") == ()


def test_own_synonyms_come_first_and_add() -> None:
    found = run("uploads", "attachment upload", {"upload": ("Attachment",)})
    assert [(item.term, item.weight) for item in found] == [("attachment", USER_WEIGHT), ("upload", SYNONYM_WEIGHT)]


def test_own_synonyms_in_russian_and_of_several_words() -> None:
    assert [item.term for item in run("личным кабинетом", "cabinet", {"личный кабинет": ("cabinet",)})] == ["cabinet"]
    assert [item.term for item in run("the back office", "admin", {"back office": ("admin",)})] == ["admin"]


@pytest.mark.parametrize(("word", "term"), [("delete", "remove"), ("кэш", "cache")])
def test_empty_own_entry_switches_a_word_off(word: str, term: str) -> None:
    assert run(word, term)
    assert run(word, term, {word: ()}) == ()


def test_weight_follows_the_word() -> None:
    found = expand({"delete": 4.0}, extra={}, is_known={"remove"}.__contains__)
    assert found[0].weight == 4 * SYNONYM_WEIGHT


WORDS = st.sampled_from(
    sorted(thesaurus().by_english) + sorted(thesaurus().abbreviations) + ["кэша", "поиск", "базы", "данных", "записи"]
)


@given(st.dictionaries(WORDS, st.floats(0, 8), max_size=8))
def test_bounds_and_order(words: dict[str, float]) -> None:
    found = expand(words, extra={}, is_known=lambda _: True)
    assert found == expand(dict(reversed(words.items())), extra={}, is_known=lambda _: True)
    assert len({item.term for item in found}) == len(found)
    assert not {item.term for item in found} & set(words)
    for source in {item.source for item in found}:
        own = [item.weight for item in found if item.source == source]
        assert len(own) <= MAX_PER_WORD
        assert sum(own) <= min(words[part] for part in source.split()) + 0.001


def test_english_requests_do_not_load_the_stemmer() -> None:
    code = (
        "import sys; from ctxpack.query.expansions import expand\n"
        "assert 'tomllib' not in sys.modules\n"
        "assert expand({'cache': 1.0}, extra={}, is_known=lambda _: True)\n"
        "assert 'Stemmer' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
