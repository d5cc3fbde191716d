"""Run a command: aliases of flags are replaced, and every error becomes a sentence with a hint.

A flag that does not exist, or is one of another tool, gets a hint about what to type instead.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Final

import typer

from ctxpack.cli.app import COMMANDS, WHOLE_PROGRAM, app_for
from ctxpack.cli.options import CommandRunner, CommandSpec, Flags, check_list_format, declared_flags
from ctxpack.cli.output import tell, write
from ctxpack.errors import CtxpackError, did_you_mean
from ctxpack.light import lazy_pattern

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
_COMPLETION: Final = "_CTXPACK_COMPLETE"  # a shell asks for what could be typed
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
    return [_replace_alias(argument) for argument in arguments[:end]] + list(arguments[end:])


def suggestion(flag: str, known: Iterable[str]) -> str:
    """Return what to do instead of a flag that does not exist, as one sentence; empty if nothing comes to mind."""
    if flag in foreign_flags():
        return f"Use {foreign_flags()[flag]}."
    names = {name.lstrip("-"): name for name in sorted({*known, *aliases()}) if name.startswith("--")}
    return did_you_mean(flag.lstrip("-"), names, cutoff=_ALIKE, show=lambda name: names[name])


def _replace_alias(argument: str) -> str:
    if not argument.startswith("--"):
        return argument
    flag, equals, value = argument.partition("=")
    return aliases().get(flag, flag) + equals + value


_MOST_OWNERS = 5  # commands that a hint names
_USAGE, _INTERNAL, _INTERRUPTED = 2, 4, 130
_HELP = "help"  # what hands type for --help
_HELP_FLAGS: Final = ("--help", "-h")
_UNKNOWN_COMMAND = lazy_pattern(r"No such command '(.*?)'\.")


def run(arguments: Sequence[str]) -> int:
    """Run a command and return its exit status; errors are printed on standard error."""
    given = list(arguments)
    try:
        given = replace_aliases(given) if len(given) > 1 else given  # the version needs no settings
        if given[:1] == [_HELP]:
            given = [*given[1:2], "--help"]
        status = _show_page(given)
        if status is None:
            status = _run_plain(given)
        if status is None:
            app = typer.main.get_command(app_for(given, CommandRunner(run, is_plain)))
            status = app.main(args=given, prog_name="ctxpack", standalone_mode=False)
    except CtxpackError as error:
        return _fail(str(error), error.hint, error.exit_code)
    except typer.TyperException as error:
        return _report_misuse(error)
    except (typer.Abort, KeyboardInterrupt):  # the exit status says it
        status = _INTERRUPTED
    except Exception as error:  # noqa: BLE001 - the last line of defence: one sentence instead of a traceback
        return _report_crash(error, is_verbose=not {"-v", "--verbose"}.isdisjoint(given))
    if status == _INTERRUPTED:
        return _fail("Interrupted.", "", _INTERRUPTED)
    return status if isinstance(status, int) else 0


def _show_page(given: Sequence[str]) -> int | None:
    """Show the help that was asked for, and return the exit status; None where nothing else was typed than that."""
    name, *rest = given or [_HELP_FLAGS[0]]
    if _COMPLETION in os.environ or rest not in ([], [_HELP_FLAGS[0]], [_HELP_FLAGS[1]]):
        return None
    if name not in (COMMANDS if rest else _HELP_FLAGS):
        return None
    from ctxpack.cli.help_pages import current_style, page_of_command, page_of_program

    style = current_style()
    page = page_of_command(name, COMMANDS[name], style) if rest else page_of_program(WHOLE_PROGRAM, COMMANDS, style)
    write(f"{page}\n")
    return 0


def is_plain(arguments: Sequence[str]) -> bool:
    """Whether a command line needs no Typer, and is in order as far as its options go."""
    try:
        return _read_plain(replace_aliases(arguments)) is not None
    except CtxpackError:  # who runs it says so
        return False


def _run_plain(given: Sequence[str]) -> int | None:
    """Run a command line that needs no Typer, and return its exit status; None for any other."""
    found = _read_plain(given)
    if found is None:
        return None
    spec, values, flags = found
    if spec.lists:
        check_list_format(flags)
    spec.body(**values, flags=flags)
    return 0


def _read_plain(given: Sequence[str]) -> tuple[CommandSpec, Mapping[str, object], Flags] | None:
    """Read a command line that needs no Typer; None for any other."""
    spec = COMMANDS.get(given[0]) if given else None
    if spec is None or _COMPLETION in os.environ:
        return None
    from ctxpack.cli.typed import read_plain

    found = read_plain(spec, given[1:])
    return (spec, *found) if found else None


def _fail(sentence: str, hint: str, status: int) -> int:
    tell(f"Error: {sentence}")
    if hint:
        tell(f"Hint: {hint}")
    return status


def _report_misuse(error: typer.TyperException) -> int:
    """Say what is wrong with the arguments, and what to type instead."""
    context = getattr(error, "ctx", None)
    sentence, hint = str(error.format_message()), f"See {context.command_path if context else 'ctxpack'} --help."
    flag = getattr(error, "option_name", "")
    if unknown := _UNKNOWN_COMMAND.match(sentence):
        name = unknown[1]
        is_task = " " in name
        near = f'To pack what a task needs: ctxpack task "{name}"' if is_task else did_you_mean(name, COMMANDS)
        sentence, hint = f"There is no command {name!r}.", near or hint
    elif sentence.startswith("No such option"):
        sentence, hint = f"There is no option {flag}.", _advice(flag, context) or hint
    elif sentence.startswith("Missing argument") and (example := _example(context)):
        hint = f"For example: {example}"
    return _fail(sentence, hint, _USAGE)


def _example(context: typer.Context | None) -> str:
    """The first example of a command that has an argument; empty if it has none."""
    name = context.info_name if context else None
    examples = COMMANDS[name].examples if name in COMMANDS else ()
    return next((f"ctxpack {name} {each}" for each in examples if each), "")


def _advice(flag: str, context: typer.Context | None) -> str:
    """What to type instead of a flag that a command does not have."""
    if context is None:
        return ""
    if " " in flag:
        return f'A text that begins with a hyphen comes last, behind --: {context.command_path} -- "{flag}"'
    names = {name for each in context.command.params for name in each.opts}
    commands = getattr(context.command, "commands", {}).values()
    below = {name for command in commands for each in command.params for name in each.opts}
    flag = replace_aliases([flag])[0]
    if flag in below:
        return f"Options follow the command: ctxpack task … {flag}"
    return _owners(flag) or suggestion(flag, names | below)


def _owners(flag: str) -> str:
    """The commands that have a flag, as a hint; empty if none or many have it."""
    commands = getattr(typer.main.get_command(app_for([])), "commands", {})
    found = [name for name, command in commands.items() if any(flag in each.opts for each in command.params)]
    if not found or len(found) > _MOST_OWNERS:
        return ""
    return f"It belongs to {'another command' if len(found) == 1 else 'other commands'}: {', '.join(found)}."


def _report_crash(error: Exception, *, is_verbose: bool) -> int:
    if is_verbose:
        import traceback

        tell("".join(traceback.format_exception(error)).rstrip())
    hint = "Please report this." if is_verbose else "Run it again with -v to see where, and please report it."
    return _fail(f"ctxpack failed unexpectedly: {type(error).__name__}: {error}", hint, _INTERNAL)
