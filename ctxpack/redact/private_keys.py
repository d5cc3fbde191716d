"""Private keys in PEM and OpenPGP armour, also when only one end of the block is in the text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ctxpack.redact.spans import Span

KIND = "private-key"
_LABEL = r"(?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?"
_BEGIN = re.compile(rf"-----BEGIN {_LABEL}-----")
_END = re.compile(rf"-----END {_LABEL}-----")
_BASE64 = r"[A-Za-z0-9+/=]"
_KEY_MATERIAL = re.compile(rf"{_BASE64}{{24,}}")  # a manual has an ellipsis here, code has words
_HEADER = r"(?:Proc-Type|DEK-Info|Version|Comment|Charset|Hash): ?[^\n\\]{0,200}"
_BETWEEN = r"\\[nrt]|[\"'+,;\r]|\n[ \t>|#*]*|[ \t]+(?=[\"'+,;\r\n\\]|-----|\Z)"  # line ends, real or written out
_BODY = re.compile(rf"[ \t]*(?:{_HEADER}|{_BASE64}|{_BETWEEN})*+")
_BASE64_LINES = re.compile(rf"(?:^[ \t\"'+]*{_BASE64}{{4,}}[\"'+,;\\nr]*[ \t]*\n)+", re.MULTILINE)


def find_private_keys(text: str) -> Iterator[Span]:
    """The bodies of private keys; the lines that begin and end a block stay, so that a reader sees what was there."""
    if "PRIVATE KEY" not in text:
        return
    position = 0
    for begin in _BEGIN.finditer(text):
        if begin.start() < position:
            continue
        body = _body(text, begin.end())
        position = body.end
        if _KEY_MATERIAL.search(text, body.start, body.end):
            yield body
    yield from _headless(text)


def _body(text: str, start: int) -> Span:
    """From the end of a BEGIN line to its END, or to where the text stops looking like a key."""
    match = _BODY.match(text, start)
    end = match.end() if match else start
    if not text.startswith("-----END", end):
        end = max((run.end() for run in _KEY_MATERIAL.finditer(text, start, end)), default=start)
    while end > start and text[end - 1].isspace():
        end -= 1
    first = next((at for at in range(start, end) if not text[at].isspace()), start)
    return Span(first, end, KIND)


def _headless(text: str) -> Iterator[Span]:
    """Base64 lines that run up to an END whose BEGIN is outside of the text."""
    end = _END.search(text)
    if end is None:
        return
    begin = _BEGIN.search(text)
    if begin is not None and begin.start() < end.start():
        return
    start = text.rfind("\n", 0, end.start()) + 1
    for run in _BASE64_LINES.finditer(text, 0, start):
        if run.end() == start and _KEY_MATERIAL.search(text, run.start(), run.end()):
            yield Span(run.start(), run.end() - 1, KIND)
