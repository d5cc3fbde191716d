"""Finish the text of a pack: fit the frame, and drop the weakest pieces while it is over the budget."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ctxpack.errors import BudgetError
from ctxpack.light import replace
from ctxpack.model import Conversation, Fragment, Omission, Pack, Selection
from ctxpack.select.limits import SEARCH, Limits, below_floor, far_from_place
from ctxpack.select.order import FULL, omission, reading_order
from ctxpack.select.packing import weakness
from ctxpack.select.pieces import PieceCounter

MAX_SHARE = 0.25  # of the budget, for head and tail
MAX_OMISSIONS = 24
TOKENS_PER_OMISSION = 330  # of the budget, for one line about where to look on
TOKENS_PER_RESERVED = 1_000  # the same, for a line that has its room before pieces: the others take what these leave


def fit_frame(pack: Pack, counter: PieceCounter) -> Pack:
    """Reduce the frame of a pack to a quarter of the budget, or to the smallest frame."""
    barest = pack
    around = counter.frame(pack) - counter.frame(
        replace(pack, conversation=Conversation())
    )  # it stays whatever it costs
    for barest in smaller_frames(pack):
        if counter.frame(barest) - around <= (pack.budget - around) * MAX_SHARE:
            break
    return barest


def frame_around(needed: int, pack: Pack, counter: PieceCounter) -> Pack:
    """Reduce the frame of a pack until ``needed`` tokens are free; keep it whole if that is impossible."""
    return next((each for each in smaller_frames(pack) if counter.frame(each) + needed <= pack.budget), pack)


def smaller_frames(pack: Pack) -> Iterator[Pack]:
    """Yield the pack itself, then with smaller and smaller frames."""
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
    """The maximum number of lines about omitted pieces, by budget."""
    return min(MAX_OMISSIONS, budget // TOKENS_PER_OMISSION)


def omissions_reserved(budget: int) -> int:
    """How many of them get room before the pieces."""
    return min(MAX_OMISSIONS, budget // TOKENS_PER_RESERVED)


def omission_cost(pack: Pack, counter: PieceCounter) -> int:
    """The approximate cost of such a line in this format, in tokens."""
    sample = Omission("package/some_module.py", 120, 130, 0.55, "budget full", 812, "Some.name")
    one, two = (replace(pack, selection=replace(pack.selection, omissions=(sample,) * count)) for count in (3, 4))
    return counter.frame(two) - counter.frame(one)


_KEPT_OMISSIONS = 3
_MAX_ROUNDS = 12  # the count is in the text: some rounds until it names itself


def finish(pack: Pack, counter: PieceCounter) -> tuple[Pack, str]:
    """Write the text of a pack, never over the budget, and record its exact count as ``tokens_used``.

    Excess goes in this order: lines about omitted pieces, except a few of those that got room before the
    pieces; the weakest pieces that are not required; parts of the frame. Raises BudgetError if it still does
    not fit.
    """
    while True:
        finished, text = _count_itself(pack, counter)
        if finished.tokens_used <= pack.budget:
            return finished, text
        smaller = _smaller(pack, counter)
        if smaller is None:
            raise BudgetError(
                f"The smallest report needs {finished.tokens_used} tokens, but the budget is {pack.budget}.",
                hint=f"Raise the budget to at least {finished.tokens_used} tokens.",
            )
        pack = smaller


def _count_itself(pack: Pack, counter: PieceCounter) -> tuple[Pack, str]:
    """Make the pack name its own token count: iterating from zero ends at the smallest consistent number."""
    pack = replace(pack, tokens_used=0)
    for _ in range(_MAX_ROUNDS):
        text, used = counter.report(pack)
        if used == pack.tokens_used:
            break
        pack = replace(pack, tokens_used=used)
    return pack, text


def _smaller(pack: Pack, counter: PieceCounter) -> Pack | None:
    """The next smaller pack, or None if nothing can go any more."""
    selection = pack.selection
    if len(selection.omissions) > min(_KEPT_OMISSIONS, omissions_reserved(pack.budget)):
        return replace(pack, selection=replace(selection, omissions=selection.omissions[:-1]))
    optional = sorted((piece for piece in selection.fragments if not piece.required), key=weakness)
    if optional and len(selection.fragments) > 1:
        return replace(pack, selection=_without(pack, optional[0], counter))
    before = counter.frame(pack)
    return next((frame for frame in smaller_frames(pack) if counter.frame(frame) < before), None)


def _without(pack: Pack, weakest: Fragment, counter: PieceCounter) -> Selection:
    selection = pack.selection
    dropped = omission(weakest, counter.fragment(weakest), FULL)
    omissions = (dropped, *selection.omissions[:-1]) if selection.omissions else ()
    kept = (piece for piece in selection.fragments if piece is not weakest)
    return Selection(reading_order(kept, pack.order), omissions)


_ENOUGH = 0.9  # of its budget: a pack that uses this part lacks nothing


def bound_of_filler(fragments: Sequence[Fragment], pack: Pack, limits: Limits) -> float:
    """The part of the best score below which all is that the limits kept out of a pack with room left; else 0."""
    is_chosen = any(each.is_listed for each in fragments) and not limits.takes_listed  # they kept pieces out
    if is_chosen or pack.tokens_used >= _ENOUGH * pack.budget:
        return 0.0
    weak = below_floor(fragments, limits) | far_from_place(fragments, limits)
    if not weak:
        return 0.0
    best = max(each.provenance.score for each in fragments if each.strategy == SEARCH)
    highest = int(100 * max(each.provenance.score for each in weak) / best) + 1  # percent
    return max(limits.floor, limits.filler, highest / 100)
