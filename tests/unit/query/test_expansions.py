"""Synonyms, translations, abbreviations, compounds."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxpack.model import Expansion
from ctxpack.query.dictionary import thesaurus
from ctxpack.query.expansions import (
    ABBREVIATION_WEIGHT,
    ALL_SENSES,
    FIRST_SYNONYM_WEIGHT,
    MAX_EXPANSIONS,
    SYNONYM_WEIGHT,
    TRANSLATION_WEIGHT,
    USER_WEIGHT,
    ExpansionVocabulary,
    expand,
    join_words,
    rephrase,
)
from ctxpack.query.subtokens import STOPWORDS, spell_apart, spell_singular


def run(request: str, known: str, extra: Mapping[str, tuple[str, ...]] | None = None) -> tuple[Expansion, ...]:
    words = dict.fromkeys(request.lower().split(), 1.0)
    return expand(words, ExpansionVocabulary(known.split().__contains__), extra=extra or {})


def test_synonym_has_its_source_origin_and_weight() -> None:
    assert run("delete", "remove") == (Expansion("remove", "delete", "synonym", FIRST_SYNONYM_WEIGHT),)


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


@pytest.mark.parametrize(
    ("word", "others"),
    [
        ("analytics", "analysis statistics metrics"),
        ("memory", "storage cache embeddings"),
        ("search", "retrieval query"),
        ("pipeline", "workflow"),
    ],
)
def test_seed_groups_work_both_ways(word: str, others: str) -> None:
    assert {found.term for found in run(word, others)} == set(others.split())
    for other in others.split():
        assert word in {found.term for found in run(other, word)}


@pytest.mark.parametrize(
    ("word", "stranger"),
    [("terminator", "kill"), ("pager", "page"), ("server", "backend"), ("limit", "quota"), ("symbol", "character")],
)
def test_false_friends(word: str, stranger: str) -> None:
    assert run(word, stranger) == ()


def test_a_synonym_counts_less_the_more_its_word_finds() -> None:
    def weight(scarcity: float) -> float:
        found = expand({"delete": 1.0}, ExpansionVocabulary({"remove"}.__contains__, lambda _: scarcity), extra={})
        return found[0].weight if found else 0.0

    assert weight(1.0) == FIRST_SYNONYM_WEIGHT
    assert weight(0.5) == FIRST_SYNONYM_WEIGHT / 2
    assert weight(0.0) == 0.0


def test_translations_and_own_synonyms_count_whatever_the_word_finds() -> None:
    common = ExpansionVocabulary({"cache", "attachment"}.__contains__, lambda _: 0.0)
    assert expand({"кэш": 1.0}, common, extra={})[0].weight == TRANSLATION_WEIGHT
    assert expand({"upload": 1.0}, common, extra={"upload": ("attachment",)})[0].weight == USER_WEIGHT


def test_ukrainian_is_read_as_ukrainian() -> None:
    vocabulary = ExpansionVocabulary({"time", "hour", "week", "error"}.__contains__, is_ukrainian=True)
    found = expand(dict.fromkeys(("час", "помилок", "неделя"), 1.0), vocabulary, extra={})
    assert {(each.source, each.term) for each in found} == {("час", "time"), ("помилок", "error")}


def test_a_russian_word_that_no_table_has_is_the_english_one_that_sounds_so() -> None:
    def with_prefix(start: str, is_wanted: Callable[[str], bool]) -> list[str]:
        return [each for each in ("podcast",) if each.startswith(start) and is_wanted(each)]

    vocabulary = ExpansionVocabulary({"podcast", "search"}.__contains__, with_prefix=with_prefix)
    found = expand({"подкастов": 1.0, "поиск": 1.0}, vocabulary, extra={})
    assert {(each.term, each.source, each.origin) for each in found} == {
        ("podcast", "подкастов", "translation"),
        ("search", "поиск", "translation"),
    }


def test_half_of_a_phrase_is_not_the_phrase() -> None:
    assert run("обработка данных", "database") == ()


def test_english_to_russian_for_russian_repositories() -> None:
    assert [(item.term, item.origin) for item in run("cache", "или кэш")] == [("кэш", "translation")]
    assert run("cache", "кэш") == ()  # no Russian prose: the dictionary is not asked


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
    found = expand({"delete": 4.0}, ExpansionVocabulary({"remove"}.__contains__), extra={})
    assert found[0].weight == 4 * FIRST_SYNONYM_WEIGHT


WORDS = st.sampled_from(
    sorted(thesaurus().by_word) + sorted(thesaurus().abbreviations) + ["кэша", "поиск", "базы", "данных", "записи"]
)


@given(st.dictionaries(WORDS, st.floats(0, 8), max_size=8))
def test_bounds_and_order(words: dict[str, float]) -> None:
    found = expand(words, ExpansionVocabulary(lambda _: True), extra={})
    assert found == expand(dict(reversed(words.items())), ExpansionVocabulary(lambda _: True), extra={})
    assert len({item.term for item in found}) == len(found)
    assert not {item.term for item in found} & set(words)
    for source in {item.source for item in found}:
        own = [item.weight for item in found if item.source == source]
        assert len(own) <= MAX_EXPANSIONS
        assert sum(own) <= min(words[part] for part in source.split()) + 0.001


def test_the_first_of_several_meanings_is_not_divided_where_the_repository_has_no_such_prose() -> None:
    known = "state condition status"
    foreign, own = ({each.term: each.weight for each in run("состояние", f"{known}{more}")} for more in ("", " или"))
    assert foreign["state"] == TRANSLATION_WEIGHT > own["state"]
    assert sum(foreign.values()) <= ALL_SENSES + 1e-3
    assert sum(own.values()) <= 1 + 1e-3


def test_a_word_said_twice_in_different_forms_weighs_more() -> None:
    once, twice = (
        {each.term: each.weight for each in run(text, "state handler")}
        for text in ("состояние обработчика", "состояние обработчика состоянием")
    )
    assert twice["state"] > once["state"]
    assert twice["handler"] == once["handler"]


def test_a_phrase_weighs_as_much_as_its_words_where_the_repository_has_no_such_prose() -> None:
    foreign, own = (
        {each.term: each.weight for each in run("переменные окружения", f"env{more}")} for more in ("", " или")
    )
    assert foreign["env"] == pytest.approx(2 * own["env"])


def test_english_requests_do_not_read_the_dictionary() -> None:
    code = (
        "import sys; from ctxpack.query.expansions import ExpansionVocabulary, expand\n"
        "assert 'tomllib' not in sys.modules\n"
        "assert expand({'memory': 1.0}, ExpansionVocabulary({'cache'}.__contains__), extra={})\n"
        "from ctxpack.query import dictionary\n"
        "assert not dictionary._entries.cache_info().currsize"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_words_in_a_row_that_the_repository_writes_as_one_are_joined() -> None:
    known = {"builtin", "timezone", "theof"}.__contains__
    terms = {"built": 2.0, "function": 1.0, "time": 1.0, "zone": 1.5}
    found = join_words("a built-in function, its Time zone. the of; time, zone", terms, known)
    assert [(each.term, each.source, each.origin) for each in found] == [
        ("builtin", "built in", "compound"), ("timezone", "zone", "compound"),
    ]  # fmt: skip
    assert found[0].weight == terms["built"]  # a hyphen makes it one word, which stands on its own
    assert 0 < found[1].weight < terms["zone"]


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("how to shut down cleanly", "shutdown"),
        ("falling back to the default", "fallback"),
        ("it is rolled back", "rollback"),
        ("calls down the line", ""),  # nobody calls anything so
        ("shut-down", "shutdown"),
        ("the back down", ""),
    ],
)
def test_a_verb_and_its_particle_are_joined(text: str, term: str) -> None:
    words = dict.fromkeys((word for word in text.replace("-", " ").split() if word not in STOPWORDS), 1.0)
    found = join_words(text, words, {"shutdown", "fallback", "rollback"}.__contains__)
    assert [each.term for each in found] == [term] * bool(term)


def test_words_are_not_joined_across_a_line_or_where_the_request_joins_them_itself() -> None:
    terms = {"time": 1.0, "zone": 1.0}
    assert join_words("the time\nzone", terms, lambda _: True) == ()
    assert not any(
        each.term == "timezone" for each in join_words("time zone", {**terms, "timezone": 1.0}, lambda _: True)
    )


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("ignore keys it does not know", "unknown"),
        ("the value isn't valid", "invalid"),
        ("a host that cannot be reached", "unreachable"),
        ("names we don't use", "unused"),
        ("a name that is not yet set", "unset"),
    ],
)
def test_what_is_not_so_is_looked_for_by_its_opposite(text: str, term: str) -> None:
    known = {"unknown", "invalid", "unreachable", "unused", "unset"}.__contains__
    (found,) = rephrase(text, {"key": 2.0, "valid": 4.0}, known)
    assert (found.term, found.weight) == (term, 2.0 if term == "invalid" else 3.0)


@pytest.mark.parametrize(
    "text", ["do not lock it", "it does not put or do or form this", "the known value", "not sure"]
)
def test_no_verb_has_an_opposite_and_no_word_without_a_not(text: str) -> None:
    assert rephrase(text, {"value": 1.0}, {"unlock", "input", "undo", "inform", "unknown"}.__contains__) == ()


def test_a_word_is_also_looked_for_as_a_name_of_two_parts() -> None:
    known = {"git_ignore", "time_out", "to_day", "git_ignored"}.__contains__
    words = {"gitignore": 1.5, "today": 1.0, "timeout": 2.0, "retry_delay": 1.0}
    assert spell_apart(words, known) == {"git_ignore": 1.5, "time_out": 2.0}
    assert spell_apart({"gitignore": 1.0, "git_ignore": 2.0}, known) == {}


def test_a_plural_that_the_repository_does_not_hold_stands_for_its_singular() -> None:
    known = {"savepoint", "status", "hooks", "hook", "pas"}.__contains__
    words = {"savepoints": 1.5, "status": 1.0, "hooks": 2.0, "pass": 1.0, "others": 1.0}
    assert spell_singular(words, known) == {"savepoint": 1.5, "status": 1.0, "hooks": 2.0, "pass": 1.0, "others": 1.0}
    assert spell_singular({"savepoints": 1.0, "savepoint": 2.0}, known) == {"savepoint": 2.0}


def test_what_people_say_leads_to_what_code_calls_it_and_not_back() -> None:
    known = {"throttle", "delay", "slowdown"}
    vocabulary = ExpansionVocabulary(known.__contains__)
    assert [item.term for item in expand({"slowdown": 1.0}, vocabulary, extra={})] == ["throttle", "delay"]
    assert "slowdown" not in {item.term for item in expand({"throttle": 1.0}, vocabulary, extra={})}


def test_the_likeliest_synonym_counts_most_and_all_together_no_more_than_the_word() -> None:
    found = expand({"slowdown": 1.0}, ExpansionVocabulary({"throttle", "delay"}.__contains__), extra={})
    assert found[0].weight / found[1].weight == pytest.approx(FIRST_SYNONYM_WEIGHT / SYNONYM_WEIGHT, rel=1e-3)
    assert sum(item.weight for item in found) == pytest.approx(1.0, rel=1e-3)


@pytest.mark.parametrize(("known", "has_line"), [({"cli", "line"}, False), ({"cli", "line", "ошибка"}, True)])
def test_words_of_a_phrase_keep_their_meaning_where_there_is_prose_in_their_language(
    known: set[str], *, has_line: bool
) -> None:
    vocabulary = ExpansionVocabulary(known.__contains__, said=("командной", "строки"))
    found = expand({"командной": 1.0, "строки": 1.0}, vocabulary, extra={})
    assert ("line" in {each.term for each in found}) is has_line
