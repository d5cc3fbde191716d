"""Bytes of a file to text, text to lines and names to what can be shown, the same way everywhere.

So line numbers agree with git's, and a file has one spelling in reports, tables and messages.
"""

from __future__ import annotations

import codecs
import re
from pathlib import Path

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_START = "<!-- ctxpack:start -->"
_WRITTEN = re.compile(rf"^{_START}[ \t]*\n.*?^<!-- ctxpack:end -->[ \t]*$", re.MULTILINE | re.DOTALL)
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
# control characters, the ends of lines, what turns the direction of writing around, and lone surrogates
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_SHORT_ESCAPES = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}


def decode(data: bytes) -> str:
    """Decode a file's bytes: by its byte order mark, else UTF-8 with U+FFFD for what is not; CRLF becomes LF.

    Of a part that ctxpack wrote only the empty lines are left: it repeats other files, and is no evidence of its own.
    """
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace").replace("\r\n", "\n")
    text = data.decode("utf-8", "replace").replace("\r\n", "\n")
    return _WRITTEN.sub(_blank, text) if _START in text else text


def _blank(match: re.Match[str]) -> str:
    return "\n" * match[0].count("\n")


def read(path: Path) -> str:
    """Read and decode a file. Raises OSError."""
    return decode(path.read_bytes())


def lines_of(text: str) -> list[str]:
    """Return the lines of a text without their ends; only LF ends a line, and a final LF opens no further line."""
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    return lines


def is_valid(text: str) -> bool:
    """Return whether a text can be written as UTF-8: it holds no byte of a file name that is not UTF-8."""
    return text.isascii() or not _LONE_SURROGATE.search(text)


def valid(text: str) -> str:
    r"""``text`` with every byte of a file name that is not UTF-8 written out as ``\xff``."""
    return _LONE_SURROGATE.sub(_escape, text)


def without_surrogates(text: str) -> str:
    """``text`` with U+FFFD for every lone surrogate, so that it is valid UTF-8 and counts as what it is."""
    return text if text.isascii() else _LONE_SURROGATE.sub("\ufffd", text)


def readable_size(size: int) -> str:
    """``1000000`` -> ``1 MB``."""
    for unit, factor in (("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000)):
        if size >= factor:
            return f"{size / factor:.3g} {unit}"
    return f"{size} bytes"


def printable(name: str) -> str:
    r"""Write a path or name on one line: control characters and bytes that are not UTF-8 as ``\n``, ``\xff``."""
    return _UNPRINTABLE.sub(_escape, name)


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    if match[0] in _SHORT_ESCAPES:
        return _SHORT_ESCAPES[match[0]]
    if 0xDC80 <= code <= 0xDCFF:  # noqa: PLR2004 - the range of Python's surrogate escapes
        code -= 0xDC00
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"  # noqa: PLR2004 - what two hex digits hold
