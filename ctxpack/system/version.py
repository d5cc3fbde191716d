"""The version of ctxpack: of the package, of reports, and of what is kept between runs."""

from __future__ import annotations

import os

__version__ = "0.1.0"


def write_version() -> bool:
    """Write it on standard output, without all that other commands load. Returns False where that cannot be done."""
    try:
        return os.write(1, f"ctxpack {__version__}\n".encode()) > 0
    except OSError:
        return False
