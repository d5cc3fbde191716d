"""The best contiguous part of a fragment that fits: whole statements or paragraphs, and closed fences."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace

from ctxpack.languages import find_language
from ctxpack.model import Form, Fragment
from ctxpack.select.blocks import blocks, is_heading, is_row, lines_apart, sentences
from ctxpack.select.counter import PieceCounter
from ctxpack.select.pieces import is_verbatim, span
from ctxpack.text import lines_of, open_fences

_START_BONUS = 1.5  # the beginning says what a piece is: another part needs this many keywords more
_MAX_DEPTH = 3  # how often a block that is too long is taken apart itself
_CLIP_LENGTHS = (2_000, 800, 320, 120, 40)  # characters, for a text whose very first line is too long
_SENTENCE = re.compile(r"[.!?…;](?=\s)")

_Range = tuple[int, int]


def cut_to_fit(fragment: Fragment, room: int, counter: PieceCounter) -> Fragment | None:
    """The most telling contiguous lines of ``fragment`` whose rendered form costs at most ``room`` tokens, or None."""
    if counter.fragment(fragment) <= room:
        return fragment
    excerpt = (
        _Cutter(fragment, counter).cut(room) if is_verbatim(fragment) else _shorten_made_text(fragment, room, counter)
    )
    return _clip_to_fit(fragment, room, counter) if excerpt is None else excerpt


def smallest(fragment: Fragment, counter: PieceCounter) -> Fragment:
    """The least form of a fragment: the beginning of its first line that says something."""
    clips = [_clip(fragment, length) for length in _CLIP_LENGTHS]
    return min([fragment, *clips], key=counter.fragment)


class _Cutter:
    """Looks for the best run of blocks in one fragment."""

    def __init__(self, fragment: Fragment, counter: PieceCounter) -> None:
        self.fragment = fragment
        self.counter = counter
        self.lines = lines_of(fragment.text)
        self.is_prose = find_language(fragment.language).is_prose
        self.overhead = counter.fragment(replace(fragment, text="", form=Form.EXCERPT, cut_from=span(fragment)))
        self._fenced = open_fences(self.lines) if self.is_prose else []
        words = sorted({word.lower() for word in fragment.provenance.keywords if word})
        self.keywords = re.compile("|".join(map(re.escape, words)), re.IGNORECASE) if words else None

    def cut(self, room: int) -> Fragment | None:
        """The best excerpt within ``room`` tokens, or None where no block and no line fits."""
        content = room - self.overhead
        if content <= 0:
            return None
        chosen = self._best_run((0, len(self.lines)), content, _MAX_DEPTH)
        while chosen is not None:
            excerpt = self._excerpt(chosen)
            if self.counter.fragment(excerpt) <= room:
                return excerpt
            chosen = self._shorter(chosen)
        return None

    def _best_run(self, within: _Range, content: int, depth: int) -> _Range | None:
        """The run of neighbouring parts that holds most keywords, then begins first, in ``content`` tokens."""
        parts = self._parts(within, depth)
        costs = [self._cost(part) for part in parts]
        runs = [self._run_from(parts, costs, first, content) for first in range(len(parts))]
        fitting = [run for run in runs if run is not None]
        if fitting:
            return min(fitting, key=lambda run: (-self._worth(run), run[0] - run[1], run[0]))
        if depth == 0 or not parts:
            return None
        telling = min(parts, key=lambda part: (-self._worth(part), part[0]))
        return self._best_run(telling, content, depth - 1)

    def _parts(self, within: _Range, depth: int) -> list[_Range]:
        start, end = within
        lines = self.lines[start:end]
        if depth == 0:
            inner = lines_apart(lines, self.fragment.language)
        elif self.is_prose and depth < _MAX_DEPTH:
            inner = sentences(lines)
        else:
            inner = blocks(lines, self.fragment.language)
        return [(start + first, start + last) for first, last in inner]

    def _run_from(self, parts: Sequence[_Range], costs: Sequence[int], first: int, content: int) -> _Range | None:
        """The longest run of parts that begins with the part ``first`` and fits."""
        last = first
        for cost in costs[first:]:
            content -= cost
            if content < 0:
                break
            last += 1
        run = (parts[first][0], parts[last - 1][1])
        return self._trimmed(run) if last > first and not self._is_torn(run) else None

    def _trimmed(self, run: _Range) -> _Range | None:
        """The run without blank lines at its ends and without a heading whose text is not in it."""
        start, end = run
        while end > start and (not self.lines[end - 1].strip() or self._is_dangling(end)):
            end -= 1
        while start < end and not self.lines[start].strip():
            start += 1
        return (start, end) if start < end else None

    def _is_torn(self, run: _Range) -> bool:
        """Whether a run of prose begins within a table, without its head, or holds one end of a fence only."""
        start, end = run
        if not self.is_prose:
            return False
        begins_in_table = start > 0 and is_row(self.lines[start]) and is_row(self.lines[start - 1])
        return begins_in_table or self._fenced[start] != self._fenced[end]

    def _is_dangling(self, end: int) -> bool:
        return (
            self.is_prose
            and end < len(self.lines)
            and is_heading(self.lines[end - 1])
            and self.lines[end - 1][0] == "#"
        )

    def _worth(self, run: _Range) -> float:
        bonus = _START_BONUS if run[0] == 0 else 0.0
        if self.keywords is None:
            return bonus
        text = "\n".join(self.lines[run[0] : run[1]])
        return bonus + len({match[0].lower() for match in self.keywords.finditer(text)})

    def _cost(self, part: _Range) -> int:
        return self.counter.text("\n".join(self.lines[part[0] : part[1]]) + "\n")

    def _shorter(self, run: _Range) -> _Range | None:
        """The run without its last part."""
        start, end = run
        parts = [part for part in self._parts((start, end), _MAX_DEPTH) if part[0] > start]
        return self._trimmed((start, parts[-1][0] if parts else end - 1))

    def _excerpt(self, run: _Range) -> Fragment:
        start, end = run
        first = self.fragment.provenance.start_line
        excerpt = replace(
            self.fragment,
            text="\n".join(self.lines[start:end]) + "\n",
            form=Form.EXCERPT,
            cut_from=self.fragment.cut_from or span(self.fragment),
            provenance=replace(self.fragment.provenance, start_line=first + start, end_line=first + end - 1),
        )
        return self.counter.weighed(excerpt)


def _shorten_made_text(fragment: Fragment, room: int, counter: PieceCounter) -> Fragment | None:
    """The first lines of a text that is no run of lines of its file, such as an outline; it stays what it is."""
    lines = lines_of(fragment.text)

    def first(count: int) -> Fragment:
        return counter.weighed(replace(fragment, text="\n".join([*lines[:count], "…\n"])))

    count = bisect_right(range(1, len(lines)), room, key=lambda count: counter.fragment(first(count)))
    return first(count) if count else None


def _clip_to_fit(fragment: Fragment, room: int, counter: PieceCounter) -> Fragment | None:
    """The beginning of the text where even one line is too long, or where the text is no run of lines."""
    clips = (_clip(fragment, length) for length in _CLIP_LENGTHS)
    return next((counter.weighed(clip) for clip in clips if counter.fragment(clip) <= room), None)


def _clip(fragment: Fragment, length: int) -> Fragment:
    """The first line that says something, cut after a sentence or a word within ``length`` characters."""
    lines = lines_of(fragment.text)
    index = next((number for number, line in enumerate(lines) if line.strip()), 0)
    line = lines[index] if lines else ""
    clip = line[:length]
    if len(line) > length:
        ends = [match.end() for match in _SENTENCE.finditer(clip)]
        end = ends[-1] if ends else clip.rfind(" ")
        clip = (clip[:end] if end > length // 2 else clip).rstrip() + " …"
    if not is_verbatim(fragment):
        return replace(fragment, text=clip + "\n")
    at = fragment.provenance.start_line + index
    return replace(
        fragment,
        text=clip + "\n",
        form=Form.EXCERPT,
        cut_from=(at, at) if len(line) > length else (fragment.cut_from or span(fragment)),
        provenance=replace(fragment.provenance, start_line=at, end_line=at),
    )
