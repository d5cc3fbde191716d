"""One frozen ``Settings`` from all sources: defaults, files, profile, variables, flags, policies, model."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from ctxpack.budget import resolve_budget
from ctxpack.configuration.files import (
    ConfigFile,
    cache_folder,
    data_folder,
    read_project_file,
    read_user_file,
    user_file,
)
from ctxpack.configuration.layers import (
    CONFIG_VARIABLE,
    PROFILE_VARIABLE,
    combine,
    file_layer,
    flag_layer,
    variable_layer,
)
from ctxpack.configuration.policies import apply_policies, limit_budget, read_policies
from ctxpack.configuration.profiles import Profile, all_profiles, chosen_layers, own_layers, yield_to_user
from ctxpack.errors import UsageError
from ctxpack.settings import Settings


def load(
    root: Path | str,
    flags: Mapping[str, object] | None = None,
    env: Mapping[str, str] | None = None,
    config: Path | None = None,
    profile: str | None = None,
) -> Settings:
    """Return the settings of a run on the repository folder ``root``.

    ``flags`` maps fields of Settings to what the user said; ``env`` is the environment, the process's own by default;
    ``config`` replaces the project's file; ``profile`` picks a ``[profile.NAME]`` table. ``origins`` of the result says
    who set what. An organisation's policies hold whatever the rest says. Raises UsageError for a bad root or flag,
    BudgetError for a window that leaves the pack nothing, ConfigError for everything else.
    """
    env = os.environ if env is None else env
    place, policies = _existing_folder(Path(root)), read_policies(env)
    files = _files(place, env, config)
    its_profiles = list(own_layers(files))
    layers = [file_layer(file) for file in files]
    layers += chosen_layers(profile or env.get(PROFILE_VARIABLE, ""), its_profiles)
    layers += [variable_layer(env), flag_layer(flags or {})]
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
    named = config or (Path(env[CONFIG_VARIABLE]) if env.get(CONFIG_VARIABLE) else None)
    return (*read_user_file(user_file(env)), *read_project_file(root, named))


def _existing_folder(root: Path) -> Path:
    try:
        place = root.resolve(strict=True)
    except (OSError, RuntimeError) as error:  # RuntimeError: a loop of links, before Python 3.13
        raise UsageError(f"There is no folder {root}.", hint="Give --root the folder of a repository.") from error
    if not place.is_dir():
        raise UsageError(f"{root} is a file, not a folder.", hint="Give --root the folder of a repository.")
    return place
