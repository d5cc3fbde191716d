"""Colours, for a terminal alone: pipes and files get the text as it is. ``NO_COLOR`` switches them off."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Final, TextIO

from ctxpack.light import lazy_pattern

_WORD: Final = lazy_pattern(r"(Error|Hint|Note|Warning):(?= )")
_CODES: Final = {"Error": "1;31", "Hint": "36", "Note": "33", "Warning": "33"}
_OF_RUNS: Final = {
    "k": "35", "s": "32", "c": "90", "n": "33", "f": "34", "t": "36", "b": "36", "d": "33", "h": "1", "i": "32",
    "e": "31",
}  # fmt: skip
"""The class of a run of code -> its colour."""
_HEADING, _AROUND = "1", "90"


def has_colours(stream: TextIO, env: Mapping[str, str] = os.environ, platform: str = sys.platform) -> bool:
    """Whether what is written goes to a terminal that shows colours, and nobody switched them off."""
    if env.get("NO_COLOR") or env.get("TERM") == "dumb" or not stream.isatty():
        return False
    return platform != "win32" or bool(env.get("WT_SESSION") or env.get("TERM"))


def coloured_message(line: str) -> str:
    """A message with its first word in the colour of what it is: an error, a hint, a note."""
    return _WORD.sub(lambda match: paint(match[0], _CODES[match[1]]), line, count=1) if _WORD.match(line) else line


def coloured_report(text: str) -> str:
    """A Markdown report with its headings in bold and its code in colours; any other text as it is.

    Control characters become signs, so that no content steers the terminal.
    """
    if not text.startswith("# "):
        return text
    from ctxpack.render.colours import coloured_lines
    from ctxpack.render.markup import with_pictures
    from ctxpack.text import fence_after, lines_of

    lines: list[str] = []
    fence, language, block = "", "", list[str]()
    for line in lines_of(text):
        before, fence = fence, fence_after(fence, line, is_nested=False)
        if before and fence:
            block.append(line)
            continue
        lines += [
            "".join(paint(with_pictures(run), _OF_RUNS.get(kind, "")) for kind, run in runs)
            for runs in coloured_lines("".join(f"{each}\n" for each in block), language)
        ]
        block, language = [], line.strip("`~ ")
        is_fence = bool(before or fence)
        code = _AROUND if is_fence or line.startswith(("- ", "> ")) else _HEADING if line.startswith("#") else ""
        lines.append(paint(with_pictures(line), code))
    lines += [with_pictures(each) for each in block]
    return "".join(f"{line}\n" for line in lines)


def paint(text: str, code: str) -> str:
    """A text in a colour, by its code; without one, as it is."""
    return f"\x1b[{code}m{text}\x1b[0m" if code and text else text
