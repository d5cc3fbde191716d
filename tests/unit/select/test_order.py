from __future__ import annotations

from dataclasses import replace

import pytest

from ctxpack.model import (
    Fragment,
    Kind,
    Pack,
)
from ctxpack.render import renderer, wording
from ctxpack.render.reports import report
from ctxpack.select import PieceCounter, assemble
from ctxpack.select.order import ORDERS, reading_order
from ctxpack.settings.readers import ORDER_NAMES as KNOWN
from tests.building import pack_with, piece_of
from tests.counting import FakeCounter


def piece(path: str, score: float, line: int = 1, kind: Kind = Kind.CODE) -> Fragment:
    text = f"{path} {line}\n"
    return piece_of(text, path, line, language="", kind=kind, value=score, score=score)


def shown(pieces: tuple[Fragment, ...]) -> list[str]:
    return [f"{each.provenance.path}{each.provenance.start_line}" for each in pieces]


SIX = [piece(name, score) for name, score in zip("fedcba", (0.9, 0.8, 0.7, 0.6, 0.5, 0.4), strict=True)]


@pytest.mark.parametrize(
    ("order", "names"),
    [("relevance", "fedcba"), ("path", "abcdef"), ("edges", "fdbace")],
)
def test_files_stand_in_the_order_that_was_asked_for(order: str, names: str) -> None:
    assert [each.provenance.path for each in reading_order(SIX[::-1], order)] == list(names)


def test_the_pieces_of_a_file_stay_together_by_line() -> None:
    pieces = [piece("a", 0.2, 9), piece("a", 0.9, 30), piece("b", 0.8), piece("c", 0.7), piece("a", 0.1, 1)]
    assert shown(reading_order(pieces, "edges")) == ["a1", "a9", "a30", "c1", "b1"]
    assert shown(reading_order(pieces)) == ["a1", "a9", "a30", "b1", "c1"]


def test_a_hierarchy_goes_from_overview_to_tests() -> None:
    kinds = {
        "t": Kind.TEST, "c": Kind.CODE, "s": Kind.SPEC, "r": Kind.README, "w": Kind.WIKI, "k": Kind.CONVENTIONS,
        "y": Kind.CONFIG,
    }  # fmt: skip
    pieces = [piece(path, 0.9 - at / 10, kind=kind) for at, (path, kind) in enumerate(kinds.items())]
    assert [each.provenance.path for each in reading_order(pieces, "hierarchical")] == list("rkswcyt")


def pack_of(order: str, budget: int = 4_000) -> Pack:
    return pack_with(budget=budget, order=order)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("name", ["markdown", "xml", "plain", "json"])
def test_the_head_says_the_order(order: str, name: str) -> None:
    text = report(pack_of(order), renderer(name))
    assert (f'"order":"{order}"' if name == "json" else wording.order(pack_of(order))) in text


@pytest.mark.parametrize("order", ORDERS)
def test_every_order_keeps_the_budget_and_its_word(order: str) -> None:
    pieces = [replace(each, text=f"{each.text}{'word ' * 60}\n", provenance=each.provenance) for each in SIX]
    for budget in (150, 300, 420, 900):
        packed, text = assemble(pieces, pack_of(order, budget), PieceCounter(renderer("plain"), FakeCounter()))
        assert FakeCounter().count(text) <= budget
        assert packed.selection.fragments == reading_order(packed.selection.fragments, order)


def test_the_orders_are_those_that_can_be_asked_for() -> None:
    assert tuple(ORDERS) == KNOWN
