"""Gather: a request and what the ranker found become fragments.

``strategies`` holds one module each, ``table`` names them, ``orchestrate`` runs them. The other folders are what they
share: the place that is asked for, what belongs to what, long texts, diffs, and the rules of a project.
"""

from __future__ import annotations

from ctxpack.gather.context import Context
from ctxpack.gather.orchestrate import Gathered, orchestrate
from ctxpack.gather.registry import PLANS, STRATEGIES
from ctxpack.model import Fragment

__all__ = ["PLANS", "STRATEGIES", "Context", "Gathered", "gather", "orchestrate"]


def gather(context: Context) -> tuple[Fragment, ...]:
    """The fragments alone of ``orchestrate``, which says what is raised."""
    return orchestrate(context).fragments
