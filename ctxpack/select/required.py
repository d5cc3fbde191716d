"""What must be in the report whatever it costs is made to fit first."""

from __future__ import annotations

from collections.abc import Sequence

from ctxpack.errors import BudgetError
from ctxpack.model import Fragment
from ctxpack.select.excerpt import cut_to_fit, smallest
from ctxpack.select.gauge import PieceCounter
from ctxpack.select.packing import PackingState


def take_required(fragments: Sequence[Fragment], shelf: PackingState) -> None:
    """Put every required fragment on the shelf, the longest ones as excerpts where the room is short.

    Raises BudgetError where not even the least form of each fits.
    """
    if not fragments:
        return
    gauge = shelf.gauge
    whole = _without_overlaps(fragments, gauge)
    costs = [gauge.fragment(fragment) for fragment in whole]
    least = [smallest(fragment, gauge) for fragment in whole]
    needed = sum(map(gauge.fragment, least))
    if needed > shelf.room:
        raise BudgetError(
            f"The required pieces need at least {needed} tokens, and the budget leaves {max(0, shelf.room)} for them.",
            hint=f"Raise the budget by {needed - shelf.room} tokens or more.",
        )
    cap = fair_share(costs, shelf.room)
    for fragment, fallback in zip(whole, least, strict=True):
        piece = cut_to_fit(fragment, cap, gauge) or fallback
        shelf.take(shelf.offer(piece), piece)


def whole_cost(fragments: Sequence[Fragment], gauge: PieceCounter) -> int:
    """What the required fragments cost without a cut; 0 where there are none."""
    required = [fragment for fragment in fragments if fragment.required]
    return sum(gauge.fragment(each) for each in _without_overlaps(required, gauge)) if required else 0


def _without_overlaps(fragments: Sequence[Fragment], gauge: PieceCounter) -> list[Fragment]:
    """The fragments without overlaps, in the order they came."""
    shelf = PackingState(0, {}, gauge)
    for fragment in fragments:
        if not shelf.twin(fragment):
            shelf.take(shelf.offer(fragment), fragment)
    return shelf.pieces


def fair_share(costs: Sequence[int], room: int) -> int:
    """The most tokens one piece may have so that all fit: short ones stay whole, long ones share what is left."""
    left = room
    for done, cost in enumerate(sorted(costs)):
        fair = left // (len(costs) - done)
        if cost > fair:
            return fair
        left -= cost
    return max(costs, default=0)
