from __future__ import annotations

import pytest

from ctxpack.query.expansions import FORM_WEIGHT, Vocabulary, inflect


def vocabulary(*terms: str) -> Vocabulary:
    return lambda prefix, is_wanted: [term for term in terms if term.startswith(prefix) and is_wanted(term)]


@pytest.mark.parametrize(
    ("word", "known", "forms"),
    [
        ("retries", ("retry", "retrying", "retro"), ["retry", "retrying"]),
        ("upload", ("uploads", "uploading", "uploaded", "up"), ["uploads", "uploading", "uploaded"]),
        ("загрузки", ("загрузка", "загрузку", "загадка"), ["загрузка", "загрузку"]),
        ("caches", ("cache", "caching", "cached"), ["cache", "caching", "cached"]),
        ("bound", ("bounds", "binding", "bind"), ["bind", "bounds", "binding"]),
        ("sending", ("sends", "sent", "sentence"), ["sent", "sends"]),
        ("bounds", ("bounding", "bind"), ["bounding"]),  # a plural is no form of the verb
        ("healthy", ("health", "healthcheck"), ["health"]),
        ("failing", ("failure", "fails", "fail"), ["failure", "fails", "fail"]),
        ("decided", ("decision", "decide"), ["decision", "decide"]),
        ("expiry", ("expire", "expired"), ["expire", "expired"]),
        ("choosing", ("choice", "choose"), ["choice", "choose"]),
        ("log", ("logs", "login"), ["logs"]),
        ("die", ("died", "diet"), ["died"]),
        ("reparse", ("parse", "parsed"), ["parse", "parsed"]),
        ("unsubscribe", ("subscribe", "unsubscribed"), ["unsubscribed"]),
        ("modules", ("module", "modulate", "modulation"), ["module"]),
        ("custom", ("customize", "customers"), ["customize"]),
        ("customers", ("custom", "customer"), ["customer"]),
        ("utils", ("util", "utility", "utilize"), ["util", "utility"]),
        ("menus", ("menu", "menuitem"), ["menu"]),
        ("menu", ("menus", "menuitem"), ["menus"]),
        ("status", ("state", "stat"), []),
        ("reset", ("reset", "set"), []),
        ("request", ("request", "quest"), []),
        ("redo", ("do",), []),
        ("id", ("ids",), []),  # too short to have a telling stem
        ("utf8", ("utf8s",), []),
        ("upload", ("upload",), []),
    ],
)
def test_forms_come_from_the_vocabulary(word: str, known: tuple[str, ...], forms: list[str]) -> None:
    found = inflect({word: 2.0}, vocabulary(*known))
    assert [each.term for each in found] == forms
    assert all((each.source, each.origin, each.weight) == (word, "inflection", 2.0 * FORM_WEIGHT) for each in found)


def test_words_of_the_request_are_no_forms() -> None:
    assert inflect({"upload": 1.0, "uploads": 1.0}, vocabulary("upload", "uploads")) == ()


def test_a_form_stands_once_for_its_heaviest_word() -> None:
    found = inflect({"upload": 1.0, "uploads": 3.0}, vocabulary("uploading"))
    assert [(each.source, each.weight) for each in found] == [("uploads", 1.5)]


def test_the_most_frequent_forms_win() -> None:
    forms = tuple(f"upload{end}" for end in ("s", "ed", "ing", "ly", "edly", "ings", "ingly"))
    found = inflect({"upload": 1.0}, vocabulary(*forms))
    assert [each.term for each in found] == [form for form in forms if form in {each.term for each in found}]
    assert len(found) <= 6


@pytest.mark.parametrize(
    ("word", "known", "forms"),
    [
        ("опубликовать", ("публикации", "публика"), ["публикации"]),
        ("зарегистрировать", ("регистрация", "регистр"), ["регистрация"]),
        ("отсортировать", ("сортировка", "сорт"), ["сортировка"]),
        ("проверить", ("проверка", "провал"), ["проверка"]),
        ("проверить", ("проверю", "проверка"), ["проверю"]),  # its own forms are enough
        ("проверить", ("проверить", "проверка"), []),
    ],
)
def test_a_russian_word_that_occurs_in_no_form_is_looked_for_in_its_family(
    word: str, known: tuple[str, ...], forms: list[str]
) -> None:
    assert [each.term for each in inflect({word: 2.0}, vocabulary(*known))] == forms
