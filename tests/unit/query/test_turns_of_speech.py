from __future__ import annotations

import re
from pathlib import Path

import pytest

from ctxpack.query import dictionary
from ctxpack.query.messages import turns_of_speech

_ROWS = [
    line.split("\t")
    for line in Path(str(dictionary.__file__)).with_name("phrases.tsv").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]
_WORD = r"[^\W_]+(?:'[^\W_]+)?"
_CHOICE = rf"(?:{_WORD}|[^\W\d_]{{3,}}\*)(?:/(?:{_WORD}|[^\W\d_]{{3,}}\*))*"
_PHRASE = re.compile(rf"{_CHOICE}(?: (?:{_CHOICE}|\({_CHOICE}\)|_|\.\. {_CHOICE}))*")


def _found(text: str) -> list[tuple[str, tuple[str, ...]]]:
    return [(text[turn.start : turn.end], turn.names) for turn in turns_of_speech(text)]


@pytest.mark.parametrize(
    ("text", "phrase", "names"),
    [
        ("the log of the last job gets cut off in a line", "cut off", ("truncate",)),
        ("it is Self-Signed, I think", "Self-Signed", ()),  # without its noun
        ("a self-signed certificate", "self-signed certificate", ("ssl", "verify")),
        ("how to roll back my last migration", "roll back my last migration", ("downgrade",)),
        (
            "run it from code instead of the command line",
            "instead of the command line",
            ("programmatic", "programmatically"),
        ),
        ("the command line instead of code", "", ()),
        ("let in a list of allowed addresses", "list of allowed addresses", ("allowlist", "cidr")),
        ("пускать только по списку адресов", "по списку адресов", ("allowlist", "cidr")),
        ("одинаковые не чаще двух раз в секунду", "не чаще двух раз в секунду", ("rate", "throttle")),
        ("it should walk up the base types", "walk up the base", ("inheritance", "hierarchy")),
        ("it does not pick up the changes of a page", "pick up the changes", ("watch",)),
        ("they pick up parcels", "", ()),
        ("they threw the old one away", "", ()),
        ("they threw it away", "threw it away", ("discard", "drop")),
        ("they threw away the page", "threw away", ("discard", "drop")),
        (
            "keep card numbers and names out of the logs",
            "keep card numbers and names out of the logs",
            ("redact", "mask", "filter"),
        ),
        ("too many failed logins", "too many failed logins", ("lockout", "failed", "attempts")),
        ("it takes too long", "takes too long", ("timeout",)),  # not "too long": the longest one counts
        ("a name that is too long", "too long", ("limit", "max")),
        ("cut. Off we go", "", ()),  # a stop parts
        ("how can I cap the upload speed", "cap the upload speed", ("throttle", "bandwidth")),
        ("where does it notice when a file is saved", "notice when a file", ("watcher", "watch")),
        ("show how far along it is", "how far along", ("progress",)),
        ("what is the time limit of a clone", "time limit", ("timeout",)),
        ("send all http traffic to https", "http traffic to https", ("hsts", "redirect")),
        ("how do I get rid of the warning about it", "get rid of the warning", ("suppress", "silence", "disable")),
        ("get rid of the cache", "get rid of", ("remove",)),
        ("run it on my own laptop", "on my own laptop", ("locally", "local")),
        ("a package in the folder next to it", "folder next to", ("local", "relative")),
        (
            "it goes on without being asked for a name",
            "without being asked for",
            ("noninteractive", "interactive", "prompt"),
        ),
        ("whether the lock is out of date", "out of date", ("stale", "outdated", "fresh")),
        ("switch off the regular rescan", "regular rescan", ("schedule",)),
        ("an event for an order that doesn't exist yet", "doesn't exist yet", ("missing",)),
        ("it takes one of a fixed set of words", "one of a fixed set", ("enum", "choices")),
        ("one of them, and never both", "never both", ("exclusive", "mutually")),
        ("a whole archive without eating all ram", "without eating all ram", ("stream", "chunk")),
        ("our logs contain api keys of customers", "logs contain api keys", ("redact", "mask", "filter")),
        ("who do I have to tell", "who do I have to tell", ("report", "notify")),
        ("which class do i derive from", "which class do i derive", ("abstract", "base", "interface")),
        ("для каждого типа свой класс", "для каждого типа свой", ("polymorphic", "subtype", "discriminator")),
        ("запретить сохранять без описания", "запретить сохранять", ("validate", "validator")),
        ("без правки кода продукта", "без правки кода", ("custom", "plugin", "hook")),
        ("ключ при первом обращении", "при первом обращении", ("demand", "lazy")),
        ("пишем заглавными буквами", "заглавными буквами", ("uppercase",)),
        ("colors are always off in a box", "colors are always off", ("color", "ansi", "tty")),
        (
            "a shortened form of a command",
            "shortened form of a command",
            ("abbreviation", "alias", "prefix"),
        ),
        ("a table with the numbers of errors", "numbers of errors", ("code", "errno")),
        ("plug it into a box", "plug it into", ("hook", "plugin", "interceptor")),
        ("in which order my filters are applied", "order my filters are applied", ("priority", "order", "precedence")),
        ("сколько ждёт ответа", "сколько ждёт", ("timeout", "deadline")),
    ],
)
def test_a_turn_of_speech_is_found_with_the_words_of_code(text: str, phrase: str, names: tuple[str, ...]) -> None:
    assert _found(text) == ([(phrase, names)] if names else [])


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("the second select never reaches the database", "second select never reaches the database"),
        ("the second identical select does not hit the database", "second identical select does not hit the database"),
        ("the second of all these identical selects never reaches it, but the database", ""),
        ("the second one. A select of it never reaches the database", ""),  # a stop ends a gap
    ],
)
def test_a_gap_holds_up_to_three_words_of_a_sentence(text: str, phrase: str) -> None:
    assert _found(text) == ([(phrase, ("cache", "memoize"))] if phrase else [])


def test_turns_do_not_overlap_and_stand_in_their_order() -> None:
    text = "it gets cut off, takes too long and is not thread-safe at the same time"
    assert [phrase for phrase, _ in _found(text)] == ["cut off", "takes too long", "thread-safe", "at the same time"]


def test_every_row_has_phrases_and_plain_words() -> None:
    assert len(_ROWS) > 1_100
    for phrases, names in _ROWS:
        assert all(_PHRASE.fullmatch(phrase) for phrase in phrases.split(" | ")), phrases
        assert 1 <= len(names.split()) <= 3
        assert all(re.fullmatch(r"[a-z][a-z\d]+|\d{3}", name) for name in names.split()), names


def test_no_phrase_stands_twice() -> None:
    phrases = [phrase for row, _ in _ROWS for phrase in row.split(" | ")]
    assert len(phrases) == len(set(phrases))
