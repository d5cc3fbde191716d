from __future__ import annotations

from dataclasses import replace

import pytest

from ctxpack.model import PATCH, Fragment
from ctxpack.render import renderer
from ctxpack.select import PieceCounter
from ctxpack.select.alike import SimilarityIndex, shingles
from ctxpack.select.limits import Limits
from ctxpack.select.packing import PackingState, gain
from tests.building import piece_of
from tests.counting import FakeCounter

TEXT = "".join(f"def step_{number}(value):\n    return value * {number} + offset\n\n" for number in range(20))


def piece(path: str, text: str = TEXT, layer: str = "") -> Fragment:
    return piece_of(text, path, layer=layer)


def known(*pieces: Fragment, limits: Limits | None = None) -> SimilarityIndex:
    alike = SimilarityIndex(limits or Limits())
    for each in pieces:
        alike.add(each)
    return alike


def test_shingles_are_runs_of_words_whatever_stands_between() -> None:
    assert shingles("a b c d e f") == shingles("a  b\nc d\te f")
    assert len(shingles("a b c d e f")) == 2
    assert len(shingles("a b")) == 1
    assert shingles("a b c d e") != shingles("e d c b a")


def test_the_same_text_is_found_wherever_it_stands() -> None:
    assert known(piece("a.py")).find(piece("b.py", f"\n{TEXT}\n\n")) == "same text as a.py:1-60"


def test_nearly_the_same_text_is_found_with_how_much_is_the_same() -> None:
    changed = TEXT.replace("value * 7 ", "value ** 7 ")
    assert known(piece("a.py")).find(piece("b.py", changed)) == "96 % the same as a.py:1-60"


def test_nothing_repeats_where_copies_are_wanted() -> None:
    changed = TEXT.replace("value * 7 ", "value ** 7 ")
    alike = known(piece("a.py"), limits=Limits(keeps_copies=True))
    assert alike.find(piece("b.py", changed)) == ""
    assert alike.news(piece("b.py", changed)) == 1.0


def test_a_part_of_a_longer_text_is_found() -> None:
    part = "".join(TEXT.splitlines(keepends=True)[30:]) + "print(step_0)\n"
    assert known(piece("a.py")).find(piece("b.py", part)).endswith(" % of it is in a.py:1-60")
    assert known(piece("b.py", part)).find(piece("a.py")) == ""  # the longer one says more


@pytest.mark.parametrize(
    ("limits", "is_found"),
    [(Limits(duplicate=0.98, overlap=1.0), False), (Limits(duplicate=0.9, overlap=1.0), True)],
)
def test_how_much_must_be_the_same_can_be_set(limits: Limits, *, is_found: bool) -> None:
    changed = TEXT.replace("value * 7 ", "value ** 7 ")
    assert bool(known(piece("a.py"), limits=limits).find(piece("b.py", changed))) is is_found


def test_the_asynchronous_twin_of_a_method_repeats_it() -> None:
    plain = f"class Client:\n    def send(self):\n        answer = self.read()\n{TEXT}"
    twin = f"class AsyncClient:\n    async def send(self):\n        answer = await self.read()\n{TEXT}"
    other = "".join(f"    value_{at} = await other_{at}()\n" for at in range(80)) + TEXT
    assert known(piece("a.py", plain)).find(piece("a.py", twin)) == "100 % the same as a.py:1-63"
    assert known(piece("a.py", plain)).find(piece("a.py", other)) == ""


def test_siblings_of_one_pattern_are_not_the_same() -> None:
    other = TEXT.replace("step", "jump").replace("offset", "base").replace("value", "height")
    assert known(piece("a.py")).find(piece("b.py", other)) == ""


def test_short_texts_and_changes_may_repeat() -> None:
    short = piece("a.py", "import os\n")
    assert known(short).find(replace(short)) == ""
    assert known(piece("a.py")).find(piece("a.py", layer=PATCH)) == ""
    assert known(piece("a.py", layer=PATCH)).find(piece("a.py")) == ""


def test_news_is_the_share_of_a_text_that_no_piece_holds() -> None:
    more = TEXT + "".join(f"def jump_{number}(height):\n    return height - {number}\n\n" for number in range(20))
    assert known().news(piece("b.py")) == 1
    assert known(piece("a.py")).news(piece("b.py")) == 0
    assert 0.4 < known(piece("a.py")).news(piece("b.py", more)) < 0.6


def test_methods_of_one_shape_are_worth_more_side_by_side_than_apart() -> None:
    packing = PackingState(10_000, {}, PieceCounter(renderer("plain"), FakeCounter()))
    first = piece("a.py")
    packing.take(packing.offer(first), first)
    again = TEXT.replace("offset", "width")
    beside, apart = piece_of(again, "a.py", 61), piece_of(again, "a.py", 200)
    costs = [gain(each, packing.around(each, packing.saving(each))) for each in (beside, apart)]
    assert packing.around(beside, packing.saving(beside)).news > packing.around(apart, packing.saving(apart)).news
    assert costs[0] > costs[1]
