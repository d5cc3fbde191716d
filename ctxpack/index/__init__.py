"""The index of a repository, on disk and up to date: ``open_index`` gives the later stages their ``IndexView``."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ctxpack.index.build import open_index
    from ctxpack.index.postings import Terms
    from ctxpack.index.view import IndexView
    from ctxpack.system.clock import Progress

__all__ = ["IndexView", "Progress", "Terms", "open_index"]
_HOMES = {"IndexView": "index.view", "Progress": "system.clock", "Terms": "index.postings", "open_index": "index.build"}


def __getattr__(name: str) -> object:
    """Import a name when it is first used: a report that is kept needs no index."""
    import importlib

    if name not in __all__:
        raise AttributeError(f"module 'ctxpack.index' has no attribute {name!r}")
    return getattr(importlib.import_module(f"ctxpack.{_HOMES[name]}"), name)
