"""Where a platform keeps a user's configuration, caches and data."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path


def cache_folder(env: Mapping[str, str], platform: str = sys.platform) -> Path:
    """The folder for ctxpack's caches; ``platform`` is as in ``sys.platform``."""
    if platform == "win32":
        return _folder(env, "LOCALAPPDATA", "AppData/Local", platform) / "ctxpack" / "Cache"
    if platform == "darwin" and not env.get("XDG_CACHE_HOME"):
        return _home(env, platform) / "Library" / "Caches" / "ctxpack"
    return _folder(env, "XDG_CACHE_HOME", ".cache", platform) / "ctxpack"


def data_folder(env: Mapping[str, str], platform: str = sys.platform) -> Path:
    """The folder for what a user wants kept; ``platform`` is as in ``sys.platform``."""
    if platform == "win32":
        return _folder(env, "LOCALAPPDATA", "AppData/Local", platform) / "ctxpack" / "Data"
    if platform == "darwin" and not env.get("XDG_DATA_HOME"):
        return _home(env, platform) / "Library" / "Application Support" / "ctxpack"
    return _folder(env, "XDG_DATA_HOME", ".local/share", platform) / "ctxpack"


def user_file(env: Mapping[str, str], platform: str = sys.platform) -> Path:
    """The user's own configuration file, which need not exist."""
    if platform == "win32":
        return _folder(env, "APPDATA", "AppData/Roaming", platform) / "ctxpack" / "config.toml"
    return _folder(env, "XDG_CONFIG_HOME", ".config", platform) / "ctxpack" / "config.toml"


def _folder(env: Mapping[str, str], variable: str, below_home: str, platform: str) -> Path:
    """The folder a variable names, if it names an absolute one, else one below the user's home."""
    named = Path(env.get(variable, ""))
    return named if named.is_absolute() else _home(env, platform) / below_home


def _home(env: Mapping[str, str], platform: str) -> Path:
    """The user's home; a user without one gets the current folder's parent of all, so that nothing fails here."""
    named = env.get("USERPROFILE" if platform == "win32" else "HOME")
    if named:
        return Path(named)
    try:
        return Path.home()
    except RuntimeError:
        return Path(Path.cwd().anchor)
