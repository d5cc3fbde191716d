"""Choose what is worth most for its tokens, cut and merge it to fit, and finish the report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ctxpack.errors import BudgetError
from ctxpack.light import replace
from ctxpack.model import Fragment, Pack
from ctxpack.select.choose import SEAMS, select, whole_cost
from ctxpack.select.counter import PieceCounter
from ctxpack.select.finish import finish, fit_frame, frame_around, omissions_wanted, smaller_frames
from ctxpack.select.limits import DEFAULTS, Limits, is_short_by_floor, limits_of
from ctxpack.select.order import with_weaker

__all__ = ["Limits", "PieceCounter", "assemble", "finish", "fit_frame", "is_short_by_floor", "limits_of", "select"]


def assemble(
    fragments: Sequence[Fragment],
    pack: Pack,
    counter: PieceCounter,
    shares: Mapping[str, float] | None = None,
    limits: Limits = DEFAULTS,
) -> tuple[Pack, str]:
    """Pack the best fragments and write the finished text, never over ``pack.budget`` tokens.

    ``pack`` is everything but the selection; ``shares`` maps a lane or a kind to its soft share of the budget.
    Raises BudgetError where not even the smallest report fits.
    """
    framed = frame_around(whole_cost(fragments, counter) + SEAMS, fit_frame(pack, counter), counter)
    for smaller in smaller_frames(framed):
        try:
            chosen = select(fragments, smaller, counter, shares or {}, limits)
            listed = with_weaker(chosen, fragments, omissions_wanted(pack.budget))
            return finish(replace(smaller, selection=listed), counter)
        except BudgetError as error:  # the frame gives way before a required piece, or the only one, does
            last = error
    raise last
