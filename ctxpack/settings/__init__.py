"""Settings: everything that controls a run, declared once, as one frozen value.

``fields`` declares them, ``readers`` and ``entries`` turn what was written into values, ``policy`` holds the rules of
an organisation. ``ctxpack.configuration`` fills them from flags, variables and files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ctxpack.settings.entries import DEFAULT_MARKERS, ContextFile, StrategyEntry
    from ctxpack.settings.fields import (
        DEFAULT_AROUND,
        DEFAULT_BUDGET,
        DEFAULT_DUPLICATE,
        DEFAULT_MORE_MARKERS,
        DEFAULT_OVERLAP,
        SETTINGS,
        Settings,
    )

__all__ = [
    "DEFAULT_AROUND", "DEFAULT_BUDGET", "DEFAULT_DUPLICATE", "DEFAULT_MARKERS", "DEFAULT_MORE_MARKERS",
    "DEFAULT_OVERLAP", "SETTINGS", "ContextFile", "Settings", "StrategyEntry",
]  # fmt: skip
_ENTRIES = frozenset({"DEFAULT_MARKERS", "ContextFile", "StrategyEntry"})


def __getattr__(name: str) -> object:
    """Import a name when it is first used: the declarations alone are enough for help and version."""
    import importlib

    if name not in __all__:
        raise AttributeError(f"module 'ctxpack.settings' has no attribute {name!r}")
    return getattr(importlib.import_module(f"ctxpack.settings.{'entries' if name in _ENTRIES else 'fields'}"), name)
