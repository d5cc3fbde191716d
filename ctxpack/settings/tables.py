"""Tables as records: the ``[[context]]`` and ``[[strategy]]`` entries of a file, and the rules of a policy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from typing import Final

from ctxpack.light import dataclass, field
from ctxpack.settings.declaration import Reader
from ctxpack.settings.readers import (
    amount,
    boolean,
    command_line,
    enum_values,
    format_name,
    one_of,
    read_table,
    seconds,
    text,
    text_list,
)
from ctxpack.text import PART_MARKERS

DEFAULT_MARKERS: Final = PART_MARKERS
_PRIORITIES: Final = range(101)


@dataclass(frozen=True, slots=True)
class ContextFile:
    """An agent context file that ``ctxpack refresh`` keeps: one ``[[context]]`` entry.

    ``markers`` enclose the part of the file that ctxpack manages; without them it manages the whole file.
    """

    path: str
    request: str = ""  # without one the file says how to work on the project
    scope: str = "task"
    budget: int | None = None
    format: str | None = None
    markers: tuple[str, str] | None = DEFAULT_MARKERS


@dataclass(frozen=True, slots=True)
class StrategyEntry:
    """One ``[[strategy]]`` entry: a program that gathers, or other limits for a strategy that there is anyway.

    ``command`` is a command line, run in ``folder``; without one the entry only sets limits.
    """

    id: str
    command: str = ""
    name: str = ""
    scopes: tuple[str, ...] = ()
    priority: int | None = None
    max_tokens: int | None = None
    timeout_s: float | None = None
    is_default: bool = True
    folder: str = ""  # of the file that names the program
    is_own: bool = False  # from the user's own file, not from a repository's


@dataclass(frozen=True, slots=True)
class AllowEntry:
    """An exception from redaction, and why: one ``[[allow]]`` entry. Empty fields match anything; globs are allowed."""

    reason: str
    value: str = ""
    path: str = ""
    kind: str = ""

    def __str__(self) -> str:
        """Describe it without the value, which may be secret."""
        facts = ("a value" if self.value else "", self.kind, f"in {self.path}" if self.path else "")
        return f"{' '.join(filter(None, facts))}: {self.reason}"


def allow_entries(value: object) -> tuple[AllowEntry, ...]:
    """Read the ``[[allow]]`` entries: each needs a reason and something to match."""
    return tuple(map(_allow, _tables(value, "allow")))


def _tables(value: object, name: str) -> list[Mapping[str, object]]:
    if not isinstance(value, list) or not all(isinstance(entry, Mapping) for entry in value):
        raise ValueError(f"written as [[{name}]]")
    return value


def _allow(written: Mapping[str, object]) -> AllowEntry:
    values = {key: str(value) for key, value in read_table(text, _OF_ALLOW)(written).items()}
    if not values.get("reason", "").strip():
        raise ValueError("an entry with reason = …")
    if not any(values.get(key) for key in _OF_ALLOW[1:]):
        raise ValueError("an entry with value, path or kind = …")
    return AllowEntry(**values)


def context_entries(value: object) -> tuple[ContextFile, ...]:
    """Read the ``[[context]]`` entries. In Markdown and plain text ctxpack manages a marked part by default."""
    return tuple(map(_context, _tables(value, "context")))


def strategy_entries(value: object) -> tuple[StrategyEntry, ...]:
    """Read the ``[[strategy]]`` entries; the reader of the file adds whose they are and their folder."""
    found = tuple(map(_strategy, _tables(value, "strategy")))
    names = [entry.id for entry in found]
    if twice := next((name for name in names if names.count(name) > 1), ""):
        raise ValueError(f"entries with different ids; {twice} is there twice")
    return found


def _context(entry: object) -> ContextFile:
    values = read_table(lambda each: each, tuple(_OF_CONTEXT))(entry)
    needed = ("path", "request") if values.get("scope", "task") != "task" or "format" in values else ("path",)
    for key in needed:
        if key not in values:
            raise ValueError(f"an entry with {key} = …")
    read = {key: _read(key, _OF_CONTEXT[key], each) for key, each in values.items()}
    from ctxpack.model.formats import format_of

    has_markers = "format" not in read or format_of(str(read["format"])).has_markers
    read.setdefault("markers", DEFAULT_MARKERS if has_markers else None)
    return ContextFile(**read)  # type: ignore[arg-type] # each reader gives its field's type


def _strategy(written: Mapping[str, object]) -> StrategyEntry:
    unknown = sorted(set(map(str, written)) - set(_OF_STRATEGY))
    if unknown:
        raise ValueError(f"entries whose keys are among {', '.join(_OF_STRATEGY)}; {unknown[0]} is none of them")
    if "id" not in written:
        raise ValueError("an entry with id = …")
    read = {_OF_STRATEGY[key][0]: _read(key, _OF_STRATEGY[key][1], value) for key, value in written.items()}
    return StrategyEntry(**read)  # type: ignore[arg-type] # each reader gives its field's type


def _read(key: str, reader: Reader, value: object) -> object:
    """Read a value of an entry. The error names its key."""
    try:
        return reader(value)
    except ValueError as error:
        raise ValueError(f"an entry whose {key} is {error}") from error


def _markers(value: object) -> tuple[str, str] | None:
    """Read a pair of different markers; true means the usual pair, false the whole file."""
    if isinstance(value, bool):
        return DEFAULT_MARKERS if value else None
    pair = text_list(value) if isinstance(value, list) else ()
    if len(pair) != 2 or pair[0] in pair[1] or pair[1] in pair[0]:  # noqa: PLR2004 - a start and an end
        raise ValueError("true, false or a pair of different texts")
    return (pair[0], pair[1])


def _scopes(value: object) -> tuple[str, ...]:
    found = text_list(value)
    known = enum_values("Scope")
    if not found or not set(found) <= set(known):
        raise ValueError(f"a list of {', '.join(known)}")
    return found


def _priority(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value not in _PRIORITIES:
        raise ValueError("a whole number from 0 to 100")
    return value


_OF_ALLOW: Final = ("reason", "value", "path", "kind")
_OF_CONTEXT: Final[Mapping[str, Reader]] = {
    "path": text,
    "request": text,
    "scope": one_of("task", "file", "component"),
    "budget": amount,
    "format": format_name,
    "markers": _markers,
}
_OF_STRATEGY: Final[Mapping[str, tuple[str, Reader]]] = {
    "id": ("id", text),
    "command": ("command", command_line),
    "name": ("name", text),
    "scopes": ("scopes", _scopes),
    "priority": ("priority", _priority),
    "max_tokens": ("max_tokens", amount),
    "timeout": ("timeout_s", seconds),
    "default": ("is_default", boolean),
}


REDACTION: Final = 'redaction = "required"'
PERSONAL: Final = 'pii = "required"'
CHOICE_TABLES: Final = ("strategies", "formats", "commands", "embedders", "services")
"""The tables of a policy that choose among names."""


@dataclass(frozen=True, slots=True)
class NameRules:
    """Which names may be used, as globs: allowed ones that are not forbidden. ``require`` has mandatory names."""

    allow: tuple[str, ...] = ("*",)
    forbid: tuple[str, ...] = ()
    require: tuple[str, ...] = ()

    def rule_against(self, name: str) -> str:
        """Return the rule that forbids a name, as written in the file; empty if there is none."""
        if pattern := next((each for each in self.forbid if fnmatchcase(name, each)), ""):
            return f'forbid "{pattern}"'
        is_allowed = any(fnmatchcase(name, each) for each in self.allow)
        return "" if is_allowed else f"allow {', '.join(self.allow) or 'none'}"


@dataclass(frozen=True, slots=True)
class Policy:
    """The rules of one file. ``source`` is its path; ``limits`` are the maximums of numbers among the settings."""

    source: str
    strategies: NameRules = NameRules()
    formats: NameRules = NameRules()
    commands: NameRules = NameRules()  # by the name of the program, without folders
    embedders: NameRules = NameRules()
    services: NameRules = NameRules()  # embedding services, by host
    needs_redaction: bool = False
    needs_pii: bool = False
    allowed: tuple[AllowEntry, ...] = ()  # what its redaction lets through
    limits: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Refusal:
    """A rule that forbids something, as a policy file has it."""

    source: str
    rule: str

    def __str__(self) -> str:
        return f"the policy {self.source} says {self.rule}"


def refusal(policies: Iterable[Policy], table: str, name: str) -> Refusal | None:
    """Return the rule of one of the ``CHOICE_TABLES`` that forbids a name; None if there is none."""
    for policy in policies:
        choice: NameRules = getattr(policy, table)
        if rule := choice.rule_against(name):
            return Refusal(policy.source, f"[{table}] {rule}")
    return None


def required_strategies(policies: Iterable[Policy]) -> tuple[str, ...]:
    """Return the strategies that must be used, without repetition, as the policies list them."""
    return tuple(dict.fromkeys(name for policy in policies for name in policy.strategies.require))


def limit(policies: Iterable[Policy], name: str) -> tuple[float, Refusal] | None:
    """Return the lowest limit of a number among the settings, and the rule that sets it."""
    found = [(policy.limits[name], policy.source) for policy in policies if name in policy.limits]
    if not found:
        return None
    most, source = min(found)
    return most, Refusal(source, f"[limits] {name} = {most:,.10g}")


def redaction(policies: Iterable[Policy]) -> Refusal | None:
    """Return the rule that requires redaction; None if there is none."""
    return next((Refusal(each.source, REDACTION) for each in policies if each.needs_redaction), None)


def personal(policies: Iterable[Policy]) -> Refusal | None:
    """Return the rule that requires personal data to be redacted; None if there is none."""
    return next((Refusal(each.source, PERSONAL) for each in policies if each.needs_pii), None)
