"""Tables for people: aligned text that a pipe can take, and nothing that a hostile file name could do to a terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Sequence

from ctxpack.model import RECORD, Chunk, Omission, Provenance
from ctxpack.text import printable


def where(piece: Provenance | Omission) -> str:
    """A piece as ``path:first-last``, with its symbol."""
    symbol = f" {printable(piece.symbol)}" if piece.symbol else ""
    if piece.path == RECORD:
        return f"overview{symbol}"
    return f"{printable(piece.path)}:{piece.start_line}-{piece.end_line}{symbol}"


def title(chunk: Chunk) -> str:
    """What a chunk is called: its symbol or its heading path."""
    return printable(chunk.symbol or " › ".join(chunk.heading))


def aligned(rows: Sequence[Sequence[str]], *, right: Collection[int] = ()) -> str:
    """Rows with their columns under each other, the numbers in ``right`` flush right; each line ends with a newline."""
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [
            " " * (width - _width(cell)) + cell if number in right else cell + " " * (width - _width(cell))
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip() + "\n")
    return "".join(lines)


def _width(text: str) -> int:
    """Columns on a terminal: wide characters take two, combining ones none."""
    if text.isascii():
        return len(text)
    return sum(_COLUMNS.get(unicodedata.east_asian_width(each), 1) for each in text if not unicodedata.combining(each))


_COLUMNS = {"W": 2, "F": 2}
