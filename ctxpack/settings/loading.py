"""One frozen ``Settings`` from all sources: defaults, files, profile, variables, flags, policies, model.

A profile is a named set of settings. Those that come with ctxpack, a user's and a project's add up by name.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from ctxpack.errors import ConfigError, UsageError, did_you_mean
from ctxpack.light import dataclass
from ctxpack.settings import Settings
from ctxpack.settings.budget import resolve_budget
from ctxpack.settings.declaration import Origin
from ctxpack.settings.policies import apply_policies, limit_budget, read_policies
from ctxpack.settings.roots import join_roots, listed_folders
from ctxpack.settings.sources import (
    BUILT_IN_PROFILE,
    CONFIG_VARIABLE,
    PROFILE_VARIABLE,
    ConfigFile,
    Layer,
    cache_folder,
    combine,
    data_folder,
    file_layer,
    flag_layer,
    read_project_file,
    read_user_file,
    user_file,
    variable_layer,
)

_FILE: Final = Path(__file__).with_name("profiles.toml")


@dataclass(frozen=True, slots=True)
class ProfileValue:
    """One value of a profile, as it was written, and where that was."""

    key: str
    written: object
    origin: str


@dataclass(frozen=True, slots=True)
class Profile:
    """A profile by its name, with its values by key; of several values for a key the last one counts."""

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
    """Yield the profiles of files that are tables; reading the file's own layer reports others."""
    for file in files:
        profiles = file.values.get("profile")
        for name, values in profiles.items() if isinstance(profiles, Mapping) else ():
            if isinstance(values, Mapping):
                source = Origin.PROFILE | (Origin.USER if file.is_user else Origin.PROJECT)
                yield name, _layer(source, f"{file.name} [profile.{name}]", f"{file.name}: profile.{name}", values)


def chosen_layers(name: str, own: list[tuple[str, Layer]]) -> list[Layer]:
    """Return the layers of a profile. Raises ConfigError for an unknown name."""
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
    """Remove values of a built-in profile that the user overrides.

    That is its budget if there is a model or a window, which say what there is room for, and the strategies that it
    requires where they are left out.
    """
    if (values.get("model") or values.get("window")) and origins.get("budget", "").startswith(BUILT_IN_PROFILE):
        del values["budget"], origins["budget"]
    needed, out = values.get("require"), values.get("disable")
    if isinstance(needed, tuple) and isinstance(out, tuple) and origins.get("require", "").startswith(BUILT_IN_PROFILE):
        values["require"] = tuple(name for name in needed if name not in out)


def _built_in_layers() -> Iterator[tuple[str, Layer]]:
    for name, values in _built_in().items():
        yield name, _layer(Origin.PROFILE | Origin.PROJECT, f"{BUILT_IN_PROFILE}{name}", f"profile.{name}", values)


def _layer(source: Origin, origin: str, prefix: str, values: Mapping[str, object]) -> Layer:
    return Layer(source, lambda _: origin, lambda key: f"{prefix}.{key}", values)


@cache
def _built_in() -> Mapping[str, Mapping[str, object]]:
    """The tables of the profiles that come with ctxpack, by name."""
    import tomllib

    found: Mapping[str, Mapping[str, object]] = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return found


def load(
    root: Path | str | Mapping[str, Path | str],
    flags: Mapping[str, object] | None = None,
    env: Mapping[str, str] | None = None,
    config: Path | None = None,
    profile: str | None = None,
) -> Settings:
    """Return the settings of a run on the repository folder ``root``, or on several folders by their labels.

    Of several, each says by its own file which of its files count; the rest comes from ``config`` and the user.
    ``flags`` maps fields of Settings to what the user said; ``env`` is the environment, the process's own by default;
    ``config`` replaces the project's file; ``profile`` picks a ``[profile.NAME]`` table. ``origins`` of the result says
    who set what. An organisation's policies hold whatever the rest says. Raises UsageError for a bad root or flag,
    BudgetError for a window that leaves the pack nothing, ConfigError for everything else.
    """
    env = os.environ if env is None else env
    if isinstance(root, Mapping):
        return join_roots(load_bare(flags, env, config, profile), _members(root, env))
    place = _existing_folder(Path(root))
    settings = _load_one(place, flags or {}, env, config, profile)
    if not settings.workspace:
        return settings
    named = _named_file(env, config)
    folder = place if named is None else named.resolve().parent
    return join_roots(settings, _members(listed_folders(settings, folder, is_named=named is not None), env))


def load_bare(
    flags: Mapping[str, object] | None, env: Mapping[str, str], config: Path | None = None, profile: str | None = None
) -> Settings:
    """Return settings without those of any repository. Raises what ``load`` raises."""
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as nowhere:
        return _load_one(_existing_folder(Path(nowhere)), flags or {}, env, config, profile)


def _members(roots: Mapping[str, Path | str], env: Mapping[str, str]) -> dict[str, Settings]:
    """The settings of each root by its own files: what is said of the whole is said there."""
    its = {name: value for name, value in env.items() if name not in {CONFIG_VARIABLE, PROFILE_VARIABLE}}
    return {label: _load_one(_existing_folder(Path(root)), {}, its, None, None) for label, root in roots.items()}


def _load_one(
    place: Path, flags: Mapping[str, object], env: Mapping[str, str], config: Path | None, profile: str | None
) -> Settings:
    """The settings of a run on one folder."""
    policies = read_policies(env)
    files = _files(place, env, config)
    its_profiles = list(own_layers(files))
    layers = [file_layer(file) for file in files]
    layers += chosen_layers(profile or env.get(PROFILE_VARIABLE, ""), its_profiles)
    layers += [variable_layer(env), flag_layer(flags)]
    values: dict[str, object] = {"cache_dir": cache_folder(env), "data_dir": data_folder(env)}
    origins: dict[str, str] = {}
    combine(layers, values, origins)
    yield_to_user(values, origins)
    for _, layer in its_profiles:  # a mistake in one shows at once, not on the day that it is chosen
        layer.check()
    settings = Settings(root=place, **values, origins=origins)  # type: ignore[arg-type] # readers give the fields' types
    return limit_budget(resolve_budget(apply_policies(settings, policies)))


def list_profiles(
    root: Path | str, env: Mapping[str, str] | None = None, config: Path | None = None
) -> tuple[Profile, ...]:
    """Return every profile that ``load`` would take with the same arguments. Raises what it raises for files."""
    return all_profiles(_files(_existing_folder(Path(root)), os.environ if env is None else env, config))


def _files(root: Path, env: Mapping[str, str], config: Path | None) -> tuple[ConfigFile, ...]:
    """The configuration files of a run, the weakest first."""
    return (*read_user_file(user_file(env)), *read_project_file(root, _named_file(env, config)))


def _named_file(env: Mapping[str, str], config: Path | None) -> Path | None:
    """The file that the user named in place of the repository's."""
    return config or (Path(env[CONFIG_VARIABLE]) if env.get(CONFIG_VARIABLE) else None)


def _existing_folder(root: Path) -> Path:
    try:
        place = root.resolve(strict=True)
    except (OSError, RuntimeError) as error:  # RuntimeError: a loop of links, before Python 3.13
        raise UsageError(f"There is no folder {root}.", hint="Give --root the folder of a repository.") from error
    if not place.is_dir():
        raise UsageError(f"{root} is a file, not a folder.", hint="Give --root the folder of a repository.")
    return place
