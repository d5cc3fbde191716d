"""Lines of Markdown that can go: comments and blank lines after the first, outside fences; paragraphs stay apart."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ctxpack.compress.repeats import repeated
from ctxpack.compress.steps import BLANK, COMMENTS, REPEATED
from ctxpack.fences import fence_after

_COMMENT, _COMMENT_END = re.compile(r" {0,3}<!--(?!\s*/?TAG:)"), "-->"


def spare_in_prose(lines: Sequence[str]) -> dict[int, str]:
    """Line number -> the step that leaves it out."""
    found: dict[int, str] = {}
    free: set[int] = set()
    fence, number = "", 0
    while number < len(lines):
        number += 1
        line = lines[number - 1]
        before, fence = fence, fence_after(fence, line)
        if before or fence:
            continue
        if not line.strip():
            if number > 1 and not lines[number - 2].strip():
                found[number] = BLANK
        elif _COMMENT.match(line) and (end := _end(lines, number)):
            found |= dict.fromkeys(range(number, end + 1), COMMENTS)
            number = end
        else:
            free.add(number)
    return dict.fromkeys(repeated(lines, free), REPEATED) | found


def _end(lines: Sequence[str], first: int) -> int:
    """The line that ends the comment which begins on ``first``; 0 where more stands behind it, or it has no end."""
    for number in range(first, len(lines) + 1):
        if _COMMENT_END in lines[number - 1]:
            return number if lines[number - 1].rstrip().endswith(_COMMENT_END) else 0
    return 0
