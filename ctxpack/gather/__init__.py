"""Gather: a request and what the ranker found become pieces.

``strategies`` holds the ways to gather, ``registry`` names them, ``orchestrate`` runs them. The other
modules are what they share: the requested place, usages, long texts, patches, rules of a project.
"""

from __future__ import annotations

from ctxpack.gather.context import Context
from ctxpack.gather.orchestrate import Gathered, gather
from ctxpack.gather.registry import PLANS, STRATEGIES, Registry, strategies_of

__all__ = ["PLANS", "STRATEGIES", "Context", "Gathered", "Registry", "gather", "strategies_of"]
