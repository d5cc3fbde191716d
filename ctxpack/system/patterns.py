"""Patterns as an earlier run compiled them: to compile hundreds takes a tenth of the time of a whole request.

A file stores the programs that the engine of the standard library runs. The engine checks a program before it accepts
it, and every version of Python has its own file. Where the engine has no such interface, patterns are compiled.
"""

from __future__ import annotations

import marshal
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from ctxpack.light import compile_with
from ctxpack.system.disk import DamagedError, read_sealed, write_sealed

_MOST: Final = 2_000  # patterns: those of former versions go where there are more
_Program = tuple[Any, ...]  # what the engine makes a pattern of


class PatternTable:
    """The programs in one file, by the text and the flags of their patterns."""

    def __init__(self, folder: Path) -> None:
        self._place = folder / "patterns" / f"{sys.implementation.cache_tag}-{sys.hexversion:x}.1.bin"
        self._is_new = False

    @cached_property
    def _known(self) -> dict[tuple[str, int], _Program]:
        """What the file holds; a report that was kept, or a process that stays, mostly needs none of it."""
        with suppress(OSError, DamagedError, ValueError, EOFError, TypeError):  # they are compiled again
            return dict(marshal.loads(read_sealed(self._place)))  # noqa: S302 - sealed, and nothing that runs
        return {}

    def compile(self, text: str, flags: int) -> re.Pattern[str]:
        """Return what ``re.compile`` returns."""
        with suppress(
            ImportError, AttributeError, TypeError, ValueError, RuntimeError, OverflowError
        ):  # re compiles it
            program = self._known.get((text, flags)) or self._program(text, int(flags))
            compiled: re.Pattern[str] = import_module("_sre").compile(text, *program)
            return compiled
        return re.compile(text, flags)

    def _program(self, text: str, flags: int) -> _Program:
        """Compile a pattern as the standard library does."""
        compiler = import_module("re._compiler")
        parsed = import_module("re._parser").parse(text, flags)
        code = [int(each) for each in compiler._code(parsed, flags)]  # noqa: SLF001 - nothing public gives it
        state = parsed.state
        names = [None] * state.groups
        for name, number in state.groupdict.items():
            names[number] = name
        program = (int(flags | state.flags), code, state.groups - 1, dict(state.groupdict), tuple(names))
        self._known[text, flags] = program
        self._is_new = True
        return program

    def keep(self) -> None:
        """Write what is new, for the next run. Does nothing where no file can be written."""
        if not self._is_new:
            return
        kept = list(self._known.items())[-_MOST:]
        with suppress(OSError):  # the next run compiles them again
            self._place.parent.mkdir(parents=True, exist_ok=True)
            write_sealed(self._place, marshal.dumps(dict(kept)))


@contextmanager
def kept_patterns(folder: Path | None) -> Iterator[None]:
    """Take patterns from a folder, until the block ends, and keep there what was compiled; without one, neither."""
    if folder is None:
        yield
        return
    table = PatternTable(folder)
    with compile_with(table.compile):
        yield
    table.keep()
