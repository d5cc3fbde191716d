"""All strategies: those that come with ctxpack, those of installed packages, and programs of the configuration."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from ctxpack.errors import UsageError, did_you_mean
from ctxpack.gather.strategy import Strategy
from ctxpack.light import dataclass, replace
from ctxpack.model import Scope
from ctxpack.settings import Settings, StrategyEntry
from ctxpack.system.commands import command_name
from ctxpack.system.plugins import Plugin, plugins, resolve

_TASK, _FILE, _COMPONENT, _DIFF = Scope.TASK, Scope.FILE, Scope.COMPONENT, Scope.DIFF
_MODULES: Final[Mapping[str, str]] = {
    **dict.fromkeys(("selection", "cursor", "heading", "callees"), "place"),
    **dict.fromkeys(("changes", "definitions", "history"), "diff"),
    **dict.fromkeys(("callers", "mentions"), "affected"),
    **dict.fromkeys(("neighbours", "tags"), "pages"),
    "listed": "document",
}
"""Where the function of a strategy is, if not in a module of its name."""
_SLOW = 30.0  # seconds; for what a pack is nothing without


def _row(id_: str, name: str, scopes: tuple[Scope, ...], priority: int, **limits: float) -> Strategy:
    """One built-in strategy. The tree is part of the head."""
    tokens = int(limits["tokens"]) if "tokens" in limits else None
    target = f"ctxpack.gather.strategies.{_MODULES.get(id_, id_)}:gather_{id_}"
    return Strategy(id_, name, target, scopes, priority, tokens, limits.get("seconds", 10.0))


STRATEGIES: Final[Mapping[str, Strategy]] = {
    row.id: row
    for row in (
        _row("selection", "Selected lines and the definition around them", (_FILE,), 98),
        _row("cursor", "Lines around the cursor", (_FILE,), 96),
        _row("heading", "Definitions or headings around the requested lines", (_FILE,), 94, tokens=1_000),
        _row("changes", "The diff itself, or uncommitted changes", tuple(Scope), 92, seconds=_SLOW),
        _row("document", "The file itself", (_FILE,), 90, seconds=_SLOW),
        _row("component", "Files and definitions with the name of the component", (_COMPONENT,), 90, seconds=_SLOW),
        _row("definitions", "Changed definitions of a diff, in full", (_DIFF,), 85, seconds=_SLOW),
        _row("callees", "Definitions that the requested lines use", (_FILE,), 88),
        _row("listed", "The files listed on standard input", (_TASK,), 82),
        _row("neighbours", "Pages about the file, and its folder's readme", (_FILE,), 80),
        _row("callers", "Code that uses what a diff changed", (_DIFF,), 78),
        _row("tests", "Tests of the file", (_FILE, _COMPONENT, _DIFF), 75),
        _row("dependencies", "Imports, importers and dependency maps", (_FILE, _COMPONENT), 70),
        _row("tags", "Documents with the same tags", (_FILE,), 60),
        _row("mentions", "Specs and documents that name what a diff changed", (_DIFF,), 65),
        _row("search", "What matches the request", tuple(Scope), 50, seconds=_SLOW),
        _row("history", "Commits that last changed the lines", (_FILE, _COMPONENT, _DIFF), 40),
        _row("conventions", "Style rules in force", tuple(Scope), 30, tokens=1_500),
        _row("readme", "The project's readme", (_TASK, _FILE, _COMPONENT), 10),
        _row("tree", "The project tree, in the head of the report", tuple(Scope), 5),
    )
}
"""The built-in strategies, by id. Pieces of a strategy with a higher priority come first."""

PLANS: Final[Mapping[Scope, Sequence[str]]] = {
    _TASK: ("search", "readme", "tree"),
    _FILE: ("document", "neighbours", "tests", "dependencies", "tags", "search", "readme", "tree"),
    _COMPONENT: ("component", "tests", "dependencies", "search", "readme", "tree"),
    _DIFF: ("changes", "definitions", "callers", "tests", "mentions", "search", "history"),
}
"""The built-in strategies of a scope that run by default."""

AT_A_PLACE: Final = ("selection", "cursor", "heading", "callees", "conventions")
"""Additional ones for requests that name lines or a definition of a file."""

WITH_A_LIST: Final = ("listed",)
"""Additional ones where the user lists the files."""


STRATEGY_GROUP = "ctxpack.strategies"
_LONGEST = 200  # characters of what an error says


@dataclass(frozen=True, slots=True)
class Registry:
    """The strategies by id, those of the highest priority first, and a sentence for each that was left out."""

    strategies: Mapping[str, Strategy]
    notes: tuple[str, ...] = ()


def registry(settings: Settings) -> Registry:
    """Every strategy of a run. Plug-ins that the settings disable are not imported."""
    found, notes = dict(STRATEGIES), list[str]()
    own = sorted(settings.strategy_entries, key=lambda entry: not entry.is_own)  # the user's win over a repository's
    for each in (*_plugin_strategies(settings), *_programs(own, settings)):
        if isinstance(each, str):
            notes.append(each)
        elif each.id in found:
            owner = "a built-in one" if found[each.id].is_built_in else f"one of {found[each.id].origin}"
            notes.append(f"The strategy {each.id} of {each.origin} was left out: {owner} has the same id.")
        else:
            found[each.id] = each
    for entry in settings.strategy_entries:
        if not entry.command and entry.id in found:
            found[entry.id] = _with_limits(found[entry.id], entry)
        elif not entry.command and entry.id not in settings.disable:
            notes.append(f"There is no strategy {entry.id} to set limits for.")
    ordered = sorted(found.values(), key=lambda strategy: (-strategy.priority, strategy.id))
    return Registry({strategy.id: strategy for strategy in ordered}, tuple(notes))


def strategies_of(settings: Settings) -> Registry:
    """Return every strategy of a run. Raises UsageError if the settings ask for one that does not exist."""
    known = registry(settings)
    check_names(settings, known)
    return known


def check_names(settings: Settings, known: Registry) -> None:
    """Raise UsageError with similar names if the settings ask for a strategy that does not exist."""
    for name in (*settings.strategies, *settings.enable):
        if name not in known.strategies:
            broken = next((note for note in known.notes if f"strategy {name} " in note), "")
            hint = did_you_mean(name, known.strategies, count=2) or "See them all: ctxpack strategies"
            raise UsageError(broken or f"There is no strategy {name!r}.", hint=hint)


def error_text(error: BaseException) -> str:
    """The message of an error, on one line."""
    said = " ".join(str(error).split())
    name = type(error).__name__
    if name == "RuntimeError" and said:
        return said[:_LONGEST]
    return f"{name}: {said[:_LONGEST]}" if said else name


def _plugin_strategies(settings: Settings) -> Iterator[Strategy | str]:
    """The strategies of installed packages, or a sentence about an invalid one."""
    for plugin in plugins(STRATEGY_GROUP):
        is_off = plugin.name in settings.disable or (settings.strategies and plugin.name not in settings.strategies)
        if is_off:
            yield Strategy(plugin.name, plugin.name, plugin.target, is_default=False, origin=plugin.package)
            continue
        try:
            yield _load_plugin(plugin)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - a stranger's code: whatever it does, the report is made
            yield f"The strategy {plugin.name} of {plugin.package} was left out: {error_text(error)}."


def _load_plugin(plugin: Plugin) -> Strategy:
    found = resolve(plugin.target)
    if isinstance(found, Strategy):
        if found.id != plugin.name:
            raise ValueError(f"it is called {found.id!r}, and its entry point {plugin.name!r}")
        return replace(_check_plugin(found), origin=plugin.package)
    if callable(found):
        return Strategy(plugin.name, plugin.name, found, origin=plugin.package)
    raise TypeError(f"{plugin.target} is a {type(found).__name__}, not a Strategy or a function")


def _check_plugin(strategy: Strategy) -> Strategy:
    """The strategy of a plug-in with valid fields. Raises ValueError and TypeError."""
    scopes = tuple(Scope(scope) for scope in strategy.scopes)
    if not scopes or strategy.timeout_s <= 0 or (strategy.max_tokens is not None and strategy.max_tokens < 1):
        raise ValueError("it needs a scope, a time limit above 0 and a token limit above 0")
    return replace(strategy, scopes=scopes, priority=int(strategy.priority))


def _programs(entries: Iterable[StrategyEntry], settings: Settings) -> Iterator[Strategy | str]:
    for entry in entries:
        if not entry.command:
            continue
        if not (entry.is_own or settings.allow_commands):
            if entry.id not in settings.disable:
                yield (
                    f"The strategy {entry.id} was not run: the repository's own configuration names its program. "
                    "If you trust it, add --allow-commands."
                )
            continue
        from ctxpack.gather.outside import Command

        origin = command_name(entry.command)
        made = _with_limits(Strategy(entry.id, entry.name or entry.id, "", origin=origin), entry)
        gather = Command(entry.command, entry.folder, made.timeout_s)
        yield replace(made, gather=gather, is_default=entry.is_default)


def _with_limits(strategy: Strategy, entry: StrategyEntry) -> Strategy:
    """The strategy with the limits of an entry."""
    return replace(
        strategy,
        scopes=tuple(map(Scope, entry.scopes)) or strategy.scopes,
        priority=strategy.priority if entry.priority is None else entry.priority,
        max_tokens=strategy.max_tokens if entry.max_tokens is None else entry.max_tokens,
        timeout_s=strategy.timeout_s if entry.timeout_s is None else entry.timeout_s,
    )
