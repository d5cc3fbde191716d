"""What a context window is shared with, and how much of it that takes unless told otherwise."""

from __future__ import annotations

from collections.abc import Mapping

Reserve = int | float
"""Tokens, as an ``int``; or a share of the window, as a ``float`` from 0 to 1."""

STANDARD: Mapping[str, tuple[int, float]] = {
    "system": (4_000, 0.05),
    "request": (2_000, 0.05),
    "history": (16_000, 0.10),
    "memory": (1_000, 0.02),
    "answer": (16_000, 0.20),
}
"""Name -> the most tokens that are kept free unless told otherwise, and the most of the window."""
BUFFER = 0.02
"""Of the window: what wraps messages, and what counts may miss."""
RESERVES = (*STANDARD, "buffer")
"""What a window is shared with, in the order in which a division is told."""
