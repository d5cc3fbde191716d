"""Ukrainian, which shares its letters and many words with Russian and means others by some of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

_OWN_LETTERS: Final = frozenset("іїєґ")
_RUSSIAN_LETTERS: Final = frozenset("ыэёъ")
_COMMON_WORDS: Final = """
або але був була було бути від він вона вони воно має мають немає навіщо потім потрібно та також те треба це цей ця
ці чи чого чому щоб що якщо як який яка яке які де коли тільки можна зробити зроби додай додати якось поки після
"""
_COMMON_RUSSIAN_WORDS: Final = """
и или как что чтобы где если нет нужно надо это эта этот эти когда почему
"""
_COMMON: Final = frozenset(_COMMON_WORDS.split())
_COMMON_RUSSIAN: Final = frozenset(_COMMON_RUSSIAN_WORDS.split())
_ENDING: Final = re.compile(
    r"(?:уванням|уванні|ування|ання|анням|анні|ення|енням|енні|ювати|увати|ити|ати|яти|іти|ами|ями|ові|еві|єві|ього"
    r"|ого|ьому|ому|ими|ній|ції|цій|ція|цію|цією|ується|ує|ують|ить|ять|ив|ила|или|ав|ала|али|ів|їв|ей|ий|ій|ою"
    r"|ею|єю|ам|ям|ах|ях|ом|ем|єм|им|их|а|я|и|і|ї|у|ю|о|е|є|ь|й)$"
)
_FLEETING: Final = re.compile(r"^(.{2,})[оеії]([гклмнрц])$")
_SHORTEST: Final = 3  # letters of a stem


def is_ukrainian(words: Iterable[str]) -> bool:
    """Whether Cyrillic words of a request are Ukrainian rather than Russian: by letters and by common words."""
    score = 0
    for word in words:
        letters = set(word)
        score += bool(letters & _OWN_LETTERS) + (word in _COMMON)
        score -= bool(letters & _RUSSIAN_LETTERS) + (word in _COMMON_RUSSIAN)
    return score > 0


def stem(word: str) -> str:
    """A word without its ending: enough to look it up in a short list."""
    cut = _ENDING.sub("", word)
    return _FLEETING.sub(r"\1\2", cut) if len(cut) >= _SHORTEST else word
