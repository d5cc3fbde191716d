"""Other forms of a word that the repository uses: plurals, tenses, cases; found by stem in its own vocabulary."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from ctxpack.model import Expansion

if TYPE_CHECKING:
    from Stemmer import Stemmer

Vocabulary = Callable[[str, Callable[[str], bool]], Sequence[str]]

WEIGHT: Final = 0.5  # of the word's own; a form is nearly, not quite, the word
_SHORTEST: Final = 4  # letters: below that a stem says little
_MAX_FORMS: Final = 6


def inflect(words: Mapping[str, float], with_prefix: Vocabulary) -> tuple[Expansion, ...]:
    """The forms of each word, in the order of the words.

    ``with_prefix`` gives the vocabulary's terms that begin with a prefix and are wanted, the most frequent first.
    """
    from Stemmer import Stemmer

    english, russian = Stemmer("english"), Stemmer("russian")
    found: dict[str, Expansion] = {}
    for word, weight in words.items():
        if len(word) < _SHORTEST or not word.isalpha():
            continue
        stemmer = english if word.isascii() else russian
        stem = stemmer.stemWord(word)
        is_form = partial(_is_form, words=words, stem=stem, stemmer=stemmer)
        for form in with_prefix(_prefix(stem), is_form)[:_MAX_FORMS]:
            rival = found.get(form)
            if rival is None or rival.weight < weight * WEIGHT:
                found[form] = Expansion(form, word, "inflection", weight * WEIGHT)
    return tuple(found.values())


def _is_form(term: str, *, words: Mapping[str, float], stem: str, stemmer: Stemmer) -> bool:
    return term not in words and stemmer.stemWord(term) == stem


def _prefix(stem: str) -> str:
    """What every form begins with: a final i or y of a stem changes between forms."""
    return stem[:-1] if stem[-1] in "iy" and len(stem) > _SHORTEST - 1 else stem
