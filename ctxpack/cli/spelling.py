"""Other names of flags: aliases that mean the same, and what to say about flags of other tools."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Final

from ctxpack.cli.options import declared_flags
from ctxpack.errors import did_you_mean

_OF_DIFF: Final = {"--cached": "--staged"}
_PHRASES: Final[Mapping[str, str]] = {
    "--cxml": "--format xml",
    "--markdown": "--format markdown",
    "--json": "--format json",
    "--xml": "--format xml",
    "--messages": "--format messages",
    "--header-text": "--instructions FILE",
    "--stdout": "--output -",
    "--extension": "--include '*.EXT'",
    "--no-ignore": "--no-gitignore --no-dot-ignore",
    "--no-color": "the environment variable NO_COLOR=1",
    "-c": "--copy, or --config FILE",
    "-m": "--format markdown",
    "-i": "--include or --exclude",
    "-e": "--exclude, or --include '*.EXT'",
}
"""Flags of other tools that are more than another name."""
_ALIKE: Final = 0.7  # less alike, and it is another word


@cache
def aliases() -> Mapping[str, str]:
    """Return other names that mean exactly the same as a flag."""
    return {**{name: flag.name for _, flag in declared_flags() for name in flag.also.split()}, **_OF_DIFF}


@cache
def foreign_flags() -> Mapping[str, str]:
    """Return flags of other tools, with what to type instead."""
    return {**{name: flag.name for _, flag in declared_flags() for name in flag.foreign.split()}, **_PHRASES}


def replace_aliases(arguments: Sequence[str]) -> list[str]:
    """Return the arguments with every alias replaced, also in ``--alias=value``; nothing after ``--`` is touched."""
    end = list(arguments).index("--") if "--" in arguments else len(arguments)
    return [_replaced(argument) for argument in arguments[:end]] + list(arguments[end:])


def suggestion(flag: str, known: Iterable[str]) -> str:
    """Return what to do instead of a flag that does not exist, as one sentence; empty if nothing comes to mind."""
    if flag in foreign_flags():
        return f"Use {foreign_flags()[flag]}."
    names = {name.lstrip("-"): name for name in sorted({*known, *aliases()}) if name.startswith("--")}
    return did_you_mean(flag.lstrip("-"), names, cutoff=_ALIKE, show=lambda name: names[name])


def _replaced(argument: str) -> str:
    if not argument.startswith("--"):
        return argument
    flag, equals, value = argument.partition("=")
    return aliases().get(flag, flag) + equals + value
