"""The standard streams of a command that another process has sent: its files, with word before anything is written."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, TextIO


class _Told(io.FileIO):
    """A file that says so before something is written to it."""

    def __init__(self, number: int, on_write: Callable[[], None]) -> None:
        super().__init__(number, "wb", closefd=False)
        self._on_write = on_write

    def write(self, data: Any, /) -> int:  # noqa: ANN401 - whatever a buffer gives
        """Write, after word of it."""
        self._on_write()
        return super().write(data)


class _Held(io.FileIO):
    """A file whose text waits until it is released; on a terminal it does not wait."""

    def __init__(self, number: int) -> None:
        super().__init__(number, "wb", closefd=False)
        self._waits = not self.isatty()
        self._held = bytearray()

    def write(self, data: Any, /) -> int:  # noqa: ANN401 - whatever a buffer gives
        """Write, or keep it."""
        if not self._waits:
            return super().write(data)
        self._held += memoryview(data)
        return memoryview(data).nbytes

    def release(self) -> None:
        """Write what waits, and all that follows at once."""
        self._waits = False
        held, self._held = bytes(self._held), bytearray()
        with suppress(OSError):  # nobody reads standard error
            while held:
                held = held[super().write(held) :]


@contextmanager
def standard_streams(files: Sequence[int], on_answer: Callable[[], None]) -> Iterator[None]:
    """Take three files for standard input, output and error until the block ends.

    ``on_answer`` is called before the first byte goes to standard output. Until then messages wait, unless on a
    terminal: a command that breaks off so far has written nothing, and can be run again. The order stays.
    """
    before = sys.stdin, sys.stdout, sys.stderr
    kept = [os.dup(number) for number in range(3)]
    for number, given in enumerate(files):
        os.dup2(given, number)
    held, has_begun = _Held(2), False

    def begin() -> None:
        nonlocal has_begun
        if not has_begun:
            has_begun = True
            on_answer()
            held.release()

    sys.stdin = _text(before[0], io.BufferedReader(io.FileIO(0, "rb", closefd=False)))
    sys.stdout = _text(before[1], io.BufferedWriter(_Told(1, begin)))
    sys.stderr = _text(before[2], io.BufferedWriter(held), is_line_buffered=True)
    try:
        yield
    finally:
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):  # nobody reads it any more
                stream.flush()
        held.release()
        sys.stdin, sys.stdout, sys.stderr = before
        for number, given in enumerate(kept):
            os.dup2(given, number)
            os.close(given)


def _text(like: TextIO, buffer: io.BufferedReader | io.BufferedWriter, *, is_line_buffered: bool = False) -> TextIO:
    """Wrap a buffer in the encoding of a stream of this process, which is that of processes like it."""
    is_terminal = is_line_buffered or buffer.isatty()
    return io.TextIOWrapper(
        buffer, encoding=like.encoding, errors=like.errors, newline="\n", line_buffering=is_terminal
    )
