"""The pages of the help, made from what is declared of the commands and their options.

They look as Typer's own pages do, with the same boxes, columns and colours; but to load what Typer draws them with
takes longer than most commands run.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import groupby, zip_longest
from typing import Final, NamedTuple

from ctxpack.cli.options import COMMAND_GROUPS, KEPT_LINES, OFTEN, CommandSpec, OwnParameter, paragraphs_of
from ctxpack.cli.output import has_colours, paint
from ctxpack.light import lazy_pattern
from ctxpack.settings.declaration import Setting

_ARGUMENTS, _OPTIONS = "Arguments", "Options"
_USUAL_WIDTH, _LEAST_WIDTH = 80, 40  # columns: where no terminal has a width, and of any page
_FRAME = 4  # columns of a box that are not for its text
_MOST_STREAMS = 3
_BOX, _PLAIN_BOX = "╭─╮│╰╯", "+-+|++"

_Codes = tuple[str, ...]
_BOLD, _DIM, _RED, _GREEN, _YELLOW, _MAGENTA, _CYAN = ("1",), ("2",), ("31",), ("32",), ("33",), ("35",), ("36",)
_COLORS: Final = frozenset((*_RED, *_GREEN, *_YELLOW, *_MAGENTA, *_CYAN))
_Marks = tuple[tuple[re.Pattern[str], _Codes], ...]
"""Patterns whose group looks different from the text around it; a later one is on top."""
_LONG: Final = lazy_pattern(r"(?:^|\W)(--[\w-]+)(?![a-zA-Z0-9])")
_SHORT: Final = lazy_pattern(r"(?:^|\W)(-\w+)(?![a-zA-Z0-9])")
_IN_TEXT: Final[_Marks] = ((_SHORT, _BOLD + _GREEN), (_LONG, _BOLD + _CYAN))
_IN_NEGATIVE: Final[_Marks] = ((_SHORT, _BOLD + _RED), (_LONG, _BOLD + _MAGENTA))
_IN_VALUE: Final[_Marks] = ((lazy_pattern(r"(^[\[<]|\||[\]>]$)"), _DIM),)
_IN_USAGE: Final[_Marks] = ((lazy_pattern("(Usage: )"), _YELLOW),)
_WORD: Final = lazy_pattern(r"\s*\S+\s*")


class _Cell(NamedTuple):
    """A text in a table. A ``note`` follows it in the same line where it fits, else below."""

    text: str = ""
    codes: _Codes = ()
    marks: _Marks = _IN_TEXT
    note: str = ""
    note_codes: _Codes = _DIM


class _Row(NamedTuple):
    """An argument or option: what it means, long and short names, those that switch it off, its value."""

    meaning: str
    long: str = ""
    short: str = ""
    long_off: str = ""
    short_off: str = ""
    value: str = ""
    default: str = ""
    is_required: bool = False

    def cells(self, *, with_stars: bool) -> list[_Cell]:
        """Return its cells, the first of which says whether it is required, if any is."""
        star = _Cell("*" if self.is_required else "", _RED)
        note = "[required]" if self.is_required else f"[default: {self.default}]" if self.default else ""
        return [
            *((star,) if with_stars else ()),
            _Cell(self.long),
            _Cell(self.short),
            _Cell(self.long_off, marks=_IN_NEGATIVE),
            _Cell(self.short_off, marks=_IN_NEGATIVE),
            _Cell(self.value, _BOLD + _YELLOW, _IN_VALUE),
            _Cell(self.meaning, note=note, note_codes=_DIM + _RED if self.is_required else _DIM),
        ]


_OF_TYPER: Final = (
    ("--install-completion", "Install completion for the current shell."),
    ("--show-completion", "Show completion for the current shell, to copy it or customize the installation."),
)
_HELP: Final = _Row("Show this message and exit.", "--help", "-h")


class PageStyle(NamedTuple):
    """How a page is drawn: its columns, whether it has colours, and the signs of its boxes."""

    width: int
    has_colours: bool
    box: str


def current_style() -> PageStyle:
    """Return how a page is drawn on standard output."""
    width = os.environ.get("COLUMNS", "")
    columns = int(width) if width.isdecimal() and int(width) else next(_terminal_widths(), _USUAL_WIDTH)
    box = _BOX if (sys.stdout.encoding or "").lower().startswith("utf") else _PLAIN_BOX
    return PageStyle(max(columns, _LEAST_WIDTH), has_colours(sys.stdout), box)


def _terminal_widths() -> Iterator[int]:
    for stream in range(_MOST_STREAMS):
        with suppress(OSError):  # it is no terminal
            if found := os.get_terminal_size(stream).columns:
                yield found


def page_of_program(program: CommandSpec, commands: Mapping[str, CommandSpec], style: PageStyle) -> str:
    """Return the page of the program: its own options, and all commands in their groups."""
    completion = [_Row(meaning, name) for name, meaning in _OF_TYPER]
    options = [*map(_row_of, program.own), *completion, _HELP]
    lines = [
        *_head("", "[OPTIONS] COMMAND [ARGS]...", paragraphs_of(program.body), style),
        *_box(_OPTIONS, _table(options, style), style),
    ]
    widest = max(map(len, commands)) + 1
    for group in COMMAND_GROUPS:
        rows = [
            [_Cell(name, _BOLD + _CYAN, ()), _Cell(paragraphs_of(spec.body)[0])]
            for name, spec in commands.items()
            if spec.group == group
        ]
        lines += _box(group, _rows(rows, [widest, style.width - _FRAME - widest], style), style)
    return "\n".join([*lines, ""])


def page_of_command(name: str, spec: CommandSpec, style: PageStyle) -> str:
    """Return the page of a command: how it is called, examples, then its options in their panels."""
    arguments = [each for each in spec.own if not each.names]
    usage = " ".join(["[OPTIONS]", *map(_usage, arguments)])
    lines = _head(f"{name} ", usage, spec.paragraphs(name), style)
    panels = {_ARGUMENTS: [*map(_row_of, arguments)], _OPTIONS: [_row_of(each) for each in spec.own if each.names]}
    for each in spec.options():
        if each.flag is not None:
            panel = _OPTIONS if each.name in OFTEN else each.flag.panel or _OPTIONS
            panels.setdefault(panel, []).append(_row_of_setting(each))
    panels[_OPTIONS].append(_HELP)
    for title, rows in panels.items():
        if rows:
            lines += _box(title, _table(rows, style), style)
    return "\n".join([*lines, ""])


def _usage(each: OwnParameter) -> str:
    """An argument as the usage shows it, in brackets that say whether it is required."""
    if each.metavar.startswith("["):
        return each.metavar
    return f"{{{each.metavar}}}" if each.is_required else f"[{each.metavar}]"


def _row_of(each: OwnParameter) -> _Row:
    """The row of an argument or option of one command."""
    if not each.names:
        return _Row(each.help, short=each.metavar, value="<str>", is_required=each.is_required)
    value = f"{each.metavar} [x>=1]" if each.kind == "number" else each.metavar
    return _Row(each.help, *_by_length(each.names), value=value, default=str(each.default or ""))


def _row_of_setting(each: Setting) -> _Row:
    """The row of a shared option."""
    names = each.flag.names.split() if each.flag else []
    on = _by_length([name.partition("/")[0] for name in names])
    off = _by_length([name.partition("/")[2] for name in names if "/" in name])
    return _Row(each.flag_help, *on, *off, each.flag.metavar if each.flag else "")


def _by_length(names: Sequence[str]) -> tuple[str, str]:
    """The long and the short names."""
    long = [name for name in names if name.startswith("--")]
    return ",".join(long), ",".join(name for name in names if name not in long)


def _head(name: str, usage: str, paragraphs: Sequence[str], style: PageStyle) -> list[str]:
    """The usage, and what is said before the boxes."""
    first, *more = paragraphs
    begin, room = f"Usage: ctxpack {name}", style.width - 2
    usage = f"\n{' ' * len(begin)}".join(_lines_of(usage, room - len(begin)))
    cells = [_Cell(begin + usage, _BOLD, _IN_USAGE), _Cell(first)]
    if more:
        cells.append(_Cell("\n\n".join(more).replace(KEPT_LINES, ""), _DIM))
    return ["", *(f" {line.shown}".rstrip() for cell in cells for line in (*_lines(cell, room, style), _NOTHING))]


def _table(rows: Sequence[_Row], style: PageStyle) -> Iterator[str]:
    """The lines of arguments or options: each column as wide as its widest cell, the last as wide as is left."""
    cells = [row.cells(with_stars=any(each.is_required for each in rows)) for row in rows]
    *columns, _ = zip(*cells, strict=True)
    widths = [
        max(len(cell.text) for cell in column) + (1 if number == 0 else 2) for number, column in enumerate(columns)
    ]
    return _rows(cells, _fit([*widths, style.width - _FRAME], style.width - _FRAME), style)


def _fit(widths: Sequence[int], room: int) -> list[int]:
    """Narrow the widest columns, together, until all have room."""
    found = list(widths)
    while (excess := sum(found) - room) > 0:
        widest = max(found)
        step = widest - max((width for width in found if width < widest), default=0)
        places = [place for place, width in enumerate(found) if width == widest]
        for others, place in zip(range(len(places), 0, -1), places, strict=True):
            cut = min(step, round(excess / others))
            found[place] -= cut
            excess -= cut
    return found


def _rows(rows: Iterable[Sequence[_Cell]], widths: Sequence[int], style: PageStyle) -> Iterator[str]:
    """Lay rows out in columns, with a space on either side of each but at the edges."""
    last = len(widths) - 1
    rooms = [max(width - (place > 0) - (place < last), 0) for place, width in enumerate(widths)]
    for row in rows:
        columns = [_lines(cell, room, style) for cell, room in zip(row, rooms, strict=True)]
        for lines in zip_longest(*columns, fillvalue=_NOTHING):
            yield "  ".join(line.shown + " " * (room - line.width) for line, room in zip(lines, rooms, strict=True))


def _box(title: str, lines: Iterable[str], style: PageStyle) -> list[str]:
    """Draw a box with a title around lines of its width."""
    left, line, right, side, left_below, right_below = [*style.box]
    begin = f"{left}{line} {title} "
    pieces = [
        f"{begin.ljust(style.width - 1, line)}{right}",
        side,
        f"{left_below}{line * (style.width - 2)}{right_below}",
    ]
    top, edge, bottom = (_draw(each, _Cell(codes=_DIM, marks=()), style) for each in pieces)
    return [top, *(f"{edge} {each} {edge}" for each in lines), bottom]


class _Line(NamedTuple):
    """A line as it is shown, and its columns, which colours do not count for."""

    shown: str
    width: int


_NOTHING: Final = _Line("", 0)


def _lines(cell: _Cell, room: int, style: PageStyle) -> list[_Line]:
    """Break the text of a cell into lines."""
    lines = [_Line(_draw(each, cell, style), len(each)) for each in _lines_of(cell.text, room)]
    if not cell.note:
        return lines
    look = _Cell(codes=cell.note_codes, marks=())
    if len(cell.text) + 1 + len(cell.note) > room:
        return [*lines, *(_Line(_draw(each, look, style), len(each)) for each in _lines_of(cell.note, room))]
    return [_Line(f"{lines[0].shown} {_draw(cell.note, look, style)}", len(cell.text) + 1 + len(cell.note))]


def _lines_of(text: str, room: int) -> Iterator[str]:
    """Break lines between words; a word that has no room alone is cut."""
    for line in text.split("\n"):
        current = ""
        for word in _WORD.findall(line):
            if current and len(current) + len(word.rstrip()) > room:
                yield _cut(current.rstrip(), room)
                current = ""
            current += word
        yield _cut(current.rstrip(), room)


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else f"{text[: max(room - 1, 0)]}…"[:room]


def _draw(text: str, cell: _Cell, style: PageStyle) -> str:
    """A text in the colours of its cell, with what is marked in it."""
    if not style.has_colours:
        return text
    codes = [cell.codes] * len(text)
    for pattern, over in cell.marks:
        for found in pattern.finditer(text):
            for place in range(*found.span(1)):
                codes[place] = _combine_codes(codes[place], over)
    runs = groupby(zip(codes, text, strict=True), key=lambda each: each[0])
    return "".join(paint("".join(sign for _, sign in run), ";".join(its)) for its, run in runs)


def _combine_codes(below: _Codes, above: _Codes) -> _Codes:
    """Combine the codes of overlapping marks: only the upper colour counts."""
    kept = below if _COLORS.isdisjoint(above) else (each for each in below if each not in _COLORS)
    return tuple(sorted({*kept, *above}))
