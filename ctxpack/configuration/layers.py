"""The layers of configuration, weakest first, laid over each other."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from ctxpack.budget import settled
from ctxpack.configuration.enforcement import enforced, within_budget
from ctxpack.configuration.files import ConfigFile, read_project_file, read_user_file
from ctxpack.configuration.folders import cache_folder, data_folder, user_file
from ctxpack.configuration.policies import VARIABLE, read_policies
from ctxpack.configuration.profiles import ORIGIN, Profile, ProfileValue, built_in, yielding
from ctxpack.configuration.strategies import entries
from ctxpack.configuration.values import (
    COMMANDS,
    FOLDERS,
    OF_STRATEGIES,
    READERS,
    SPOKEN,
    TABLES,
    Reader,
    UnknownKeyError,
    table,
)
from ctxpack.errors import ConfigError, UsageError
from ctxpack.settings import Settings

_PREFIX = "CTXPACK_"
_ABOUT_FILES = ("CTXPACK_CONFIG", "CTXPACK_PROFILE", VARIABLE)
_FIELDS = {"context": "contexts", "strategy": "strategy_entries"}  # a key whose field has another name
_SPELLED = {"--disable": "--without"}  # flags with another name than their key
_ASKED_FOR = ("strategies", "enable")
_ADDED_UP = ("exclude", "enable", "disable", "strategy_entries")
_SWITCHES_OFF = "use_"


@dataclass(frozen=True, slots=True)
class _Layer:
    """Values of one origin. ``place`` names a key as the user wrote it, for messages."""

    origin: Callable[[str], str]
    place: Callable[[str], str]
    values: Mapping[str, object]
    readers: Mapping[str, Reader]


def load(
    root: Path | str,
    flags: Mapping[str, object] | None = None,
    env: Mapping[str, str] | None = None,
    config: Path | None = None,
    profile: str | None = None,
) -> Settings:
    """Settle what a run on the repository folder ``root`` is told.

    ``flags`` maps fields of Settings to what the user said; ``env`` is the environment, the process's own by default;
    ``config`` stands in for the project's file; ``profile`` picks a ``[profile.NAME]`` table. ``origins`` of the
    result says who set what. An organisation's policies hold whatever the rest says. Raises UsageError for a bad root
    or flag, BudgetError for a window that leaves the pack nothing, ConfigError for everything else.
    """
    env = os.environ if env is None else env
    place, policies = _existing_folder(Path(root)), read_policies(env)
    files = _files(place, env, config)
    layers = [_of_file(file) for file in files]
    its_profiles = [*_profiles(files)]
    layers += _of_profile(its_profiles, profile or env.get("CTXPACK_PROFILE", ""))
    layers += [_of_environment(env), _of_flags(flags or {})]
    values: dict[str, object] = {"cache_dir": cache_folder(env), "data_dir": data_folder(env)}
    origins: dict[str, str] = {}
    for layer in layers:
        for name, value in _read(layer):
            values[name] = _combined(name, values.get(name), value)
            origins[name] = layer.origin(name)
            if name in _ASKED_FOR:  # wins over a weaker layer's disable
                values["disable"] = tuple(each for each in _names(values.get("disable")) if each not in _names(value))
    yielding(values, origins)
    for _, layer in its_profiles:  # a slip in one shows at once, not on the day that it is chosen
        deque(_read(layer), maxlen=0)
    settings = Settings(root=place, **values, origins=origins)  # type: ignore[arg-type] # readers give the fields' types
    return within_budget(settled(enforced(settings, policies)))


def profiles(root: Path | str, env: Mapping[str, str] | None = None, config: Path | None = None) -> tuple[Profile, ...]:
    """Every profile that ``load`` would take with the same arguments, by name. Raises what it raises for files."""
    env = os.environ if env is None else env
    found: dict[str, list[ProfileValue]] = {}
    for name, layer in (*_built_in_profiles(), *_profiles(_files(_existing_folder(Path(root)), env, config))):
        deque(_read(layer), maxlen=0)
        written = [ProfileValue(key, value, layer.origin(key)) for key, value in sorted(layer.values.items())]
        found[name] = sorted([*found.get(name, []), *written], key=lambda each: each.key)
    return tuple(Profile(name, tuple(values)) for name, values in sorted(found.items()))


def _files(root: Path, env: Mapping[str, str], config: Path | None) -> tuple[ConfigFile, ...]:
    """The configuration files of a run, the weakest first."""
    named = config or (Path(env["CTXPACK_CONFIG"]) if env.get("CTXPACK_CONFIG") else None)
    return (*read_user_file(user_file(env)), *read_project_file(root, named))


def _existing_folder(root: Path) -> Path:
    try:
        place = root.resolve(strict=True)
    except (OSError, RuntimeError) as error:  # RuntimeError: a loop of links, before Python 3.13
        raise UsageError(f"There is no folder {root}.", hint="Give --root the folder of a repository.") from error
    if not place.is_dir():
        raise UsageError(f"{root} is a file, not a folder.", hint="Give --root the folder of a repository.")
    return place


def _of_file(file: ConfigFile) -> _Layer:
    """A file's own keys; only the user's file says where caches go, since a repository may be a stranger's."""
    readers = {**READERS, **TABLES, "profile": table(table(lambda each: each))}
    readers["strategy"] = entries(OF_STRATEGIES, file.folder, is_own=file.is_user)
    if file.is_user:
        readers |= {**FOLDERS, **COMMANDS}
    return _Layer(lambda _: file.name, lambda key: f"{file.name}: {key}", file.values, readers)


def _of_profile(profiles: list[tuple[str, _Layer]], name: str) -> list[_Layer]:
    """The layers of a profile: a built-in one, a user's and a project's of one name add up."""
    if not name:
        return []
    layers = [layer for each, layer in (*_built_in_profiles(), *profiles) if each == name]
    if not layers:
        known = [each for each, _ in (*_built_in_profiles(), *profiles)]
        hint = _suggestion(name, known) or f"{_where_profiles_go(name)} See all: ctxpack profiles"
        raise ConfigError(f"There is no profile {name!r}.", hint=hint)
    return layers


def _profiles(files: tuple[ConfigFile, ...]) -> Iterator[tuple[str, _Layer]]:
    """Every profile that is a table; reading the file's own layer reports what is none."""
    for file in files:
        profiles = file.values.get("profile")
        for name, values in profiles.items() if isinstance(profiles, Mapping) else ():
            if isinstance(values, Mapping):
                layer = _profile_layer(f"{file.name} [profile.{name}]", f"{file.name}: profile.{name}", values)
                yield name, replace(layer, readers={**layer.readers, **COMMANDS}) if file.is_user else layer


def _built_in_profiles() -> Iterator[tuple[str, _Layer]]:
    for name, values in built_in().items():
        yield name, _profile_layer(f"{ORIGIN}{name}", f"profile.{name}", values)


def _profile_layer(origin: str, prefix: str, values: Mapping[str, object]) -> _Layer:
    return _Layer(lambda _: origin, lambda key: f"{prefix}.{key}", values, {**READERS, **TABLES})


def _of_environment(env: Mapping[str, str]) -> _Layer:
    values = {
        name.removeprefix(_PREFIX).lower(): value
        for name, value in sorted(env.items())
        if name.startswith(_PREFIX) and name not in _ABOUT_FILES and value
    }
    return _Layer(_variable, _variable, values, {**READERS, **COMMANDS, **FOLDERS})


def _of_flags(flags: Mapping[str, object]) -> _Layer:
    return _Layer(_flag, _flag, flags, {**READERS, **COMMANDS, **SPOKEN})


def _variable(key: str) -> str:
    return _PREFIX + key.upper()


def _flag(key: str) -> str:
    spelled = "--no-" + key.removeprefix(_SWITCHES_OFF) if key.startswith(_SWITCHES_OFF) else "--" + key
    return _SPELLED.get(spelled, spelled.replace("_", "-").replace("redaction", "redact"))


def _read(layer: _Layer) -> Iterator[tuple[str, object]]:
    """The fields a layer sets, with their values. Raises ConfigError, naming the key."""
    for written, raw in layer.values.items():
        key = written.replace("-", "_")
        place = layer.place(written)
        if key in COMMANDS and key not in layer.readers:
            raise ConfigError(
                f"{place} may not be set here: it says what is run or asked, and a repository may be a stranger's.",
                hint=f"Write it into your own file, {user_file(os.environ)}, or set {_variable(key)}.",
            )
        if key not in layer.readers:
            raise ConfigError(f"{place} is not a known setting.", hint=_suggestion(key, [*layer.readers]))
        try:
            value = layer.readers[key](raw)
        except UnknownKeyError as error:
            hint = _suggestion(error.key, [*error.known]) or f"Known are {', '.join(error.known)}."
            raise ConfigError(f"{place} has an unknown key {error.key!r}.", hint=hint) from error
        except ValueError as error:
            seen = f", not {raw!r}" if isinstance(raw, str | int | float) else ""
            raise ConfigError(f"{place} must be {error}{seen}.") from error
        if key != "profile":
            yield _FIELDS.get(key, key), value


def _combined(name: str, weaker: object, stronger: object) -> object:
    """What holds when two layers set a field: tables are merged by key, some lists add up, the rest replaces."""
    if isinstance(weaker, dict) and isinstance(stronger, dict):
        return {**weaker, **stronger}
    if name in _ADDED_UP and isinstance(weaker, tuple) and isinstance(stronger, tuple):
        return tuple(dict.fromkeys((*weaker, *stronger)))
    return stronger


def _names(value: object) -> tuple[str, ...]:
    return value if isinstance(value, tuple) else ()


def _suggestion(word: str, known: list[str]) -> str:
    import difflib

    close = difflib.get_close_matches(word, sorted(known), n=1)
    return f"Did you mean {close[0]!r}?" if close else ""


def _where_profiles_go(name: str) -> str:
    return f"Write a [profile.{name}] table into ctxpack.toml."
