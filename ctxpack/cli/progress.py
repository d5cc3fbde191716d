"""A progress bar on standard error, for long work and only on a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ctxpack.cli.options import Flags

if TYPE_CHECKING:
    from rich.progress import Progress

OnProgress = Callable[[str, int, int], None]
_PATIENCE_SECONDS = 0.5


@contextmanager
def progress(flags: Flags) -> Iterator[OnProgress | None]:
    """A callback that draws ``(stage, done, total)``, or None where nobody would see it."""
    if flags.quiet or not sys.stderr.isatty():
        yield None
        return
    bar = _Bar()
    try:
        yield bar.show
    finally:
        bar.stop()


class _Bar:
    """Appears once the work has taken a moment, and leaves nothing behind."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._bar: Progress | None = None

    def show(self, stage: str, done: int, total: int) -> None:
        if self._bar is None and time.monotonic() - self._start > _PATIENCE_SECONDS:
            self._bar = _drawn()
            self._bar.add_task(stage)
            self._bar.start()
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], description=stage, completed=done, total=total or None)

    def stop(self) -> None:
        if self._bar is not None:
            self._bar.stop()


def _drawn() -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=Console(stderr=True), transient=True)
