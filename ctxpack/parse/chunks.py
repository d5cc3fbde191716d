"""Symbols -> chunks: every line of the file in exactly one chunk, one function or class header a chunk."""

from __future__ import annotations

from collections.abc import Sequence

from ctxpack.model import Chunk, Symbol
from ctxpack.parse.lines import LONGEST_CHUNK, WINDOW, cut_points

CONTAINERS = frozenset(
    {"class", "struct", "interface", "trait", "module", "namespace", "object", "impl", "enum", "union", "protocol"}
    | {"extension", "mixin", "service", "message"}
)
_TINY = 3  # lines; neighbours of this size share a chunk
_GROUP = 20  # lines of such a shared chunk at most
_CLOSERS = frozenset("})];,")

_Piece = tuple[int, int, Symbol | None]


def cut_code(lines: Sequence[str], symbols: Sequence[Symbol]) -> tuple[Chunk, ...]:
    """Cut a file with these lines and symbols (sorted by start, outer before inner)."""
    if not lines:
        return ()
    if not symbols:
        return cut_windows(lines)
    pieces = _merge_tiny(lines, _absorb_closers(lines, _pieces(len(lines), symbols)))
    first = symbols[0].start_line
    chunks: list[Chunk] = []
    for start, end, owner in pieces:
        kind = owner.kind if owner else "header" if start < first else "window"
        name = owner.qualified if owner else ""
        if end - start < LONGEST_CHUNK:
            chunks.append(Chunk(start, end, kind, name))
            continue
        chunks.extend(Chunk(a, b, kind, name) for a, b in cut_points(lines, start, end, LONGEST_CHUNK))
    return tuple(chunks)


def cut_windows(lines: Sequence[str]) -> tuple[Chunk, ...]:
    """Cut a text without known definitions into windows that end at blank lines."""
    if not lines:
        return ()
    return tuple(Chunk(a, b, "window") for a, b in cut_points(lines, 1, len(lines), WINDOW))


def _pieces(total: int, symbols: Sequence[Symbol]) -> list[_Piece]:
    pieces: list[_Piece] = []
    stack: list[Symbol] = []
    position = 1

    def emit(end: int) -> None:
        nonlocal position
        if end >= position:
            pieces.append((position, end, stack[-1] if stack else None))
            position = end + 1

    for symbol in symbols:
        while stack and stack[-1].end_line < symbol.start_line:
            emit(stack[-1].end_line)
            stack.pop()
        if symbol.end_line < position or (stack and not _may_be_cut(stack[-1])):
            continue
        emit(symbol.start_line - 1)
        stack.append(symbol)
    while stack:
        emit(stack[-1].end_line)
        stack.pop()
    emit(total)
    return pieces


def _may_be_cut(symbol: Symbol) -> bool:
    return symbol.kind in CONTAINERS or symbol.end_line - symbol.start_line >= LONGEST_CHUNK


def _absorb_closers(lines: Sequence[str], pieces: list[_Piece]) -> list[_Piece]:
    """Give lines that only close something to the piece before them."""
    kept: list[_Piece] = []
    for start, end, owner in pieces:
        may_close = bool(kept) and end - start < LONGEST_CHUNK and (owner is None or owner.start_line < start)
        if may_close and all(closes(lines[number - 1]) for number in range(start, end + 1)):
            kept[-1] = (kept[-1][0], end, kept[-1][2])
        else:
            kept.append((start, end, owner))
    return kept


def closes(line: str) -> bool:
    """Return whether a line says nothing but that something ends, or is blank."""
    bare = line.strip()
    return not bare or bare in ("end", "#endif", "})();") or _CLOSERS.issuperset(bare)


def _merge_tiny(lines: Sequence[str], pieces: list[_Piece]) -> list[_Piece]:
    """Join neighbours at the top level that are too small to mean much alone."""
    kept: list[_Piece] = []
    was_tiny = False
    for start, end, owner in pieces:
        tiny = (owner is None or "." not in owner.qualified) and _height(lines, start, end) <= _TINY
        if tiny and was_tiny and end - kept[-1][0] < _GROUP:
            kept[-1] = (kept[-1][0], end, kept[-1][2] or owner)
            continue
        kept.append((start, end, owner))
        was_tiny = tiny
    return kept


def _height(lines: Sequence[str], start: int, end: int) -> int:
    while end > start and not lines[end - 1].strip():
        end -= 1
    return end - start + 1
