"""Other forms of a word of the request that the repository holds: inflections and corrections of typing errors."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from ctxpack.model import Expansion
from ctxpack.query import slavic
from ctxpack.query.thesaurus import is_cyrillic, lemma, thesaurus
from ctxpack.query.tokens import STOPWORDS

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
        stem = slavic.stem(word)
        found = with_prefix(stem[:-1], lambda term: term not in words and slavic.stem(term) == stem)
    else:
        stems = slavic.russian_word_stems(word)
        found = with_prefix(
            slavic.prefix(word),
            lambda term: term not in words and not stems.isdisjoint(slavic.russian_word_stems(term)),
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


CorrectionVocabulary = Callable[[Callable[[str], bool]], Sequence[str]]

MIN_LETTERS = 5  # one wrong letter in a shorter word makes another word
CUTOFF = 82.0  # rapidfuzz's ratio, 0..100: one wrong letter in six, one missing in five
RARITY_COST = 1.5  # points of ratio that a word loses for each tenfold place down the vocabulary
MAX_CORRECTIONS = 2
CORRECTION_SHARES = (0.7, 0.3)  # of the word's weight, best correction first
_NEAREST = 20


def correct(
    words: Mapping[str, float], vocabulary: CorrectionVocabulary, is_known: Callable[[str], bool]
) -> tuple[Expansion, ...]:
    """What misspelt words may have meant, at most ``MAX_PER_WORD`` a word, heaviest first.

    ``words`` are the request's words, lower-case. ``vocabulary`` gives the repository's words that are wanted,
    lower-case and the most frequent first; it is only called when a word needs it. A word is suspicious if it has
    ``MIN_LETTERS`` letters and nothing else, and neither the repository (``is_known``) nor the built-in tables know it
    in any form.
    """
    suspicious = [word for word in sorted(words) if words[word] > 0 and _is_suspicious(word, is_known)]
    if not suspicious:
        return ()
    pool = vocabulary(_neighbourhood(suspicious))
    found = [
        Expansion(term, word, "correction", round(share * words[word], 4))
        for word in suspicious
        for term, share in zip(_nearest(word, pool), CORRECTION_SHARES, strict=False)
        if term not in words
    ]
    return tuple(sorted(found, key=lambda item: (-item.weight, item.term, item.source)))


def _is_suspicious(word: str, is_known: Callable[[str], bool]) -> bool:
    if len(word) < MIN_LETTERS or not word.isalpha() or word in STOPWORDS or lemma(word, is_known):
        return False
    if not is_cyrillic(word):
        return not thesaurus().knows(word)
    return True


def _neighbourhood(words: Sequence[str]) -> Callable[[str], bool]:
    """Whether any of ``words`` may have meant a word of the vocabulary."""
    initials = {letter for word in words for letter in word[:2]}
    shortest = min(len(word) for word in words) - 2
    longest = max(len(word) for word in words) + 2
    return lambda known: known[:1] in initials and shortest <= len(known) <= longest


def _nearest(word: str, pool: Sequence[str]) -> list[str]:
    from rapidfuzz import fuzz, process

    hits = process.extract(word, pool, scorer=fuzz.ratio, score_cutoff=CUTOFF, limit=_NEAREST)
    ranked = sorted((RARITY_COST * math.log10(place + 1) - score, place) for _, score, place in hits)
    return list(_plausible(word, (pool[place] for _, place in ranked)))[:MAX_CORRECTIONS]


def _plausible(word: str, terms: Iterator[str]) -> Iterator[str]:
    """Those that begin as ``word`` does, or with its first two letters swapped."""
    for term in terms:
        if term.isalpha() and (term[0] == word[0] or term[:2] == word[1::-1]):
            yield term
