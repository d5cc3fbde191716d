"""Where in a parsed file some lines stand."""

from __future__ import annotations

from ctxpack.model import ParsedFile, Symbol


def enclosing(parsed: ParsedFile, start_line: int, end_line: int) -> Symbol | None:
    """Return the innermost symbol that covers the lines ``start_line..end_line``, None when none does."""
    covering = [item for item in parsed.symbols if item.start_line <= start_line and end_line <= item.end_line]
    return min(covering, key=lambda item: (item.end_line - item.start_line, -item.start_line), default=None)
