"""Read common command lines without Typer, which takes longer to load than many commands take to run.

Only simple command lines are read here: arguments that are texts, and options written as they are declared. Anything
else, such as help, a mistake or several short options in one word, is left to Typer. The meaning is the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from ctxpack.cli.options import CommandSpec, Flags, OwnParameter, flags_of, own_options
from ctxpack.settings.declaration import Flag, Setting

_GROUPS: Final = frozenset(("Pack", "Find"))  # the commands that are run again and again


class _UnclearError(Exception):
    """Typer has to find out what is meant."""


def read_plain(spec: CommandSpec, arguments: Sequence[str]) -> tuple[Mapping[str, object], Flags] | None:
    """Return the values of a command's own parameters and its flags; None where Typer has to read them."""
    if spec.group not in _GROUPS:
        return None
    try:
        options = spec.options()
        by_name: dict[str, Setting | OwnParameter] = {name: each for each in options for name in _names(each)}
        by_name |= {name: each for each in spec.own for name in each.names}
        typed: dict[str, object] = {each.name: None for each in options} | _defaults(options)
        values: dict[str, object] = {each.field: each.default for each in spec.own}
        words: list[str] = []
        left = iter(arguments)
        for argument in left:
            if argument == "-" or not argument.startswith("-"):
                words.append(argument)
            else:
                _take(argument, left, by_name, (typed, values))
        _assign(words, [each for each in spec.own if not each.names], values)
    except _UnclearError:  # Typer reads it, and says what is wrong
        return None
    return values, flags_of(typed)


def _assign(words: Sequence[str], wanted: Sequence[OwnParameter], values: dict[str, object]) -> None:
    """Give the words to the arguments in their order; a list takes all that are left. Raises _UnclearError."""
    left = list(words)
    for each in wanted:
        if not left and not isinstance(each.default, str):
            raise _UnclearError
        if each.kind == "list":
            values[each.field], left = left, []
        elif left:
            values[each.field] = left.pop(0)
    if left:
        raise _UnclearError


def _names(each: Setting) -> list[str]:
    """All names of an option, also that which switches it off."""
    return each.flag.names.replace("/", " ").split() if each.flag else []


def _defaults(options: Sequence[Setting]) -> dict[str, object]:
    own = own_options()
    switches: dict[str, object] = {each.name: False for each in options if each.is_switch}
    return switches | {each.name: each.default for each in options if each.name in own}


def _take(
    argument: str,
    left: Iterator[str],
    known: Mapping[str, Setting | OwnParameter],
    found: tuple[dict[str, object], dict[str, object]],
) -> None:
    """Take an option with its value, a shared one or one of the command. Raises _UnclearError."""
    name, equals, value = argument.partition("=") if argument.startswith("--") else (argument, "", "")
    each, (typed, values) = known.get(name), found
    if isinstance(each, OwnParameter):
        if each.kind == "switch" and equals:
            raise _UnclearError
        values[each.field] = True if each.kind == "switch" else _value(equals, value, left)
        return
    if each is None or each.flag is None:
        raise _UnclearError
    if each.flag.kind in {"switch", "pair"}:
        if equals:
            raise _UnclearError
        typed[each.name] = _is_on(name, each.flag)
        return
    value = _value(equals, value, left)
    if each.flag.kind == "list":
        before = typed[each.name]
        typed[each.name] = [*(before if isinstance(before, list) else ()), value]
    else:
        typed[each.name] = Path(value) if each.flag.kind == "file" else value


def _value(equals: str, value: str, left: Iterator[str]) -> str:
    """The value of an option that needs one. Raises _UnclearError."""
    if not equals:
        value = next(left, "--")
    if not equals and value.startswith("-") and value != "-":
        raise _UnclearError
    return value


def _is_on(name: str, flag: Flag) -> bool:
    """Whether a name of a switch, or of one of a pair, switches on."""
    off = [each.partition("/")[2] for each in flag.names.split()]
    return name not in off
