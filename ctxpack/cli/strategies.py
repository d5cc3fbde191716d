"""The strategies command: what gathers pieces, when it runs, and its limits."""

from __future__ import annotations

import json

from ctxpack.cli.inputs import settings_of
from ctxpack.cli.options import Flags
from ctxpack.cli.output import check_output, deliver, tell
from ctxpack.cli.tables import aligned
from ctxpack.errors import UsageError
from ctxpack.gather.listing import Listed, listing
from ctxpack.text import printable, valid

SCHEMA = 1
_FORMATS = ("plain", "json")
_MILLI = 1_000


def list_and_deliver(flags: Flags) -> None:
    """Send the list where the flags say, and notes about what was left out. Raises CtxpackError."""
    settings = settings_of(flags)
    if flags.format and settings.format not in _FORMATS:
        raise UsageError(
            f"The list of strategies has no form {settings.format}.", hint="It is a table, or with --format json JSON."
        )
    check_output(flags)
    rows, notes = listing(settings)
    deliver(_json(rows, notes) if settings.format == "json" else _table(rows), flags)
    if not flags.quiet:
        for note in notes:
            tell(f"Note: {printable(note)}")


def _table(rows: tuple[Listed, ...]) -> str:
    head = ("strategy", "state", "serves", "priority", "tokens", "seconds", "last took", "what it brings")
    return aligned([head, *(_row(each) for each in rows)], right=(3, 4, 5, 6))


def _row(each: Listed) -> tuple[str, ...]:
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


def _json(rows: tuple[Listed, ...], notes: tuple[str, ...]) -> str:
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
    document = {"schema": SCHEMA, "strategies": strategies, "notes": list(map(valid, notes))}
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"
