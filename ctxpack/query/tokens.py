"""How text becomes tokens, the same for an index and for a request.

A *word* is a run of letters, digits and underscores, lower-cased as a whole (``HTTPResponse`` → ``httpresponse``);
its *subtokens* are the parts between case changes and underscores (``http``, ``response``). Letters with digits behind
them stand together and without (``utf8``: ``utf8``, ``utf``), so that ``v4``, ``E108`` and ``py3`` can be asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

MAX_WORD = 80  # longer runs are hashes, base64 and minified names: nobody asks for them
_WORD = re.compile(r"\w+")
_CASED = [chr(code) for first, last in ((0xC0, 0x24F), (0x370, 0x52F)) for code in range(first, last + 1)]
_UPPER = "A-Z" + "".join(filter(str.isupper, _CASED))  # Latin, Greek and Cyrillic
_LOWER = "a-z" + "".join(filter(str.islower, _CASED))
_PART = re.compile(
    rf"[{_UPPER}]+(?=[{_UPPER}][{_LOWER}])|[{_UPPER}]?[{_LOWER}]+\d*|[{_UPPER}]+\d*|\d+|[^\W\d_{_UPPER}{_LOWER}]+"
)
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
"""Thai, Lao, Burmese, Khmer, Japanese, Chinese: words do not stand apart, so overlapping pairs stand for them."""
MIN_PART = 2


find_words = _WORD.findall
"""Every word of a text as written, over-long ones included: what the index counts."""


def raw_words(text: str) -> list[str]:
    """The words of ``text`` as written, in order, without the over-long ones."""
    return [word for word in _WORD.findall(text) if len(word) <= MAX_WORD]


@lru_cache(maxsize=200_000)
def split(word: str) -> tuple[str, ...]:
    """The lower-case subtokens of one word as written; single characters are dropped."""
    if word.islower() and word.isalpha():
        return (word,) if len(word) >= MIN_PART else ()
    return tuple(token for part in _PART.findall(word) for token in _forms(part.lower()) if len(token) >= MIN_PART)


def _forms(part: str) -> tuple[str, ...]:
    """The part, and its letters alone where digits follow them; of scripts without spaces, each two characters."""
    if len(part) > MIN_PART and _UNSPACED.match(part):
        return tuple(part[at : at + MIN_PART] for at in range(len(part) - 1))
    letters = part.rstrip("0123456789")
    return (part,) if letters in ("", part) else (part, letters)


def words(text: str) -> Iterator[str]:
    """The lower-case whole words of ``text``."""
    for word in raw_words(text):
        if len(word) >= MIN_PART:
            yield word.lower()


def subtokens(text: str) -> Iterator[str]:
    """The subtokens of ``text``, word by word."""
    for word in raw_words(text):
        yield from split(word)


def is_identifier(word: str) -> bool:
    """Whether a word looks like code: an inner capital, an underscore or a digit after a letter."""
    body = word.strip("_")
    if len(body) < MIN_PART + 1 or body.isdigit():
        return False
    has_inner_capital = any(char.isupper() for char in body[1:]) and not body.isupper()
    return has_inner_capital or "_" in body or (body[0].isalpha() and any(char.isdigit() for char in body))
