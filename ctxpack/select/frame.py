"""The frame of a report gives way when the budget is small: first the tree, then the added words, then all words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ctxpack.model import Conversation, Omission, Pack
from ctxpack.select.gauge import Gauge

MAX_SHARE = 0.25  # of the budget, for head and tail
MAX_OMISSIONS = 24
TOKENS_PER_OMISSION = 330  # of the budget: so much of it earns one line about where to look on
TOKENS_PER_RESERVED = 1_000  # and so much one that has its room before pieces: the others take what these leave over


def fit_frame(pack: Pack, gauge: Gauge) -> Pack:
    """The pack with as much of its frame as a quarter of the budget holds, or with the barest frame."""
    barest = pack
    around = gauge.frame(pack) - gauge.frame(replace(pack, conversation=Conversation()))  # it stays whatever it costs
    for barest in smaller_frames(pack):
        if gauge.frame(barest) - around <= (pack.budget - around) * MAX_SHARE:
            break
    return barest


def frame_around(needed: int, pack: Pack, gauge: Gauge) -> Pack:
    """The pack with as much of its frame as leaves so many tokens free, where the barest frame would do so."""
    return next((each for each in smaller_frames(pack) if gauge.frame(each) + needed <= pack.budget), pack)


def smaller_frames(pack: Pack) -> Iterator[Pack]:
    """The pack itself, then with less and less around the fragments."""
    yield pack
    pack = replace(pack, tree="")
    yield pack
    pack = replace(pack, query=replace(pack.query, expansions=()))
    yield pack
    pack = replace(pack, query=replace(pack.query, words={}))
    yield pack
    pack = replace(pack, stats={})
    yield pack
    pack = replace(pack, notes=())
    yield pack
    yield replace(pack, selection=replace(pack.selection, omissions=()))


def omissions_wanted(budget: int) -> int:
    """How many lines about where to look on a budget affords at most."""
    return min(MAX_OMISSIONS, budget // TOKENS_PER_OMISSION)


def omissions_reserved(budget: int) -> int:
    """How many of them have their room before pieces have theirs."""
    return min(MAX_OMISSIONS, budget // TOKENS_PER_RESERVED)


def omission_cost(pack: Pack, gauge: Gauge) -> int:
    """About what one of these lines costs in this format, in tokens."""
    sample = Omission("package/some_module.py", 120, 130, 0.55, "budget full", 812, "Some.name")
    one, two = (replace(pack, selection=replace(pack.selection, omissions=(sample,) * count)) for count in (3, 4))
    return gauge.frame(two) - gauge.frame(one)
