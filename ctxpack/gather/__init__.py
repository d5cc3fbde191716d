"""Gather: a request and what the ranker found become fragments; one module a strategy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module

from ctxpack.gather.context import Context
from ctxpack.gather.repeats import without_repeats
from ctxpack.model import Fragment, Scope

__all__ = ["PLANS", "STRATEGIES", "Context", "gather"]

STRATEGIES: Mapping[str, str] = {
    name: f"ctxpack.gather.{name}:gather"
    for name in (
        "component", "dependency_map", "document", "imports", "neighbours", "readme", "search", "tags", "tests",
    )
}  # fmt: skip
"""Name -> ``module:attribute``; the attribute takes a Context and gives Fragments."""

PLANS: Mapping[Scope, Sequence[str]] = {
    Scope.TASK: ("search", "readme"),
    Scope.FILE: ("document", "neighbours", "tests", "imports", "dependency_map", "tags", "search", "readme"),
    Scope.COMPONENT: ("component", "tests", "dependency_map", "search", "readme"),
}
"""The strategies of a scope, in the order in which they run."""


def gather(context: Context) -> tuple[Fragment, ...]:
    """The fragments of every strategy of the request's scope; no piece lies within an earlier one of its file.

    Raises NothingFoundError and UsageError as the strategies do.
    """
    found: list[Fragment] = []
    for name in PLANS[context.request.scope]:
        module, _, attribute = STRATEGIES[name].partition(":")
        found += getattr(import_module(module), attribute)(context)
    return without_repeats(found)
