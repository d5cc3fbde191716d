"""What is taken out of texts: secrets, personal data, what engines find; and what is let through, for a reason."""

from __future__ import annotations

from fnmatch import fnmatchcase

from ctxpack.light import dataclass
from ctxpack.redact.engines import Engine, engines_of
from ctxpack.settings import Settings
from ctxpack.settings.tables import AllowEntry


@dataclass(frozen=True, slots=True)
class Rules:
    """What is taken out. ``engines`` are asked for personal data after the shapes of this package."""

    secrets: bool = True
    personal: bool = False
    engines: tuple[Engine, ...] = ()
    allowed: tuple[AllowEntry, ...] = ()

    @property
    def is_off(self) -> bool:
        """Whether nothing is taken out."""
        return not (self.secrets or self.personal)

    @property
    def digest(self) -> str:
        """What names these rules in the keys of caches."""
        engines = [each.name for each in self.engines]
        return (
            f"{self.secrets}"
            if self == Rules(self.secrets)
            else f"{self.secrets}:{self.personal}:{engines}:{self.allowed}"
        )

    def lets_through(self, found: str, kind: str, path: str) -> bool:
        """Return whether an entry of the allow-list is about what was found."""
        return any(_is_about(entry, found, kind, path) for entry in self.allowed)


SECRETS = Rules()


def rules_of(settings: Settings) -> Rules:
    """Return the rules of some settings. Raises ConfigError for an engine that is not there."""
    engines = engines_of(settings) if settings.pii else ()
    return Rules(settings.use_redaction, settings.pii, engines, settings.allow)


def rules_to_keep(settings: Settings) -> Rules:
    """Return the rules for what is kept beyond a run: secrets never are."""
    rules = rules_of(settings)
    return Rules(secrets=True, personal=rules.personal, engines=rules.engines)


def _is_about(entry: AllowEntry, found: str, kind: str, path: str) -> bool:
    return (
        (not entry.value or fnmatchcase(found, entry.value))
        and (not entry.kind or entry.kind == kind)
        and (not entry.path or fnmatchcase(path, entry.path))
    )
