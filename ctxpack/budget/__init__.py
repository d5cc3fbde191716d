"""Budget: a model's context window, what is kept free in it, and what is left for the pack."""

from ctxpack.budget.division import RESERVES, Budget, Division, Part, Reserve
from ctxpack.budget.models import Model, model_named
from ctxpack.budget.settling import budget_of, counter_of, estimate_of, model_of, settled

__all__ = [
    "RESERVES", "Budget", "Division", "Model", "Part", "Reserve", "budget_of", "counter_of", "estimate_of",
    "model_named", "model_of", "settled",
]  # fmt: skip
