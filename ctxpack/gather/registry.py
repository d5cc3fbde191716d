"""Which strategies there are in a run: built-in ones, plug-ins and programs; and what is wrong with those left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from ctxpack.commands import command_name
from ctxpack.errors import UsageError, did_you_mean
from ctxpack.gather.strategy import Strategy
from ctxpack.gather.table import STRATEGIES
from ctxpack.model import Scope
from ctxpack.plugins import Plugin, plugins, resolve
from ctxpack.settings import Settings, StrategyEntry

GROUP = "ctxpack.strategies"
_LONGEST = 200  # characters of what an error says


@dataclass(frozen=True, slots=True)
class Registry:
    """The strategies by id, those of the highest priority first, and a sentence for each that was left out."""

    strategies: Mapping[str, Strategy]
    notes: tuple[str, ...] = ()


def registry(settings: Settings) -> Registry:
    """Every strategy of a run. Nothing of a plug-in is imported that the settings switch off."""
    found, notes = dict(STRATEGIES), list[str]()
    own = sorted(settings.strategy_entries, key=lambda entry: not entry.is_own)  # the user's win over a repository's
    for each in (*_installed(settings), *_programs(own, settings)):
        if isinstance(each, str):
            notes.append(each)
        elif each.id in found:
            notes.append(_taken(each, found[each.id]))
        else:
            found[each.id] = each
    for entry in settings.strategy_entries:
        if not entry.command and entry.id in found:
            found[entry.id] = _limited(found[entry.id], entry)
        elif not entry.command and entry.id not in settings.disable:
            notes.append(f"There is no strategy {entry.id} to set limits for.")
    ordered = sorted(found.values(), key=lambda strategy: (-strategy.priority, strategy.id))
    return Registry({strategy.id: strategy for strategy in ordered}, tuple(notes))


def check_names(settings: Settings, known: Registry) -> None:
    """Raise UsageError if the settings ask for a strategy that there is not, with the names that are near."""
    for name in (*settings.strategies, *settings.enable):
        if name not in known.strategies:
            broken = next((note for note in known.notes if f"strategy {name} " in note), "")
            raise UsageError(broken or f"There is no strategy {name!r}.", hint=_instead(name, known.strategies))


def told(error: BaseException) -> str:
    """What an error says, on one line."""
    said = " ".join(str(error).split())
    name = type(error).__name__
    if name == "RuntimeError" and said:
        return said[:_LONGEST]
    return f"{name}: {said[:_LONGEST]}" if said else name


def _instead(name: str, known: Iterable[str]) -> str:
    return did_you_mean(name, known, count=2) or "See them all: ctxpack strategies"


def _installed(settings: Settings) -> Iterator[Strategy | str]:
    """What installed packages bring; each a strategy, or a sentence about what is wrong with it."""
    for plugin in plugins(GROUP):
        is_off = plugin.name in settings.disable or (settings.strategies and plugin.name not in settings.strategies)
        if is_off:
            yield Strategy(plugin.name, plugin.name, plugin.target, is_default=False, origin=plugin.package)
            continue
        try:
            yield _loaded(plugin)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - a stranger's code: whatever it does, the report is made
            yield f"The strategy {plugin.name} of {plugin.package} was left out: {told(error)}."


def _loaded(plugin: Plugin) -> Strategy:
    found = resolve(plugin.target)
    if isinstance(found, Strategy):
        if found.id != plugin.name:
            raise ValueError(f"it is called {found.id!r}, and its entry point {plugin.name!r}")
        return replace(_checked(found), origin=plugin.package)
    if callable(found):
        return Strategy(plugin.name, plugin.name, found, origin=plugin.package)
    raise TypeError(f"{plugin.target} is a {type(found).__name__}, not a Strategy or a function")


def _checked(strategy: Strategy) -> Strategy:
    """The strategy of a plug-in with its fields as they should be. Raises ValueError and TypeError."""
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
        from ctxpack.gather.command import Command

        origin = command_name(entry.command)
        made = _limited(Strategy(entry.id, entry.name or entry.id, "", origin=origin), entry)
        gather = Command(entry.command, entry.folder, made.timeout_s)
        yield replace(made, gather=gather, is_default=entry.is_default)


def _limited(strategy: Strategy, entry: StrategyEntry) -> Strategy:
    """The strategy with the limits of an entry."""
    return replace(
        strategy,
        scopes=tuple(map(Scope, entry.scopes)) or strategy.scopes,
        priority=strategy.priority if entry.priority is None else entry.priority,
        max_tokens=strategy.max_tokens if entry.max_tokens is None else entry.max_tokens,
        timeout_s=strategy.timeout_s if entry.timeout_s is None else entry.timeout_s,
    )


def _taken(strategy: Strategy, first: Strategy) -> str:
    return f"The strategy {strategy.id} of {strategy.origin} was left out: {_owner(first)} has the same id."


def _owner(strategy: Strategy) -> str:
    return "a built-in one" if strategy.is_built_in else f"one of {strategy.origin}"
