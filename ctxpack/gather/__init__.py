"""Gather: a request and what the ranker found become fragments; one module a strategy, ``table`` names them."""

from __future__ import annotations

from ctxpack.gather.context import Context
from ctxpack.gather.orchestrate import Gathered, orchestrate
from ctxpack.gather.table import PLANS, STRATEGIES
from ctxpack.model import Fragment

__all__ = ["PLANS", "STRATEGIES", "Context", "Gathered", "gather", "orchestrate"]


def gather(context: Context) -> tuple[Fragment, ...]:
    """The fragments alone of ``orchestrate``, which says what is raised."""
    return orchestrate(context).fragments
