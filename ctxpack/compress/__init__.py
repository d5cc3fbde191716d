"""Shorter forms of a piece: whole lines that say least are left out, step by step, and nothing else is changed."""

from __future__ import annotations

from ctxpack.compress.drop import compressed
from ctxpack.compress.steps import STEPS

__all__ = ["STEPS", "compressed"]
