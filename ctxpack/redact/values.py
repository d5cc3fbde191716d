"""Which files hold values rather than code: there an unquoted secret is no variable but what it says."""

from __future__ import annotations

from ctxpack.model import Kind

_DATA = frozenset({"yaml", "toml", "ini", "json", "dockerfile"})


def holds_data(language: str, kind: Kind) -> bool:
    """Whether a file holds values: configuration that is itself a program has variables."""
    return language in _DATA or (kind in {Kind.CONFIG, Kind.DATA} and language in {"", "text"})
