"""Discover: repository -> the files worth reading, and what was left out by which rule.

``reading`` judges what no run before has seen, and ``explain`` says which rule hides a path; both are loaded on demand.
"""

from __future__ import annotations

from ctxpack.discover.discovery import discover
from ctxpack.discover.listing import Known, remember_files
from ctxpack.discover.source import find_root

__all__ = ["Known", "discover", "find_root", "remember_files"]
