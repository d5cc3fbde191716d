"""From a chunk of the index to the definition that a syntax tree sees there."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ctxpack.model import Chunk, ParsedFile

LONGEST: Final = 300  # lines; longer definitions stay cut into parts


def snapped(chunk: Chunk, parsed: ParsedFile) -> Chunk:
    """The chunk of ``parsed`` that shares most lines with ``chunk``, whole where it is not too long."""
    inside = [each for each in parsed.chunks if _shared(each, chunk) > 0]
    if not parsed.is_exact or not inside:
        return chunk
    best = max(inside, key=lambda each: (_shared(each, chunk), -each.start_line))
    whole = _whole(parsed, best)
    return whole if whole.end_line - whole.start_line < LONGEST else best


def _shared(one: Chunk, other: Chunk) -> int:
    return min(one.end_line, other.end_line) - max(one.start_line, other.start_line) + 1


def _whole(parsed: ParsedFile, part: Chunk) -> Chunk:
    """All parts of a definition that was cut for its length."""
    if not part.symbol:
        return part
    parts = [each for each in parsed.chunks if each.symbol == part.symbol and each.kind == part.kind]
    start, end = part.start_line, part.end_line
    for other in parts:
        end = other.end_line if other.start_line == end + 1 else end
    for other in reversed(parts):
        start = other.start_line if other.end_line == start - 1 else start
    return replace(part, start_line=start, end_line=end)
