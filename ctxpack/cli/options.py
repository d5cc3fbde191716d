"""The options that several commands share: those of the command line itself, and those of the settings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, NamedTuple, TypedDict, Unpack

import typer

from ctxpack.cli.completion import Complete, completion_of
from ctxpack.errors import UsageError, did_you_mean
from ctxpack.light import dataclass, field, replace
from ctxpack.settings.declaration import (
    FILES,
    OUTPUT,
    PACK,
    PROMPT,
    RANKING,
    RUN,
    WATCH,
    Flag,
    Setting,
    declarations,
    option,
)

if TYPE_CHECKING:
    import inspect


@dataclass(frozen=True, slots=True)
class Flags:
    """What was typed. ``values`` are the typed settings by their name; the rest belongs to the command line alone."""

    values: Mapping[str, object] = field(default_factory=dict)

    # fmt: off
    root: list[str] | None = option(None, Flag(
        "--root", FILES, "DIR|ADDRESS", "list",
        help="Repository: a folder, owner/name on GitHub or an address, with @REV for a revision; repeat it as "
        "LABEL=DIR to search several together. Default: the one around the current folder.",
    ))
    stdin: bool = option(
        False, Flag("--stdin", FILES, kind="switch", help="Only the files listed on standard input, one per line.")
    )
    null: bool = option(False, Flag(
        "--null -0", FILES, kind="switch", help="With --stdin: names are separated by NUL, not by newlines.",
        foreign="--print0",
    ))
    dry_run: bool = option(False, Flag(
        "--dry-run", PACK, kind="switch", help="List the pieces and their tokens, without content.",
        foreign="--preview --token-count-tree --token-map",
    ))
    explain_budget: bool = option(False, Flag(
        "--explain-budget", PACK, kind="switch", help="Print on standard error how the context window is divided.",
    ))
    hint: list[str] | None = option(
        None, Flag("--hint", PACK, "KEY=VALUE", "list", help="Hint for the strategies; task=WORDS says the goal.")
    )
    sources: Path | None = option(
        None, Flag("--sources", PROMPT, "FILE", "file", help="Write to a file, as JSON, what each [Source N] is.")
    )
    output: str = option("-", Flag(
        "--output -o", OUTPUT, "FILE", help="Write to a file; - is standard output.", foreign="--output-file -O",
    ))
    copy: bool = option(False, Flag(
        "--copy", OUTPUT, kind="switch", help="Copy to the clipboard instead of printing.", foreign="--clipboard",
    ))
    config: Path | None = option(
        None, Flag("--config", RUN, "FILE", "file", help="Configuration file, instead of the project's ctxpack.toml.")
    )
    profile: str | None = option(None, Flag(
        "--profile", RUN, "NAME",
        help="Settings for a purpose: edit, review, explain, troubleshoot, onboard or your own; see ctxpack profiles.",
    ))
    explain: bool = option(False, Flag(
        "--explain", RANKING, kind="switch", help="Print on standard error why each piece was chosen.", foreign="--why",
    ))
    log_format: str | None = option(None, Flag(
        "--log-format", RUN, "json", help="Print one JSON object per event on standard error, instead of sentences.",
    ))
    watch: bool = option(False, Flag(
        "--watch", WATCH, kind="switch", help="Update the report whenever a file changes, until Ctrl-C.",
    ))
    quiet: bool = option(False, Flag("--quiet -q", RUN, kind="switch", help="Print neither progress nor summary."))
    verbose: bool = option(
        False, Flag("--verbose -v", RUN, kind="switch", help="Print more, and show tracebacks.", foreign="--debug")
    )
    # fmt: on

    @property
    def format(self) -> str | None:
        """The format that was typed."""
        found = self.values.get("format")
        return found if isinstance(found, str) else None

    def has(self, name: str) -> bool:
        """Return whether an option was typed, by the name of its field."""
        return bool(self.values.get(name) or getattr(self, name, None))


@cache
def own_options() -> Mapping[str, Setting]:
    """The declarations of the command line's own options."""
    return declarations(Flags)


_TYPES: Final[Mapping[str, Any]] = {
    "value": str | None, "list": list[str] | None, "file": Path | None, "switch": bool, "pair": bool | None,
}  # fmt: skip
"""How a flag is typed -> the type that Typer reads."""

NEEDED: Final = object()
"""The default of what has to be typed."""


class OwnParameter(NamedTuple):
    """An argument or option that one command alone has, passed to its body as ``field``; an argument has no names.

    It is typed with a value, several times or with several words, alone, or with a number that is at least 1.
    """

    field: str
    help: str
    metavar: str = ""
    names: tuple[str, ...] = ()
    kind: Literal["value", "list", "switch", "number"] = "value"
    default: object = None
    complete: Complete | None = None

    @property
    def is_required(self) -> bool:
        """Whether it has to be typed."""
        return self.default is NEEDED


KEPT_LINES: Final = "\b"
"""Before lines that Typer does not join."""

LIST_FORMATS: Final = ("plain", "json")
"""The formats of commands that list something instead of packing it."""

Body = Callable[..., None]


class CommandRunner(NamedTuple):
    """What runs command lines, for the command that runs those of other processes."""

    run: Callable[[Sequence[str]], int]
    is_plain: Callable[[Sequence[str]], bool]


COMMAND_GROUPS: Final = ("Pack", "Find", "Look", "Keep", "Set up")
"""The groups of the commands, in the order of the help."""

OFTEN: Final = (
    "budget", "format", "output", "copy", "root", "include", "exclude", "require", "profile", "dry_run",
)  # fmt: skip
"""The options that are used most, by field: the help of each command begins with them."""


class CommandFacts(TypedDict, total=False):
    """What is declared of a command besides its panels, as in ``CommandSpec``."""

    group: str
    settings: tuple[str, ...]
    lists: bool
    examples: tuple[str, ...]
    own: tuple[OwnParameter, ...]
    takes_runner: bool


def command(
    commands: dict[str, CommandSpec], *panels: str, name: str = "", **facts: Unpack[CommandFacts]
) -> Callable[[Body], Body]:
    """Return a decorator that adds a command with the options of some panels, which its body gets as ``flags``.

    It is called ``name``, or like the function.
    """

    def add(body: Body) -> Body:
        commands[name or body.__name__] = CommandSpec(body, panels, **facts)
        return body

    return add


class CommandSpec(NamedTuple):
    """A command as it is declared; its parameters are made only for those that may have been typed.

    ``settings`` name further settings that it has options for. A command that ``lists`` something writes a table or
    JSON, and none of the formats of a pack. ``examples`` are command lines without the program and the command,
    ``own`` its own arguments and options. A body that ``takes_runner`` gets the ``CommandRunner`` that runs it.
    """

    body: Body
    panels: tuple[str, ...]
    settings: tuple[str, ...] = ()
    lists: bool = False
    group: str = COMMAND_GROUPS[-1]
    examples: tuple[str, ...] = ()
    own: tuple[OwnParameter, ...] = ()
    takes_runner: bool = False

    def register(self, app: typer.Typer, name: str, runner: CommandRunner | None = None) -> None:
        """Give it to Typer with all its parameters."""
        import inspect

        given = {"runner": runner} if self.takes_runner else {}

        def run(**typed: Any) -> None:  # noqa: ANN401 - Typer passes what the options declare
            mine = {each.field: typed.pop(each.field) for each in self.own}
            flags = flags_of(typed)
            if self.lists:
                check_list_format(flags)
            self.body(**mine, **given, flags=flags)

        parameters = [*map(typer_parameter, self.own), *map(_parameter, self.options())]
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined] # inspect looks for it
        app.command(name, help=escape("\n\n".join(self.paragraphs(name))), rich_help_panel=self.group or None)(run)

    def paragraphs(self, name: str) -> list[str]:
        """Return what it does, then its examples, line by line."""
        first, *more = paragraphs_of(self.body)
        lines = "\n".join(f"  ctxpack {name} {each}".rstrip() for each in self.examples)
        return [first, *([f"{KEPT_LINES}\nExamples:\n{lines}"] if lines else []), *more]

    def options(self) -> list[Setting]:
        """Return the declarations of its shared options: those it names, then those of its panels in their order."""
        from ctxpack.settings import SETTINGS

        own = [SETTINGS[name] for name in self.settings]
        shared = (each for each, flag in declared_flags() if flag.panel in self.panels)
        found = [*own, *(each for each in shared if each not in own)]
        found.sort(key=lambda each: OFTEN.index(each.name) if each.name in OFTEN else len(OFTEN))
        return [_list_format(each) if self.lists and each.name == "format" else each for each in found]


def check_list_format(flags: Flags) -> None:
    """Refuse a format that only packs have. Raises UsageError."""
    if flags.format and flags.format not in LIST_FORMATS:
        hint = did_you_mean(flags.format, LIST_FORMATS) or "Leave it out for a table, or write --format json."
        raise UsageError(f"--format must be plain or json for this command, not {flags.format!r}.", hint=hint)


def declared_flags() -> Iterable[tuple[Setting, Flag]]:
    """Yield every setting and option that has a flag."""
    from ctxpack.settings import SETTINGS

    for each in (*SETTINGS.values(), *own_options().values()):
        if each.flag is not None:
            yield each, each.flag


def _list_format(each: Setting) -> Setting:
    """The declaration of ``--format`` for a command that lists: it has two formats, and another default."""
    assert each.flag is not None  # noqa: S101 - options() gives only those with a flag
    flag = replace(each.flag, help="Format: plain (a table, the default) or json.")
    return replace(each, flag=flag, default="")


def _parameter(each: Setting) -> inspect.Parameter:
    import inspect

    flag = each.flag
    assert flag is not None  # noqa: S101 - options() gives only those with a flag
    made = typer.Option(
        *flag.names.split(),
        metavar=flag.metavar or None,
        help=escape(each.flag_help),
        rich_help_panel=None if each.name in OFTEN else flag.panel or None,
        autocompletion=completion_of(each),
        show_default=False,
    )
    default = each.default if each.name in own_options() else False if flag.kind == "switch" else None
    hint: Any = str if default == "-" else _TYPES[flag.kind]
    kind = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(each.name, kind, default=default, annotation=Annotated[hint, made])


def typer_parameter(each: OwnParameter) -> inspect.Parameter:
    """Return a parameter of a command as Typer reads it."""
    import inspect

    facts: dict[str, Any] = {"metavar": each.metavar or None, "help": each.help, "autocompletion": each.complete}
    made = typer.Argument(**facts)
    if each.names:
        made = typer.Option(*each.names, **facts, min=1 if each.kind == "number" else None)
    hint: Any = {"list": list[str], "switch": bool, "number": int}.get(each.kind, str)
    hint = hint | None if each.default is None else hint
    default = inspect.Parameter.empty if each.is_required else each.default
    kind = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(each.field, kind, default=default, annotation=Annotated[hint, made])


def paragraphs_of(body: Body) -> list[str]:
    """Return what the docstring of a body says, a line for each paragraph."""
    lines = [each.strip() for each in (body.__doc__ or "").strip().splitlines()]
    return [each.replace("\n", " ") for each in "\n".join(lines).split("\n\n")]


def escape(text: str) -> str:
    """A text without markup."""
    return text.replace("[", "\\[")


def flags_of(typed: Mapping[str, object]) -> Flags:
    """Sort what was typed, by field, into the options of the command line and the values of settings."""
    from ctxpack.settings import SETTINGS

    own = {name: value for name, value in typed.items() if name in own_options()}
    values: dict[str, object] = {}
    for name, value in typed.items():
        if name in own_options() or value in (None, []) or (value is False and SETTINGS[name].is_switch):
            continue
        values[name] = SETTINGS[name].typed_value(value)
    for name in (*values,):
        flag = SETTINGS[name].flag
        if flag and flag.implies:
            values.setdefault(flag.implies, True)
    return Flags(**own, values=values)  # type: ignore[arg-type] # Typer gives the types that are declared
