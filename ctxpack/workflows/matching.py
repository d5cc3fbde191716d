"""Find the lines of a file that the text of a piece shows, with redacted and left-out lines taken into account."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from ctxpack.gather.focus import Span
from ctxpack.gather.outlines import without_asides
from ctxpack.light import dataclass, lazy_pattern
from ctxpack.model import Form
from ctxpack.redact.harmless import SUSPICION
from ctxpack.redact.shapes import REDACTION_MARK
from ctxpack.render.read_back import ReadPiece
from ctxpack.render.reports import legal
from ctxpack.select.pieces import BLANK, COMMENTS, LICENCE, LITERALS, REPEATED
from ctxpack.text import SIGN, lines_of, visible
from ctxpack.understand.change import Hunk, parse_hunks

_MARKED: Final = frozenset({COMMENTS, REPEATED, LITERALS})
_MARK: Final = lazy_pattern(r"\s*⋯(?: (\d+)-(\d+))?")
_CLIPPED: Final = " …"
_BOM: Final = "\ufeff"
_BOM_SIGN: Final = "⟨U+FEFF⟩"
_RETURN_SIGN: Final = "⟨U+000D⟩"
_WORD: Final = lazy_pattern(r"\w")
_LEAST_WORDS: Final = 4  # letters and digits of a text: one with fewer, such as a bracket, is anywhere
_ALIKE: Final = 60.0  # percent: of a line that is less like any other one nothing is left


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a piece, with its number where that is known."""

    text: str
    number: int = 0


def rows_of(piece: ReadPiece) -> Iterator[tuple[Row, ...]]:
    """Yield the lines of a piece as they may be meant: as they are, and without the line numbers before them."""
    lines = lines_of(piece.text.rstrip("\n"))
    is_whole = not piece.dropped and piece.form is not Form.OUTLINE
    yield tuple(Row(line, piece.start_line + at if is_whole else 0) for at, line in enumerate(lines))
    if numbered := _without_numbers(lines, piece):
        yield numbered


def texts_of(piece: ReadPiece) -> list[str]:
    """The text of a piece as it may be meant: as it is, and without the line numbers before its lines."""
    return ["\n".join(row.text for row in rows) for rows in rows_of(piece)]


def _without_numbers(lines: Sequence[str], piece: ReadPiece) -> tuple[Row, ...]:
    """The lines without the numbers before them; none where they have no numbers of the piece."""
    width = len(str(piece.end_line))
    found: list[Row] = []
    last = piece.start_line - 1
    for line in lines:
        written, gap, text = line[:width].strip(), line[width : width + 2], line[width + 2 :]
        number = int(written) if written.isdecimal() else 0
        is_next = last < number <= piece.end_line if piece.dropped else number == last + 1
        is_mark = bool(piece.dropped) and not written
        if gap != "  " or not (is_mark or is_next):
            return ()
        found.append(Row(text, number))
        last = number or last
    return tuple(found)


def find_rows(piece: ReadPiece, rows: Sequence[Row], lines: Sequence[str], *, start: int) -> int:
    """The number of the line after the rows if they begin at line ``start``, else 0."""
    shift, at = start - piece.start_line, start
    is_open, has_begun = False, False  # a secret of several lines; the first row that is no mark
    for row in rows:
        if piece.dropped and (mark := _MARK.fullmatch(row.text)) and _MARKED.intersection(piece.dropped):
            at = int(mark[2]) + 1 + shift if mark[2] else _past_blank(lines, at, piece) + 1
            continue
        if row.number and piece.dropped:
            at = row.number + shift
        elif piece.dropped:
            at = _next_like(row.text, lines, at, piece, is_licence=not has_begun or at <= start + 1)
        line = lines[at - 1] if 0 < at <= len(lines) else None
        if line is None or not _is_line(row.text, line, piece, is_open=is_open):
            return 0
        is_open = _is_open_after(row.text, is_open=is_open)
        at, has_begun = at + 1, True
    rest = lines[at - 1 : piece.end_line + shift]
    return 0 if not (piece.dropped or is_open) and any(rest) else max(at, start + 1)


def _past_blank(lines: Sequence[str], at: int, piece: ReadPiece) -> int:
    while BLANK in piece.dropped and at <= len(lines) and not lines[at - 1].strip():
        at += 1
    return at


def _next_like(text: str, lines: Sequence[str], at: int, piece: ReadPiece, *, is_licence: bool) -> int:
    """The number of the next line that may be a row: blank lines may be left out before it, and a licence."""
    if not text.strip():
        return at
    behind = _past_blank(lines, at, piece)
    if is_licence and LICENCE in piece.dropped:
        last = min(piece.end_line, len(lines))
        return next((number for number in range(behind, last + 1) if lines[number - 1] == text), behind)
    return behind


def _is_line(text: str, line: str, piece: ReadPiece, *, is_open: bool) -> bool:
    """Whether a row shows a line; ``is_open`` means that a secret of several lines began above."""
    text, line = _as_shown(text), _as_shown(line)
    if text == line:
        return True
    if is_open and line.endswith(text):
        return True
    if piece.form is Form.EXCERPT and piece.start_line == piece.end_line and text.endswith(_CLIPPED):
        text = text.removesuffix(_CLIPPED)
        return _is_redacted(f"{text}[REDACTED:rest]", line) if REDACTION_MARK.search(text) else line.startswith(text)
    return _is_redacted(text, line)


def _as_shown(line: str) -> str:
    """A line as reports show it, without marks of suspicion, which one report may have and another one lack."""
    shown = legal(visible(line))
    return SUSPICION.sub("", shown) if "[SUSPICIOUS" in shown else shown


def _is_redacted(text: str, line: str) -> bool:
    """Whether a text is a line with marks instead of some of its parts."""
    first, *others = REDACTION_MARK.split(text)
    if not others or not line.startswith(first):
        return False
    at = len(first)
    *between, last = others
    for part in between:
        found = line.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    ends_open = not last  # a secret that goes on below takes the rest of its line
    return ends_open or (len(line) - len(last) >= at and line.endswith(last))


def _is_open_after(text: str, *, is_open: bool) -> bool:
    marks = [match.end() for match in REDACTION_MARK.finditer(text)]
    return (bool(marks) and marks[-1] == len(text)) or (is_open and not text)


def find_elsewhere(piece: ReadPiece, rows: Sequence[Row], lines: Sequence[str]) -> Span | None:
    """The lines of a file that the rows show, the nearest to where they were; None where there are none."""
    if len(_WORD.findall("".join(REDACTION_MARK.sub("", row.text) for row in rows))) < _LEAST_WORDS:
        return None
    anchor = next((at for at, row in enumerate(rows) if _WORD.search(row.text)), 0)
    row = rows[anchor]
    before = row.number - piece.start_line if row.number else anchor
    homes = (at - before for at, line in enumerate(lines, 1) if _is_line(row.text, line, piece, is_open=False))
    for start in sorted((home for home in homes if home > 0), key=lambda home: (abs(home - piece.start_line), home)):
        if end := find_rows(piece, rows, lines, start=start):
            length = piece.end_line - piece.start_line if piece.dropped or rows[-1].number else end - 1 - start
            return start, min(start + length, len(lines))
    return None


def longest_line(rows: Iterable[Row]) -> str:
    """The longest line that a file must contain verbatim; empty for none."""
    altered = (REDACTION_MARK, SUSPICION, SIGN)
    plain = [row.text.strip() for row in rows if not _MARK.fullmatch(row.text)]
    return max((text for text in plain if not any(each.search(text) for each in altered)), key=len, default="")


def has_similar_line(rows: Iterable[Row], lines: Sequence[str]) -> bool:
    """Whether a file contains a line similar to one of the rows."""
    from rapidfuzz import fuzz, process

    choices = [stripped for line in lines if _WORD.search(stripped := line.strip())]
    wanted = [row.text.strip() for row in rows if _WORD.search(row.text)]
    return any(process.extractOne(each, choices, scorer=fuzz.ratio, score_cutoff=_ALIKE) is not None for each in wanted)


_ENTRY: Final = lazy_pattern(r" {0,4}(\d+)  +(\S.*)")
_ABOUT: Final = "  — "
_CUT: Final = "…"  # at the end of a long value


def outline_moves(text: str, lines: Sequence[str]) -> list[int | None] | None:
    """How many lines down each entry of an outline has gone, None for one that is not there; None for no outline."""
    entries = [match for line in lines_of(text) if (match := _ENTRY.fullmatch(line))]
    if not entries:
        return None
    return [_entry_move(int(entry[1]), entry[2].partition(_ABOUT)[0].lstrip("# ").strip(), lines) for entry in entries]


def _entry_move(number: int, said: str, lines: Sequence[str]) -> int | None:
    if number <= len(lines) and _is_entry(said, lines[number - 1]):
        return 0
    order = sorted(range(1, len(lines) + 1), key=lambda at: (abs(at - number), at))
    return next((at - number for at in order if _is_entry(said, lines[at - 1])), None)


def _is_entry(said: str, line: str) -> bool:
    """Whether an outline entry is that of a line: its signature begins with it, or it is the heading of that name."""
    said, stripped = _as_shown(said), _as_shown(line).strip()
    core = stripped.removesuffix("{").rstrip()
    bare = without_asides(stripped).removesuffix("{").rstrip()
    is_same = stripped.strip("#=~- ") == said or (said.endswith(_CUT) and bare.startswith(said.rstrip(f"{_CUT} ")))
    is_same |= any(said.startswith(each) or _is_redacted(said, each) for each in (core, bare) if each)
    return bool(_WORD.search(core)) and is_same


@dataclass(frozen=True, slots=True)
class Patch:
    """The diff of one file, as a report shows it; a side that has no file has no path."""

    old_path: str
    new_path: str
    hunks: tuple[Hunk, ...]

    def shift(self, side: str, lines: Sequence[str]) -> Mapping[int, int] | None:
        """By how many lines each hunk has moved on one side (``+`` or ``-``); None where one is not there any more."""
        found: dict[int, int] = {}
        for at, hunk in enumerate(self.hunks):
            rows = [line for line in hunk.lines if line.mark in {side, " "}]
            if not rows:
                continue
            first = rows[0].new if side == "+" else rows[0].old
            moves = sorted(range(1 - first, len(lines) - len(rows) + 2 - first), key=lambda move: (abs(move), move))
            texts = [row.text for row in rows]
            move = next((move for move in moves if _are_lines(texts, lines, first + move)), None)
            if move is None:
                return None
            found[at] = move
        return found


def _are_lines(texts: Sequence[str], lines: Sequence[str], start: int) -> bool:
    if start < 1 or start - 1 + len(texts) > len(lines):
        return False
    is_open = False
    for text, line in zip(texts, lines[start - 1 :], strict=False):
        bare = text.removeprefix(_BOM).removesuffix("\r")  # git's text, not that of a decoded file
        shown, its = _as_shown(bare.removeprefix(_BOM_SIGN).removesuffix(_RETURN_SIGN)), _as_shown(line)
        if not (shown == its or (is_open and its.endswith(shown)) or _is_redacted(shown, its)):
            return False
        is_open = _is_open_after(shown, is_open=is_open)
    return True


def read_patch(text: str) -> Patch | None:
    """Read the diff of a file; None if the text is not a diff."""
    lines = lines_of(text)
    at = next((at for at, line in enumerate(lines[:4]) if line.startswith("--- ")), None)
    if at is None or at + 1 >= len(lines) or not lines[at + 1].startswith("+++ "):
        return None
    old, new = lines[at].removeprefix("--- "), lines[at + 1].removeprefix("+++ ")
    body = [line for line in lines[at + 2 :] if not line.startswith(("⋯ ", "…"))]
    return Patch(_side(old, "a/"), _side(new, "b/"), parse_hunks(body))


def _side(written: str, mark: str) -> str:
    return "" if written == "/dev/null" else written.removeprefix(mark)
