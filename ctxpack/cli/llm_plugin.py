"""The plug-in of ``llm``: ``llm -f 'ctxpack:fix the retry bug -b 16k' 'write the fix'``, one fragment a piece.

The argument is what one would type after ``ctxpack task``; ``ctxpack-file``, ``ctxpack-component`` and ``ctxpack-diff``
take what those commands take. ``llm`` imports this module at every start, so that it loads nothing else.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

import llm

if TYPE_CHECKING:
    from ctxpack.cli.inputs import Spot
    from ctxpack.cli.options import Flags
    from ctxpack.model import Request

_COMMANDS: Final = {"ctxpack": "task", "ctxpack-file": "file", "ctxpack-component": "component", "ctxpack-diff": "diff"}
_EXAMPLES: Final = {
    "task": "fix the retry bug in the uploader -b 16k",
    "file": "processing/uploader.py --line 42",
    "component": "analytics",
    "diff": "main...HEAD",
}
_REFUSED: Final = ("output", "copy", "format", "dry_run", "sources", "metrics", "log_format", "watch")


@llm.hookimpl  # type: ignore[untyped-decorator] # llm may not be there when types are checked
def register_fragment_loaders(register: Callable[[str, Callable[[str], list[llm.Fragment]]], None]) -> None:
    """Tell llm of one loader for each command that packs."""
    for prefix, command in _COMMANDS.items():
        register(prefix, _loader(prefix, command))


def _loader(prefix: str, command: str) -> Callable[[str], list[llm.Fragment]]:
    def load(argument: str) -> list[llm.Fragment]:
        from ctxpack.errors import CtxpackError

        try:
            return [llm.Fragment(text, source) for source, text in pieces_for(command, argument)]
        except CtxpackError as error:
            raise ValueError(" ".join(filter(None, (str(error), error.hint)))) from error

    load.__doc__ = (
        f"The parts of a repository that matter, a fragment each; with the options of ctxpack {command}.\n"
        f"Example: llm -f '{prefix}:{_EXAMPLES[command]}'"
    )
    return load


def pieces_for(command: str, argument: str) -> list[tuple[str, str]]:
    """Return the source and the text of each part of a pack: its head, its pieces, its end. Raises CtxpackError.

    Joined by newlines, as llm does, they have no more tokens than the budget.
    """
    from ctxpack.answer import pack
    from ctxpack.cli.inputs import complete_request, settings_of
    from ctxpack.render import renderer
    from ctxpack.render.wording import location

    request, flags, spot = _request_of(command, _arguments_of(command, argument))
    request, settings = complete_request(request, settings_of(flags, format="markdown"), flags, spot)
    packed = pack(request, settings).pack
    form = renderer("markdown", line_numbers=settings.line_numbers)
    head, tail = form.frame(packed)
    numbered = enumerate(packed.selection.fragments, packed.first_source)
    pieces = [(location(piece), form.fragment(piece, number)) for number, piece in numbered]
    parts = [("ctxpack: the request", head), *pieces, ("ctxpack: what to open next", tail)]
    return [(source, text.strip("\n")) for source, text in parts if text.strip()]


def _arguments_of(command: str, argument: str) -> dict[str, Any]:
    """The values of a command's parameters for an argument, by name. Raises UsageError."""
    import typer

    from ctxpack.cli.app import COMMANDS
    from ctxpack.cli.run import replace_aliases
    from ctxpack.errors import UsageError

    typed: dict[str, Any] = {}
    spec, app, words = COMMANDS[command], typer.Typer(add_completion=False), _words(argument)
    hint = f"See ctxpack {command} --help."
    if not {"-h", "--help"}.isdisjoint(words):
        raise UsageError("A fragment cannot print help.", hint=hint)
    spec._replace(body=lambda **given: typed.update(given)).register(app, command)
    try:
        typer.main.get_command(app).main(args=replace_aliases(words), standalone_mode=False)
    except typer.TyperException as error:
        raise UsageError(str(error.format_message()), hint=hint) from error
    return typed


def _words(argument: str) -> list[str]:
    """The words of an argument; double quotes group words, and an apostrophe is an ordinary character."""
    reader = shlex.shlex(argument, posix=True, punctuation_chars=False)
    reader.whitespace_split, reader.quotes, reader.escape, reader.commenters = True, '"', "", ""
    try:
        return list(reader)
    except ValueError:  # a quote that nothing closes
        return argument.split()


def _request_of(command: str, typed: Mapping[str, Any]) -> tuple[Request, Flags, Spot]:
    """The request, the other flags, and the place in a file. Raises UsageError."""
    from ctxpack.cli.inputs import Spot, request_at, request_text
    from ctxpack.cli.options import declared_flags
    from ctxpack.errors import UsageError
    from ctxpack.model import Request, Scope

    flags: Flags = typed["flags"]
    names = {each.name: flag.name for each, flag in declared_flags()}
    for name in _REFUSED:
        if flags.has(name) and not (name == "output" and flags.output == "-"):
            raise UsageError(f"{names[name]} cannot be used in a fragment.", hint="The pieces go to llm as they are.")
    spot = Spot()
    if command == "task":
        request = Request(Scope.TASK, text=request_text(typed["text"] or (), flags))
    elif command == "file":
        spot = Spot(typed["line"], typed["lines"], typed["symbol"])
        request = request_at(typed["path"], spot)
    elif command == "component":
        request = Request(Scope.COMPONENT, name=typed["name"])
    else:
        request = Request(Scope.DIFF, revision=typed["revision"], is_staged=typed["staged"])
    return request, flags, spot
