"""What an organisation allows, forbids and requires: the rules of a policy.

``ctxpack.configuration`` reads them and applies them to settings.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Final

REDACTION: Final = 'redaction = "required"'
CHOICE_TABLES: Final = ("strategies", "formats", "commands", "embedders", "services")
"""The tables of a policy that choose among names."""


@dataclass(frozen=True, slots=True)
class NameRules:
    """Which names may be used, as globs: allowed ones that are not forbidden. ``require`` holds names that must be."""

    allow: tuple[str, ...] = ("*",)
    forbid: tuple[str, ...] = ()
    require: tuple[str, ...] = ()

    def rule_against(self, name: str) -> str:
        """Return the rule that forbids a name, as it stands in the file; empty if there is none."""
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
    limits: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Refusal:
    """A rule that forbids something, as it stands in a policy file."""

    source: str
    rule: str

    def __str__(self) -> str:
        return f"the policy {self.source} says {self.rule}"


def refusal(policies: Iterable[Policy], table: str, name: str) -> Refusal | None:
    """Return what forbids a name, by one of the ``CHOICE_TABLES``; None if nothing does."""
    for policy in policies:
        choice: NameRules = getattr(policy, table)
        if rule := choice.rule_against(name):
            return Refusal(policy.source, f"[{table}] {rule}")
    return None


def required(policies: Iterable[Policy], table: str) -> tuple[str, ...]:
    """Return the names that must be used, without repetition, as the policies list them."""
    return tuple(dict.fromkeys(name for policy in policies for name in getattr(policy, table).require))


def limit(policies: Iterable[Policy], name: str) -> tuple[float, Refusal] | None:
    """Return the lowest limit of a number among the settings, and the rule that sets it."""
    found = [(policy.limits[name], policy.source) for policy in policies if name in policy.limits]
    if not found:
        return None
    most, source = min(found)
    return most, Refusal(source, f"[limits] {name} = {most:,.10g}")


def redaction(policies: Iterable[Policy]) -> Refusal | None:
    """Return what forbids to leave secrets as they are; None if nothing does."""
    return next((Refusal(each.source, REDACTION) for each in policies if each.needs_redaction), None)
