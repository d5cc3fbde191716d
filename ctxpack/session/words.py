"""The words of a text as memories are compared by: stems in English and Russian, without those that say nothing."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache

from ctxpack.query.stopwords import ENGLISH, RUSSIAN
from ctxpack.query.tokens import subtokens

_NOISE = ENGLISH | RUSSIAN


def stems(text: str) -> list[str]:
    """The stems of a text in order; whole identifiers and their parts are words like others."""
    return [_stem(word) for word in subtokens(text) if word not in _NOISE]


@lru_cache(maxsize=100_000)
def _stem(word: str) -> str:
    return _stemmer("english" if word.isascii() else "russian")(word)


@cache
def _stemmer(language: str) -> Callable[[str], str]:
    from Stemmer import Stemmer

    stem: Callable[[str], str] = Stemmer(language).stemWord
    return stem
