"""The commands that list: strategies, profiles, and the state of the installation."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

import typer

from ctxpack.cli.display import align_columns
from ctxpack.cli.inputs import settings_of
from ctxpack.cli.options import Flags
from ctxpack.cli.output import check_output, deliver, tell
from ctxpack.errors import CtxpackError
from ctxpack.gather.plan import StrategyStatus, strategy_statuses
from ctxpack.settings import Settings
from ctxpack.settings.loading import Profile, list_profiles
from ctxpack.system.version import __version__
from ctxpack.text import json_text, printable, valid
from ctxpack.workflows.diagnosis import OK, Check, diagnosis, is_broken

STRATEGIES_SCHEMA = 1
_MILLI = 1_000


def list_strategies(flags: Flags) -> None:
    """List the strategies, with notes about those left out. Raises CtxpackError."""
    settings = settings_of(flags)
    check_output(flags)
    rows, notes = strategy_statuses(settings)
    deliver(_strategies_json(rows, notes) if settings.format == "json" else _strategies_table(rows), flags)
    if not flags.quiet:
        for note in notes:
            tell(f"Note: {printable(note)}")


def _strategies_table(rows: tuple[StrategyStatus, ...]) -> str:
    head = ("strategy", "state", "serves", "priority", "tokens", "seconds", "last took", "what it brings")
    return align_columns([head, *(_row(each) for each in rows)], right=(3, 4, 5, 6))


def _row(each: StrategyStatus) -> tuple[str, ...]:
    origin = f" (from {each.origin})" if each.origin else ""
    return (
        printable(each.id),
        each.state,
        "every request" if each.serves_all else ", ".join(each.scopes),
        str(each.priority),
        "budget" if each.has_budget else f"{each.max_tokens:,}",
        f"{each.timeout_s:g}",
        "" if each.last_s is None else f"{each.last_s * _MILLI:.0f} ms",
        printable(f"{each.name}{origin}"),
    )


def _strategies_json(rows: tuple[StrategyStatus, ...], notes: tuple[str, ...]) -> str:
    """The documented form, schema 1."""
    strategies = [
        {
            "id": valid(each.id),
            "name": valid(each.name),
            "priority": each.priority,
            "max_tokens": each.max_tokens,
            "timeout_s": each.timeout_s,
            "enabled": each.is_enabled,
            "state": each.state,
            "scopes": list(each.scopes),
            "origin": valid(each.origin) or None,
            "last_s": each.last_s,
        }
        for each in rows
    ]
    document = {"schema": STRATEGIES_SCHEMA, "strategies": strategies, "notes": list(map(valid, notes))}
    return json_text(document)


PROFILES_SCHEMA = 1


def deliver_profiles(flags: Flags) -> None:
    """List the profiles. Raises CtxpackError."""
    settings = settings_of(flags)
    check_output(flags)
    found = list_profiles(Path(settings.root), os.environ, flags.config)
    deliver(_profiles_json(found) if flags.format == "json" else _profiles_table(found), flags)


def _profiles_table(found: Iterable[Profile]) -> str:
    rows = [("profile", "sets", "to", "from")]
    for profile in found:
        names = [profile.name, *[""] * len(profile.values)]
        values = profile.values
        rows += [
            (printable(name), printable(each.key), printable(_toml(each.written)), printable(each.origin))
            for name, each in zip(names, values, strict=False)
        ]
        if not values:
            rows.append((printable(profile.name), "nothing", "", ""))
    return align_columns(rows)


def _profiles_json(found: Iterable[Profile]) -> str:
    """The profiles in the documented JSON, schema 1."""
    listed = [
        {
            "name": valid(profile.name),
            "values": [
                {"key": valid(each.key), "value": each.written, "from": valid(each.origin)} for each in profile.values
            ],
        }
        for profile in found
    ]
    return json_text({"schema": PROFILES_SCHEMA, "profiles": listed})


def _toml(value: object) -> str:
    """A value as a configuration file would write it."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key} = {_toml(each)}" for key, each in value.items()) + "}"
    return json.dumps(value, ensure_ascii=False, default=str)


DOCTOR_SCHEMA = 1


def diagnose_and_deliver(flags: Flags) -> None:
    """Check and deliver the result; exit with 1 if something is broken. Raises UsageError."""
    check_output(flags)
    settings, error = _settings_or_error(flags)
    findings = diagnosis(settings, error)
    deliver(_findings_json(findings) if flags.format == "json" else _findings_table(findings), flags)
    if is_broken(findings):
        raise typer.Exit(1)


def _settings_or_error(flags: Flags) -> tuple[Settings | None, CtxpackError | None]:
    """The settings, or why there are none."""
    from ctxpack.light import replace

    values = {name: value for name, value in flags.values.items() if name != "format"}  # it is the list's
    try:
        return settings_of(replace(flags, quiet=True, values=values)), None
    except CtxpackError as error:
        return None, error


def _findings_table(findings: Iterable[Check]) -> str:
    rows, before = [], ""
    for each in findings:
        mark = "" if each.state == OK else each.state.upper()
        rows.append((each.part if each.part != before else "", printable(each.name), mark, printable(each.found)))
        before = each.part
    return align_columns(rows)


def _findings_json(findings: tuple[Check, ...]) -> str:
    """The checks in the documented JSON, schema 1."""
    listed = [
        {"part": each.part, "name": valid(each.name), "state": each.state, "found": valid(each.found)}
        for each in findings
    ]
    document = {"schema": DOCTOR_SCHEMA, "version": __version__, "is_broken": is_broken(findings), "findings": listed}
    return json_text(document)
