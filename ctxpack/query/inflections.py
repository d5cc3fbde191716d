"""Other forms of a word that the repository uses: plurals, tenses, cases; found by stem in its own vocabulary."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from ctxpack.model import Expansion
from ctxpack.query import russian, ukrainian
from ctxpack.query.thesaurus import is_cyrillic

if TYPE_CHECKING:
    from Stemmer import Stemmer

Vocabulary = Callable[[str, Callable[[str], bool]], Sequence[str]]

WEIGHT: Final = 0.5  # of the word's own; a form is nearly, not quite, the word
_SHORTEST: Final = 4  # letters: below that a stem says little
_SHORTEST_CYRILLIC: Final = 3  # код, имя, тип: their paradigm is checked, not a stem
_MAX_FORMS: Final = 6
_MAX_CYRILLIC_FORMS: Final = 10  # a Russian noun has up to ten


def inflect(
    words: Mapping[str, float], with_prefix: Vocabulary, *, is_ukrainian: bool = False
) -> tuple[Expansion, ...]:
    """The forms of each word, in the order of the words.

    ``with_prefix`` gives the vocabulary's terms that begin with a prefix and are wanted, the most frequent first.
    """
    found: dict[str, Expansion] = {}
    for word, weight in words.items():
        for form in _forms(word, words, with_prefix, is_ukrainian=is_ukrainian):
            rival = found.get(form)
            if rival is None or rival.weight < weight * WEIGHT:
                found[form] = Expansion(form, word, "inflection", weight * WEIGHT)
    return tuple(found.values())


def _forms(word: str, words: Mapping[str, float], with_prefix: Vocabulary, *, is_ukrainian: bool) -> Sequence[str]:
    shortest = _SHORTEST_CYRILLIC if is_cyrillic(word) else _SHORTEST
    if len(word) < shortest or not word.isalpha():
        return ()
    if not is_cyrillic(word):
        return _english_forms(word, words, with_prefix)
    if is_ukrainian:
        stem = ukrainian.stem(word)
        found = with_prefix(stem[:-1], lambda term: term not in words and ukrainian.stem(term) == stem)
    else:
        stems = russian.stems(word)
        found = with_prefix(
            russian.prefix(word), lambda term: term not in words and not stems.isdisjoint(russian.stems(term))
        )
    return found[:_MAX_CYRILLIC_FORMS]


def _english_forms(word: str, words: Mapping[str, float], with_prefix: Vocabulary) -> Sequence[str]:
    from Stemmer import Stemmer

    stemmer = Stemmer("english")
    stem = stemmer.stemWord(word)
    return with_prefix(_prefix(stem), partial(_is_form, words=words, stem=stem, stemmer=stemmer))[:_MAX_FORMS]


def _is_form(term: str, *, words: Mapping[str, float], stem: str, stemmer: Stemmer) -> bool:
    return term not in words and stemmer.stemWord(term) == stem


def _prefix(stem: str) -> str:
    """What every form begins with: a final i or y of a stem changes between forms."""
    return stem[:-1] if stem[-1] in "iy" and len(stem) > _SHORTEST - 1 else stem
