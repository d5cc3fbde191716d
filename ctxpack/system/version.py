"""The version of ctxpack: of the package, of reports, and of what is kept between runs."""

from __future__ import annotations

__version__ = "0.1.0"
