"""The record of a setting or an option: what it is for, who may set it, and the flag that does.

Every field of ``Settings`` and of the command line's own ``Flags`` is declared with one. Readers, parameters, help,
spelling, policies and the reference in ``docs/settings.md`` are made from it.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, Literal, TypedDict, TypeVar, Unpack

from ctxpack.light import dataclass, field, fields_of, replace

Reader = Callable[[object], object]
"""Turns what was written into a value; its ValueError says what was expected."""

FILES, RANKING, PACK, PROMPT, OUTPUT, RUN = "Files", "Ranking", "Pack", "Prompt", "Output", "Run"
WATCH = "Watch"
"""The panels of the help."""

_T = TypeVar("_T")
_RECORD: Final = "record"


class Origin(enum.Flag):
    """Where a value may come from."""

    FLAG = enum.auto()
    VARIABLE = enum.auto()
    USER = enum.auto()  # the user's own file
    PROJECT = enum.auto()  # the file of the repository
    PROFILE = enum.auto()  # a profile in a file that may set it


ANYWHERE: Final = Origin.FLAG | Origin.VARIABLE | Origin.USER | Origin.PROJECT | Origin.PROFILE
USER_ONLY: Final = Origin.FLAG | Origin.VARIABLE | Origin.USER | Origin.PROFILE
"""For what is run, where code is sent, what a model reads: a repository may not set it, since it may be foreign."""
PLACES: Final = Origin.VARIABLE | Origin.USER
"""Where ctxpack keeps things."""
CONVERSATION: Final = Origin.FLAG
"""For what belongs to one conversation: it is never set by default."""
TABLES: Final = Origin.USER | Origin.PROJECT | Origin.PROFILE
ENTRIES: Final = Origin.USER | Origin.PROJECT
PROGRAM: Final = Origin(0)
"""Set by the program alone."""

FlagKind = Literal["value", "list", "file", "switch", "pair"]
"""How a flag is typed: with a value, several times, with a path, alone, or as ``--on/--off``."""


@dataclass(frozen=True, slots=True)
class Flag:
    """How a setting or option is typed. Texts of several names separate them by spaces.

    ``help`` replaces the help of the setting; ``also`` are other names that mean the same; ``foreign`` are the names
    that other tools have for it; ``implies`` is a setting that it switches on.
    """

    names: str
    panel: str = ""
    metavar: str = ""
    kind: FlagKind = "value"
    help: str = ""
    also: str = ""
    foreign: str = ""
    implies: str = ""

    @property
    def name(self) -> str:
        """The long name that messages use."""
        return self.names.split()[0].partition("/")[0]


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting. ``name`` is its field in ``Settings``; ``key`` is what files call it, if not the same.

    ``rule`` is the table of a policy that governs it. ``is_added_up``: values of several sources are joined.
    ``in_digest``: a report may depend on it, so that it belongs to the key of caches. ``only_user_stops``: it protects
    the user, so a repository or a report may ask for it, but not switch it off.
    """

    reader: Reader | None
    meaning: str
    flag: Flag | None = None
    sources: Origin = ANYWHERE
    rule: str = ""
    key: str = ""
    is_added_up: bool = False
    in_digest: bool = True
    only_user_stops: bool = False
    name: str = ""
    default: object = None

    @property
    def variable(self) -> str:
        """The environment variable that sets it."""
        return f"CTXPACK_{self.key.upper()}"

    @property
    def typed_name(self) -> str:
        """The flag that sets it, or the name a flag would have: Python code may set what has none."""
        return self.flag.name if self.flag else "--" + self.name.replace("_", "-")

    @property
    def flag_help(self) -> str:
        """What the help says of its flag."""
        if self.flag is None:
            return ""
        has_default = self.flag.kind == "value" and self.default and self.default != "-"
        also = ", ".join(self.flag.also.split())
        sentences = (
            self.flag.help or self.meaning,
            f"Default: {format_default(self.default)}." if has_default else "",
            f"Also {also}." if also else "",
        )
        return " ".join(filter(None, sentences))

    @property
    def is_switch(self) -> bool:
        """Whether its flag takes no value and means the opposite of the default."""
        return self.flag is not None and self.flag.kind == "switch"

    def typed_value(self, value: object) -> object:
        """Return the value of the typed flag; a path is relative to the current folder."""
        if self.is_switch:
            return not self.default
        if isinstance(value, Path):
            return str(Path.cwd() / value)
        return ",".join(value) if isinstance(value, list) else value


class SettingFacts(TypedDict, total=False):
    """The rarer facts of a setting, as in ``Setting``."""

    sources: Origin
    rule: str
    key: str
    is_added_up: bool
    in_digest: bool
    only_user_stops: bool


def setting(
    default: _T, reader: Reader | None, meaning: str, flag: Flag | None = None, **facts: Unpack[SettingFacts]
) -> _T:
    """Declare a field of ``Settings`` with its default value."""
    record = declare(reader, meaning, flag, **facts)
    given: dict[str, Any] = {"default_factory": dict} if default == {} else {"default": default}
    made: Any = field(**given, metadata=record)
    return made  # type: ignore[no-any-return] # a Field, which the dataclass replaces by its default


def declare(
    reader: Reader | None, meaning: str, flag: Flag | None = None, **facts: Unpack[SettingFacts]
) -> Mapping[str, Setting]:
    """Make the metadata of a field that has no default."""
    return {_RECORD: Setting(reader, meaning, flag, **facts)}


def option(default: _T, flag: Flag) -> _T:
    """Declare an option of the command line that is no setting."""
    record = {_RECORD: Setting(None, flag.help, flag, sources=CONVERSATION)}
    return field(default=default, metadata=record)


def declarations(owner: type) -> dict[str, Setting]:
    """Return the records of a dataclass by the name of their field, with name, key and default filled in."""
    declared = fields_of(owner).items()
    return {name: _complete(name, each.metadata[_RECORD], each) for name, each in declared if _RECORD in each.metadata}


def format_default(value: object) -> str:
    """Write a number the way a user would: ``8000`` is ``8k``, ``900.0`` is ``900``."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        for size, letter in ((1_000_000, "M"), (1_000, "k")):
            if value >= size and value % size == 0:
                return f"{value // size}{letter}"
    return str(value)


def _complete(name: str, record: Setting, each: Any) -> Setting:  # noqa: ANN401 - what light has of a field
    default = {} if each.default_factory is dict else each.default
    return replace(record, name=name, key=record.key or name, default=default)
