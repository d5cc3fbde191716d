"""How much of a pack is measured as said twice."""

from __future__ import annotations

import pytest

from ctxpack.model import Fragment
from tests.building import piece_of
from tests.scripting import bench
from tests.unit.select import test_alike

duplicates = bench("duplicates")
TEXT = test_alike.TEXT.replace("value", "the_value_given")


def piece(path: str, text: str = TEXT) -> Fragment:
    return piece_of(text, path)


def test_what_stands_in_an_earlier_piece_is_said_twice() -> None:
    assert duplicates.share([piece("a.py"), piece("b.py")]) == 0.5
    assert duplicates.share([piece("a.py"), piece("b.py", TEXT.replace("given", "taken"))]) == 0.0
    assert duplicates.share([]) == 0.0


def test_indentation_and_short_runs_do_not_count() -> None:
    indented = "".join(f"    {line}\n" for line in TEXT.splitlines())
    assert duplicates.share([piece("a.py"), piece("b.py", indented)]) == pytest.approx(0.5, abs=0.01)
    assert duplicates.share([piece("a.py"), piece("b.py", "".join(TEXT.splitlines(keepends=True)[:2]))]) == 0.0
