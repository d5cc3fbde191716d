"""Evaluate: how well the ranking does on the commits of a repository: each message asks for the files it changed."""

from __future__ import annotations

from ctxpack.workflows.evaluation import Evaluation, Variant, evaluate

__all__ = ["Evaluation", "Variant", "evaluate"]
