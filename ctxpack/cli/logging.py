"""Structured logs on standard error: one JSON object a line, without a request, a text, a path or a user's name."""

from __future__ import annotations

import json
from dataclasses import asdict

from ctxpack.cli.output import tell
from ctxpack.errors import UsageError
from ctxpack.events import Event, OnEvent

_JSON = "json"


def log_of(log_format: str | None) -> OnEvent | None:
    """What writes events as ``--log-format`` says; None where it says nothing. Raises UsageError for another form."""
    if log_format is None:
        return None
    if log_format != _JSON:
        raise UsageError(f"--log-format must be json, not {log_format!r}.", hint="Leave it out for plain sentences.")
    return _write


def _write(event: Event) -> None:
    values = {key: round(value, 6) if isinstance(value, float) else value for key, value in asdict(event).items()}
    tell(json.dumps({"event": _name(event), **values}))


def _name(event: Event) -> str:
    """``StrategyFinished`` as ``strategy_finished``."""
    written = type(event).__name__
    return "".join(f"_{each.lower()}" if each.isupper() else each for each in written).lstrip("_")
