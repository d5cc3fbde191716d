"""Budget: a model's context window, what is kept free in it, and what is left for the pack.

The models and the division are loaded where a model or a window is named.
"""

from ctxpack.budget.resolution import budget_of, counter_of, estimate_of, model_of, resolve_budget

__all__ = ["budget_of", "counter_of", "estimate_of", "model_of", "resolve_budget"]
