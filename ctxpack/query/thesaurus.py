"""The built-in table of English synonyms and abbreviations, read from ``synonyms.toml`` when first asked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

_T = TypeVar("_T")

MIN_LEMMA = 3  # letters that must be left of a word when an ending is taken off
_CYRILLIC = re.compile(r"[Ѐ-ӿ]")
_ENDINGS = (  # ending, what stands in its place; the first that gives a listed word wins
    ("ies", "y"),
    ("ied", "y"),
    ("s", ""),
    ("es", ""),
    ("ed", ""),
    ("ed", "e"),
    ("ing", ""),
    ("ing", "e"),
)
_AGENT_ENDINGS = (
    ("er", ""),
    ("er", "e"),
    ("or", ""),
    ("or", "e"),
    ("ers", ""),
    ("ers", "e"),
    ("ors", ""),
    ("ors", "e"),
)
_DOUBLED = re.compile(r"^(.+?)([bdgklmnprt])\2(?:ing|ed)$")
_DOUBLED_AGENT = re.compile(r"^(.+?)([bdgklmnprt])\2(?:er|ers)$")


@dataclass(frozen=True, slots=True)
class Thesaurus:
    """The table, indexed by word. Abbreviations map short to long and long to short, ``related`` both ways as well.

    ``groups`` hold words that stand for one another, the best first.
    """

    groups: tuple[tuple[str, ...], ...]
    by_word: Mapping[str, tuple[tuple[str, ...], ...]]
    verbs: frozenset[str]
    related: Mapping[str, tuple[str, ...]]
    abbreviations: Mapping[str, tuple[str, ...]]
    known: frozenset[str]

    def knows(self, word: str) -> bool:
        """Whether the English ``word`` or its base form is listed anywhere."""
        tables = (self.by_word, self.related, self.abbreviations, self.known)
        return bool(lemma(word, lambda form: any(form in table for table in tables))) or bool(self.verb(word))

    def verb(self, word: str) -> str:
        """The verb of one who does it (renderer: render); ``""`` for what only looks like one (pager, terminator)."""
        return next((form for form in _agent_forms(word) if form in self.verbs), "")


def is_cyrillic(text: str) -> bool:
    """Whether ``text`` has a Cyrillic letter."""
    return bool(_CYRILLIC.search(text))


def lemma(word: str, is_listed: Callable[[str], bool]) -> str:
    """The form of an English ``word`` that is listed, by plain rules on endings; ``""`` if none is."""
    return next((form for form in _forms(word) if is_listed(form)), "")


def _forms(word: str) -> Iterator[str]:
    yield word
    yield from _without_endings(word, _ENDINGS)
    doubled = _DOUBLED.match(word)
    if doubled:
        yield doubled[1] + doubled[2]


def _agent_forms(word: str) -> Iterator[str]:
    yield from _without_endings(word, _AGENT_ENDINGS)
    doubled = _DOUBLED_AGENT.match(word)
    if doubled:
        yield doubled[1] + doubled[2]


def _without_endings(word: str, endings: Iterable[tuple[str, str]]) -> Iterator[str]:
    for ending, replacement in endings:
        if word.endswith(ending) and len(word) - len(ending) >= MIN_LEMMA:
            yield word.removesuffix(ending) + replacement


@lru_cache(maxsize=1)
def thesaurus() -> Thesaurus:
    """The built-in table; read once."""
    import tomllib

    raw = tomllib.loads(Path(__file__).with_name("synonyms.toml").read_text(encoding="utf-8"))
    named = {**raw["groups"], **raw["verbs"]}
    groups = tuple((name, *_cut(words)) for name, words in named.items())
    return Thesaurus(
        groups,
        _collect((word, group) for group in groups for word in group),
        frozenset(raw["verbs"]),
        _both_ways(raw["related"]),
        _both_ways(raw["abbreviations"]),
        frozenset(raw["known"]["words"].split()),
    )


def _both_ways(table: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    pairs = [(name, word) for name, words in table.items() for word in _cut(words)]
    return _collect(pairs + [(word, name) for name, word in pairs])


def _collect(pairs: Iterable[tuple[str, _T]]) -> dict[str, tuple[_T, ...]]:
    found: dict[str, list[_T]] = {}
    for word, item in pairs:
        found.setdefault(word, []).append(item)
    return {word: tuple(items) for word, items in found.items()}


def _cut(words: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in words.split(",") if word.strip())
