"""What the fixtures of these tests give: functions that make things."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from ctxpack.settings import Settings

Make = Callable[[Mapping[str, str | bytes]], Path]
Write = Callable[[Path, Mapping[str, str | bytes]], None]
GitRun = Callable[..., str]
Wish = Callable[..., Settings]
