"""The built-in tables of other words, read when a request first needs them.

English synonyms and abbreviations are in ``synonyms.toml``; Russian and Ukrainian words with their English ones, and
turns of speech with the words that code has for them, are in files of one entry a line. The phrases that tell what a
request wants are in ``cues.txt``, as patterns.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache, partial
from itertools import takewhile
from pathlib import Path
from typing import Final, TypeVar

from ctxpack.light import dataclass, lazy_pattern
from ctxpack.query import slavic

_WORDS = lazy_pattern(r"\w+")
_COMMONEST: Final = ("или", "если", "когда", "чтобы", "ошибка", "функция")
"""Words some of which occur in every repository with Russian prose, and none in Ukrainian."""


@dataclass(frozen=True, slots=True)
class Translation:
    """A translation: words as they are in the request, and the English ones, best first."""

    sources: tuple[str, ...]
    english: tuple[str, ...]
    is_derived: bool = False  # found by the root alone: обрабатываемый for обработать


def of_russian(words: Iterable[str]) -> Iterator[Translation]:
    """The translations of Russian words, first of phrases all of whose words occur."""
    words = tuple(words)
    stems = {word: slavic.russian_word_stems(word) for word in words}
    found: dict[tuple[str, ...], list[tuple[int, int, str]]] = {}
    for word in words:
        for place in _places_with(slavic.prefix(word)):
            key, english = _entries()[place]
            parts = tuple(_source(part, stems) for part in key.split())
            if all(parts) and word == parts[0]:
                shared = _shared_letters(" ".join(parts), key)
                found.setdefault(parts, []).append((-shared, place, english))
    for sources in sorted(found, key=lambda sources: (-len(sources), sources)):
        yield Translation(sources, _join(english for _, _, english in sorted(found[sources])))
    single = {parts[0] for parts in found if len(parts) == 1}
    for word in words:
        if word not in single and (meanings := _verb_meanings(word) or _prefixed_meanings(word)):
            yield Translation((word,), meanings)
        elif word not in single and (derived := _family_meanings(word)):
            yield Translation((word,), derived, is_derived=True)


def without_words_of_phrases(found: Iterable[Translation], said: Sequence[str]) -> Iterator[Translation]:
    """The translations without those of words that stand in a text only within a phrase: it has the meaning, not they.

    In "из командной строки" neither is a row. ``said`` are the words of the text in order; the entry of a phrase says
    what else it means.
    """
    found = tuple(found)
    phrases = {frozenset(each.sources) for each in found if len(each.sources) > 1}
    windows = (said[at : at + len(phrase)] for phrase in phrases for at in range(len(said)))
    within = {word for window in windows if frozenset(window) in phrases for word in window if said.count(word) == 1}
    return (each for each in found if len(each.sources) > 1 or each.sources[0] not in within)


_PREFIXES: Final[Mapping[str, str]] = {
    "авто": "auto", "мета": "meta", "микро": "micro", "мульти": "multi", "пере": "re", "под": "sub", "псевдо": "pseudo",
}  # fmt: skip
_SHORTEST_REST: Final = 5  # letters


def _verb_meanings(word: str) -> tuple[str, ...]:
    """The meanings of the verb that a word is a participle or a noun of: сброшен, вырезание."""
    start, stems = slavic.verb_of(word)
    places = _places_with(start) if stems else ()
    stems |= slavic.russian_word_stems(word)  # a noun may be said in another form too, and have a meaning of its own
    return _join(_meanings(word, places, lambda key: not stems.isdisjoint(slavic.russian_word_stems(key))))


def _prefixed_meanings(word: str) -> tuple[str, ...]:
    """The meanings of a word that is a prefix and a known word, as one word and without the prefix: ``autoescape``."""
    prefix = next((each for each in _PREFIXES if word.startswith(each)), "")
    rest = word.removeprefix(prefix) if prefix else slavic.PERFECTIVE.sub("", slavic.plain_letters(word))
    found = next(of_russian((rest,)), None) if rest != word and len(rest) >= _SHORTEST_REST else None
    if found is None or found.is_derived:
        return ()
    return (*(_PREFIXES[prefix] + each for each in found.english if prefix), *found.english)


def dictionary_matches(phrase: str, words: Iterable[str]) -> tuple[str, ...]:
    """The words of a request that a Russian phrase of the user's own consists of; empty where one is missing."""
    stems = {word: slavic.russian_word_stems(word) for word in words}
    parts = tuple(_source(part, stems) for part in _WORDS.findall(phrase.lower()))
    return parts if all(parts) else ()


@lru_cache(maxsize=4_096)
def into_russian(word: str) -> tuple[str, ...]:
    """The Russian translations of an English word; entries with it as their first meaning come first."""
    text, found = _text_of("russian.tsv"), set[tuple[int, str]]()
    at = text.find(word) if word else -1
    while at >= 0:
        start, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
        key, _, english = text[start:end].partition("\t")
        found.update((place, key) for place, each in enumerate(english.split()) if each == word)
        at = text.find(word, end)
    return tuple(key for _, key in sorted(found))


def has_russian(is_known: Callable[[str], bool]) -> bool:
    """Whether a vocabulary is that of a repository with Russian prose."""
    return any(is_known(word) for word in _COMMONEST)


def translated_share(words: Sequence[str]) -> float:
    """The share of some words that are English, or that the tables of Russian and Ukrainian have English ones for."""
    known = {source for each in (*of_russian(words), *of_ukrainian(words)) for source in each.sources}
    known.update(filter(str.isascii, words))
    return len(known.intersection(words)) / len(words) if words else 0.0


def _source(part: str, stems: Mapping[str, frozenset[str]]) -> str:
    """The word of the request that is a form of ``part``, the most alike first; ``""`` if none is."""
    own = slavic.russian_word_stems(part)
    forms = [word for word, its in stems.items() if own & its]
    return max(forms, key=lambda word: (_shared_letters(word, part), word), default="")


def _shared_letters(word: str, key: str) -> int:
    """How many letters a word and an entry begin with in common."""
    pairs = zip(slavic.plain_letters(word), key, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _join(lists: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for english in lists for word in english.split()))


def _family_meanings(word: str) -> tuple[str, ...]:
    """The meanings of words with the same root, the most similar to ``word`` first."""
    root = slavic.root(word)
    places = _places_with(slavic.prefix(word)) if root else ()
    return _join(_meanings(word, places, lambda key: slavic.root(key) == root)[:2])


def _meanings(word: str, places: Iterable[int], is_wanted: Callable[[str], bool]) -> list[str]:
    """The meanings of the entries of one word that are wanted, of the most similar to ``word`` first."""
    entries = [(place, *_entries()[place]) for place in places]
    found = [(-_shared_letters(word, key), at, its) for at, key, its in entries if " " not in key and is_wanted(key)]
    return [english for _, _, english in sorted(found)]


@lru_cache(maxsize=1)
def _entries() -> tuple[tuple[str, str], ...]:
    """Russian word, or term of several, and the English words; in the order of the Russian ones."""
    return tuple(sorted(_read_entries("russian.tsv") + _read_entries("russian_terms.tsv")))


def _read_entries(name: str) -> list[tuple[str, str]]:
    """What stands before and behind the tab of each line of a table."""
    return [(key, english) for key, _, english in (row.partition("\t") for row in read_rows(name))]


def read_rows(name: str) -> list[str]:
    """The lines of a table, without those that only explain it."""
    return [line for line in _text_of(name).rstrip("\n").split("\n") if line[:1] != "#"]


@cache
def _text_of(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def _places_with(start: str) -> range:
    """The places of the entries that begin with some letters."""
    return range(*(bisect_left(_entries(), (each,)) for each in (start, start + "\uffff")))


# --- Ukrainian ------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _ukrainian_entries() -> Mapping[str, str]:
    return {slavic.stem(key): english for key, english in _read_entries("ukrainian.tsv")}


def of_ukrainian(words: Iterable[str]) -> Iterator[Translation]:
    """The translations of Ukrainian words; Russian entries are not used: the same letters may mean something else."""
    for word in words:
        english = _ukrainian_entries().get(slavic.stem(word), "")
        if english:
            yield Translation((word,), tuple(english.split()))


# --- cue phrases ----------------------------------------------------------------------------------------------------

_NAMED_SECTION: Final = lazy_pattern(r"\{([a-z][^{}]*)\}")
_GROUP: Final = lazy_pattern(r"\((?!\?)(?<!\\\()")


def cue_pattern(name: str, /, **pieces: str) -> re.Pattern[str]:
    """Return the pattern of a section of ``cues.txt`` with its Russian part; the file tells what it matches.

    It is read when the pattern is first used. ``pieces`` are patterns that the section names and the file has not.
    """
    return lazy_pattern(partial(_text_of_pattern, name, pieces), re.IGNORECASE)


@cache
def cue_patterns(name: str, /, **pieces: str) -> tuple[re.Pattern[str], ...]:
    """Return a pattern for each line of a section."""
    return tuple(lazy_pattern(line, re.IGNORECASE) for line in cue_lines(name, **pieces))


def cue_lines(name: str, /, **pieces: str) -> tuple[str, ...]:
    """The lines of a section, then those of its Russian part, with what they name in its place."""
    parts = filter(None, map(_lines_of, (name, f"{name} in Russian")))
    return tuple(_put_in(pieces, "\n".join(parts)).split("\n"))


def _text_of_pattern(name: str, pieces: Mapping[str, str]) -> str:
    if _sections()[name].startswith(" as written"):
        return "|".join(cue_lines(name, **pieces))
    english, russian = (_lines_of(part).replace("\n", "|") for part in (name, f"{name} in Russian"))
    return _put_in(pieces, rf"\b(?:{english})\b" + (rf"|\b(?:{russian})" if russian else ""))


def _put_in(pieces: Mapping[str, str], text: str) -> str:
    for name, pattern in pieces.items():
        text = text.replace(f"{{{name}}}", pattern)
    return text


@cache
def _lines_of(name: str) -> str:
    """The lines of a section, with the sections that they name in their place; none where there is no such section."""

    def text_of(match: re.Match[str]) -> str:
        lines = _lines_of(match[1]).replace("\n", "|")
        return f"(?:{lines})" if lines else match[0]

    lines = (line for line in _sections().get(name, "").split("\n")[1:] if line and not line.startswith("# "))
    return _NAMED_SECTION.sub(text_of, "\n".join(lines))


@lru_cache(maxsize=1)
def _sections() -> Mapping[str, str]:
    """What follows the name of each section, with the brackets that only group as patterns have them."""
    blocks = (block.partition("]") for block in _GROUP.sub("(?:", _text_of("cues.txt")).split("\n[")[1:])
    return {name: rest for name, _, rest in blocks}


# --- names of languages, and English words --------------------------------------------------------------------------

LANGUAGES: Final[Mapping[str, str]] = {
    "ar": "Arabic", "bn": "Bengali", "zh": "Chinese", "cs": "Czech", "da": "Danish", "nl": "Dutch", "en": "English",
    "fi": "Finnish", "fr": "French", "de": "German", "el": "Greek", "he": "Hebrew", "hi": "Hindi", "hu": "Hungarian",
    "id": "Indonesian", "it": "Italian", "ja": "Japanese", "ko": "Korean", "no": "Norwegian", "fa": "Persian",
    "pl": "Polish", "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "es": "Spanish", "sv": "Swedish",
    "th": "Thai", "tr": "Turkish", "uk": "Ukrainian", "vi": "Vietnamese",
}  # fmt: skip
"""The English names of languages that documents are written in."""
_LANGUAGE: Final = lazy_pattern(rf"\b(?:{'|'.join(LANGUAGES.values())})\b", re.IGNORECASE)
_RUSSIAN: Final = lazy_pattern(r"\bрусск\w+", re.IGNORECASE)


def languages_in(text: str) -> frozenset[str]:
    """The codes of the languages that a text names."""
    named = {match.capitalize() for match in _LANGUAGE.findall(text)}
    return frozenset(code for code, name in LANGUAGES.items() if name in named) | (
        {"ru"} if _RUSSIAN.search(text) else set()
    )


_T = TypeVar("_T")

MIN_LEMMA = 3  # letters that must be left of a word when an ending is taken off
_CYRILLIC = lazy_pattern(r"[Ѐ-ӿ]")
_ENDINGS = (  # ending, its replacement; the first that gives a listed word wins
    ("ies", "y"), ("ied", "y"), ("s", ""), ("es", ""), ("ed", ""), ("ed", "e"), ("ing", ""), ("ing", "e"),
)  # fmt: skip
_AGENT_ENDINGS = (
    ("er", ""), ("er", "e"), ("or", ""), ("or", "e"), ("ers", ""), ("ers", "e"), ("ors", ""), ("ors", "e"),
)  # fmt: skip
_DOUBLED = lazy_pattern(r"^(.+?)([bdgklmnprt])\2(?:ing|ed)$")
_DOUBLED_AGENT = lazy_pattern(r"^(.+?)([bdgklmnprt])\2(?:er|ers)$")


@dataclass(frozen=True, slots=True)
class Thesaurus:
    """The table, indexed by word. Abbreviations map short to long and long to short, ``related`` both ways as well.

    ``said`` maps what people say to what code calls it, the likeliest first.

    ``groups`` hold words of the same meaning, the best first; ``irregular`` has the forms of a base that no rule finds,
    and ``strangers`` what words begin with that share a stem with others and are no forms of them.
    """

    groups: tuple[tuple[str, ...], ...]
    by_word: Mapping[str, tuple[tuple[str, ...], ...]]
    verbs: frozenset[str]
    related: Mapping[str, tuple[str, ...]]
    said: Mapping[str, tuple[str, ...]]
    abbreviations: Mapping[str, tuple[str, ...]]
    irregular: Mapping[str, tuple[str, ...]]
    strangers: Mapping[str, tuple[str, ...]]

    def knows(self, word: str) -> bool:
        """Whether the English ``word`` or its base form is listed anywhere, be it only as spelt right."""
        tables = (self.by_word, self.related, self.said, self.abbreviations, self.irregular, _spelt_right())
        return bool(lemma(word, lambda form: any(form in table for table in tables))) or bool(self.verb(word))

    def verb(self, word: str) -> str:
        """The verb of a noun of agent (renderer: render); ``""`` for a word that only looks like one (pager)."""
        return next((form for form in _without_endings(word, _AGENT_ENDINGS, _DOUBLED_AGENT) if form in self.verbs), "")

    def are_strangers(self, word: str, other: str, stem: str) -> bool:
        """Whether two words with one stem are no forms of each other: module, modulation."""
        starts = self.strangers.get(stem, ())
        return word.startswith(starts) != other.startswith(starts)

    def base(self, word: str) -> str:
        """The base of an irregular form (bound: bind); ``""`` for any other word."""
        return next((base for base, forms in self.irregular.items() if word in forms), "")


def is_cyrillic(text: str) -> bool:
    """Whether ``text`` has a Cyrillic letter."""
    return bool(_CYRILLIC.search(text))


def lemma(word: str, is_listed: Callable[[str], bool]) -> str:
    """The form of an English ``word`` that is listed, by plain rules on endings; ``""`` if none is."""
    forms = (word, *_without_endings(word, _ENDINGS, _DOUBLED))
    return next((form for form in forms if is_listed(form)), "")


def _without_endings(word: str, endings: Iterable[tuple[str, str]], doubled: re.Pattern[str]) -> Iterator[str]:
    for ending, replacement in endings:
        if word.endswith(ending) and len(word) - len(ending) >= MIN_LEMMA:
            yield word.removesuffix(ending) + replacement
    if found := doubled.match(word):
        yield found[1] + found[2]


@lru_cache(maxsize=1)
def thesaurus() -> Thesaurus:
    """The built-in table; read once."""
    raw = _read_sections(_text_of("synonyms.toml"))
    named = {**raw["groups"], **raw["verbs"]}
    groups = tuple((name, *_split_words(words)) for name, words in named.items())
    return Thesaurus(
        groups,
        _collect((word, group) for group in groups for word in group),
        frozenset(raw["verbs"]),
        _symmetric(raw["related"]),
        {word: _split_words(words) for word, words in raw["said"].items()},
        _symmetric(raw["abbreviations"]),
        {base: _split_words(words) for base, words in raw["irregular"].items()},
        {stem: _split_words(starts) for stem, starts in raw["strangers"].items()},
    )


@lru_cache(maxsize=1)
def _spelt_right() -> frozenset[str]:
    """The commoner English words; read where a word of a request occurs nowhere in the repository."""
    return frozenset(word for line in _text_of("english.txt").splitlines() if line[:1] != "#" for word in line.split())


def _read_sections(text: str) -> Mapping[str, Mapping[str, str]]:
    """Read the sections of a TOML file with one short text a line, a hundred times faster than what reads any TOML."""
    sections: dict[str, dict[str, str]] = {}
    for line in text.splitlines():
        name, is_entry, value = line.partition(" = ")
        if line.startswith("["):
            section = sections[line.strip("[]")] = {}
        elif is_entry and not line.startswith("#"):
            section[name.strip('"')] = value.strip('"')
    return sections


def _symmetric(table: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    pairs = [(name, word) for name, words in table.items() for word in _split_words(words)]
    return _collect(pairs + [(word, name) for name, word in pairs])


def _collect(pairs: Iterable[tuple[str, _T]]) -> dict[str, tuple[_T, ...]]:
    found: dict[str, list[_T]] = {}
    for word, item in pairs:
        found.setdefault(word, []).append(item)
    return {word: tuple(items) for word, items in found.items()}


def _split_words(words: str) -> tuple[str, ...]:
    return tuple(words.split(", "))
