"""Gather: a request and what the ranker found become pieces.

``strategies`` holds the ways to gather, ``registry`` names them, ``orchestrate`` runs them. The other
modules are what they share: the place that is asked for, what uses what, long texts, patches, rules of a project.
"""

from __future__ import annotations

from ctxpack.gather.context import Context
from ctxpack.gather.orchestrate import Gathered, orchestrate
from ctxpack.gather.registry import PLANS, STRATEGIES, Registry, strategies_of

__all__ = ["PLANS", "STRATEGIES", "Context", "Gathered", "Registry", "gather", "orchestrate", "strategies_of"]


def gather(context: Context, known: Registry) -> Gathered:
    """Gather the pieces of every strategy that runs for the request, after those that the settings require.

    ``known`` are all strategies. Raises what ``orchestrate`` and ``with_required`` raise.
    """
    if not context.settings.require:
        return orchestrate(context, known)
    from ctxpack.gather.required import with_required

    return with_required(context, known)
