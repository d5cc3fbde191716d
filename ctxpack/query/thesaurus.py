"""The built-in table of synonyms, translations and abbreviations, read from ``synonyms.toml`` when first asked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

_T = TypeVar("_T")

MIN_LEMMA = 3  # letters that must be left of a word when an ending is taken off
_CYRILLIC = re.compile(r"[а-яё]", re.IGNORECASE)
_ENDINGS = (  # ending, what stands in its place; the first that gives a listed word wins
    ("ies", "y"),
    ("ied", "y"),
    ("s", ""),
    ("es", ""),
    ("ed", ""),
    ("ed", "e"),
    ("ing", ""),
    ("ing", "e"),
    ("er", ""),
    ("er", "e"),
    ("or", ""),
    ("or", "e"),
    ("ers", ""),
    ("ers", "e"),
)
_DOUBLED = re.compile(r"^(.+?)([bdgklmnprt])\2(?:ing|ed|er|ers)$")


@dataclass(frozen=True, slots=True)
class Group:
    """Words that stand for one another, the best English word first."""

    english: tuple[str, ...]
    russian: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Thesaurus:
    """The table, indexed by English word. Abbreviations map short to long and long to short."""

    groups: tuple[Group, ...]
    by_english: Mapping[str, tuple[Group, ...]]
    abbreviations: Mapping[str, tuple[str, ...]]

    def knows(self, word: str) -> bool:
        """Whether the English ``word`` or its base form is listed."""
        return bool(lemma(word, lambda form: form in self.by_english or form in self.abbreviations))


def is_cyrillic(text: str) -> bool:
    """Whether ``text`` has a Cyrillic letter."""
    return bool(_CYRILLIC.search(text))


def lemma(word: str, is_listed: Callable[[str], bool]) -> str:
    """The form of an English ``word`` that is listed, by plain rules on endings; ``""`` if none is."""
    return next((form for form in _forms(word) if is_listed(form)), "")


def _forms(word: str) -> Iterator[str]:
    yield word
    for ending, replacement in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= MIN_LEMMA:
            yield word.removesuffix(ending) + replacement
    doubled = _DOUBLED.match(word)
    if doubled:
        yield doubled[1] + doubled[2]


@lru_cache(maxsize=1)
def thesaurus() -> Thesaurus:
    """The built-in table; read once."""
    import tomllib

    raw = tomllib.loads(Path(__file__).with_name("synonyms.toml").read_text(encoding="utf-8"))
    groups = tuple(_to_group(name, words) for name, words in raw["groups"].items())
    by_english = _collect((word, group) for group in groups for word in group.english)
    pairs = [(short, long) for short, words in raw["abbreviations"].items() for long in _cut(words)]
    abbreviations = _collect(pairs + [(long, short) for short, long in pairs])
    return Thesaurus(groups, by_english, abbreviations)


def _collect(pairs: Iterable[tuple[str, _T]]) -> dict[str, tuple[_T, ...]]:
    found: dict[str, list[_T]] = {}
    for word, item in pairs:
        found.setdefault(word, []).append(item)
    return {word: tuple(items) for word, items in found.items()}


def _cut(words: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in words.split(",") if word.strip())


def _to_group(name: str, words: str) -> Group:
    english, _, russian = words.partition("|")
    return Group((name, *_cut(english)), _cut(russian))


# --- Russian --------------------------------------------------------------------------------------------------------


def russian_stems(phrase: str) -> tuple[str, ...]:
    """The stems of the words of a Russian phrase; the stemmer reads ``ё`` as ``е``."""
    return tuple(_stem(word) for word in re.findall(r"\w+", phrase.lower()))


@lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    stem: str = _stemmer()(word)
    return stem


@lru_cache(maxsize=1)
def _stemmer() -> Callable[[str], str]:
    from Stemmer import Stemmer

    stem_word: Callable[[str], str] = Stemmer("russian").stemWord
    return stem_word


@lru_cache(maxsize=1)
def by_russian_stems() -> Mapping[tuple[str, ...], tuple[Group, ...]]:
    """The groups by the stems of each Russian entry; entries of several words have several stems."""
    found: dict[tuple[str, ...], list[Group]] = {}
    for group in thesaurus().groups:
        for entry in group.russian:
            groups = found.setdefault(russian_stems(entry), [])
            if group not in groups:
                groups.append(group)
    return {stems: tuple(groups) for stems, groups in found.items()}
