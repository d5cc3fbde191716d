"""A progress bar only where somebody sees it, and only for long work."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr

import pytest

from ctxpack.cli.display import progress
from ctxpack.cli.options import Flags


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@contextmanager
def watched() -> Iterator[Terminal]:
    """Standard error as a terminal that remembers what was drawn."""
    with redirect_stderr(Terminal()) as screen:
        yield screen


def test_nobody_watches() -> None:
    with progress(Flags()) as show:
        assert show is None


def test_quiet_is_quiet() -> None:
    with watched(), progress(Flags(quiet=True)) as show:
        assert show is None


def test_short_work_shows_nothing() -> None:
    with watched() as terminal, progress(Flags()) as show:
        assert show is not None
        show("indexing", 1, 2)
    assert terminal.getvalue() == ""


def test_long_work_is_drawn_and_leaves_the_screen_clean(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ctxpack.cli.display._PATIENCE_SECONDS", -1)
    monkeypatch.setenv("TERM", "xterm")
    with watched() as terminal, progress(Flags()) as show:
        assert show is not None
        show("indexing", 1, 2)
        show("ranking", 2, 2)
    assert "indexing" in terminal.getvalue()
    assert terminal.getvalue().endswith("\x1b[2K")
