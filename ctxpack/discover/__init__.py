"""Discover: repository -> the files worth reading, and what was left out by which rule.

``source`` finds the files through git (``worktree``) or by our own ``walk``, ``ignores`` has the rules that hide them,
and ``discovery`` examines what is left; ``last_run`` holds it for the next run, and ``changes`` says what of that is
still so. ``reading``, ``kinds`` and ``traits`` judge what no run before has seen, ``editions`` which documents say the
same in another language or for an older version; ``named_paths`` says which rule hides a path. What a plain run does
not need is loaded on demand.
"""

from __future__ import annotations

from ctxpack.discover.discovery import discover
from ctxpack.discover.last_run import remember_files
from ctxpack.discover.listing import Known
from ctxpack.discover.source import find_root

__all__ = ["Known", "discover", "find_root", "remember_files"]
