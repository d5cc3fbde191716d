"""Settings: everything that controls a run, declared once, as one frozen value.

``fields`` declares them, ``readers`` and ``entries`` turn what was written into values, ``policy`` holds the rules of
an organisation. ``ctxpack.configuration`` fills them from flags, variables and files.
"""

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
