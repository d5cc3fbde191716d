"""The policies of an organisation: read from their files, and applied to the settings.

One that exists but cannot be read stops the run. A flag that breaks a rule is refused; values of files are changed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from ctxpack.errors import ConfigError, UsageError
from ctxpack.light import replace
from ctxpack.model.formats import FORMAT_NAMES
from ctxpack.settings import SETTINGS, ContextFile, Settings, StrategyEntry
from ctxpack.settings.readers import text_list
from ctxpack.settings.sources import BUILT_IN_PROFILE, POLICY_VARIABLE
from ctxpack.settings.tables import (
    CHOICE_TABLES,
    NameRules,
    Policy,
    Refusal,
    allow_entries,
    limit,
    personal,
    redaction,
    refusal,
    required_strategies,
)
from ctxpack.system.commands import command_name

_KEYS: Final = ("allow", "forbid", "require")
_REQUIRING: Final = ("strategies",)
_KNOWN: Final = (*CHOICE_TABLES, "limits", "redaction", "pii", "allow")
_DEMANDS: Final = ("redaction", "pii")
_MEND: Final = "Nothing is read before the policy is: ask who keeps the file."


def policy_file(platform: str = sys.platform) -> Path:
    """Return where a platform keeps the policy; no variable moves it. ``platform`` is as in ``sys.platform``."""
    if platform == "win32":
        return Path("C:/ProgramData/ctxpack/policy.toml")
    if platform == "darwin":
        return Path("/Library/Application Support/ctxpack/policy.toml")
    return Path("/etc/ctxpack/policy.toml")


def read_policies(env: Mapping[str, str], place: Path | None = None) -> tuple[Policy, ...]:
    """Read the machine's policy at ``place``, if there is one, and the one that the variable names; both apply.

    Raises ConfigError for one that is missing though it was named, cannot be read, or is not understood.
    """
    place = place or policy_file()
    found = [_read(place)] if _is_there(place) else []
    named = env.get(POLICY_VARIABLE, "")
    if named:
        found.append(_read(Path(named)))
    return tuple(found)


def apply_policies(settings: Settings, policies: Sequence[Policy]) -> Settings:
    """Return the settings as the policies let them be, with a note for each that was changed.

    Raises UsageError for a flag that goes against a rule, and ConfigError where the rules leave nothing to choose.
    """
    if not policies:
        return settings
    its = _Enforcement(replace(settings, policies=tuple(policies)))
    its.redaction()
    its.allow_list()
    its.limits()
    its.format()
    its.strategies()
    its.commands()
    its.embedding()
    its.contexts()
    return replace(its.settings, notes=(*settings.notes, *its.notes))


def limit_budget(settings: Settings) -> Settings:
    """Return the settings with a budget, taken from their window or model, within that of the policies."""
    most = limit(settings.policies, "budget")
    if most is None or "budget" in settings.origins or not (settings.window or settings.model):
        return settings
    budget = min(settings.budget, int(most[0]))
    notes = (f"The budget is {budget:,} tokens: {most[1]}.",) if budget < settings.budget else ()
    origins = {**settings.origins, "budget": most[1].source}
    return replace(settings, budget=budget, origins=origins, notes=(*settings.notes, *notes))


class _Enforcement:
    """Settings while policies are applied, and the notes on what was changed."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.notes: list[str] = []

    def redaction(self) -> None:
        rule = redaction(self.settings.policies)
        if rule and not self.settings.use_redaction:
            self._change("use_redaction", value=True, rule=rule, what="Secrets are taken out")
        rule = personal(self.settings.policies)
        if rule and not self.settings.pii:
            self._change("pii", value=True, rule=rule, what="Personal data is taken out")

    def allow_list(self) -> None:
        """Let through what the policies allow, and nothing else where one requires redaction."""
        policies, own = self.settings.policies, self.settings.allow
        rule = redaction(policies) or personal(policies)
        if rule and own:
            self.notes.append(f"The allow-list of the configuration is not used: {rule}.")
        allowed = tuple(entry for policy in policies for entry in policy.allowed)
        self.settings = replace(self.settings, allow=(*allowed, *(() if rule else own)))

    def limits(self) -> None:
        names = dict.fromkeys(name for policy in self.settings.policies for name in policy.limits)
        for name in names:
            value, most = getattr(self.settings, name), limit(self.settings.policies, name)
            if most and value > most[0] and not (name == "budget" and "budget" not in self._origins and self._window):
                self._change(name, value=type(value)(most[0]), rule=most[1], what=f"{name} is {most[0]:,.10g}")

    def format(self) -> None:
        rule = refusal(self.settings.policies, "formats", self.settings.format)
        if rule:
            allowed = self._allowed_format(rule)
            self._change("format", value=allowed, rule=rule, what=f"The format is {allowed}")

    def strategies(self) -> None:
        policies = self.settings.policies
        for field in _governed_by("strategies"):
            for name in getattr(self.settings, field):
                rule = refusal(policies, "strategies", name)
                if rule and (field != "require" or self._origins.get(field, "").startswith(BUILT_IN_PROFILE)):
                    left = tuple(each for each in getattr(self.settings, field) if each != name)
                    self._change(field, value=left, rule=rule, what=f"The strategy {name} is left out")
                elif rule and not (self.settings.root / name).exists():  # a path that is called like it is no strategy
                    raise _refusal_error(f"{self._origins.get(field, field)} {name}", rule)
        for name in required_strategies(policies):
            if name in self.settings.disable:
                source = next(each.source for each in policies if name in each.strategies.require)
                left = tuple(each for each in self.settings.disable if each != name)
                rule = Refusal(source, f'[strategies] require "{name}"')
                self._change("disable", value=left, rule=rule, what=f"The strategy {name} is on")

    def commands(self) -> None:
        for field in _governed_by("commands"):
            command = getattr(self.settings, field)
            rule = refusal(self.settings.policies, "commands", command_name(command)) if command else None
            if rule:
                self._change(field, value="", rule=rule, what=f"{command_name(command)} is not used")
        kept: list[StrategyEntry] = []
        for entry in self.settings.strategy_entries:
            rule = refusal(self.settings.policies, "commands", command_name(entry.command)) if entry.command else None
            if rule:
                self.notes.append(f"The strategy {entry.id} is not run: {rule}.")
            else:
                kept.append(entry)
        self.settings = replace(self.settings, strategy_entries=tuple(kept))

    def embedding(self) -> None:
        rule = next(_against_embedding(self.settings), None)
        if rule and self.settings.semantic:
            self._change("semantic", value=False, rule=rule, what="Meanings are not compared")

    def contexts(self) -> None:
        self.settings = replace(self.settings, contexts=tuple(map(self._context, self.settings.contexts)))

    def _context(self, entry: ContextFile) -> ContextFile:
        most = limit(self.settings.policies, "budget")
        if most and (entry.budget or 0) > most[0]:
            self.notes.append(f"The budget of {entry.path} is {most[0]:,.10g} tokens: {most[1]}.")
            entry = replace(entry, budget=int(most[0]))
        rule = refusal(self.settings.policies, "formats", entry.format) if entry.format else None
        if rule:
            raise ConfigError(f"{entry.path} cannot have the format {entry.format}: {rule}.")
        return entry

    @property
    def _origins(self) -> Mapping[str, str]:
        return self.settings.origins

    @property
    def _window(self) -> bool:
        return bool(self.settings.window or self.settings.model)

    def _allowed_format(self, rule: Refusal) -> str:
        for each in FORMAT_NAMES:
            if refusal(self.settings.policies, "formats", each) is None:
                return each
        raise ConfigError(f"No built-in format is left: {rule}.", hint="Name one in the policy.")

    def _change(self, field: str, *, value: object, rule: Refusal, what: str) -> None:
        """Set a field to what the rule allows. Raises UsageError where a flag set it."""
        origin = self._origins.get(field, "")
        if origin.startswith("-"):
            raise _refusal_error(origin, rule)
        if origin:  # a default that is changed is not worth a note
            self.notes.append(f"{what}, not as {origin} says: {rule}.")
        self.settings = replace(self.settings, **{field: value}, origins={**self._origins, field: rule.source})  # type: ignore[arg-type] # the field's own type


def _is_there(place: Path) -> bool:
    """Whether something exists at a path, or may exist."""
    try:
        place.lstat()
    except (FileNotFoundError, NotADirectoryError):  # there is none
        return False
    except OSError:  # to be read and refused: no policy is passed over
        return True
    return True


def _read(place: Path) -> Policy:
    import tomllib

    try:
        return _policy(str(place), tomllib.loads(place.read_bytes().decode("utf-8-sig")))
    except OSError as error:
        raise ConfigError(f"The policy {place} cannot be read: {error.strerror}.", hint=_MEND) from error
    except ValueError as error:  # not UTF-8, not TOML, no path at all, or no policy
        raise ConfigError(f"The policy {place} is not valid: {error}.", hint=_MEND) from error


def _policy(source: str, written: Mapping[str, object]) -> Policy:
    _check_keys(written, _KNOWN, "it")
    for name in _DEMANDS:
        if written.get(name, "optional") not in {"required", "optional"}:
            raise ValueError(f'{name} must be "required" or "optional"')
    needs_redaction, needs_pii = (written.get(name) == "required" for name in _DEMANDS)
    try:
        allowed = allow_entries(written.get("allow", []))
    except ValueError as error:
        raise ValueError(f"allow must be {error}") from error
    choices = {name: _choice(name, _table(written, name)) for name in CHOICE_TABLES}
    limits = {name: _limit(name, value) for name, value in sorted(_table(written, "limits").items())}
    return Policy(
        source, **choices, needs_redaction=needs_redaction, needs_pii=needs_pii, allowed=allowed, limits=limits
    )


def _choice(name: str, table: Mapping[str, object]) -> NameRules:
    _check_keys(table, _KEYS if name in _REQUIRING else _KEYS[:2], f"[{name}]")
    read: dict[str, tuple[str, ...]] = {key: _names(f"{name}.{key}", value) for key, value in table.items()}
    choice = NameRules(**read)
    for each in choice.require:
        if rule := choice.rule_against(each):
            raise ValueError(f"[{name}] requires {each} and says {rule}")
    return choice


def _names(key: str, value: object) -> tuple[str, ...]:
    try:
        read = text_list(value) if isinstance(value, list) else None
    except ValueError:  # the sentence below says what is expected
        read = None
    if not isinstance(read, tuple):
        raise ValueError(f'{key} must be a list such as ["search", "te*"]')  # noqa: TRY004 - the caller tells by it
    return read


def _limit(name: str, value: object) -> float:
    setting = SETTINGS.get(name)
    if setting is None or setting.reader is None or setting.rule != "limits":
        raise ValueError(f"[limits] has an unknown key {name!r}; known keys: {', '.join(_governed_by('limits'))}")
    try:
        return float(str(setting.reader(value)))
    except ValueError as error:
        raise ValueError(f"limits.{name} must be {error}") from error


def _table(written: Mapping[str, object], name: str) -> Mapping[str, object]:
    found = written.get(name, {})
    if not isinstance(found, Mapping):
        raise ValueError(f"{name} must be a table: [{name}]")  # noqa: TRY004 - the caller tells by it
    return found


def _check_keys(written: Mapping[str, object], known: tuple[str, ...], where: str) -> None:
    if unknown := next((key for key in sorted(written) if key not in known), ""):
        raise ValueError(f"{where} has an unknown key {unknown!r}; known keys: {', '.join(known)}")


def _against_embedding(settings: Settings) -> Iterator[Refusal]:
    if rule := refusal(settings.policies, "embedders", settings.embedder):
        yield rule
    host = urlsplit(settings.embedding_url).hostname or ""
    if settings.embedder == "http" and (rule := refusal(settings.policies, "services", host)):
        yield rule


def check_host(host: str, settings: Settings) -> None:
    """Refuse to fetch from a host that a policy forbids. Raises UsageError."""
    if rule := refusal(settings.policies, "services", host):
        raise _refusal_error(f"--root {host}", rule)


def _refusal_error(what: str, rule: Refusal) -> UsageError:
    return UsageError(f"{what} is not allowed: {rule}.", hint="See the policies in force: ctxpack doctor")


def _governed_by(rule: str) -> list[str]:
    """The settings that a table of a policy is about."""
    return [name for name, each in SETTINGS.items() if each.rule == rule]
