"""Progress of a run on standard error: a bar, or a log for machines."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING

from ctxpack.cli.options import Flags
from ctxpack.cli.output import tell
from ctxpack.errors import UsageError
from ctxpack.events import SILENT, Event, Observer, OnEvent, PackMade, Started

if TYPE_CHECKING:
    from rich.progress import Progress

_JSON = "json"


def log_of(log_format: str | None) -> OnEvent | None:
    """Return the writer of events for ``--log-format``; None without one. Raises UsageError for another format."""
    if log_format is None:
        return None
    if log_format != _JSON:
        raise UsageError(f"--log-format must be json, not {log_format!r}.", hint="Leave it out for plain sentences.")
    return _write


def _write(event: Event) -> None:
    values = {key: round(value, 6) if isinstance(value, float) else value for key, value in asdict(event).items()}
    tell(json.dumps({"event": _name(event), **values}))


def _name(event: Event) -> str:
    """``StrategyFinished`` as ``strategy_finished``."""
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
    """An observer that draws a bar for each pack that is made, and takes it away when the pack is finished."""
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
    """Appears once the work has taken a moment, and leaves nothing behind."""

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
