"""The profiles that come with ctxpack, and what is told of all that there are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

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


@cache
def built_in() -> Mapping[str, Mapping[str, object]]:
    """The tables of the profiles that come with ctxpack, by name."""
    import tomllib

    found: Mapping[str, Mapping[str, object]] = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return found


def yielding(values: dict[str, object], origins: dict[str, str]) -> None:
    """Take back what a built-in profile says where the user says otherwise.

    That is its budget beside a model or a window, which say what there is room for, and the strategies that it requires
    where they are left out.
    """
    if (values.get("model") or values.get("window")) and origins.get("budget", "").startswith(ORIGIN):
        del values["budget"], origins["budget"]
    needed, out = values.get("require"), values.get("disable")
    if isinstance(needed, tuple) and isinstance(out, tuple) and origins.get("require", "").startswith(ORIGIN):
        values["require"] = tuple(name for name in needed if name not in out)
