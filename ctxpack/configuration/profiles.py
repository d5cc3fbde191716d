"""Named sets of settings: those that come with ctxpack, a user's and a project's, which add up by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from ctxpack.configuration.files import ConfigFile
from ctxpack.configuration.layers import Layer
from ctxpack.declaration import Origin
from ctxpack.errors import ConfigError, did_you_mean

ORIGIN: Final = "the built-in profile "
_FILE: Final = Path(__file__).with_name("profiles.toml")


@dataclass(frozen=True, slots=True)
class ProfileValue:
    """One value of a profile, as it was written, and where that was."""

    key: str
    written: object
    origin: str


@dataclass(frozen=True, slots=True)
class Profile:
    """A profile by its name, with what it sets, by key; of a key that several files set, what holds comes last."""

    name: str
    values: tuple[ProfileValue, ...]


def all_profiles(files: tuple[ConfigFile, ...]) -> tuple[Profile, ...]:
    """Return every profile by name. Raises ConfigError for a mistake in any."""
    found: dict[str, list[ProfileValue]] = {}
    for name, layer in (*_built_in_layers(), *own_layers(files)):
        layer.check()
        written = [ProfileValue(key, value, layer.origin(key)) for key, value in sorted(layer.values.items())]
        found[name] = sorted([*found.get(name, []), *written], key=lambda each: each.key)
    return tuple(Profile(name, tuple(values)) for name, values in sorted(found.items()))


def own_layers(files: tuple[ConfigFile, ...]) -> Iterator[tuple[str, Layer]]:
    """Yield the profiles of files that are tables; reading the file's own layer reports what is none."""
    for file in files:
        profiles = file.values.get("profile")
        for name, values in profiles.items() if isinstance(profiles, Mapping) else ():
            if isinstance(values, Mapping):
                source = Origin.PROFILE | (Origin.USER if file.is_user else Origin.PROJECT)
                yield name, _layer(source, f"{file.name} [profile.{name}]", f"{file.name}: profile.{name}", values)


def chosen_layers(name: str, own: list[tuple[str, Layer]]) -> list[Layer]:
    """Return the layers of a profile. Raises ConfigError for a name that is none."""
    if not name:
        return []
    known = [*_built_in_layers(), *own]
    layers = [layer for each, layer in known if each == name]
    if not layers:
        where = f"Add a [profile.{name}] table to ctxpack.toml, or list the profiles: ctxpack profiles"
        hint = did_you_mean(name, [each for each, _ in known], show=repr) or where
        raise ConfigError(f"There is no profile {name!r}.", hint=hint)
    return layers


def yield_to_user(values: dict[str, object], origins: dict[str, str]) -> None:
    """Take back what a built-in profile says where the user says otherwise.

    That is its budget if there is a model or a window, which say what there is room for, and the strategies that it
    requires where they are left out.
    """
    if (values.get("model") or values.get("window")) and origins.get("budget", "").startswith(ORIGIN):
        del values["budget"], origins["budget"]
    needed, out = values.get("require"), values.get("disable")
    if isinstance(needed, tuple) and isinstance(out, tuple) and origins.get("require", "").startswith(ORIGIN):
        values["require"] = tuple(name for name in needed if name not in out)


def _built_in_layers() -> Iterator[tuple[str, Layer]]:
    for name, values in _built_in().items():
        yield name, _layer(Origin.PROFILE | Origin.PROJECT, f"{ORIGIN}{name}", f"profile.{name}", values)


def _layer(source: Origin, origin: str, prefix: str, values: Mapping[str, object]) -> Layer:
    return Layer(source, lambda _: origin, lambda key: f"{prefix}.{key}", values)


@cache
def _built_in() -> Mapping[str, Mapping[str, object]]:
    """The tables of the profiles that come with ctxpack, by name."""
    import tomllib

    found: Mapping[str, Mapping[str, object]] = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return found
