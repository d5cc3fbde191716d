"""The words of a text as memories are compared by: stems in English and Russian, without those that say nothing."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from ctxpack.query.stopwords import ENGLISH, RUSSIAN
from ctxpack.query.tokens import subtokens

_NOISE = ENGLISH | RUSSIAN


def stems(text: str) -> list[str]:
    """The stems of a text in order; whole identifiers and their parts are words like others."""
    english, russian = _stemmer("english"), _stemmer("russian")
    return [(english if word.isascii() else russian)(word) for word in subtokens(text) if word not in _NOISE]


@cache
def _stemmer(language: str) -> Callable[[str], str]:
    from Stemmer import Stemmer

    stem: Callable[[str], str] = Stemmer(language).stemWord
    return stem
