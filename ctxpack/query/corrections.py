"""Tolerance for typing errors: words that the repository does not know, against those that it does."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence

from ctxpack.model import Expansion
from ctxpack.query.stopwords import STOPWORDS
from ctxpack.query.thesaurus import is_cyrillic, lemma, thesaurus

Vocabulary = Callable[[Callable[[str], bool]], Sequence[str]]

MIN_LETTERS = 5  # one wrong letter in a shorter word makes another word
CUTOFF = 82.0  # rapidfuzz's ratio, 0..100: one wrong letter in six, one missing in five
RARITY_COST = 1.5  # points of ratio that a word loses for each tenfold place down the vocabulary
MAX_PER_WORD = 2
SHARES = (0.7, 0.3)  # of the word's weight, best correction first
_NEAREST = 20


def correct(
    words: Mapping[str, float], vocabulary: Vocabulary, is_known: Callable[[str], bool]
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
        for term, share in zip(_nearest(word, pool), SHARES, strict=False)
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
    return list(_plausible(word, (pool[place] for _, place in ranked)))[:MAX_PER_WORD]


def _plausible(word: str, terms: Iterator[str]) -> Iterator[str]:
    """Those that begin as ``word`` does, or with its first two letters swapped."""
    for term in terms:
        if term.isalpha() and (term[0] == word[0] or term[:2] == word[1::-1]):
            yield term
