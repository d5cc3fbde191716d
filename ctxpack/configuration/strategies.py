"""The ``[[strategy]]`` entries of a configuration file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from ctxpack.model import Scope
from ctxpack.settings import StrategyEntry

_Reader = Callable[[object], object]
_PRIORITIES: Final = range(101)


def entries(
    readers: Mapping[str, _Reader], folder: str, *, is_own: bool
) -> Callable[[object], tuple[StrategyEntry, ...]]:
    """A reader of the entries of a file in ``folder``, which is the user's own or not.

    ``readers`` give the common values: text, texts, amount, seconds, boolean, command.
    """
    fields: dict[str, tuple[str, _Reader]] = {
        "id": ("id", readers["text"]),
        "command": ("command", readers["command"]),
        "name": ("name", readers["text"]),
        "scopes": ("scopes", lambda value: _scopes(readers["texts"](value))),
        "priority": ("priority", _priority),
        "max_tokens": ("max_tokens", readers["amount"]),
        "timeout": ("timeout_s", readers["seconds"]),
        "default": ("is_default", readers["boolean"]),
    }

    def read(value: object) -> tuple[StrategyEntry, ...]:
        if not isinstance(value, list) or not all(isinstance(entry, Mapping) for entry in value):
            raise ValueError("written as [[strategy]]")
        found = tuple(replace(_entry(entry, fields), folder=folder, is_own=is_own) for entry in value)
        names = [entry.id for entry in found]
        if twice := next((name for name in names if names.count(name) > 1), ""):
            raise ValueError(f"entries with different ids; {twice} is there twice")
        return found

    return read


def _entry(written: Mapping[str, object], fields: Mapping[str, tuple[str, _Reader]]) -> StrategyEntry:
    unknown = sorted(set(map(str, written)) - set(fields))
    if unknown:
        raise ValueError(f"entries whose keys are among {', '.join(fields)}; {unknown[0]} is none of them")
    if "id" not in written:
        raise ValueError("an entry with id = …")
    values: dict[str, object] = {}
    for key, value in written.items():
        name, reader = fields[key]
        try:
            values[name] = reader(value)
        except ValueError as error:
            raise ValueError(f"an entry whose {key} is {error}") from error
    return StrategyEntry(**values)  # type: ignore[arg-type] # each reader gives its field's type


def _scopes(value: object) -> tuple[str, ...]:
    known = [scope.value for scope in Scope]
    if not isinstance(value, tuple) or not value or not set(value) <= set(known):
        raise ValueError(f"a list of {', '.join(known)}")
    return value


def _priority(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value not in _PRIORITIES:
        raise ValueError("a whole number from 0 to 100")
    return value
