"""Rank the chunks of an index for a query: what is relevant, how much, and why."""

from __future__ import annotations

from ctxpack.rank.board import Purpose
from ctxpack.rank.meaning import Meaning
from ctxpack.rank.ranking import rank

__all__ = ["Meaning", "Purpose", "rank"]
