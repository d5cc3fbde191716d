"""How many examples of a property are tried: fewer in the usual run, all of them where ``CI_FULL`` is 1."""

from __future__ import annotations

import os

IS_FULL = os.environ.get("CI_FULL") == "1"


def examples(usual: int, full: int) -> int:
    """The number of examples of a slow property; the usual one still finds the faults that CONTRIBUTING names."""
    return full if IS_FULL else usual
