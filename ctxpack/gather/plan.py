"""Which strategies a request runs, why the others do not, and how long they took before."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from ctxpack.errors import UsageError
from ctxpack.gather.registry import AT_A_PLACE, PLANS, WITH_A_LIST, Registry, registry
from ctxpack.gather.strategy import EVERY_SCOPE, Strategy
from ctxpack.light import dataclass
from ctxpack.model import Request, Scope
from ctxpack.settings import Settings
from ctxpack.settings.tables import refusal, required_strategies
from ctxpack.system.disk import read_sealed_json, write_sealed_json

_NAME = "strategy-timings.json"


def record_timings(settings: Settings, seconds: Mapping[str, float]) -> None:
    """Record the seconds of some strategies, together with those of the others."""
    if not settings.use_cache:
        return
    known = last_timings(settings)
    known.update({name: round(value, 6) for name, value in seconds.items()})
    with suppress(OSError):  # only what a list shows is lost
        write_sealed_json(settings.cache_dir / _NAME, known)


def last_timings(settings: Settings) -> dict[str, float]:
    """The seconds that every strategy took when it last ran; empty where nothing is known."""
    return {name: float(value) for name, value in read_sealed_json(settings.cache_dir / _NAME).items()}


_SWITCHES = {"readme": "use_readme", "tree": "use_tree"}
ON, AT_PLACE, LISTED, ON_REQUEST = "on", "on with a line or symbol", "on with --stdin", "on request"


@dataclass(frozen=True, slots=True)
class Plan:
    """The strategies of one run, highest priority first, and notes about those that were asked for but cannot run."""

    strategies: tuple[Strategy, ...]
    notes: tuple[str, ...] = ()


def plan(request: Request, settings: Settings, known: Registry) -> Plan:
    """Choose the strategies for a request. Raises UsageError if none remains."""
    chosen, notes = list[Strategy](), list(known.notes)
    for strategy in known.strategies.values():
        if not _is_allowed(strategy, settings) or not _is_wanted(strategy, request, settings):
            continue
        if request.scope in strategy.scopes:
            chosen.append(strategy)
        elif _is_asked_here(strategy, settings):
            notes.append(f"The strategy {strategy.id} does not serve a {request.scope}, so it was left out.")
    notes += [f"There is no strategy {name} to disable." for name in settings.disable if name not in known.strategies]
    if not chosen:
        raise UsageError(
            f"No strategy is left for a {request.scope}.", hint="See what each one serves: ctxpack strategies"
        )
    return Plan(tuple(chosen), tuple(notes))


def state_of(strategy: Strategy, settings: Settings) -> str:
    """When a strategy runs, in a few words."""
    if rule := refusal(settings.policies, "strategies", strategy.id):
        return f"off ({rule.source})"
    if field := _switched_off_by(strategy, settings):
        return f"off ({settings.origins.get(field, field)})"
    if _is_named(strategy, settings):
        return ON
    if _is_default(strategy):
        return _for_some(strategy) or ON
    if strategy.id in WITH_A_LIST:
        return LISTED
    return AT_PLACE if strategy.id in AT_A_PLACE else ON_REQUEST


def is_on(strategy: Strategy, settings: Settings) -> bool:
    """Whether a strategy runs by default where it suits the request."""
    if _switched_off_by(strategy, settings) or not _is_allowed(strategy, settings):
        return False
    return _is_named(strategy, settings) or _is_default(strategy) or strategy.id in (*AT_A_PLACE, *WITH_A_LIST)


def has_place(request: Request) -> bool:
    """Whether a request names lines or a definition of a file."""
    return request.scope is Scope.FILE and bool(request.line or request.lines or request.symbol)


def _is_wanted(strategy: Strategy, request: Request, settings: Settings) -> bool:
    """Whether a strategy was requested, or is a default of the scope."""
    if strategy.id in (*settings.enable, *required_strategies(settings.policies)):
        return True
    if settings.strategies:
        return strategy.id in settings.strategies
    if not strategy.is_built_in:
        return strategy.is_default and not settings.stable  # what only some have installed is not in a kept file
    if strategy.id in WITH_A_LIST:
        return settings.paths is not None and request.scope in strategy.scopes
    return strategy.id in PLANS.get(request.scope, ()) or (strategy.id in AT_A_PLACE and has_place(request))


def _is_allowed(strategy: Strategy, settings: Settings) -> bool:
    """Whether neither the settings nor a policy keep a strategy from running."""
    return strategy.id not in settings.disable and refusal(settings.policies, "strategies", strategy.id) is None


def _is_asked_here(strategy: Strategy, settings: Settings) -> bool:
    """Whether this run was told to use a strategy, rather than a file that also serves other requests."""
    fields = (name for name in ("enable", "strategies") if strategy.id in getattr(settings, name))
    return any(settings.origins.get(name, "-").startswith("-") for name in fields)


def _switched_off_by(strategy: Strategy, settings: Settings) -> str:
    """The field of the settings that keeps a strategy from running; empty if none does."""
    if strategy.id in settings.disable:
        return "disable"
    if settings.strategies and not _is_named(strategy, settings):
        return "strategies"
    switch = _SWITCHES.get(strategy.id, "")
    return switch if switch and not getattr(settings, switch) else ""


def _is_named(strategy: Strategy, settings: Settings) -> bool:
    asked = (*settings.enable, *settings.strategies, *required_strategies(settings.policies))
    return strategy.id in asked


def _for_some(strategy: Strategy) -> str:
    """Name the scopes for which a built-in strategy runs by default, if it serves others too."""
    names = [scope.value for scope in strategy.scopes if strategy.id in PLANS.get(scope, ())]
    return f"on for {', '.join(names)}" if strategy.is_built_in and len(names) < len(strategy.scopes) else ""


def _is_default(strategy: Strategy) -> bool:
    if strategy.is_built_in:
        return any(strategy.id in names for names in PLANS.values())
    return strategy.is_default


@dataclass(frozen=True, slots=True)
class StrategyStatus:
    """A strategy with its limits in this run, when it runs, and the seconds of its last run."""

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


def strategy_statuses(settings: Settings) -> tuple[tuple[StrategyStatus, ...], tuple[str, ...]]:
    """Every strategy, those of the highest priority first, and notes about those that were left out."""
    known, took = registry(settings), last_timings(settings)
    rows = tuple(
        StrategyStatus(
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
