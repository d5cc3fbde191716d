"""What ``ctxpack strategies`` tells of each strategy."""

from __future__ import annotations

from dataclasses import dataclass

from ctxpack.gather.plan import is_on, state_of
from ctxpack.gather.registry import registry
from ctxpack.gather.strategy import EVERY_SCOPE
from ctxpack.gather.timings import recalled
from ctxpack.settings import Settings


@dataclass(frozen=True, slots=True)
class Listed:
    """One strategy: its limits as they hold in this run, when it runs, and the seconds it took when it last did."""

    id: str
    name: str
    scopes: tuple[str, ...]
    priority: int
    max_tokens: int
    timeout_s: float
    state: str
    is_enabled: bool
    origin: str  # the package or program that brings it; empty for a built-in one
    has_budget: bool  # it has no limit of its own but the budget
    last_s: float | None

    @property
    def serves_all(self) -> bool:
        """Whether it serves every request."""
        return len(self.scopes) == len(EVERY_SCOPE)


def listing(settings: Settings) -> tuple[tuple[Listed, ...], tuple[str, ...]]:
    """Every strategy, those of the highest priority first, and notes about those that were left out."""
    known, took = registry(settings), recalled(settings)
    rows = tuple(
        Listed(
            id=each.id,
            name=each.name,
            scopes=tuple(scope.value for scope in each.scopes),
            priority=each.priority,
            max_tokens=min(each.max_tokens or settings.budget, settings.budget),
            timeout_s=each.timeout_s,
            state=state_of(each, settings),
            is_enabled=is_on(each, settings),
            origin="" if each.is_built_in else each.origin,
            has_budget=each.max_tokens is None,
            last_s=took.get(each.id),
        )
        for each in known.strategies.values()
    )
    return rows, known.notes
