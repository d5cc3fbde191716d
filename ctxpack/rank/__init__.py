"""Rank the chunks of an index for a query: what is relevant, how much, and why."""

from __future__ import annotations

from ctxpack.rank.meaning import Meaning
from ctxpack.rank.ranking import rank
from ctxpack.rank.weights import Purpose

__all__ = ["Meaning", "Purpose", "rank"]
