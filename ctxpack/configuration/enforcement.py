"""Policies laid over what a run was told: a flag that goes against one is refused, what files say is bent to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final
from urllib.parse import urlsplit

from ctxpack.commands import command_name
from ctxpack.configuration.profiles import ORIGIN
from ctxpack.configuration.values import FORMATS
from ctxpack.errors import ConfigError, UsageError
from ctxpack.policy import Policy, Refusal, limit, redaction, refusal, required
from ctxpack.settings import ContextFile, Settings, StrategyEntry

_ASKED: Final = ("strategies", "enable", "require")  # settings that ask for strategies by name
_COMMANDS: Final = ("rerank", "llm")


def enforced(settings: Settings, policies: Sequence[Policy]) -> Settings:
    """The settings as the policies let them be, with a note for each that had to be bent.

    Raises UsageError for a flag that goes against a rule, and ConfigError where the rules leave nothing to choose.
    """
    if not policies:
        return settings
    its = _Enforcement(replace(settings, policies=tuple(policies)))
    its.redaction()
    its.limits()
    its.format()
    its.strategies()
    its.commands()
    its.embedding()
    its.contexts()
    return replace(its.settings, notes=(*settings.notes, *its.notes))


def within_budget(settings: Settings) -> Settings:
    """The settings whose budget, as their window or model made it, is within that of the policies."""
    most = limit(settings.policies, "budget")
    if most is None or "budget" in settings.origins or not (settings.window or settings.model):
        return settings
    budget = min(settings.budget, int(most[0]))
    notes = (f"The budget is {budget:,} tokens: {most[1]}.",) if budget < settings.budget else ()
    origins = {**settings.origins, "budget": most[1].source}
    return replace(settings, budget=budget, origins=origins, notes=(*settings.notes, *notes))


class _Enforcement:
    """Settings on their way to what they may be, and what was bent."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.notes: list[str] = []

    def redaction(self) -> None:
        rule = redaction(self.settings.policies)
        if rule and not self.settings.use_redaction:
            self._bend("use_redaction", value=True, rule=rule, what="Secrets are taken out")

    def limits(self) -> None:
        names = dict.fromkeys(name for policy in self.settings.policies for name in policy.limits)
        for name in names:
            value, most = getattr(self.settings, name), limit(self.settings.policies, name)
            if most and value > most[0] and not (name == "budget" and "budget" not in self._origins and self._window):
                self._bend(name, value=type(value)(most[0]), rule=most[1], what=f"{name} is {most[0]:,.10g}")

    def format(self) -> None:
        rule = refusal(self.settings.policies, "formats", self.settings.format)
        if rule:
            allowed = self._allowed_format(rule)
            self._bend("format", value=allowed, rule=rule, what=f"The format is {allowed}")

    def strategies(self) -> None:
        policies = self.settings.policies
        for field in _ASKED:
            for name in getattr(self.settings, field):
                rule = refusal(policies, "strategies", name)
                if rule and (field != "require" or self._origins.get(field, "").startswith(ORIGIN)):
                    left = tuple(each for each in getattr(self.settings, field) if each != name)
                    self._bend(field, value=left, rule=rule, what=f"The strategy {name} is left out")
                elif rule and not (self.settings.root / name).exists():  # a path that is called like it is no strategy
                    raise _refused(f"{self._origins.get(field, field)} {name}", rule)
        for name in required(policies, "strategies"):
            if name in self.settings.disable:
                source = next(each.source for each in policies if name in each.strategies.require)
                left = tuple(each for each in self.settings.disable if each != name)
                rule = Refusal(source, f'[strategies] require "{name}"')
                self._bend("disable", value=left, rule=rule, what=f"The strategy {name} is on")

    def commands(self) -> None:
        for field in _COMMANDS:
            command = getattr(self.settings, field)
            rule = refusal(self.settings.policies, "commands", command_name(command)) if command else None
            if rule:
                self._bend(field, value="", rule=rule, what=f"{command_name(command)} is not asked")
        kept = []
        for entry in self.settings.strategy_entries:
            rule = refusal(self.settings.policies, "commands", command_name(entry.command)) if entry.command else None
            if rule:
                self.notes.append(f"The strategy {entry.id} is not run: {rule}.")
            else:
                kept.append(entry)
        self.settings = replace(self.settings, strategy_entries=tuple[StrategyEntry, ...](kept))

    def embedding(self) -> None:
        rule = next(_against_embedding(self.settings), None)
        if rule and self.settings.semantic:
            self._bend("semantic", value=False, rule=rule, what="Meanings are not compared")

    def contexts(self) -> None:
        self.settings = replace(self.settings, contexts=tuple(map(self._context, self.settings.contexts)))

    def _context(self, entry: ContextFile) -> ContextFile:
        most = limit(self.settings.policies, "budget")
        if most and (entry.budget or 0) > most[0]:
            self.notes.append(f"The budget of {entry.path} is {most[0]:,.10g} tokens: {most[1]}.")
            entry = replace(entry, budget=int(most[0]))
        rule = refusal(self.settings.policies, "formats", entry.format) if entry.format else None
        if rule:
            raise ConfigError(f"{entry.path} cannot be kept in the format {entry.format}: {rule}.")
        return entry

    @property
    def _origins(self) -> Mapping[str, str]:
        return self.settings.origins

    @property
    def _window(self) -> bool:
        return bool(self.settings.window or self.settings.model)

    def _allowed_format(self, rule: Refusal) -> str:
        for each in FORMATS:
            if refusal(self.settings.policies, "formats", each) is None:
                return each
        raise ConfigError(f"No built-in format is left: {rule}.", hint="Name one in the policy.")

    def _bend(self, field: str, *, value: object, rule: Refusal, what: str) -> None:
        """Set a field to what the rule allows. Raises UsageError where a flag set it."""
        origin = self._origins.get(field, "")
        if origin.startswith("-"):
            raise _refused(origin, rule)
        if origin:  # a default that is bent is not worth a note
            self.notes.append(f"{what}, not as {origin} says: {rule}.")
        self.settings = replace(self.settings, **{field: value}, origins={**self._origins, field: rule.source})  # type: ignore[arg-type] # the field's own type


def _against_embedding(settings: Settings) -> Iterator[Refusal]:
    if rule := refusal(settings.policies, "embedders", settings.embedder):
        yield rule
    host = urlsplit(settings.embedding_url).hostname or ""
    if settings.embedder == "http" and (rule := refusal(settings.policies, "services", host)):
        yield rule


def _refused(what: str, rule: Refusal) -> UsageError:
    return UsageError(f"{what} is not allowed: {rule}.", hint="See what is in force: ctxpack doctor")
