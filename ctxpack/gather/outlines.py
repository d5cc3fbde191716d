"""Outlines of files: signatures and headings instead of full text, and the room for what is shown in full."""

from __future__ import annotations

import sys
from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import accumulate

from ctxpack.gather.context import Context
from ctxpack.gather.focus import Span, home_names
from ctxpack.gather.fragments import Role, derived_piece, line_count, lines_piece
from ctxpack.light import dataclass, lazy_pattern
from ctxpack.model import Candidate, Chunk, Fragment, SourceFile, Symbol
from ctxpack.parse.chunking import CONTAINERS, VALUES
from ctxpack.system.tokens import CHARACTERS_PER_TOKEN
from ctxpack.text import shorten

_SIGNATURE_LINES, _READ_LINES = 8, 60  # of a signature, and with the comments in it
_DOC_LENGTH, _VALUE_LENGTH = 120, 80
_MARKUP = "#=~- \t"  # around a heading
_LOOK_ABOVE = 500  # lines of documentation
_QUOTED = lazy_pattern(r'\s*[rRuU]?("""|\'\'\')\s*(.*)')
_COMMENT = lazy_pattern(
    r"(?!\s{0,80}#(?:define|undef|include|ifn?def|if|elif|else|endif|pragma|error)\b)"
    r"\s*+(?:///?!?|##?'?|--+\|?|;;+|%%?|\*|/\*\*?)(?!\[)\s*(.*)"
)
_ASIDE = lazy_pattern(
    r"/\*[^*]{0,300}\*{1,2}/|(?:^|(?<=\s))(?://|#\s|--\s|;;)[^\n]{0,500}$"
)  # a comment in a signature
_TAG = lazy_pattern(  # of documentation in XML; of a reference what it refers to stays
    r"""<(?:see|seealso|paramref|typeparamref)\s(?:cref|name|langword)="([^"<>]{1,200})"\s?/>"""
    r"|</?(?:summary|remarks|param|returns|value|exception|inheritdoc|example|para|code|typeparam|c|p|see|seealso)"
    r"\b[^<>]{0,200}>"
)
_DECORATION = lazy_pattern(r"\s*(?:@|#\[|\[)")


def outline_text(
    context: Context, path: str, limit: int, only: Container[str] | None = None, within: Span = (1, sys.maxsize)
) -> str:
    """The outline in at most ``limit`` characters: definitions with line numbers, or headings; empty if there are none.

    With ``only``, the definitions of these names; with ``within``, only these lines. Where there is little room, nested
    definitions are left out first.
    """
    parsed = context.view.files.exact(path)
    lines = context.lines(path)
    symbols = [item for item in parsed.symbols if only is None or item.name in only]
    if not symbols and only is None:
        return _fitting([_Entry(0, line) for line in _headings(parsed.chunks, lines, within)], limit)
    shown = _without_twins(item for item in symbols if within[0] <= item.start_line <= within[1])
    depths = _depths(parsed.symbols)
    entries = [_Entry(at := depths[item.qualified], _entry(lines, item, at), item.kind in VALUES) for item in shown]
    return _fitting(entries, limit)


def _depths(symbols: Sequence[Symbol]) -> dict[str, int]:
    """For each qualified name, how many definitions are around it: one for a method whose class is elsewhere."""
    homes = home_names(symbols)
    found: dict[str, int] = {}
    for each in sorted(symbols, key=lambda each: len(each.qualified)):  # outer ones before inner ones
        home = homes[each.qualified]
        is_apart = "." in each.qualified and each.kind not in CONTAINERS
        found[each.qualified] = found[home] + 1 if home else int(is_apart)
    return found


def _without_twins(symbols: Iterable[Symbol]) -> Iterator[Symbol]:
    """The definitions without the structs of C that are named once more behind their end."""
    around: tuple[int, int] | None = None  # the end of such a struct, and how deep its twin is nested
    for each in symbols:
        if (each.end_line, each.qualified.count(".")) != around:
            yield each
        if each.signature.startswith("}"):
            around = each.end_line, each.qualified.count(".") + 1


def signature_end(lines: Sequence[str], symbol: Symbol) -> int:
    """The number of the last line of a definition's signature."""
    return max(_signature(lines, _signature_line(lines, symbol))[1], symbol.start_line)


def _entry(lines: Sequence[str], symbol: Symbol, depth: int) -> str:
    at = _signature_line(lines, symbol)
    signature, end = _signature(lines, at)
    if symbol.signature.startswith("}"):
        signature = f"{signature} {{ … {symbol.signature}"
    if symbol.kind in VALUES:
        signature = _with_short_value(signature)
    first = f"{at + 1:>5}  {'    ' * depth}{signature}"
    about = _doc(lines, at, end)
    return f"{first}  — {about}" if about else first


def _signature_line(lines: Sequence[str], symbol: Symbol) -> int:
    """The index of the line that holds the name: the span may begin with comments and decorators.

    Of a struct of C that is named behind its end, that of its first line.
    """
    last = min(symbol.end_line, len(lines))
    if symbol.signature.startswith("}"):
        return _first_line_of_code(lines, symbol.start_line - 1, last)
    for at in range(symbol.start_line - 1, last):
        if symbol.signature and lines[at].strip() == symbol.signature:
            return at
    return min(symbol.start_line, len(lines)) - 1


def _first_line_of_code(lines: Sequence[str], start: int, end: int) -> int:
    """The index of the first line from ``start`` that is no comment."""
    is_comment = False
    for at in range(start, end):
        text = lines[at].strip()
        is_comment = is_comment or text.startswith("/*")
        if text and not is_comment and _COMMENT.match(text) is None:
            return at
        is_comment = is_comment and "*/" not in text
    return start


def _signature(lines: Sequence[str], at: int) -> tuple[str, int]:
    """The signature of a definition without comments, up to the end of its brackets, and the index after it."""
    text, depth, count = "", 0, 0
    is_comment = False
    end = at
    for end in range(at, min(at + _READ_LINES, len(lines))):
        line = without_asides(lines[end].strip())
        is_comment = is_comment or line.startswith("/*")
        if line and not is_comment:
            text = f"{text} {line}".strip() if text[-1:] not in {"(", "["} else text + line
            depth += sum(map(line.count, "([")) - sum(map(line.count, ")]"))
            count += 1
        is_comment = is_comment and "*/" not in line
        if text and (depth <= 0 or count == _SIGNATURE_LINES):
            break
    return text.removesuffix("{").rstrip(), end + 1


def without_asides(line: str) -> str:
    """Return a line of code without the comments in it, as outlines show it."""
    return _ASIDE.sub("", line).strip()


def _with_short_value(signature: str) -> str:
    """The signature of a constant with as much of its value as tells what it is."""
    name, equals, value = signature.partition("=")
    return f"{name}{equals}{shorten(value, _VALUE_LENGTH)}"


def _doc(lines: Sequence[str], at: int, end: int) -> str:
    """The first sentence or line of the documentation, inside or above."""
    inside = _QUOTED.match(lines[end]) if end < len(lines) else None
    if inside:
        said = inside[2] or (lines[end + 1].strip() if end + 1 < len(lines) else "")
        return said.removesuffix(inside[1]).strip()[:_DOC_LENGTH]
    first = ""
    for place in range(at - 1, max(at - _LOOK_ABOVE, -1), -1):
        comment = _COMMENT.match(lines[place])
        if comment:
            first = _TAG.sub(r"\1", comment[1].removesuffix("*/")).strip() or first
        elif not _DECORATION.match(lines[place]):
            break
    return first[:_DOC_LENGTH]


def _headings(chunks: Sequence[Chunk], lines: Sequence[str], within: Span) -> Iterator[str]:
    seen: set[tuple[str, ...]] = set()
    for chunk in chunks:
        if not chunk.heading or chunk.heading in seen:
            continue
        seen.add(chunk.heading)  # also where it stands above these lines, and only its section goes on here
        if within[0] <= chunk.start_line <= within[1]:
            yield f"{_heading_line(chunk, lines):>5}  {'#' * len(chunk.heading)} {chunk.heading[-1]}"


def _heading_line(chunk: Chunk, lines: Sequence[str]) -> int:
    """The line of a chunk's heading: headings above it without text of their own belong to the same chunk."""
    numbers = range(chunk.start_line, min(chunk.end_line, len(lines)) + 1)
    return next((at for at in numbers if lines[at - 1].strip(_MARKUP) == chunk.heading[-1]), chunk.start_line)


@dataclass(frozen=True, slots=True)
class _Entry:
    """A line of an outline: how deep its definition is nested, and whether it is a constant or the like."""

    depth: int
    text: str
    is_value: bool = False


def _fitting(entries: Sequence[_Entry], limit: int) -> str:
    """The entries that fit: outer levels before inner ones, each in order, constants where room is left.

    The rest is counted. Constants come of the levels only that are shown with all their definitions.
    """
    kept: list[_Entry] = []
    room, deepest = limit, -1
    for depth in sorted({each.depth for each in entries}):
        level = [each for each in entries if each.depth == depth and not each.is_value]
        whole = _first_that_fit(level, room)
        kept += whole
        room -= _size(whole)
        if len(whole) < len(level):
            break
        deepest = depth
    values = [each for each in entries if each.is_value and each.depth <= deepest]
    for each in sorted(values, key=lambda each: each.depth):
        if len(each.text) < room:
            kept.append(each)
            room -= len(each.text) + 1
    left = len(entries) - len(kept)
    chosen = {id(each) for each in kept}
    shown = "".join(f"{each.text}\n" for each in entries if id(each) in chosen)
    return shown + (f"       … {left} more\n" if left and kept else "")


def _first_that_fit(entries: Sequence[_Entry], room: int) -> list[_Entry]:
    """The first entries that together have room."""
    ends = accumulate(len(each.text) + 1 for each in entries)
    return [each for each, end in zip(entries, ends, strict=True) if end <= room]


def _size(entries: Sequence[_Entry]) -> int:
    return sum(len(entry.text) + 1 for entry in entries)


def span_of(candidate: Candidate) -> Span:
    """First and last line of what the ranker found."""
    return candidate.chunk.start_line, candidate.chunk.end_line


def outline_gaps(
    context: Context, file: SourceFile, spans: Sequence[Span], made: tuple[int, Role], within: Span | None = None
) -> Iterator[Fragment]:
    """The outlines of the lines between sorted ``spans``, of a whole file or of what is ``within`` two of its lines.

    ``made`` are the maximum of characters and the role.
    """
    limit, role = made
    gaps = gaps_between(spans, within or (1, line_count(context, file.path)))
    total = sum(end - start + 1 for start, end in gaps)
    outlines = [
        (gap, outline_text(context, file.path, limit * (gap[1] - gap[0] + 1) // total, within=gap)) for gap in gaps
    ]
    yield from (derived_piece(context, file, text, role, gap) for gap, text in outlines if text)


def gaps_between(spans: Sequence[Span], within: Span) -> list[Span]:
    """The lines from the first to the last of ``within`` that are in none of the spans."""
    starts = [within[0], *(end + 1 for _, end in spans)]
    ends = [*(start - 1 for start, _ in spans), within[1]]
    return [(start, end) for start, end in zip(starts, ends, strict=True) if start <= end]


# --- room -------------------------------------------------------------------------------------------------------------

_LONGEST_TOKENS = 12  # characters a token, on average at most
_NEARLY = 0.8  # of the room
_MOST_BESIDE = 0.25  # of the budget, for one whole text in the rest of it
_ANY = Role("", 0.0, ("in a folder of that name",))  # of a piece that is only counted


class Room:
    """The tokens of a share of the budget that what is shown in full may still take."""

    def __init__(self, context: Context, share: float) -> None:
        self._context = context
        self._total = self._left = int(context.settings.budget * share)
        self._taken: list[tuple[str, Span]] = []
        self._most = 1.0  # of it, for one text
        self._is_open = False

    def takes(self, file: SourceFile, span: Span, *, leaving: float = 0.0) -> bool:
        """Take the room of some lines; false, and nothing is taken, where less than a share of it would be left."""
        is_taken = self.takes_pieces([lines_piece(self._context, file, span, _ANY)], leaving=leaving)
        self._taken += [(file.path, span)] if is_taken else []
        return is_taken

    def takes_pieces(self, pieces: Sequence[Fragment], *, leaving: float = 0.0) -> bool:
        """The same for pieces, with what the format of the report puts around them."""
        most = min(self._left - leaving * self._total, self._most * self._total)
        if sum(len(piece.text) for piece in pieces) > _LONGEST_TOKENS * most:  # to count them would only take time
            return False
        tokens = sum(map(self._context.counter.fragment, pieces))
        self._left -= tokens if tokens <= most else 0
        return tokens <= most

    def has(self, files: Sequence[SourceFile]) -> bool:
        """Whether all these files fit."""
        return sum(file.size for file in files) <= self._left * CHARACTERS_PER_TOKEN

    @property
    def is_nearly_free(self) -> bool:
        """Whether hardly anything has taken room."""
        return self._left >= _NEARLY * self._total

    def open_up(self) -> None:
        """Add the rest of the budget, for pieces that come only if nothing better takes it.

        None of them may take much of it: what does not fit in the end is left out, and an outline had fitted.
        """
        self._left += self._context.settings.budget - self._total
        self._total = self._context.settings.budget
        self._most, self._is_open = _MOST_BESIDE, True

    def limit_texts(self, share: float) -> None:
        """Let no text take more than a share of all the room from now on."""
        self._most = min(share, _MOST_BESIDE) if self._is_open else share

    def holds(self, path: str, span: Span) -> bool:
        """Whether some lines are part of what has taken room."""
        return any(path == other and start <= span[0] and span[1] <= end for other, (start, end) in self._taken)
