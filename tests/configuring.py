"""Write the configuration files that a test needs."""

from __future__ import annotations

from pathlib import Path

from ctxpack.settings.sources import user_file


def write_user_file(env: dict[str, str], text: str) -> Path:
    path = user_file(env)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path
