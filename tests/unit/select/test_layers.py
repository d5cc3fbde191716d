"""A diff, a log and another state of a file are apart from the file itself: they neither overlap nor merge with it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ctxpack.gather.orchestrate import without_repeats
from ctxpack.model import LOG, PATCH, Form
from ctxpack.render import renderer
from ctxpack.select import PieceCounter
from ctxpack.select.order import ORDERS, reading_order
from ctxpack.select.packing import PackingState
from ctxpack.select.pieces import is_verbatim
from tests.building import piece_of
from tests.counting import FakeCounter

CODE = piece_of("a\nb\nc\n", score=0.9, value=0.9)
DIFF = piece_of(
    "@@ -1 +1 @@\n-x\n+a\n", strategy="changes", language="diff", score=1.0, required=True, value=1.0, layer=PATCH
)
LOGGED = replace(CODE, text="one commit\n", form=Form.OUTLINE, layer=LOG)
BEFORE = replace(CODE, text="a\nb\nd\n", layer="0123")


def test_each_of_them_is_taken() -> None:
    packing = PackingState(10_000, {}, PieceCounter(renderer("plain"), FakeCounter()))
    for each in (DIFF, CODE, LOGGED, BEFORE):
        assert not packing.twin(each)
        packing.take(packing.offer(each), each)
    assert len(packing.pieces) == 4


def test_a_diff_is_never_cut_or_joined_by_lines() -> None:
    assert is_verbatim(CODE)
    assert not is_verbatim(DIFF)


@pytest.mark.parametrize("order", ORDERS)
def test_the_diff_of_a_file_comes_before_its_lines_in_every_order(order: str) -> None:
    assert reading_order([CODE, DIFF], order)[0] is DIFF


def test_lines_are_numbered_where_they_are_those_of_the_file() -> None:
    numbered = renderer("plain", line_numbers=True)
    assert "1  a\n" in numbered.fragment(CODE, 1)
    assert "1  @@" not in numbered.fragment(DIFF, 1)


def test_what_a_required_diff_shows_is_not_brought_again() -> None:
    shown = replace(CODE, text="a\n", provenance=replace(CODE.provenance, end_line=1))
    assert without_repeats([DIFF, shown, CODE]) == (DIFF, CODE)
    assert without_repeats([replace(DIFF, required=False), shown]) == (replace(DIFF, required=False), shown)
