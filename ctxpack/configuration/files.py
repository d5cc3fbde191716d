"""Where a platform keeps ctxpack's files, and the tables of the configuration files."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ctxpack.errors import ConfigError

PROJECT_FILE: Final = "ctxpack.toml"
_SHARED_FILE: Final = "pyproject.toml"


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """One file's keys and tables. ``name`` is how messages call it, ``folder`` where it lies."""

    name: str
    values: Mapping[str, object]
    folder: str
    is_user: bool = False


def cache_folder(env: Mapping[str, str], platform: str = sys.platform) -> Path:
    """Return the folder for ctxpack's caches; ``platform`` is as in ``sys.platform``."""
    if platform == "win32":
        return _folder(env, "LOCALAPPDATA", "AppData/Local", platform) / "ctxpack" / "Cache"
    if platform == "darwin" and not env.get("XDG_CACHE_HOME"):
        return _home(env, platform) / "Library" / "Caches" / "ctxpack"
    return _folder(env, "XDG_CACHE_HOME", ".cache", platform) / "ctxpack"


def data_folder(env: Mapping[str, str], platform: str = sys.platform) -> Path:
    """Return the folder for what a user wants kept; ``platform`` is as in ``sys.platform``."""
    if platform == "win32":
        return _folder(env, "LOCALAPPDATA", "AppData/Local", platform) / "ctxpack" / "Data"
    if platform == "darwin" and not env.get("XDG_DATA_HOME"):
        return _home(env, platform) / "Library" / "Application Support" / "ctxpack"
    return _folder(env, "XDG_DATA_HOME", ".local/share", platform) / "ctxpack"


def user_file(env: Mapping[str, str], platform: str = sys.platform) -> Path:
    """Return the path of the user's own configuration file, which need not exist."""
    if platform == "win32":
        return _folder(env, "APPDATA", "AppData/Roaming", platform) / "ctxpack" / "config.toml"
    return _folder(env, "XDG_CONFIG_HOME", ".config", platform) / "ctxpack" / "config.toml"


def read_user_file(path: Path) -> tuple[ConfigFile, ...]:
    """Read the user's own file, if there is one. Raises ConfigError."""
    if not path.is_file():
        return ()
    return (ConfigFile(str(path), _parse(path, _bytes(path)), str(path.parent), is_user=True),)


def read_project_file(root: Path, named: Path | None) -> tuple[ConfigFile, ...]:
    """Read the file the user named, else ``ctxpack.toml``, else ``[tool.ctxpack]`` of ``pyproject.toml``, if any."""
    if named is not None:
        if not named.is_file():
            raise ConfigError(f"There is no configuration file {named}.", hint="Check the path given to --config.")
        return _shared(named) if named.name == _SHARED_FILE else (_whole(named),)
    own = root / PROJECT_FILE
    if own.is_file():
        return (_whole(own),)
    shared = root / _SHARED_FILE
    return _shared(shared) if shared.is_file() else ()


def _whole(path: Path) -> ConfigFile:
    return ConfigFile(path.name, _parse(path, _bytes(path)), str(path.parent.absolute()))


def _shared(path: Path) -> tuple[ConfigFile, ...]:
    """The table in pyproject.toml. A file without the words is not even parsed: it is not ours to judge."""
    data = _bytes(path)
    if b"tool" not in data or b"ctxpack" not in data:
        return ()
    tool = _parse(path, data).get("tool")
    values = tool.get("ctxpack") if isinstance(tool, Mapping) else None
    if values is None:
        return ()
    if not isinstance(values, Mapping):
        raise ConfigError(f"{path.name}: tool.ctxpack must be a table.", hint="Write [tool.ctxpack] above the keys.")
    return (ConfigFile(f"{path.name} [tool.ctxpack]", values, str(path.parent.absolute())),)


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ConfigError(
            f"{path} cannot be read: {error.strerror}.", hint="Check the permissions of the file."
        ) from error


def _parse(path: Path, data: bytes) -> Mapping[str, object]:
    """The tables of a TOML file. The message of an error names line and column."""
    import tomllib

    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigError(f"{path} is not UTF-8 at line {line}.", hint="Save it as UTF-8.") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is not valid TOML: {error}.", hint="Correct that line.") from error


def _folder(env: Mapping[str, str], variable: str, below_home: str, platform: str) -> Path:
    """The folder a variable names, if it names an absolute one, else one below the user's home."""
    named = Path(env.get(variable, ""))
    return named if named.is_absolute() else _home(env, platform) / below_home


def _home(env: Mapping[str, str], platform: str) -> Path:
    """The user's home; without one, the root of the current folder, so that nothing fails here."""
    named = env.get("USERPROFILE" if platform == "win32" else "HOME")
    if named:
        return Path(named)
    try:
        return Path.home()
    except RuntimeError:
        return Path(Path.cwd().anchor)
