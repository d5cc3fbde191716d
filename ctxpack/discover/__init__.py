"""Discover: repository -> the files worth reading, and what was left out by which rule."""

from __future__ import annotations

from ctxpack.discover.discovery import discover
from ctxpack.discover.examine import classify
from ctxpack.discover.explain import ignored_by
from ctxpack.discover.known import Known, remember
from ctxpack.discover.state import find_root

__all__ = ["Known", "classify", "discover", "find_root", "ignored_by", "remember"]
