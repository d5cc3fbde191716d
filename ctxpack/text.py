"""Bytes of a file to text and text to lines, the same way everywhere, so that line numbers agree with git's."""

from __future__ import annotations

import codecs
from pathlib import Path

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def decode(data: bytes) -> str:
    """Decode a file's bytes: by its byte order mark, else UTF-8 with U+FFFD for what is not; CRLF becomes LF."""
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace").replace("\r\n", "\n")
    return data.decode("utf-8", "replace").replace("\r\n", "\n")


def read(path: Path) -> str:
    """Read and decode a file. Raises OSError."""
    return decode(path.read_bytes())


def lines_of(text: str) -> list[str]:
    """The lines of a text without their ends; only LF ends a line, and a final LF opens no further line."""
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    return lines
