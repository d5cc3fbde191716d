"""Choose what is worth most for its tokens, cut and merge it to fit, and finish the report."""

from __future__ import annotations

from ctxpack.select.choose import assemble, select
from ctxpack.select.finish import bound_of_filler, finish, fit_frame
from ctxpack.select.limits import Limits, limits_of
from ctxpack.select.pieces import PieceCounter

__all__ = ["Limits", "PieceCounter", "assemble", "bound_of_filler", "finish", "fit_frame", "limits_of", "select"]
