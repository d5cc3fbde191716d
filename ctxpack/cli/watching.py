"""``--watch`` and ``watch``: a report, or the index, is made again when a file changes, until it is interrupted."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Final

from ctxpack.cli.inputs import settings_of
from ctxpack.cli.options import Flags
from ctxpack.cli.output import tell, write
from ctxpack.errors import CtxpackError, UsageError
from ctxpack.index.opening import find_files
from ctxpack.light import replace

_LEAST_PAUSE: Final = 0.5  # seconds between two looks
_SHARE: Final = 10  # of its time at most one part in ten is spent on looking
_CLEAR: Final = "\x1b[2J\x1b[3J\x1b[H"


def check_watch(flags: Flags, *, is_buffer: bool) -> None:
    """Refuse what cannot be watched: input that is read once, and output that cannot be updated. Raises UsageError."""
    if flags.stdin or is_buffer:
        raise UsageError("--watch cannot read standard input again.", hint="Leave out --stdin or --stdin-content.")
    if flags.output == "-" and not flags.copy and not sys.stdout.isatty():
        raise UsageError("--watch needs an output file.", hint="Add -o FILE or --copy.")


def follow_changes(make: Callable[[], None], flags: Flags) -> None:
    """Make a report or the index, and again after every change of a file that is searched or of the configuration.

    Only the first one may fail: later errors are printed, and the next change is awaited. Raises CtxpackError.
    """
    has_made = False
    try:
        with _minding_interrupts() as check_interrupt:
            while True:
                seen = _state(flags)  # before it is made: what changes meanwhile is not missed
                try:
                    _make(make, flags)
                    has_made = True
                except CtxpackError as error:
                    if not has_made:
                        raise
                    tell(f"Error: {error}")
                _wait(seen, flags, check_interrupt)
    except KeyboardInterrupt:  # that is how it ends
        return


def _make(make: Callable[[], None], flags: Flags) -> None:
    if flags.watch and flags.output == "-" and not flags.copy:
        write(_CLEAR)
    make()


@contextmanager
def _minding_interrupts() -> Iterator[Callable[[], None]]:
    """Defer interrupts, and yield the function that raises them.

    One that comes while a process is started is lost: Python raises it where nothing can catch it.
    """
    came: list[int] = []

    def note(number: int, _frame: FrameType | None) -> None:
        came.append(number)
        raise KeyboardInterrupt

    def check() -> None:
        if came:
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, note)
    try:
        yield check
    finally:
        signal.signal(signal.SIGINT, before)


def _wait(seen: object, flags: Flags, check_interrupt: Callable[[], None]) -> None:
    while True:
        check_interrupt()
        begun = time.monotonic()
        if _state(flags) != seen:
            return
        time.sleep(max(_LEAST_PAUSE, _SHARE * (time.monotonic() - begun)))


def _state(flags: Flags) -> object:
    """The files by their content, the commit, and the settings; nothing where they cannot be read, or are half-written.

    The files that the command itself writes are no change.
    """
    try:
        settings = settings_of(replace(flags, quiet=True))
        found = find_files(settings)
    except (CtxpackError, OSError):  # the run that follows says why
        return None
    written = {Path(each).resolve() for each in (flags.output, flags.sources, settings.metrics) if each}
    files = [(file.path, file.blob) for file in found.files if settings.places.of(file.path) not in written]
    return settings.digest, found.state.version, files
