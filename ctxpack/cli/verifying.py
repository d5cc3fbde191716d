"""The verify command: check a report against the repository, and update it."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ctxpack.cli.display import align_columns, progress
from ctxpack.cli.inputs import add_hints, path_of_buffer, request_text, settings_of, standard_text
from ctxpack.cli.options import Flags
from ctxpack.cli.output import check_output, deliver, is_for_terminal, tell, tell_notes, write, write_file
from ctxpack.errors import InternalError, NothingFoundError, UsageError
from ctxpack.light import replace
from ctxpack.model import Request, Scope
from ctxpack.model.formats import format_of
from ctxpack.render.read_back import ReadReport, read_report
from ctxpack.render.wording import place
from ctxpack.settings import Settings
from ctxpack.system.disk import read_named
from ctxpack.text import json_text, number_of, printable, valid

if TYPE_CHECKING:
    from ctxpack.workflows.verification import CheckedPiece

VERIFY_SCHEMA: Final = 1
_STANDARD: Final = "-"
_COLOURS: Final = {"moved": "yellow", "changed": "red", "gone": "bold red", "edited": "magenta"}


def verify_and_deliver(report: str, asked: Sequence[str], flags: Flags, *, update: bool) -> None:
    """Check a report; with ``update`` make it again where it is stale, else raise NothingFoundError.

    ``asked`` is the request, for a report that does not show all of it. Raises CtxpackError.
    """
    check_output(flags)
    settings = settings_of(flags)
    data = _read(report)
    read = read_report(data)
    from ctxpack.workflows.verification import check_report

    checked = check_report(read, settings)
    name = "The report" if report == _STANDARD else printable(report)
    pieces = number_of(len(checked), "piece")
    stale = [each for each in checked if each.status != "unchanged"]
    if stale and update:
        _update(report, (data, read), asked, flags)
        if not flags.quiet and report != _STANDARD:
            tell(f"Updated {name}: {_account(stale)} of {pieces}.")
        return
    if flags.format == "json":
        deliver(_json(report, read, checked), flags)
    elif stale:
        _deliver_table(stale, flags)
    elif not flags.quiet:
        which = "its piece matches" if len(checked) == 1 else f"all {len(checked)} pieces match"
        deliver(f"{name} is up to date: {which} the repository.\n", flags)
    if stale:
        hint = "" if report == _STANDARD else f"Update it: ctxpack verify --update {printable(report)}"
        if {str(each.status) for each in checked} == {"gone"}:
            hint = "If it is a report on another repository, name that one with --root."
        raise NothingFoundError(f"{name} is out of date: {_account(stale)} of {pieces}.", hint=hint)


def _account(stale: Sequence[CheckedPiece]) -> str:
    """``2 changed, 1 gone``."""
    counts = Counter(str(each.status) for each in stale)
    return ", ".join(f"{count} {status}" for status, count in sorted(counts.items()))


def _read(report: str) -> bytes:
    """The bytes of a report. Raises UsageError where there is no such file, InternalError where it cannot be read."""
    if report == _STANDARD:
        return sys.stdin.buffer.read()
    try:
        return read_named(report)
    except FileNotFoundError as error:
        raise UsageError(f"There is no file {printable(report)}.", hint="Name a report, or - for one.") from error
    except IsADirectoryError as error:
        raise UsageError(f"{printable(report)} is a folder.", hint="Name a report in it.") from error
    except OSError as error:
        raise InternalError(f"{printable(report)} cannot be read: {error.strerror}.") from error


def _row(each: CheckedPiece) -> tuple[str, str, str, str]:
    its = each.piece
    where = printable(f"{its.path}:{place(its.start_line, its.end_line)}")
    now = printable(f"{each.path}:{place(*each.span)}") if each.path else ""
    return str(its.number), str(each.status), where, f"now {now}" if now else ""


def _deliver_table(stale: Sequence[CheckedPiece], flags: Flags) -> None:
    """Show the stale pieces, one on each line; on a terminal in colours."""
    rows = [_row(each) for each in stale]
    if not is_for_terminal(flags):
        deliver(align_columns(rows, right=(0,)), flags)
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 2))
    for number, status, where, now in rows:
        table.add_row(Text(number, justify="right"), Text(status, style=_COLOURS[status]), Text(where), Text(now))
    Console().print(table)


def _json(name: str, report: ReadReport, checked: Sequence[CheckedPiece]) -> str:
    """The result in the documented JSON, schema 1."""
    counts = Counter(str(each.status) for each in checked)
    document = {
        "schema": VERIFY_SCHEMA,
        "report": valid(name),
        "format": report.format,
        "commit": report.commit,
        "is_stale": len(checked) > counts["unchanged"],
        "counts": dict(sorted(counts.items())),
        "pieces": [_entry(each) for each in checked],
    }
    return json_text(document)


def _entry(each: CheckedPiece) -> Mapping[str, object]:
    its = each.piece
    first, last = each.span
    now = {"path": valid(each.path), "start_line": first, "end_line": last}
    return {
        "number": its.number,
        "path": valid(its.path),
        "start_line": its.start_line,
        "end_line": its.end_line,
        "status": str(each.status),
        **({"now": now} if each.path else {}),
    }


def _update(report: str, held: tuple[bytes, ReadReport], asked: Sequence[str], flags: Flags) -> None:
    """Make a report again from its request and its recipe, in its place. Raises CtxpackError."""
    from ctxpack.answer import pack

    data, read = held
    if read.is_part:
        raise UsageError(f"{printable(report)} is maintained by ctxpack refresh.", hint="Run: ctxpack refresh")
    request, settings = _original_request(data, read, asked, flags)
    with progress(flags) as on_progress:
        made = pack(request, replace(settings, remember=False), on_progress=on_progress)
    tell_notes((*made.remarks, *made.notes), flags)
    if report == _STANDARD or flags.output != _STANDARD:
        write(made.text) if flags.output == _STANDARD else deliver(made.text, flags)
    else:
        write_file("REPORT", Path(report), made.text)


def _original_request(data: bytes, read: ReadReport, asked: Sequence[str], flags: Flags) -> tuple[Request, Settings]:
    """The request and the settings that a report was made with; what was typed now wins."""
    from ctxpack.settings.recipe import read_recipe

    recipe = read_recipe(read.recipe)
    typed = {name: value for name, value in flags.values.items() if name != "format"}
    values = {**recipe.values, **typed, "format": read.format}
    its = replace(flags, values=values, profile=flags.profile or recipe.profile)
    settings = settings_of(its)
    is_free = not (settings.model or settings.window or "budget" in values)
    if is_free and read.budget and format_of(read.format).has_budget:
        settings = settings_of(its, budget=read.budget)
    if "paths" in recipe.needs and settings.paths is None:
        raise UsageError("The report was made from a list of files.", hint="Pipe the same list in, and add --stdin.")
    request = add_hints(recipe.request, dict(recipe.request.hints))
    if request.scope is Scope.TASK:
        from ctxpack.answer import find_request

        known = find_request(settings, data.decode("utf-8", "replace"))
        text = known if known and not asked else _words(read, asked, flags, needed="text" in recipe.needs)
        return replace(request, text=text), settings
    if "buffer" in recipe.needs:
        path = path_of_buffer(settings.places, request.path)
        settings = replace(settings, buffers={path: standard_text()})
    return request, settings


def _words(read: ReadReport, asked: Sequence[str], flags: Flags, *, needed: bool) -> str:
    """The words of the request: those that were given, else those of the report. Raises UsageError."""
    if asked:
        return request_text(asked, flags)
    if needed or not read.text.strip():
        raise UsageError(
            "The report shows only the beginning of its request, and the rest is not in the cache of this machine.",
            hint='Give the request again: ctxpack verify --update REPORT "fix the retry bug", or - to read it.',
        )
    return read.text
