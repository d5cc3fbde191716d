"""What these tests share: the functions that fixtures give, and what a discovery found."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from ctxpack.model import Discovery
from ctxpack.settings import Settings

Make = Callable[[Mapping[str, str | bytes]], Path]
Write = Callable[[Path, Mapping[str, str | bytes]], Path]
GitRun = Callable[..., str]
Wish = Callable[..., Settings]


def paths(discovery: Discovery) -> list[str]:
    """The files that were found."""
    return [file.path for file in discovery.files]


def reasons(discovery: Discovery) -> dict[str, str]:
    """What was left out, and why."""
    return {each.path: each.reason for each in discovery.skipped}
