"""The policies of an organisation, read. One that is there but cannot be read stops the run."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from ctxpack.configuration.values import COMMANDS, READERS, Reader, texts
from ctxpack.errors import ConfigError
from ctxpack.policy import Choice, Policy

VARIABLE: Final = "CTXPACK_POLICY"
_LIMITED: Final = (
    "budget", "max_file_size", "limit", "around", "rerank_top", "rerank_timeout", "llm_timeout", "max_rounds",
    "embedding_timeout", "embedding_missing",
)  # fmt: skip
_TABLES: Final = ("strategies", "formats", "commands", "embedders", "services")
_KEYS: Final = ("allow", "forbid", "require")
_REQUIRING: Final = ("strategies",)
_KNOWN: Final = (*_TABLES, "limits", "redaction")
_MEND: Final = "Nothing is read before the policy is: ask who keeps the file."


def policy_file(platform: str = sys.platform) -> Path:
    """Where a platform keeps an organisation's policy; no variable moves it. ``platform`` is as in ``sys.platform``."""
    if platform == "win32":
        return Path("C:/ProgramData/ctxpack/policy.toml")
    if platform == "darwin":
        return Path("/Library/Application Support/ctxpack/policy.toml")
    return Path("/etc/ctxpack/policy.toml")


def read_policies(env: Mapping[str, str], place: Path | None = None) -> tuple[Policy, ...]:
    """The machine's policy at ``place``, if there is one, and that which the variable names: both hold.

    Raises ConfigError for one that is missing though it was named, cannot be read, or is not understood.
    """
    place = place or policy_file()
    found = [_read(place)] if _is_there(place) else []
    named = env.get(VARIABLE, "")
    if named:
        found.append(_read(Path(named)))
    return tuple(found)


def _is_there(place: Path) -> bool:
    """Whether something is at a place; what cannot be told apart from something is."""
    try:
        place.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return True


def _read(place: Path) -> Policy:
    import tomllib

    try:
        written = tomllib.loads(place.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise ConfigError(f"The policy {place} cannot be read: {error.strerror}.", hint=_MEND) from error
    except ValueError as error:  # not UTF-8, not TOML, or no path at all
        raise ConfigError(f"The policy {place} is not valid: {error}.", hint=_MEND) from error
    try:
        return _policy(str(place), written)
    except ValueError as error:
        raise ConfigError(f"The policy {place} is not valid: {error}.", hint=_MEND) from error


def _policy(source: str, written: Mapping[str, object]) -> Policy:
    _check_keys(written, _KNOWN, "it")
    redaction = written.get("redaction", "optional")
    if redaction not in {"required", "optional"}:
        raise ValueError('redaction must be "required" or "optional"')
    choices = {name: _choice(name, _table(written, name)) for name in _TABLES}
    limits = {name: _limit(name, value) for name, value in sorted(_table(written, "limits").items())}
    return Policy(source, **choices, needs_redaction=redaction == "required", limits=limits)


def _choice(name: str, table: Mapping[str, object]) -> Choice:
    _check_keys(table, _KEYS if name in _REQUIRING else _KEYS[:2], f"[{name}]")
    read: dict[str, tuple[str, ...]] = {key: _names(f"{name}.{key}", value) for key, value in table.items()}
    choice = Choice(**read)
    for each in choice.require:
        if rule := choice.rule_against(each):
            raise ValueError(f"[{name}] requires {each} and says {rule}")
    return choice


def _names(key: str, value: object) -> tuple[str, ...]:
    try:
        read = texts(value) if isinstance(value, list) else None
    except ValueError:
        read = None
    if not isinstance(read, tuple):
        raise ValueError(f'{key} must be a list such as ["search", "te*"]')  # noqa: TRY004 - the caller tells by it
    return read


def _limit(name: str, value: object) -> float:
    readers: dict[str, Reader] = {**READERS, **COMMANDS}
    if name not in _LIMITED:
        raise ValueError(f"[limits] has an unknown key {name!r}; known are {', '.join(_LIMITED)}")
    reader: Callable[[object], object] = readers[name]
    try:
        return float(str(reader(value)))
    except ValueError as error:
        raise ValueError(f"limits.{name} must be {error}") from error


def _table(written: Mapping[str, object], name: str) -> Mapping[str, object]:
    found = written.get(name, {})
    if not isinstance(found, Mapping):
        raise ValueError(f"{name} must be a table: [{name}]")  # noqa: TRY004 - the caller tells by it
    return found


def _check_keys(written: Mapping[str, object], known: tuple[str, ...], where: str) -> None:
    if unknown := next((key for key in sorted(written) if key not in known), ""):
        raise ValueError(f"{where} has an unknown key {unknown!r}; known are {', '.join(known)}")
