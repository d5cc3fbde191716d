"""Read common command lines without Typer, which takes longer to load than many commands take to run.

Only simple command lines are read here: arguments that are texts, and options written as they are declared. Anything
else, such as help, a mistake or several short options in one word, is left to Typer. The meaning is the same.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from ctxpack.cli.options import Body, CommandSpec, Flags, flags_of, own_options, unwrap
from ctxpack.settings.declaration import Flag, Setting

_TEXTS: Final = frozenset(("str", "str | None"))
_GROUPS: Final = frozenset(("Pack", "Find"))  # the commands that are run again and again
_SWITCHES: Final = frozenset(("bool",))
_SAID: Final = frozenset(("help", "metavar", "autocompletion"))  # of a parameter, which means nothing for its value
_LISTS: Final = frozenset(("list[str]", "list[str] | None"))


class _UnclearError(Exception):
    """Typer has to find out what is meant."""


class Parameter(NamedTuple):
    """A parameter that a command declares itself, with its type as it is written; an argument has no names.

    ``facts`` are the further words of the declaration, such as its help; one that is no literal is None.
    """

    name: str
    type: str
    names: tuple[str, ...]
    default: object
    is_required: bool
    facts: Mapping[str, object]

    def check_plain(self) -> None:
        """Raise _UnclearError unless it can be read here."""
        types = _TEXTS | (_SWITCHES if self.names else _LISTS)
        if self.type not in types or "/" in "".join(self.names) or not _SAID.issuperset(self.facts):
            raise _UnclearError


def read_plain(spec: CommandSpec, arguments: Sequence[str]) -> tuple[Mapping[str, object], Flags] | None:
    """Return the values of a command's own parameters and its flags; None where Typer has to read them."""
    if spec.group not in _GROUPS:
        return None
    try:
        own = own_parameters(spec.body)
        for each in own:
            each.check_plain()
        options = spec.options()
        by_name: dict[str, Setting | Parameter] = {name: each for each in options for name in _names(each)}
        by_name |= {name: each for each in own for name in each.names}
        typed: dict[str, object] = {each.name: None for each in options} | _defaults(options)
        values: dict[str, object] = {each.name: each.default for each in own}
        words: list[str] = []
        left = iter(arguments)
        for argument in left:
            if argument == "-" or not argument.startswith("-"):
                words.append(argument)
            else:
                _take(argument, left, by_name, (typed, values))
        _assign(words, [each for each in own if not each.names], values)
    except _UnclearError:  # Typer reads it, and says what is wrong
        return None
    return values, flags_of(typed)


@lru_cache(maxsize=32)
def own_parameters(body: Body) -> tuple[Parameter, ...]:
    """Return the parameters that the body of a command declares for Typer, besides its flags."""
    body = unwrap(body)
    code, given = body.__code__, body.__kwdefaults__ or {}
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    first = code.co_argcount - len(body.__defaults__ or ())
    defaults = {**dict(zip(names[first:], body.__defaults__ or (), strict=False)), **given}
    found = (_parameter(name, body.__annotations__[name], defaults, body.__globals__) for name in names)
    return tuple(each for each in found if each)


def _parameter(
    name: str, annotation: str, defaults: Mapping[str, object], known: Mapping[str, object]
) -> Parameter | None:
    """Read what is written about a parameter: ``Annotated[TYPE, typer.Option("--name", help=...)]``."""
    alias = known.get(annotation)
    match ast.parse(alias if isinstance(alias, str) else annotation, mode="eval").body:
        case ast.Subscript(
            value=ast.Name(id="Annotated"),
            slice=ast.Tuple(elts=[kind, ast.Call(func=ast.Attribute(attr=what), args=written, keywords=said)]),
        ):
            pass
        case _:
            return None
    names = tuple(str(each) for each in map(_literal, written))
    if what == "Option" and ast.unparse(kind) != "bool":  # Typer gives a switch two names
        names = names or (f"--{name.replace('_', '-')}",)
    facts = {word.arg or "": _literal(word.value) for word in said}
    return Parameter(name, ast.unparse(kind), names, defaults.get(name), name not in defaults, facts)


def _literal(node: ast.expr) -> object:
    return node.value if isinstance(node, ast.Constant) else None


def _assign(words: Sequence[str], wanted: Sequence[Parameter], values: dict[str, object]) -> None:
    """Give the words to the arguments in their order; a list takes all that are left. Raises _UnclearError."""
    left = list(words)
    for each in wanted:
        is_optional = each.type in _TEXTS and each.default is not None
        if not left and not is_optional:
            raise _UnclearError
        if each.type in _LISTS:
            values[each.name], left = left, []
        elif left:
            values[each.name] = left.pop(0)
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
    known: Mapping[str, Setting | Parameter],
    found: tuple[dict[str, object], dict[str, object]],
) -> None:
    """Take an option with its value, a shared one or one of the command. Raises _UnclearError."""
    name, equals, value = argument.partition("=") if argument.startswith("--") else (argument, "", "")
    each, (typed, values) = known.get(name), found
    if isinstance(each, Parameter):
        values[each.name] = True if each.type == "bool" and not equals else _value(equals, value, left, each.type)
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


def _value(equals: str, value: str, left: Iterator[str], kind: str = "str") -> str:
    """The value of an option that needs one. Raises _UnclearError."""
    if not equals:
        value = next(left, "--")
    if kind == "bool" or (not equals and value.startswith("-") and value != "-"):
        raise _UnclearError
    return value


def _is_on(name: str, flag: Flag) -> bool:
    """Whether a name of a switch, or of one of a pair, switches on."""
    off = [each.partition("/")[2] for each in flag.names.split()]
    return name not in off
