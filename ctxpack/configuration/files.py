"""The configuration files of a run, read: which there are, and their tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ctxpack.errors import ConfigError

PROJECT_FILE = "ctxpack.toml"
_SHARED_FILE = "pyproject.toml"


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """One file's keys and tables. ``name`` is how messages call it, ``folder`` where it lies."""

    name: str
    values: Mapping[str, object]
    folder: str
    is_user: bool = False


def read_user_file(path: Path) -> tuple[ConfigFile, ...]:
    """The user's own file, if there is one. Raises ConfigError."""
    if not path.is_file():
        return ()
    return (ConfigFile(str(path), _parse(path, _bytes(path)), str(path.parent), is_user=True),)


def read_project_file(root: Path, named: Path | None) -> tuple[ConfigFile, ...]:
    """The file the user named, else ``ctxpack.toml``, else ``[tool.ctxpack]`` of ``pyproject.toml``, if any."""
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
        raise ConfigError(f"{path} cannot be read: {error.strerror}.", hint="Check who may read the file.") from error


def _parse(path: Path, data: bytes) -> Mapping[str, object]:
    """The tables of a TOML file. The message of an error names line and column."""
    import tomllib

    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigError(f"{path} is not UTF-8 at line {line}.", hint="Save it as UTF-8.") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is not valid TOML: {error}.", hint="Mend the line that is named.") from error
