"""Read common command lines without Typer, which takes longer to load than many commands take to run.

Only what is plain is read here: the commands that take words, and options written as they are declared. Anything else,
such as help, a slip or options run together, is left to Typer. What is read means the same either way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ctxpack.cli.options import CommandSpec, Flags, flags_of
from ctxpack.settings.declaration import Flag, Setting

_OF_WORDS = frozenset(("text", "flags", "return"))
"""What the body of a command that takes words declares."""


class _UnclearError(Exception):
    """Typer has to find out what is meant."""


def read_words(spec: CommandSpec, arguments: Sequence[str]) -> tuple[list[str], Flags] | None:
    """Return the words and the options after the name of a command; None where Typer has to read them."""
    if spec.body.__annotations__.keys() != _OF_WORDS:
        return None
    words: list[str] = []
    options = spec.options()
    by_name = {name: each for each in options for name in _names(each)}
    typed: dict[str, object] = {each.name: None for each in options} | _defaults(options)
    left = iter(arguments)
    try:
        for argument in left:
            if argument == "-" or not argument.startswith("-"):
                words.append(argument)
            else:
                _take(argument, left, by_name, typed)
    except _UnclearError:  # Typer reads it, and says what is wrong
        return None
    return (words, flags_of(typed)) if words else None


def _names(each: Setting) -> list[str]:
    """All names of an option, also that which switches it off."""
    return each.flag.names.replace("/", " ").split() if each.flag else []


def _defaults(options: Sequence[Setting]) -> dict[str, object]:
    own = Flags.__dataclass_fields__
    switches: dict[str, object] = {each.name: False for each in options if each.is_switch}
    return switches | {each.name: each.default for each in options if each.name in own}


def _take(argument: str, left: Iterator[str], known: Mapping[str, Setting], typed: dict[str, object]) -> None:
    """Take an option with its value. Raises _UnclearError."""
    name, equals, value = argument.partition("=") if argument.startswith("--") else (argument, "", "")
    each = known.get(name)
    if each is None or each.flag is None:
        raise _UnclearError
    if each.flag.kind in {"switch", "pair"}:
        if equals:
            raise _UnclearError
        typed[each.name] = _is_on(name, each.flag)
        return
    if not equals:
        value = next(left, "--")
        if value.startswith("-") and value != "-":
            raise _UnclearError
    if each.flag.kind == "list":
        before = typed[each.name]
        typed[each.name] = [*(before if isinstance(before, list) else ()), value]
    else:
        typed[each.name] = Path(value) if each.flag.kind == "file" else value


def _is_on(name: str, flag: Flag) -> bool:
    """Whether a name of a switch, or of one of a pair, switches on."""
    off = [each.partition("/")[2] for each in flag.names.split()]
    return name not in off
