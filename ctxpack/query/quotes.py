"""What a request quotes word for word: strings between quotation marks, and what an error says."""

from __future__ import annotations

import re
from typing import Final

from ctxpack.query.frames import find_frames
from ctxpack.query.tokens import raw_words

_MARKS: Final = re.compile(
    r"`([^`\n]{1,160})`|(?<!\w)'([^'\n]{8,160})'(?!\w)|\"([^\"\n]{1,160})\"|«([^»\n]{1,160})»|“([^”\n]{1,160})”"
)
_ERROR: Final = re.compile(
    r"^(?:[^\n:(]{0,40}\()?[\s>\[-]*(?:[\w.$]*(?:Error|Exception|Failure|Warning)|panic|fatal|FAIL(?:ED)?|ERROR)\b"
    r"(?:[^:\n]{0,40}:)? (?P<said>[^\n]{8,300})$"
    r"|panicked at [^\n]*\n(?P<panic>[^\n]{8,300})",
    re.MULTILINE,
)
_FEWEST: Final = 3  # words: fewer stand together by chance
_MOST: Final = 8  # quotations of a request that are looked for


def quotes_of(text: str) -> tuple[tuple[str, ...], ...]:
    """The words of each quotation, lower-case, in the order they stand; what only names a place is none."""
    said = [match["said"] or match["panic"] for match in _ERROR.finditer(text)]
    for frame in find_frames(text):
        text = text[: frame.start] + " " * (frame.end - frame.start) + text[frame.end :]
    said += [next(group for group in match.groups() if group) for match in _MARKS.finditer(text)]
    found = dict.fromkeys(tuple(word.lower() for word in raw_words(each)) for each in said)
    return tuple(words for words in found if len(words) >= _FEWEST)[:_MOST]
