"""The doctor command: the checks of the installation, as a table or as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable

import typer

from ctxpack.cli.inputs import settings_of
from ctxpack.cli.options import Flags
from ctxpack.cli.output import check_output, deliver
from ctxpack.cli.tables import aligned
from ctxpack.diagnosis import OK, Check, diagnosis, is_broken
from ctxpack.errors import CtxpackError, UsageError
from ctxpack.settings import Settings
from ctxpack.text import printable, valid
from ctxpack.version import __version__

SCHEMA = 1
_FORMATS = (None, "plain", "json")


def diagnose_and_deliver(flags: Flags) -> None:
    """Check and deliver the result; exit with 1 if something is broken. Raises UsageError."""
    if flags.format not in _FORMATS:
        raise UsageError(
            f"The doctor cannot write {flags.format}.", hint="It writes a table, or JSON with --format json."
        )
    check_output(flags)
    settings, error = _settings_or_error(flags)
    findings = diagnosis(settings, error)
    deliver(_json(findings) if flags.format == "json" else _table(findings), flags)
    if is_broken(findings):
        raise typer.Exit(1)


def _settings_or_error(flags: Flags) -> tuple[Settings | None, CtxpackError | None]:
    """The settings, or why there are none."""
    from dataclasses import replace

    values = {name: value for name, value in flags.values.items() if name != "format"}  # it is the list's
    try:
        return settings_of(replace(flags, quiet=True, values=values)), None
    except CtxpackError as error:
        return None, error


def _table(findings: Iterable[Check]) -> str:
    rows, before = [], ""
    for each in findings:
        mark = "" if each.state == OK else each.state.upper()
        rows.append((each.part if each.part != before else "", printable(each.name), mark, printable(each.found)))
        before = each.part
    return aligned(rows)


def _json(findings: tuple[Check, ...]) -> str:
    """The checks in the documented JSON, schema 1."""
    listed = [
        {"part": each.part, "name": valid(each.name), "state": each.state, "found": valid(each.found)}
        for each in findings
    ]
    document = {"schema": SCHEMA, "version": __version__, "is_broken": is_broken(findings), "findings": listed}
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"
