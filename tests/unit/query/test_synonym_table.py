"""The table itself: readable, tight, well-formed."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from ctxpack.query import dictionary
from ctxpack.query.dictionary import _read_sections, is_cyrillic, lemma, thesaurus
from ctxpack.query.expansions import ExpansionVocabulary, expand
from ctxpack.query.subtokens import STOPWORDS, english_stem

OPPOSITES = [
    ("create", "delete"), ("add", "remove"), ("enable", "disable"), ("open", "close"), ("send", "receive"),
    ("connect", "disconnect"), ("increase", "decrease"), ("split", "join"), ("wrap", "unwrap"), ("allow", "forbid"),
    ("encode", "decode"), ("encrypt", "decrypt"), ("import", "export"), ("upload", "download"), ("start", "stop"),
    ("read", "write"), ("show", "hide"), ("login", "logout"), ("public", "private"), ("serialize", "deserialize"),
    ("minimum", "maximum"), ("backup", "restore"), ("commit", "rollback"), ("raise", "catch"), ("global", "local"),
    ("synchronous", "asynchronous"), ("install", "uninstall"), ("compress", "decompress"), ("client", "server"),
    ("request", "response"), ("width", "height"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), OPPOSITES)
def test_opposites_share_no_group(one: str, other: str) -> None:
    table = thesaurus()
    assert table.knows(one)
    assert table.knows(other)
    assert not [group for group in table.groups if {one, other} <= set(group)]


def test_words_are_lower_case_and_english() -> None:
    for group in thesaurus().groups:
        assert all(word == word.lower() and not is_cyrillic(word) and " " not in word for word in group)
        assert len(set(group)) == len(group) > 1


def test_every_topic_a_project_talks_of_is_there() -> None:
    topics = (
        "analytics memory search pipeline auth cache database queue test deploy config error log upload "
        "download retry timeout network http request response user permission password token session file "
        "folder path import export parse render template format encode decode serialize validate schema "
        "migrate model field query index rank sort filter pagination thread lock event message notify email "
        "payment order report metric monitor schedule job worker container cluster backup version release "
        "build compile lint style docs translate ui button form table chart image date time math random "
        "encrypt hash sign compress stream buffer socket proxy router middleware plugin hook command argument "
        "option environment logging create delete get set update fix check run stop find show convert copy "
        "move open close send receive connect disconnect enable disable increase decrease split join merge "
        "wrap allow skip "
    )
    assert [word for word in topics.split() if not thesaurus().knows(word)] == []


def test_abbreviations_are_symmetric() -> None:
    table = thesaurus().abbreviations
    assert all(word in table[other] for word, others in table.items() for other in others)


def test_knows_forms_but_not_strangers() -> None:
    assert thesaurus().knows("parsers")
    assert thesaurus().knows("caching")
    assert not thesaurus().knows("zebra")


def test_lemma_prefers_the_word_itself() -> None:
    assert lemma("parser", {"parser", "parse"}.__contains__) == "parser"
    assert lemma("classes", {"class"}.__contains__) == "class"
    assert lemma("as", {"a"}.__contains__) == ""


def test_one_who_does_it_is_known_of_verbs_alone() -> None:
    assert thesaurus().verb("deleter") == "delete"
    assert thesaurus().verb("splitter") == "split"
    assert thesaurus().verb("pager") == thesaurus().verb("terminator") == ""


@pytest.mark.parametrize("word", ["how", "the", "does", "implementation", "description", "как", "где", "почему", "bug"])
def test_stopwords(word: str) -> None:
    assert word in STOPWORDS


@pytest.mark.parametrize(
    "word",
    [
        "cache",
        "error",
        "test",
        "file",
        "user",
        "time",
        "query",
        "request",
        "label",
        "context",
        "title",
        "call",
        "кэш",
        "ошибка",
        "поиск",
    ],
)
def test_no_stopword_names_a_thing(word: str) -> None:
    assert word not in STOPWORDS


def test_the_file_is_read_as_toml() -> None:
    text = Path(dictionary.__file__).with_name("synonyms.toml").read_text(encoding="utf-8")
    assert _read_sections(text) == tomllib.loads(text)


def test_strangers_are_listed_by_the_stem_that_they_share_with_others() -> None:
    for stem, starts in thesaurus().strangers.items():
        assert starts
        assert all(english_stem(start).startswith(stem) or start.startswith(stem) for start in starts)
        assert not any(stem.startswith(start) for start in starts)


def test_what_people_say_never_stands_for_its_opposite_or_for_what_its_group_has() -> None:
    table = thesaurus()
    opposites = {pair for one, other in OPPOSITES for pair in ((one, other), (other, one))}
    pairs = [(word, other) for word, others in table.said.items() for other in others]
    assert [pair for pair in pairs if pair in opposites] == []
    assert [pair for pair in pairs if any(pair[1] in group for group in table.by_word.get(pair[0], ()))] == []
    assert all(word == word.lower() and " " not in word and not is_cyrillic(word) for pair in pairs for word in pair)


def test_a_part_of_a_thing_of_its_kind_is_found_by_the_word_for_the_kind() -> None:
    known = ExpansionVocabulary({"command", "directory"}.__contains__)
    found = {each.source: each.term for each in expand({"subcommands": 1.0, "subfolder": 1.0}, known, extra={})}
    assert found == {"subcommands": "command", "subfolder": "directory"}


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("shorthand", "alias"),
        ("pluggable", "adapter"),
        ("tamper", "hmac"),
        ("overloaded", "backpressure"),
        ("newcomers", "contributing"),
        ("pedantic", "strict"),
        ("circumvents", "bypass"),
        ("mojibake", "unicode"),
    ],
)
def test_what_people_say_is_found_by_what_code_calls_it(said: str, name: str) -> None:
    found = expand({said: 1.0}, ExpansionVocabulary({name}.__contains__), extra={})
    assert [(each.term, each.source) for each in found] == [(name, said)]
