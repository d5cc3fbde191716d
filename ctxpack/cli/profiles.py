"""The profiles command: the profiles there are, what each sets, and where that is written."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from ctxpack.cli.inputs import settings_of
from ctxpack.cli.options import Flags
from ctxpack.cli.output import check_output, deliver
from ctxpack.cli.tables import aligned
from ctxpack.configuration import list_profiles
from ctxpack.configuration.profiles import Profile
from ctxpack.errors import UsageError
from ctxpack.text import printable, valid

SCHEMA = 1
_FORMATS = ("plain", "json")


def deliver_profiles(flags: Flags) -> None:
    """Deliver the list of profiles. Raises CtxpackError."""
    settings = settings_of(flags)
    if flags.format and settings.format not in _FORMATS:
        raise UsageError(
            f"The list of profiles cannot be {settings.format}.", hint="It is a table, or JSON with --format json."
        )
    check_output(flags)
    found = list_profiles(Path(settings.root), os.environ, flags.config)
    deliver(_json(found) if flags.format == "json" else _table(found), flags)


def _table(found: Iterable[Profile]) -> str:
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
    return aligned(rows)


def _json(found: Iterable[Profile]) -> str:
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
    return json.dumps({"schema": SCHEMA, "profiles": listed}, ensure_ascii=False, indent=2, default=str) + "\n"


def _toml(value: object) -> str:
    """A value as a configuration file would write it."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key} = {_toml(each)}" for key, each in value.items()) + "}"
    return json.dumps(value, ensure_ascii=False, default=str)
