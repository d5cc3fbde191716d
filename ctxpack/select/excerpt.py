"""Cut a fragment to the best contiguous part that fits: whole statements or paragraphs, and closed fences."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property

from ctxpack.light import lazy_pattern, replace
from ctxpack.model import Form, Fragment, Kind
from ctxpack.parse.languages import Language, find_language
from ctxpack.query.subtokens import split
from ctxpack.select.limits import SEARCH, Limits, is_only_asked
from ctxpack.select.pieces import PieceCounter, is_verbatim, span
from ctxpack.text import last_name, lines_of, open_fences

_OPENING, _CLOSING = "([", ")]"
_TOKEN = lazy_pattern(
    r"(?P<text>\"\"\"|''')|(?P<quoted>\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*')|(?P<block>/\*)|(?P<back>`)"
    r"|(?P<line>//|#|--|;|%)|(?P<bracket>[(\[)\]])"
)
_LONGEST = 20_000  # characters of a line that is looked into: nobody wrote a longer one, and it is asked often
_ENDS = {"/*": "*/", "`": "`", '"""': '"""', "'''": "'''"}


def inside_code(lines: Sequence[str], language: str) -> list[bool]:
    """Whether every line begins inside a bracket, a string or a comment; all False if these do not match up."""
    found: list[bool] = []
    end, depth = "", 0
    record = find_language(language)
    for line in lines:
        found.append(bool(end) or depth > 0)
        end, depth = _after(line, record, end, depth)
        if depth < 0:
            return [False] * len(lines)
    return [False] * len(lines) if depth or end else found


def _after(line: str, record: Language, end: str, depth: int) -> tuple[str, int]:
    """What is open after a line: the expected end of a string or comment, and the number of brackets."""
    at = 0 if len(line) <= _LONGEST else len(line)
    while at < len(line):
        if end:
            close = line.find(end, at)
            if close < 0:
                return end, depth
            at, end = close + len(end), ""
            continue
        token = _TOKEN.search(line, at)
        if token is None:
            break
        at = token.end()
        kind, word = token.lastgroup, token[0]
        if kind == "line" and word in record.comments:
            break
        if kind == "bracket":
            depth += 1 if word in _OPENING else -1
        elif kind in {"text", "block", "back"} and (word in record.strings or word in record.comments):
            end = _ENDS[word]
    return end, depth


_HEADING = lazy_pattern(r"#{1,6}\s|={1,6}\s|[=\-~^\"'*+#]{3,}\s*$")
_CONTINUES = lazy_pattern(
    r"\s*(?:[)\]}>]|(?:else|elif|elsif|except|finally|catch|end|endif|then|do|done|fi|esac|rescue|ensure|when|and|or)\b)"
)
_LEADS = lazy_pattern(r"\s*(?:@|#(?!include|define|if|pragma)|//|/\*|\*|--|;;|template\b)")
_ROW = lazy_pattern(r"\s*\|")
_ITEM = lazy_pattern(r"\s*(?:[-*+]|\d+[.)])\s+")
_SENTENCE_END = lazy_pattern(r"[.!?…:;]['\")\]]*\s*$")


def split_blocks(lines: Sequence[str], language: str) -> list[tuple[int, int]]:
    """Split ``lines`` into statements or paragraphs (start, end; end excluded), which cover every line in order."""
    starts = _prose_starts(lines) if find_language(language).is_prose else _code_starts(lines, language)
    return _ranges(starts, len(lines))


def split_sentences(lines: Sequence[str]) -> list[tuple[int, int]]:
    """Split a paragraph, a list or a table into sentences that end with their line, items or rows."""
    starts = [0] + [number for number in range(1, len(lines)) if _ends_sentence(lines, number - 1)]
    return _ranges(starts, len(lines))


def split_statements(lines: Sequence[str], language: str) -> list[tuple[int, int]]:
    """Split ``lines`` into the smallest meaningful parts: statements, however nested, or lines of prose."""
    inside = [False] * len(lines) if find_language(language).is_prose else inside_code(lines, language)
    return _ranges([0] + [number for number in range(1, len(lines)) if not inside[number]], len(lines))


def _ends_sentence(lines: Sequence[str], number: int) -> bool:
    """Whether a part may end after a line."""
    below = lines[number + 1]
    if is_row(below):
        return is_row(lines[number]) and number > 0 and is_row(lines[number - 1])  # the head and its rule stay together
    return _SENTENCE_END.search(lines[number]) is not None or _ITEM.match(below) is not None or is_row(lines[number])


def is_row(line: str) -> bool:
    """Whether a line of prose is one of a table."""
    return _ROW.match(line) is not None


def is_heading(line: str) -> bool:
    """Whether a line of prose belongs to the text below it."""
    return _HEADING.match(line) is not None


def _ranges(starts: Sequence[int], length: int) -> list[tuple[int, int]]:
    return list(zip(starts, [*starts[1:], length], strict=True)) if length else []


def _prose_starts(lines: Sequence[str]) -> list[int]:
    """Paragraphs begin after blank lines and at headings; a fenced block is one paragraph."""
    is_inside = open_fences(lines)
    starts = [0]
    for number, line in enumerate(lines):
        after_blank = number > 0 and not lines[number - 1].strip()
        if not is_inside[number] and number and line.strip() and (after_blank or line.startswith("#")):
            starts.append(number)
    return starts


def _code_starts(lines: Sequence[str], language: str) -> list[int]:
    """Statements begin at the outermost indentation of the body, with the comments and decorators above them."""
    level = _body_indent(lines)
    starts = [0]
    leads = False
    inside = inside_code(lines, language)
    for number, line in enumerate(lines):
        if inside[number]:
            continue
        if not line.strip():
            leads = False
        elif _indent(line) <= level and not _CONTINUES.match(line):
            if number and not leads:
                starts.append(number)
            leads = _LEADS.match(line) is not None
    return starts


def _body_indent(lines: Sequence[str]) -> int:
    """The indentation of the statements inside of the first line's definition, or of the text if it has none."""
    indents = [_indent(line) for line in lines if line.strip()]
    inner = [_indent(line) for line in lines[1:] if line.strip() and not _CONTINUES.match(line)]
    return min(inner, default=min(indents, default=0))


def _indent(line: str) -> int:
    expanded = line.expandtabs(4)
    return len(expanded) - len(expanded.lstrip())


_START_BONUS = 1.5  # the beginning says what a piece is: another part needs this many keywords more
_LINES_WEIGHT = 1.0  # of the logarithm of the lines with a keyword, in keywords
_MAX_DEPTH = 3  # how often a block that is too long is taken apart itself
_CLIP_LENGTHS = (2_000, 800, 320, 120, 40)  # characters, for a text whose very first line is too long
_SENTENCE = lazy_pattern(r"[.!?…;](?=\s)")

_Range = tuple[int, int]


def cut_to_fit(fragment: Fragment, room: int, counter: PieceCounter) -> Fragment | None:
    """Cut ``fragment`` to the most relevant contiguous lines in ``room`` tokens, or return None."""
    if counter.fragment(fragment) <= room:
        return fragment
    excerpt = (
        counter.once(_Cutter, fragment).cut(room)
        if is_verbatim(fragment)
        else _shorten_made_text(fragment, room, counter)
    )
    return _clip_to_fit(fragment, room, counter) if excerpt is None else excerpt


def smallest(fragment: Fragment, counter: PieceCounter) -> Fragment:
    """The smallest form of a fragment: the beginning of its first line with content."""
    clips = [_clip(fragment, length) for length in _CLIP_LENGTHS]
    return min([fragment, *clips], key=counter.fragment)


# Of the budget: from which length code that says little of a question is cut, and to how much. Of the needed places of
# 40 questions none was in such a piece, and packs for 52 others had 25, of 1,300 to 2,300 tokens.
_LONG, _PASSAGE = 0.16, 0.08


def passage_of(fragment: Fragment, budget: int, limits: Limits, counter: PieceCounter) -> Fragment:
    """A piece, or the best lines of one that is long for what it says about a question."""
    if fragment.tokens <= _LONG * budget or not is_mere_passage(fragment, limits):
        return fragment
    return cut_to_fit(fragment, int(_PASSAGE * budget), counter) or fragment


_DENSE = 0.25  # of the lines of a definition, with a word of the request: with fewer it is about other things as well


def is_mere_passage(fragment: Fragment, limits: Limits) -> bool:
    """Whether few lines of a piece of code speak of what a question asks, and its name has other words than that."""
    origin = fragment.provenance
    is_judged = fragment.strategy == SEARCH and not fragment.is_named and origin.kind is Kind.CODE
    if not (limits.leading and is_only_asked(limits) and is_judged):
        return False
    words = {word.lower() for word in origin.keywords}
    if set(split(last_name(origin.symbol))) <= words:
        return False
    lines = [line.lower() for line in fragment.text.splitlines() if line.strip()]
    return sum(any(word in line for word in words) for line in lines) < _DENSE * len(lines)


_LITTLE = 2  # lines with a word
_WORDLESS = lazy_pattern(r"\W*+$")
_OF_HEAD = lazy_pattern(r"\W*+$|\s*(?:<\?php\b|#\[|@\w|(?:namespace|package|use|using|import|from|require|#include)\b)")


def is_hardly_more_than_a_head(excerpt: Fragment) -> bool:
    """Whether hardly any line of an excerpt has content: a signature alone, a heading, the imports of a file."""
    is_cut = excerpt.form is Form.EXCERPT and excerpt.cut_from != span(excerpt)
    idle = _OF_HEAD if excerpt.provenance.kind is Kind.CODE else _WORDLESS
    return is_cut and sum(idle.match(line) is None for line in excerpt.text.splitlines()) <= _LITTLE


class _Cutter:
    """A search for the best run of blocks in one fragment."""

    def __init__(self, fragment: Fragment, counter: PieceCounter) -> None:
        self.fragment = fragment
        self.counter = counter
        self.lines = lines_of(fragment.text)
        self.is_prose = find_language(fragment.language).is_prose
        self.overhead = counter.fragment(replace(fragment, text="", form=Form.EXCERPT, cut_from=span(fragment)))
        self._fenced = open_fences(self.lines) if self.is_prose else []
        self._known_parts: dict[tuple[_Range, int], list[_Range]] = {}
        words = sorted({word.lower() for word in fragment.provenance.keywords if word})
        self.keywords = re.compile("|".join(map(re.escape, words)), re.IGNORECASE) if words else None

    def cut(self, room: int) -> Fragment | None:
        """Cut the best excerpt of at most ``room`` tokens; None where no block and no line fits."""
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
        """The run of adjacent parts with most keywords, in most lines, in ``content`` tokens; of equals the first.

        A part that is too long is taken apart where it says more than any run that fits: a class behind its imports.
        """
        parts = self._parts(within, depth)
        costs = [self._cost(part) for part in parts]
        runs = [self._run_from(parts, costs, first, content) for first in range(len(parts))]
        found = [run for run in runs if run is not None]
        if depth and parts:
            telling = min(range(len(parts)), key=lambda at: (-self._worth(parts[at]), parts[at][0]))
            is_within = all(run[1] <= parts[telling][0] or parts[telling][1] <= run[0] for run in found)
            if costs[telling] > content and is_within:
                found += filter(None, [self._best_run(parts[telling], content, depth - 1)])
        return min(found, key=lambda run: (-self._worth(run), run[0] - run[1], run[0]), default=None)

    def _parts(self, within: _Range, depth: int) -> list[_Range]:
        """The parts of some lines, which are found once: a piece is cut to many sizes while a pack is filled."""
        known = self._known_parts.get((within, depth))
        if known is None:
            known = self._known_parts[within, depth] = self._split(within, depth)
        return known

    def _split(self, within: _Range, depth: int) -> list[_Range]:
        start, end = within
        lines = self.lines[start:end]
        if depth == 0:
            inner = split_statements(lines, self.fragment.language)
        elif self.is_prose and depth < _MAX_DEPTH:
            inner = split_sentences(lines)
        else:
            inner = split_blocks(lines, self.fragment.language)
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
        return self._trim(run) if last > first and not self._is_torn(run) else None

    def _trim(self, run: _Range) -> _Range | None:
        """Strip blank lines from the ends of a run, and a heading whose text is not in it."""
        start, end = run
        while end > start and (not self.lines[end - 1].strip() or self._is_dangling(end)):
            end -= 1
        while start < end and not self.lines[start].strip():
            start += 1
        return (start, end) if start < end else None

    def _is_torn(self, run: _Range) -> bool:
        """Whether a run of prose begins within a table, without its head, or contains only one end of a fence."""
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
            return bonus + _LINES_WEIGHT * math.log1p(sum(map(bool, map(str.strip, self.lines[run[0] : run[1]]))))
        held = self._held[run[0] : run[1]]
        return bonus + len(frozenset().union(*held)) + _LINES_WEIGHT * math.log1p(sum(map(bool, held)))

    @cached_property
    def _held(self) -> list[frozenset[str]]:
        """The keywords in each line: no keyword spans two lines, and each line is in many runs."""
        if self.keywords is None:
            return [frozenset()] * len(self.lines)
        return [frozenset(map(str.lower, self.keywords.findall(line))) for line in self.lines]

    def _cost(self, part: _Range) -> int:
        return self.counter.text("\n".join(self.lines[part[0] : part[1]]) + "\n")

    def _shorter(self, run: _Range) -> _Range | None:
        """The run without its last part."""
        for depth in (_MAX_DEPTH, 0):
            begins = [first for first, _ in self._parts(run, depth) if first > run[0]]
            if begins:
                return self._trim((run[0], begins[-1]))
        return None

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
        return self.counter.with_tokens(excerpt)


def _shorten_made_text(fragment: Fragment, room: int, counter: PieceCounter) -> Fragment | None:
    """Keep the first lines of a derived text, such as an outline."""
    lines = lines_of(fragment.text)

    def first(count: int) -> Fragment:
        return counter.with_tokens(replace(fragment, text="\n".join([*lines[:count], "…\n"])))

    count = bisect_right(range(1, len(lines)), room, key=lambda count: counter.fragment(first(count)))
    return first(count) if count else None


def _clip_to_fit(fragment: Fragment, room: int, counter: PieceCounter) -> Fragment | None:
    """Keep the beginning of a text whose lines are too long, or of a derived text."""
    clips = (_clip(fragment, length) for length in _CLIP_LENGTHS)
    return next((counter.with_tokens(clip) for clip in clips if counter.fragment(clip) <= room), None)


def _clip(fragment: Fragment, length: int) -> Fragment:
    """Keep the first line with content, cut after a sentence or a word within ``length`` characters."""
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
