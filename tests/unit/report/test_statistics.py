"""What became of everything that was gathered, in numbers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ctxpack.model import Fragment, Pack
from ctxpack.render import renderer
from ctxpack.render.wording import utilisation
from ctxpack.report.framing import Tally, times, window_shares
from ctxpack.select import PieceCounter
from ctxpack.settings import Settings
from tests.building import pack_with, piece_of
from tests.counting import FakeCounter

COUNTER = PieceCounter(renderer("plain"), FakeCounter(size=1))
LONG = "a line of text that is long enough to be no coincidence\n"


def piece(path: str, start: int, end: int, text: str = LONG) -> Fragment:
    return piece_of(text, path, start, end_line=end)


def pack(*pieces: Fragment) -> Pack:
    return pack_with(*pieces, budget=200, tokens_used=150)


def test_the_same_selection_is_counted_once() -> None:
    tally, whole = Tally((piece("a.py", 1, 10),), COUNTER), pack(piece("a.py", 1, 10))
    assert tally.statistics(whole) is tally.statistics(replace(whole, tokens_used=1))
    assert tally.statistics(pack()) == {**tally.statistics(whole), "packed": 0, "left_out": 1, "tokens_packed": 0}


def test_pieces_are_packed_repeated_or_left_out() -> None:
    gathered = (
        piece("a.py", 1, 10),
        piece("a.py", 8, 12, "shares a line with what is packed\n"),
        piece("copy.py", 1, 1, LONG),
        piece("short.py", 1, 1, "x\n"),
        piece("b.py", 1, 1, "something else altogether, with words of its own\n"),
    )
    numbers = Tally(gathered, COUNTER).statistics(pack(piece("a.py", 1, 10, LONG + "x\n")))
    assert numbers == {
        "gathered": 5,
        "packed": 2,
        "duplicates": 1,
        "left_out": 2,
        "tokens_gathered": sum(len(each.text) for each in gathered),
        "tokens_packed": len(LONG) + 2,
    }


def test_utilisation_is_percent_rounded_down() -> None:
    assert [utilisation(replace(pack(), tokens_used=used)) for used in (0, 150, 199, 200)] == [0, 75, 99, 100]


def test_times_are_milliseconds() -> None:
    assert times({"index": 0.0124, "rank": 2.0}) == {"ms_index": 12, "ms_rank": 2000}


def test_shares_are_told_where_a_window_is_known(tmp_path: Path) -> None:
    settings = Settings(root=tmp_path, cache_dir=tmp_path)
    assert window_shares(settings) == {}
    told = window_shares(replace(settings, window=10_000, reserve={"answer": 100}))
    assert told == {
        "window": 10_000, "reserve_system": 500, "reserve_request": 500, "reserve_history": 1_000,
        "reserve_memory": 200, "reserve_answer": 100, "reserve_buffer": 200,
    }  # fmt: skip
