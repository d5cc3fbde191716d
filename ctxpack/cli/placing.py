"""What the file command is told beside the path: where the cursor stands, what is selected, a buffer, hints."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ctxpack.cli.inputs import path_in_root, path_of_buffer, standard_text
from ctxpack.cli.options import Flags
from ctxpack.errors import UsageError
from ctxpack.model import Request, Scope
from ctxpack.settings import Settings

_SPAN = re.compile(r"\s*(\d+)\s*(?:[:,-]\s*(\d+)\s*)?")
_KEY = re.compile(r"[A-Za-z][\w.-]*")
TASK_HINT = "task"


@dataclass(frozen=True, slots=True)
class Spot:
    """What was typed about a place; None where nothing was. ``is_buffer``: standard input holds the file's text."""

    line: str | None = None
    lines: str | None = None
    symbol: str | None = None
    is_buffer: bool = False


def request_at(path: str, spot: Spot) -> Request:
    """The request for a file, or for a place in it. Raises UsageError for what cannot be a place."""
    given = [
        flag for flag, value in (("--line", spot.line), ("--lines", spot.lines), ("--symbol", spot.symbol)) if value
    ]
    if len(given) > 1:
        raise UsageError(f"{given[0]} and {given[1]} exclude each other.", hint="Name one place.")
    lines = _span(spot.lines) if spot.lines is not None else None
    return Request(Scope.FILE, path=path, line=_line(spot.line), lines=lines, symbol=(spot.symbol or "").strip())


def settled(request: Request, settings: Settings, flags: Flags, spot: Spot) -> tuple[Request, Settings]:
    """The request with its hints and its path as the stages write it, and the settings with the buffer's text."""
    request = _hinted(request, hints_of(flags.hint or ()))
    if request.scope is not Scope.FILE:
        return request, settings
    if not spot.is_buffer:
        return replace(request, path=path_in_root(settings.root, request.path)), settings
    if flags.stdin:
        raise UsageError("Standard input cannot hold both a file's text and the list of files.")
    path = path_of_buffer(settings.root, request.path)
    return replace(request, path=path), replace(settings, buffers={path: standard_text()})


def hints_of(written: Sequence[str]) -> Mapping[str, str]:
    """The hints by key; a later one wins. Raises UsageError for one that is not written ``key=value``."""
    found: dict[str, str] = {}
    for each in written:
        key, equals, value = each.partition("=")
        if not equals or not _KEY.fullmatch(key.strip()):
            raise UsageError(f"The hint {each!r} is not written key=value.", hint='Write --hint task="fix it".')
        found[key.strip()] = value.strip()
    return found


def _hinted(request: Request, hints: Mapping[str, str]) -> Request:
    """The request with hints; the one that says what is to be done counts as its words where it has none."""
    if not hints:
        return request
    text = request.text or ("" if request.scope is Scope.TASK else hints.get(TASK_HINT, ""))
    return replace(request, text=text, hints=tuple(sorted(hints.items())))


def _line(written: str | None) -> int:
    if written is None:
        return 0
    if not written.strip().isdecimal() or int(written) < 1:
        raise UsageError(f"{written!r} is not the number of a line.", hint="Lines count from 1.")
    return int(written)


def _span(written: str) -> tuple[int, int]:
    found = _SPAN.fullmatch(written)
    first = int(found[1]) if found else 0
    last = int(found[2] or found[1]) if found else 0
    if first < 1 or last < first:
        raise UsageError(f"{written!r} does not name lines.", hint="Name the first and the last one, such as 12:40.")
    return first, last
