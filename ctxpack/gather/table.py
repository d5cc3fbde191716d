"""The built-in strategies, and which of them run for which request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from ctxpack.gather.strategy import Strategy
from ctxpack.model import Scope

_TASK, _FILE, _COMPONENT, _DIFF = Scope.TASK, Scope.FILE, Scope.COMPONENT, Scope.DIFF
_SLOW = 30.0  # seconds; for what a pack is nothing without


def _row(id_: str, name: str, scopes: tuple[Scope, ...], priority: int, **limits: float) -> Strategy:
    """One built-in strategy; its module in ``strategies`` has its name. The tree has none: it is part of the head."""
    tokens = int(limits["tokens"]) if "tokens" in limits else None
    return Strategy(
        id_, name, f"ctxpack.gather.strategies.{id_}:gather", scopes, priority, tokens, limits.get("seconds", 10.0)
    )


STRATEGIES: Final[Mapping[str, Strategy]] = {
    row.id: row
    for row in (
        _row("selection", "Selected lines and what they are a part of", (_FILE,), 98),
        _row("cursor", "Lines around the cursor", (_FILE,), 96),
        _row("heading", "Definitions or headings around the place", (_FILE,), 94, tokens=1_000),
        _row("changes", "The diff itself, or what is not committed", tuple(Scope), 92, seconds=_SLOW),
        _row("document", "The file itself", (_FILE,), 90, seconds=_SLOW),
        _row("component", "What has the name of the component", (_COMPONENT,), 90, seconds=_SLOW),
        _row("definitions", "What a diff changed, in full", (_DIFF,), 85, seconds=_SLOW),
        _row("callees", "What the definition at the place calls", (_FILE,), 88),
        _row("listed", "The files listed on standard input", (_TASK,), 82),
        _row("neighbours", "Pages about the file, and its folder's readme", (_FILE,), 80),
        _row("callers", "Who uses what a diff changed", (_DIFF,), 78),
        _row("tests", "Tests of the file", (_FILE, _COMPONENT, _DIFF), 75),
        _row("dependencies", "Imports, importers and dependency maps", (_FILE, _COMPONENT), 70),
        _row("tags", "Documents with the same tags", (_FILE,), 60),
        _row("mentions", "Specs and documents that name what a diff changed", (_DIFF,), 65),
        _row("search", "What the words of the request find", tuple(Scope), 50, seconds=_SLOW),
        _row("history", "Commits that last touched the lines", (_FILE, _COMPONENT, _DIFF), 40),
        _row("conventions", "Style rules in force", tuple(Scope), 30, tokens=1_500),
        _row("readme", "What the project is", (_TASK, _FILE, _COMPONENT), 10),
        _row("tree", "The project tree, in the head of the report", tuple(Scope), 5),
    )
}
"""What belongs to ctxpack, by id. Pieces of a strategy with a higher priority come first."""

PLANS: Final[Mapping[Scope, Sequence[str]]] = {
    _TASK: ("search", "readme", "tree"),
    _FILE: ("document", "neighbours", "tests", "dependencies", "tags", "search", "readme", "tree"),
    _COMPONENT: ("component", "tests", "dependencies", "search", "readme", "tree"),
    _DIFF: ("changes", "definitions", "callers", "tests", "mentions", "search", "history"),
}
"""The built-in strategies of a scope that run without being asked for."""

AT_A_PLACE: Final = ("selection", "cursor", "heading", "callees", "conventions")
"""Those that run besides where the request names lines or a definition of a file."""

WITH_A_LIST: Final = ("listed",)
"""Those that run besides where the user lists the files."""
