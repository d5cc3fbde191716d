"""Passes an answer on as it comes, but for the lines that only ask for more: those are not for the reader."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from enum import Enum, auto

from ctxpack.asking.missing import bare, behind, line_markers

_PIECE = re.compile(r"[^\n]*\n|[^\n]+")


class _Line(Enum):
    """What is known of the line that is being heard."""

    OPEN = auto()  # it may still become a marker
    PASSED = auto()
    HELD = auto()
    BELOW = auto()  # it belongs to the list below a marker


class Listener:
    """Hears an answer in parts. Without markers everything is passed on."""

    def __init__(self, markers: Sequence[str], on_text: Callable[[str], None]) -> None:
        self._starts = line_markers(markers)
        self._on_text = on_text
        self._line = ""
        self._state = _Line.OPEN
        self.has_passed = False  # anything but blank lines at the beginning

    def hear(self, text: str) -> None:
        """Take the next part of the answer."""
        for piece in _PIECE.findall(text):
            self._take(piece)
            if piece.endswith("\n"):
                self._next_line()

    def end(self) -> None:
        """Pass on what was still undecided."""
        if self._state is _Line.OPEN:
            self._pass_on(self._line)
        self._line = ""

    def _take(self, piece: str) -> None:
        self._line += piece
        if self._state is _Line.PASSED:
            self._on_text(piece)
        elif self._state is _Line.OPEN:
            if behind(self._line, self._starts) is not None:
                self._state = _Line.HELD
            elif piece.endswith("\n") or not self._may_be_marker():
                self._state = _Line.PASSED
                self._pass_on(self._line)

    def _may_be_marker(self) -> bool:
        begun = bare(self._line)
        return any(each.startswith(begun) for each in self._starts)

    def _next_line(self) -> None:
        is_list_below = self._state is _Line.HELD and not behind(self._line, self._starts)
        goes_on = self._state is _Line.BELOW and bool(self._line.strip())
        self._state = _Line.BELOW if is_list_below or goes_on else _Line.OPEN
        self._line = ""

    def _pass_on(self, text: str) -> None:
        if self.has_passed or text.strip():
            self.has_passed = True
            self._on_text(text)
