"""The similarity of texts by their shingles: runs of five words or marks."""

from __future__ import annotations

import math
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from functools import lru_cache

from ctxpack.light import lazy_pattern
from ctxpack.model import LOG, PATCH, Fragment
from ctxpack.select.limits import Limits
from ctxpack.select.pieces import location_of
from ctxpack.text import lines_of

RUN = 5  # words in a shingle
LEAST_TEXT = 40  # characters: shorter texts are alike by chance
_WORD = lazy_pattern(r"\w+|[^\w\s]")
_ROWS, _ROWS_LENGTH = 3, 80  # lines and characters of a run of lines that repeats: shorter ones do by chance
_TELLING = 10  # characters of a line: shorter ones are everywhere
_ASYNC_WORDS = frozenset({"async", "await"})
_ASYNC = lazy_pattern(r"\b(?:async|await)\b|Async")
_ASYNC_NAME = lazy_pattern(r"^(?:Async|async_|(__)a)(?=[A-Za-z])")  # __aenter__ as well
_CHANGES = frozenset({PATCH, LOG})  # what they say of lines is news, though the lines are there
_REMEMBERED = 2_048  # texts
_KNOWN_LINES = 0.5  # of a text's lines are in the pack, or it is not compared further


_Shingle = tuple[str, ...]


@lru_cache(maxsize=_REMEMBERED)
def shingles(text: str) -> frozenset[_Shingle]:
    """All word runs of a text. A short text is one run.

    Asynchronous code is compared as if it were not: many libraries have each of their methods twice, and with one of
    them one knows the other.
    """
    words = _WORD.findall(text)
    if _ASYNC.search(text):
        words = [_ASYNC_NAME.sub(r"\1", word) for word in words if word not in _ASYNC_WORDS]
    return frozenset(zip(*(words[at:] for at in range(RUN)), strict=False)) or frozenset((tuple(words),))


class SimilarityIndex:
    """The texts that were taken, to find near-duplicates of them."""

    def __init__(self, limits: Limits, allowed: float = math.inf) -> None:
        self.limits = limits
        self.left = allowed  # characters of runs of lines that may still repeat
        self._taken: list[tuple[str, str]] = []  # place and text of each piece
        self._texts: dict[str, str] = {}
        self._lines: set[str] = set()
        self._runs: set[tuple[str, ...]] = set()
        self._homes: dict[
            _Shingle, list[int]
        ] = {}  # shingle -> numbers of the pieces that hold it, of the first _filed
        self._filed = 0

    def add(self, fragment: Fragment, *, is_merged: bool = False) -> None:
        """Remember a piece that was taken; what it shares with a piece it is merged with counts once."""
        text = fragment.text.strip()
        if len(text) < LEAST_TEXT or fragment.layer in _CHANGES:
            return
        self._texts.setdefault(text, location_of(fragment))
        self.left -= 0 if is_merged else repeated_characters(text, self._runs)
        self._lines.update(telling_lines(text))
        self._runs.update(filter(tells, runs(text)))
        self._taken.append((location_of(fragment), text))

    def find(self, fragment: Fragment) -> str:
        """Describe what a fragment repeats: ``same text as a.py:1-9``, ``97 % the same as a.py:1-9``; else nothing."""
        text = fragment.text.strip()
        if not self._texts or len(text) < LEAST_TEXT or fragment.layer in _CHANGES or self.limits.keeps_copies:
            return ""
        if text in self._texts:
            return f"same text as {self._texts[text]}"
        lines = telling_lines(text)
        again = repeated_characters(text, self._runs)
        if again > max(0.0, self.left):
            return f"{min(100, 100 * again // sum(map(len, lines)))} % of it is in other pieces"
        if sum(line in self._lines for line in lines) <= _KNOWN_LINES * len(lines):
            return ""
        return self._nearly(shingles(text))

    def is_copy(self, fragment: Fragment) -> bool:
        """Whether the pieces contain every line of a fragment, or one of them is nearly the same."""
        text = fragment.text.strip()
        if text in self._texts or self._lines.issuperset(telling_lines(text)):
            return True
        return any(alike >= self.limits.duplicate for _, alike, _ in self._shares(shingles(text)))

    def news(self, fragment: Fragment) -> float:
        """The share (0..1) of a fragment's lines, by length, that no piece contains yet."""
        if not self._lines or fragment.layer in _CHANGES or self.limits.keeps_copies:
            return 1.0
        lines, total = _long_lines(fragment.text)
        return sum(len(line) for line in lines if line not in self._lines) / total if total else 1.0

    def _nearly(self, own: frozenset[_Shingle]) -> str:
        for number, alike, held in self._shares(own):
            place, text = self._taken[number]
            if alike >= self.limits.duplicate:
                return f"{int(100 * alike)} % the same as {place}"
            if held >= self.limits.overlap and len(own) <= len(shingles(text)):
                return f"{int(100 * held)} % of it is in {place}"
        return ""

    def _shares(self, own: frozenset[_Shingle]) -> Iterator[tuple[int, float, float]]:
        """The pieces that share shingles with a text, most first, with the share of both and of the shorter one."""
        self._file_new()
        shared: dict[int, int] = {}
        for each in own:
            for number in self._homes.get(each, ()):
                shared[number] = shared.get(number, 0) + 1
        for number, count in sorted(shared.items(), key=lambda item: (-item[1], item[0])):
            size = len(shingles(self._taken[number][1]))
            yield number, count / (len(own) + size - count), count / min(len(own), size)

    def _file_new(self) -> None:
        """Index the shingles of what was taken since the last call: most choices never need them."""
        for number in range(self._filed, len(self._taken)):
            for each in shingles(self._taken[number][1]):
                self._homes.setdefault(each, []).append(number)
        self._filed = len(self._taken)


@lru_cache(maxsize=_REMEMBERED)
def telling_lines(text: str) -> tuple[str, ...]:
    """The lines with content, without their indentation."""
    return tuple(line.strip() for line in lines_of(text) if line.strip())


@lru_cache(maxsize=_REMEMBERED)
def _long_lines(text: str) -> tuple[list[str], int]:
    """The lines that are not everywhere, and how many characters they have together."""
    lines = [line for line in telling_lines(text) if len(line) >= _TELLING]
    return lines, sum(map(len, lines))


@lru_cache(maxsize=_REMEMBERED)
def runs(text: str) -> tuple[tuple[str, ...], ...]:
    """The runs of three lines with content, one from each line on."""
    lines = telling_lines(text)
    return tuple(lines[at : at + _ROWS] for at in range(len(lines) - _ROWS + 1))


def tells(run: tuple[str, ...]) -> bool:
    """Whether a run of lines is so long that it does not repeat by chance."""
    return sum(map(len, run)) >= _ROWS_LENGTH


def repeated_characters(text: str, known: AbstractSet[tuple[str, ...]]) -> int:
    """How many characters of the lines of a text are in known runs."""
    if known.isdisjoint(runs(text)):
        return 0
    again = {line for at, run in enumerate(runs(text)) if run in known for line in range(at, at + _ROWS)}
    lines = telling_lines(text)
    return sum(len(lines[at]) for at in again)
