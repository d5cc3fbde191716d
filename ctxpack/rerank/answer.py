"""What a command may answer: the numbers of the pieces, best first, and nothing else."""

from __future__ import annotations

import json
import re
from collections import Counter

from ctxpack.fences import inside_fence

_THOUGHT = re.compile(r"\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)  # models that reason write it before
_NUMBERS = re.compile(r"\d+(?:(?:\s*,\s*|\s+)\d+)*,?")
_MOST_DIGITS = 9
_TOO_MANY = 10**_MOST_DIGITS
_SHOWN = 60  # characters of a bad answer


def order_of(answer: str, count: int) -> tuple[int, ...]:
    """The places (from 0) that an answer names of ``count`` pieces, best first; those that are missing stay behind.

    It is a JSON list, or numbers between commas, blanks or line ends; a code fence may stand around either. Raises
    ValueError, whose sentence says what is wrong, for anything else, and for numbers twice or out of range.
    """
    text = _bare(answer)
    if not text:
        raise ValueError("it is empty")
    numbers = _from_json(text) if text.startswith("[") else _from_text(text)
    if not numbers:
        raise ValueError("it names no piece")
    strange = next((each for each in numbers if not 1 <= each <= count), None)
    if strange is not None:
        raise ValueError(f"there is no piece {strange}, only 1 to {count}")
    number, times = Counter(numbers).most_common(1)[0]
    if times > 1:
        raise ValueError(f"it names piece {number} more than once")
    return tuple(each - 1 for each in numbers)


def _bare(answer: str) -> str:
    """The answer without thoughts, blanks and a fence around it."""
    text = _THOUGHT.sub("", answer, count=1).strip()
    return inside_fence(text).strip()


def _from_json(text: str) -> list[int]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise _no_list(text) from None
    if not isinstance(found, list) or not all(type(each) is int and abs(each) < _TOO_MANY for each in found):
        raise _no_list(text)
    return found


def _from_text(text: str) -> list[int]:
    words = re.findall(r"\d+", text) if _NUMBERS.fullmatch(text) else []
    if not words or any(len(word) > _MOST_DIGITS for word in words):
        raise _no_list(text)
    return [int(word) for word in words]


def _no_list(text: str) -> ValueError:
    shown = " ".join(text[: 4 * _SHOWN].split())
    return ValueError(f"it is no list of numbers: {shown[:_SHOWN]}{'…' if len(shown) > _SHOWN else ''}")
