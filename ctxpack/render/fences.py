"""Markdown that nothing inside of it can end: fences, code spans, and texts whose own fences are closed."""

from __future__ import annotations

import re

from ctxpack.render.wording import longest_run

_MIN_FENCE = 3
_NOT_LANGUAGE = re.compile(r"[^\w+#.-]")
_MARK = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
_LINE_END = re.compile(r"\r\n|[\r\n]")  # what ends a line in Markdown


def fenced(text: str, language: str) -> str:
    """A fenced block with a fence longer than any run of backticks inside; nothing for no text."""
    if not text:
        return ""
    fence = "`" * max(_MIN_FENCE, longest_run("`", text) + 1)
    ended = text if text.endswith("\n") else f"{text}\n"
    return f"{fence}{_NOT_LANGUAGE.sub('', language)}\n{ended}{fence}\n"


def code(text: str) -> str:
    """A code span whose delimiter is longer than any run of backticks inside."""
    if "`" not in text:
        return f"`{text}`"
    delimiter = "`" * (longest_run("`", text) + 1)
    return f"{delimiter} {text} {delimiter}"


def closed(text: str) -> str:
    """``text`` with a last line that closes the fence it leaves open, if it leaves one open."""
    fence = ""
    for line in _LINE_END.split(text):
        match = _MARK.match(line)
        if match is None:
            continue
        if not fence and not (match[1][0] == "`" and "`" in match[2]):
            fence = match[1]
        elif fence and match[1].startswith(fence) and not match[2].strip(" \t"):
            fence = ""
    return f"{text.rstrip(chr(10))}\n{fence}\n" if fence else text
