"""Settings: everything that controls a run, declared once, as one frozen value.

``declaration`` says what a setting is, ``fields`` declares each; ``readers`` and ``tables`` turn what was written into
values. ``loading`` fills them from ``sources`` (flags, variables, files) and profiles, ``policies`` applies the rules
of an organisation, ``budget`` what a model or a ``window`` of tokens means for the report.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ctxpack.settings.fields import (
        DEFAULT_AROUND,
        DEFAULT_BUDGET,
        DEFAULT_DUPLICATE,
        DEFAULT_FILE_SIZE,
        DEFAULT_OVERLAP,
        SETTINGS,
        Settings,
    )
    from ctxpack.settings.readers import DEFAULT_MORE_MARKERS
    from ctxpack.settings.tables import DEFAULT_MARKERS, ContextFile, StrategyEntry

__all__ = [
    "DEFAULT_AROUND", "DEFAULT_BUDGET", "DEFAULT_DUPLICATE", "DEFAULT_FILE_SIZE", "DEFAULT_MARKERS",
    "DEFAULT_MORE_MARKERS", "DEFAULT_OVERLAP", "SETTINGS", "ContextFile", "Settings", "StrategyEntry",
]  # fmt: skip
_HOMES = {
    "DEFAULT_MARKERS": "tables", "ContextFile": "tables", "StrategyEntry": "tables", "DEFAULT_MORE_MARKERS": "readers",
}  # fmt: skip


def __getattr__(name: str) -> object:
    """Import a name when it is first used: the declarations alone are enough for help and version."""
    import importlib

    if name not in __all__:
        raise AttributeError(f"module 'ctxpack.settings' has no attribute {name!r}")
    return getattr(importlib.import_module(f"ctxpack.settings.{_HOMES.get(name, 'fields')}"), name)
