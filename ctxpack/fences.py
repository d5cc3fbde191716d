"""Fences of Markdown, the lines of backticks or tildes around code: read and written the same way everywhere."""

from __future__ import annotations

import re
from collections.abc import Sequence

FENCE = r"(?P<lead>[ \t]*(?:(?:>|[-*+]|\d{1,9}[.)])[ \t]+)*)(?P<mark>`{3,}|~{3,})(?P<info>[^\n]*)"
"""A line with a fence, possibly in a list or a quotation."""
_FENCE = re.compile(FENCE)
_DEEPEST = 3  # blanks before a fence that is in no list; more make it a line of an indented block of code
_SHORTEST = 3  # characters
_LINE_END = re.compile(r"\r\n|[\r\n]")  # what ends a line in Markdown
_NOT_LANGUAGE = re.compile(r"[^\w+#.-]")


def fence_after(fence: str, line: str, *, is_nested: bool = True) -> str:
    """Return the fence that is open after a line, ``""`` if none; ``fence`` is the one that is open before it.

    A fence ends at a line of the same character that is at least as long. Without ``is_nested`` only fences at the
    left margin count, none in lists and quotations.
    """
    match = _FENCE.match(line)
    if match is None or not (is_nested or _is_at_margin(match["lead"])):
        return fence
    mark, info = match["mark"], match["info"].strip()
    if fence:
        return "" if mark.startswith(fence) and not info else fence
    return "" if mark[0] == "`" and "`" in info else mark


def _is_at_margin(lead: str) -> bool:
    return len(lead) <= _DEEPEST and not lead.strip(" ")


def open_fences(lines: Sequence[str]) -> list[bool]:
    """Return for each line, and for the place behind the last, whether a fence is open there."""
    found: list[bool] = []
    fence = ""
    for line in lines:
        found.append(bool(fence))
        fence = fence_after(fence, line)
    return [*found, bool(fence)]


def without_fenced(text: str) -> str:
    """Return the lines of a text that are neither fences nor between them."""
    kept: list[str] = []
    fence = ""
    for line in text.split("\n"):
        before, fence = fence, fence_after(fence, line)
        if not before and not fence:
            kept.append(line)
    return "\n".join(kept)


def inside_fence(text: str) -> str:
    """Return what a text holds that is one fenced block from its first line to its last; else the text itself."""
    first, *between = text.split("\n")
    fence = fence_after("", first)
    is_block = bool(fence and between) and open_fences([first, *between]) == [False, *[True] * len(between), False]
    return "\n".join(between[:-1]) if is_block else text


def fenced(text: str, language: str = "") -> str:
    """Return a fenced block with a fence longer than any run of backticks inside; nothing for no text."""
    if not text:
        return ""
    fence = "`" * max(_SHORTEST, longest_run("`", text) + 1)
    ended = text if text.endswith("\n") else f"{text}\n"
    return f"{fence}{_NOT_LANGUAGE.sub('', language)}\n{ended}{fence}\n"


def code(text: str) -> str:
    """Return a code span whose delimiter is longer than any run of backticks inside."""
    if "`" not in text:
        return f"`{text}`"
    delimiter = "`" * (longest_run("`", text) + 1)
    return f"{delimiter} {text} {delimiter}"


def close_fence(text: str) -> str:
    """Return ``text`` with a last line that closes the fence it leaves open, if it leaves one open."""
    fence = ""
    for line in _LINE_END.split(text):
        fence = fence_after(fence, line, is_nested=False)
    return f"{text.rstrip(chr(10))}\n{fence}\n" if fence else text


def longest_run(char: str, text: str) -> int:
    """Return the length of the longest run of ``char``."""
    return max((len(run) for run in re.findall(f"{re.escape(char)}+", text)), default=0)
