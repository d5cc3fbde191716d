from __future__ import annotations

from dataclasses import replace

from ctxpack.model import Fragment, Kind, Selection
from ctxpack.query.understand import Aim
from ctxpack.render import renderer
from ctxpack.select import PieceCounter
from ctxpack.select.limits import Limits
from ctxpack.select.order import omissions, with_weaker
from ctxpack.select.packing import PackingState
from tests.building import piece_of
from tests.counting import FakeCounter


def piece(path: str, start: int, value: float, symbol: str = "name", kind: Kind = Kind.CODE) -> Fragment:
    text = "".join(f"{path} line {number}\n" for number in range(start, start + 10))
    return piece_of(text, path, start, kind=kind, language="", value=value, score=value, symbol=symbol)


def packing(room: int = 10, *aims: Aim) -> PackingState:
    return PackingState(room, {}, PieceCounter(renderer("markdown"), FakeCounter()), Limits(aims=frozenset(aims)))


def test_the_best_places_are_named_two_of_a_file_at_most() -> None:
    missed = [piece("a.py", start, 0.9 - start / 1_000) for start in (10, 100, 200)] + [piece("b.py", 30, 0.5)]
    found = omissions(missed, packing(), 5)
    assert [(each.path, each.start_line) for each in found] == [("a.py", 10), ("a.py", 100), ("b.py", 30)]
    assert all(each.reason == "budget full" and each.tokens > 0 for each in found)


def test_what_there_is_room_for_was_less_relevant() -> None:
    found = omissions([piece("a.py", 10, 0.9)], packing(500), 5)
    assert [each.reason for each in found] == ["less relevant"]


def test_no_two_places_share_lines() -> None:
    found = omissions([piece("a.py", 10, 0.9), piece("a.py", 15, 0.8), piece("a.py", 20, 0.7)], packing(), 5)
    assert [each.start_line for each in found] == [10, 20]


def test_what_stands_above_the_first_definition_is_no_place() -> None:
    missed = [piece("a.py", 1, 0.9, symbol=""), piece("b.md", 1, 0.8, symbol="", kind=Kind.DOC)]
    assert [each.path for each in omissions(missed, packing(), 5)] == ["b.md"]


def test_the_end_of_a_definition_is_no_place() -> None:
    ends = [replace(piece("a.cs", 10, 0.9), text="    }\n}\n", is_bridge=True)]
    ends.append(replace(piece("a.cs", 40, 0.8), text="    return found;\n}\n", is_bridge=True))
    assert [each.start_line for each in omissions(ends, packing(), 5)] == [40]


def test_the_list_goes_on_with_what_was_not_relevant_enough() -> None:
    packed, missed, weak, other = (piece(f"{each}.py", 10, 1 - 0.2 * at) for at, each in enumerate("abcd"))
    selection = Selection((packed,), omissions([missed], packing(), 3))
    fragments = [packed, missed, other, weak]
    found = with_weaker(selection, fragments, 3).omissions
    assert [(each.path, each.reason) for each in found] == [
        ("b.py", "budget full"), ("c.py", "less relevant"), ("d.py", "less relevant"),
    ]  # fmt: skip
    assert with_weaker(selection, fragments, 2).omissions == found[:2]


def test_what_the_search_scored_far_below_the_best_piece_is_no_place() -> None:
    packed, near, far = (piece(f"{each}.py", 10, score) for each, score in (("a", 0.9), ("b", 0.4), ("c", 0.2)))
    selection = Selection((packed,), ())
    other = replace(far, strategy="tests", provenance=replace(far.provenance, path="test_c.py"))
    found = with_weaker(selection, [packed, near, far, other], 5).omissions
    assert [each.path for each in found] == ["b.py", "test_c.py"]


def test_the_order_of_what_comes_does_not_matter() -> None:
    missed = [piece(f"m{number % 3}.py", 10 + 20 * number, 0.5) for number in range(12)]
    assert omissions(missed, packing(), 8) == omissions(missed[::-1], packing(), 8)


def test_duplicates_are_no_places_to_open_but_where_code_is_changed() -> None:
    own, other = piece("pool.py", 10, 0.9), piece("b.py", 30, 0.5)
    twin = replace(piece("pool_async.py", 10, 0.8), text=own.text)
    page = replace(piece("pool.md", 10, 0.8, kind=Kind.DOC), text=own.text)
    for aims, expected in (
        ((), [("b.py", False), ("pool_async.py", True), ("pool.md", True)]),
        ((Aim.CHANGE,), [("pool_async.py", False), ("b.py", False), ("pool.md", True)]),
    ):
        state = packing(5_000, *aims)
        state.take(state.offer(own), own)
        assert all(map(state.is_double, (twin, page)))
        found = omissions([other], state, 5)
        assert [(each.path, each.is_double) for each in found] == expected
        assert {each.path for each in found if "same text as pool.py" in each.reason} == {"pool_async.py", "pool.md"}


def test_of_many_duplicates_those_to_change_are_told_first() -> None:
    own = piece("pool.py", 10, 0.9)
    pages = [replace(piece(f"{name}.md", 10, 0.85, kind=Kind.DOC), text=own.text) for name in ("one", "two")]
    twin = replace(piece("pool_async.py", 10, 0.8), text=own.text)
    state = packing(5_000, Aim.CHANGE)
    state.take(state.offer(own), own)
    assert all(map(state.is_double, (*pages, twin)))
    assert [each.path for each in omissions([], state, 5)] == ["pool_async.py", "two.md"]
    state.take(state.offer(twin), twin)
    assert [each.path for each in omissions([], state, 5)] == ["two.md", "one.md"]
