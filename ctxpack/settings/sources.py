"""Where settings come from: configuration files, the environment and flags, each read as one layer.

The folders of the platform are here too.
"""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

from ctxpack.errors import ConfigError, did_you_mean
from ctxpack.light import dataclass, replace
from ctxpack.settings.declaration import USER_ONLY, Origin, Reader, Setting, format_default
from ctxpack.settings.fields import BY_KEY, SETTINGS
from ctxpack.settings.readers import ChoiceError, UnknownKeyError, read_table

PROJECT_FILE: Final = "ctxpack.toml"
_SHARED_FILE: Final = "pyproject.toml"
_MARKS_OF_ROOT: Final = (".git", PROJECT_FILE)
_MOST_BYTES: Final = 1_000_000
_MOST_OF_REPOSITORY: Final = {"max_file_size": 32_000_000}  # what a repository may ask for: files are read whole


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """One file's keys and tables. ``name`` is its name in messages, ``folder`` its place."""

    name: str
    values: Mapping[str, object]
    folder: str
    is_user: bool = False


def root_around(folder: Path) -> Path:
    """Return the nearest folder upwards that is a repository or has a configuration, else the folder itself."""
    around = (place for place in (folder, *folder.parents) if any((place / mark).exists() for mark in _MARKS_OF_ROOT))
    return next(around, folder)


def cache_folder(env: Mapping[str, str], platform: str = sys.platform) -> Path:
    """Return the folder for ctxpack's caches; ``platform`` is as in ``sys.platform``."""
    return _own_folder(env, platform, "Cache", "Library/Caches", ("XDG_CACHE_HOME", ".cache"))


def data_folder(env: Mapping[str, str], platform: str = sys.platform) -> Path:
    """Return the folder for the user's data; ``platform`` is as in ``sys.platform``."""
    return _own_folder(env, platform, "Data", "Library/Application Support", ("XDG_DATA_HOME", ".local/share"))


def _own_folder(env: Mapping[str, str], platform: str, windows: str, mac: str, xdg: tuple[str, str]) -> Path:
    """The folder that a platform has for ctxpack. On macOS the variable of the others counts where it is set."""
    if platform == "win32":
        return _folder(env, "LOCALAPPDATA", "AppData/Local", platform) / "ctxpack" / windows
    if platform == "darwin" and not env.get(xdg[0]):
        return _home(env, platform) / mac / "ctxpack"
    return _folder(env, *xdg, platform) / "ctxpack"


def user_file(env: Mapping[str, str], platform: str = sys.platform) -> Path:
    """Return the path of the user's own configuration file, which need not exist."""
    place = ("APPDATA", "AppData/Roaming") if platform == "win32" else ("XDG_CONFIG_HOME", ".config")
    return _folder(env, *place, platform) / "ctxpack" / "config.toml"


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
        return _read_pyproject(named) if named.name == _SHARED_FILE else (_whole(named),)
    own, shared = root / PROJECT_FILE, root / _SHARED_FILE
    if own.is_file():
        _check_inside(own, root)
        return (_whole(own),)
    if not shared.is_file() or not _is_inside(shared, root):  # of other tools: no mistake of ours
        return ()
    return _read_pyproject(shared)


def _check_inside(path: Path, root: Path) -> None:
    """Raise ConfigError for a link out of a repository: messages would reveal what is there."""
    if not _is_inside(path, root):
        raise ConfigError(
            f"{path} is a link that leads outside the repository.",
            hint="Copy it here, or name the file that it leads to with --config.",
        )


def _is_inside(path: Path, root: Path) -> bool:
    return path.resolve().is_relative_to(root.resolve())


def _whole(path: Path) -> ConfigFile:
    return ConfigFile(path.name, _parse(path, _bytes(path)), str(path.parent.absolute()))


def _read_pyproject(path: Path) -> tuple[ConfigFile, ...]:
    """The table in pyproject.toml. A file without the words is not parsed: its mistakes are not ours to report."""
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
        with path.open("rb") as stream:
            data = stream.read(_MOST_BYTES + 1)
    except OSError as error:
        raise ConfigError(
            f"{path} cannot be read: {error.strerror}.", hint="Check the permissions of the file."
        ) from error
    if len(data) > _MOST_BYTES:
        raise ConfigError(f"{path} has more than {_MOST_BYTES:,} bytes.", hint="A configuration is much smaller.")
    return data


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
    except ValueError as error:  # a number of thousands of digits
        raise ConfigError(f"{path} is not valid TOML: {str(error).partition(';')[0]}.", hint="Correct it.") from error
    except RecursionError as error:
        raise ConfigError(f"{path} has values in values, too many to be read.", hint="Write it flatter.") from error


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
    except RuntimeError:  # no home: its files are not there
        return Path(Path.cwd().anchor)


BUILT_IN_PROFILE: Final = "the built-in profile "  # before its name, as the origin of a value
CONFIG_VARIABLE: Final = "CTXPACK_CONFIG"
PROFILE_VARIABLE: Final = "CTXPACK_PROFILE"
POLICY_VARIABLE: Final = "CTXPACK_POLICY"
_PREFIX: Final = "CTXPACK_"
SERVE_VARIABLE: Final = "CTXPACK_SERVE"
_NO_SETTINGS: Final = (CONFIG_VARIABLE, PROFILE_VARIABLE, POLICY_VARIABLE, SERVE_VARIABLE)
_PROFILES: Final = "profile"  # the key of the tables with profiles
_ASKED_FOR: Final = ("strategies", "enable")


@dataclass(frozen=True, slots=True)
class Layer:
    """Values of one source. ``origin`` names who set a key, ``place`` a key as the user wrote it, for messages."""

    source: Origin
    origin: Callable[[str], str]
    place: Callable[[str], str]
    values: Mapping[str, object]
    file: ConfigFile | None = None  # whose own keys these are, if those of a file

    def items(self) -> Iterator[tuple[str, object]]:
        """Yield the fields that the layer sets, with their values. Raises ConfigError, naming the key."""
        for written, raw in self.values.items():
            key, place = written.replace("-", "_"), self.place(written)
            if key == _PROFILES and self.file is not None:
                _value(place, read_table(read_table(lambda each: each)), raw)
                continue
            setting = BY_KEY.get(key)
            if setting is None or setting.reader is None or self.source not in setting.sources:
                raise self._misplaced_error(key, place)
            value = _value(place, setting.reader, raw)
            most = _MOST_OF_REPOSITORY.get(setting.name, 0) if Origin.PROJECT in self.source else 0
            if most and isinstance(value, int) and value > most:
                raise ConfigError(
                    f"{place} may be at most {format_default(most)} here: a repository may be a stranger's.",
                    hint=f"Set it in your own file, {user_file(os.environ)}, or use {setting.typed_name}.",
                )
            if value is False and setting.only_user_stops and Origin.PROJECT in self.source:
                raise ConfigError(
                    f"{place} cannot be false here: a repository may be a stranger's.",
                    hint=f"Set it in your own file, {user_file(os.environ)}, or use {setting.typed_name}.",
                )
            yield setting.name, self._with_owner(value) if key == "strategy" else value

    def check(self) -> None:
        """Raise ConfigError for the first key or value that is wrong."""
        deque(self.items(), maxlen=0)

    def _with_owner(self, entries: object) -> object:
        """Add to strategy entries whose file they are from and its folder, in which their programs run."""
        if self.file is None or not isinstance(entries, tuple):
            return entries
        return tuple(replace(each, folder=self.file.folder, is_own=self.file.is_user) for each in entries)

    def _misplaced_error(self, key: str, place: str) -> ConfigError:
        setting = BY_KEY.get(key)
        if setting is not None and setting.sources == USER_ONLY:
            return ConfigError(
                f"{place} cannot be set here: a repository may not decide what is run or sent.",
                hint=f"Set it in your own file, {user_file(os.environ)}, or set {setting.variable}.",
            )
        known = [each.key for each in BY_KEY.values() if self.source in each.sources]
        known += [_PROFILES] if self.file is not None else []
        return ConfigError(f"{place} is not a known setting.", hint=did_you_mean(key, known, show=repr))


def file_layer(file: ConfigFile) -> Layer:
    """Return the keys of a file itself, without its profiles."""
    source = Origin.USER if file.is_user else Origin.PROJECT
    return Layer(source, lambda _: file.name, lambda key: f"{file.name}: {key}", file.values, file)


def variable_layer(env: Mapping[str, str]) -> Layer:
    """Return what the environment sets."""
    values = {
        name.removeprefix(_PREFIX).lower(): value
        for name, value in sorted(env.items())
        if name.startswith(_PREFIX) and name not in _NO_SETTINGS and value
    }
    return Layer(Origin.VARIABLE, _variable, _variable, values)


def flag_layer(flags: Mapping[str, object]) -> Layer:
    """Return what was typed."""
    return Layer(Origin.FLAG, _typed_name, _typed_name, flags)


def combine(layers: list[Layer], values: dict[str, object], origins: dict[str, str]) -> None:
    """Add the values of the layers, the weakest first, and who set each."""
    for layer in layers:
        for name, value in layer.items():
            values[name] = _joined_values(SETTINGS[name], values.get(name), value)
            origins[name] = layer.origin(name)
            if name in _ASKED_FOR:  # wins over a weaker layer's disable
                values["disable"] = tuple(each for each in _names(values.get("disable")) if each not in _names(value))


def _value(place: str, reader: Reader, raw: object) -> object:
    try:
        return reader(raw)
    except UnknownKeyError as error:
        hint = did_you_mean(error.key, error.known, show=repr) or f"Known keys: {', '.join(error.known)}."
        raise ConfigError(f"{place} has an unknown key {error.key!r}.", hint=hint) from error
    except ValueError as error:
        seen = f", not {raw!r}" if isinstance(raw, str | int | float) else ""
        choices = error.choices if isinstance(error, ChoiceError) else ()
        hint = did_you_mean(str(raw), choices) if seen else ""
        raise ConfigError(f"{place} must be {error}{seen}.", hint=hint) from error


def _joined_values(setting: Setting, weaker: object, stronger: object) -> object:
    """The value if two layers set a field: tables are merged by key, some lists are joined, other values replaced."""
    if isinstance(weaker, dict) and isinstance(stronger, dict):
        return {**weaker, **stronger}
    if setting.is_added_up and isinstance(weaker, tuple) and isinstance(stronger, tuple):
        return tuple(dict.fromkeys((*weaker, *stronger)))
    return stronger


def _variable(key: str) -> str:
    return _PREFIX + key.upper()


def _typed_name(key: str) -> str:
    return SETTINGS[key].typed_name if key in SETTINGS else "--" + key.replace("_", "-")


def _names(value: object) -> tuple[str, ...]:
    return value if isinstance(value, tuple) else ()
