"""The output about a run: tables of pieces, budget and statistics, events as JSON, progress bars."""

from __future__ import annotations

import json
import sys
import time
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ctxpack.cli.options import Flags
from ctxpack.cli.output import tell
from ctxpack.errors import UsageError
from ctxpack.events import SILENT, Event, Observer, OnEvent, PackMade, Started
from ctxpack.model import Chunk
from ctxpack.settings import Settings
from ctxpack.settings.budget import budget_of
from ctxpack.text import printable

if TYPE_CHECKING:
    from rich.progress import Progress

    from ctxpack.answer import Report
    from ctxpack.settings.window import Budget


def chunk_label(chunk: Chunk) -> str:
    """Return the name of a chunk: its symbol or its heading path."""
    return printable(chunk.symbol or " › ".join(chunk.heading))


def align_columns(rows: Sequence[Sequence[str]], *, right: Collection[int] = ()) -> str:
    """Format rows as aligned lines; the columns in ``right`` are right-aligned."""
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [
            " " * (width - _width(cell)) + cell if number in right else cell + " " * (width - _width(cell))
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip() + "\n")
    return "".join(lines)


def _width(text: str) -> int:
    """Columns on a terminal: wide characters take two, combining ones none."""
    if text.isascii():
        return len(text)
    return sum(_COLUMNS.get(unicodedata.east_asian_width(each), 1) for each in text if not unicodedata.combining(each))


_COLUMNS = {"W": 2, "F": 2}


_FULL = 100


def division_table(settings: Settings, used: Mapping[str, int] | None = None) -> str:
    """Return the table of ``--explain-budget``; ``used`` are the tokens of the parts in the text itself."""
    budget = budget_of(settings)
    division = budget.division(used)
    rows = [("window", f"{division.window:,}", _window(settings))] if settings.window or settings.model else []
    parts = division.parts if rows else ()
    counted = "counted, within the prompt"
    rows += [
        (part.name, f"{part.tokens:,}", counted if part.is_counted else _part(part.name, budget, settings))
        for part in parts
    ]
    origin = f"from {settings.origins.get('budget', 'the default')}" if budget.asked else "what is left"
    rows.append(("pack", f"{division.pack:,}", origin))
    spare = division.left - division.pack
    if spare > 0:
        rows.append(("free", f"{spare:,}", "not used by the parts above"))
    elif spare < 0:
        rows.append(("over", f"{-spare:,}", "more than the reserves leave, so they may not be kept"))
    return align_columns(rows, right=(1,))


def stats_table(report: Report) -> str:
    """Return the table of ``--stats``."""
    pack, stats = report.pack, report.stats
    rows = [
        ("considered", f"{pack.considered:,} files, {stats['gathered']:,} pieces of them gathered"),
        ("packed", f"{stats['packed']:,} of them, merged into {len(pack.selection.fragments):,}"),
        ("duplicates", f"{stats['duplicates']:,} removed"),
        ("left out", f"{stats['left_out']:,}"),
        ("tokens", f"{stats['tokens_gathered']:,} gathered, {stats['tokens_packed']:,} packed"),
        ("used", f"{pack.tokens_used:,} of {pack.budget:,}, {_FULL * pack.tokens_used / pack.budget:.1f} %"),
        ("time", ", ".join(f"{stage} {each:.3f} s" for stage, each in report.seconds.items())),
    ]
    return align_columns(rows)


def _window(settings: Settings) -> str:
    from ctxpack.settings.budget import estimate_of, model_of

    model = model_of(settings)
    source = settings.origins.get("window", "")
    if model is None:
        return f"from {source}" if source else ""
    name = printable(model.name) if not source else f"from {source}, for {printable(model.name)}"
    estimate = estimate_of(settings)
    return f"{name}, tokens estimated: {model.encoding} {estimate}" if estimate else f"{name}, {model.encoding}"


def _part(name: str, budget: Budget, settings: Settings) -> str:
    if name in budget.reserves:
        given = budget.reserves[name]
        share = f", {given * _FULL:g} %" if isinstance(given, float) else ""
        return f"kept free, from {settings.origins.get('reserve', 'the settings')}{share}"
    if name == "buffer" and budget.error:
        return "kept free for the error of the estimate"
    return "kept free"


def event_writer(log_format: str | None) -> OnEvent | None:
    """Return the writer of events for ``--log-format``; None without one. Raises UsageError for another format."""
    if log_format is None:
        return None
    if log_format != "json":
        raise UsageError(f"--log-format must be json, not {log_format!r}.", hint="Leave it out for plain sentences.")
    return _write


def _write(event: Event) -> None:
    from dataclasses import asdict

    values = {key: round(value, 6) if isinstance(value, float) else value for key, value in asdict(event).items()}
    tell(json.dumps({"event": _name(event), **values}))


def _name(event: Event) -> str:
    """The name of an event in logs: ``StrategyFinished`` is ``strategy_finished``."""
    written = type(event).__name__
    return "".join(f"_{each.lower()}" if each.isupper() else each for each in written).lstrip("_")


OnProgress = Callable[[str, int, int], None]
_PATIENCE_SECONDS = 0.5


@contextmanager
def progress(flags: Flags) -> Iterator[OnProgress | None]:
    """Provide a callback that draws ``(stage, done, total)``, or None where no terminal shows it."""
    if flags.quiet or not sys.stderr.isatty():
        yield None
        return
    bar = _Bar()
    try:
        yield bar.show
    finally:
        bar.stop()


@contextmanager
def progress_of_packs(flags: Flags) -> Iterator[Observer]:
    """Provide an observer that draws a progress bar for each pack and removes it when the pack is finished."""
    if flags.quiet or not sys.stderr.isatty():
        yield SILENT
        return
    bar = _Bar()

    def show(stage: str, done: int, total: int) -> None:
        bar.show(stage, done, total)

    def hear(event: Event) -> None:
        nonlocal bar
        if isinstance(event, Started | PackMade):
            bar.stop()
            bar = _Bar()

    try:
        yield Observer(show, hear)
    finally:
        bar.stop()


class _Bar:
    """A progress bar that appears after a moment and disappears at the end."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._bar: Progress | None = None

    def show(self, stage: str, done: int, total: int) -> None:
        if self._bar is None and time.monotonic() - self._start > _PATIENCE_SECONDS:
            self._bar = _make_bar()
            self._bar.add_task(stage)
            self._bar.start()
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], description=stage, completed=done, total=total or None)

    def stop(self) -> None:
        if self._bar is not None:
            self._bar.stop()


def _make_bar() -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=Console(stderr=True), transient=True)
