"""The last step: render, count the finished text exactly, and give way until it fits."""

from __future__ import annotations

from dataclasses import replace

from ctxpack.errors import BudgetError
from ctxpack.model import Fragment, Pack, Selection
from ctxpack.select.frame import smaller_frames
from ctxpack.select.gains import weakness
from ctxpack.select.gauge import Gauge
from ctxpack.select.missed import FULL, omission
from ctxpack.select.order import reading_order

_KEPT_OMISSIONS = 3
_MAX_ROUNDS = 12  # the count is in the text: some rounds until it names itself


def finish(pack: Pack, gauge: Gauge) -> tuple[Pack, str]:
    """The pack whose ``tokens_used`` is the exact count of the text beside it, which is never over the budget.

    What is over goes in this order: lines about what just missed, the weakest pieces that are not required, parts of
    the frame. Raises BudgetError where even then it does not fit.
    """
    while True:
        finished, text = _settled(pack, gauge)
        if finished.tokens_used <= pack.budget:
            return finished, text
        smaller = _smaller(pack, gauge)
        if smaller is None:
            raise BudgetError(
                f"The smallest report needs {finished.tokens_used} tokens, but the budget is {pack.budget}.",
                hint=f"Raise the budget to at least {finished.tokens_used} tokens.",
            )
        pack = smaller


def _settled(pack: Pack, gauge: Gauge) -> tuple[Pack, str]:
    """The pack that names the count of its own text: counting up from nothing ends at the least such number."""
    pack = replace(pack, tokens_used=0)
    for _ in range(_MAX_ROUNDS):
        text, used = gauge.report(pack)
        if used == pack.tokens_used:
            break
        pack = replace(pack, tokens_used=used)
    return pack, text


def _smaller(pack: Pack, gauge: Gauge) -> Pack | None:
    """The next smaller pack, or None if nothing can go any more."""
    selection = pack.selection
    if len(selection.omissions) > _KEPT_OMISSIONS:
        return replace(pack, selection=replace(selection, omissions=selection.omissions[:-1]))
    optional = sorted((piece for piece in selection.fragments if not piece.required), key=weakness)
    if optional and len(selection.fragments) > 1:
        return replace(pack, selection=_without(pack, optional[0], gauge))
    before = gauge.frame(pack)
    return next((frame for frame in smaller_frames(pack) if gauge.frame(frame) < before), None)


def _without(pack: Pack, weakest: Fragment, gauge: Gauge) -> Selection:
    selection = pack.selection
    dropped = omission(weakest, gauge.fragment(weakest), FULL)
    omissions = (dropped, *selection.omissions[:-1]) if selection.omissions else ()
    kept = (piece for piece in selection.fragments if piece is not weakest)
    return Selection(reading_order(kept, pack.order), omissions)
