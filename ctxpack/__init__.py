"""ctxpack picks the parts of a repository that a task needs, within a token budget, and says why.

from ctxpack import Request, Scope, load, pack
report = pack(Request(Scope.TASK, text="fix the retry bug"), load("path/of/repository", {"budget": "16k"}))
print(report.text)
"""

from __future__ import annotations

TYPE_CHECKING = False  # as type checkers know it, without the module that takes as long as all of this
if TYPE_CHECKING:
    from ctxpack.answer import Report, pack
    from ctxpack.errors import CtxpackError
    from ctxpack.model import Candidate, Pack, Request, Scope
    from ctxpack.pipeline import SearchResult, search
    from ctxpack.settings import Settings
    from ctxpack.settings.loading import load
    from ctxpack.settings.window import Budget
    from ctxpack.system.version import __version__ as __version__

__all__ = [
    "Budget", "Candidate", "CtxpackError", "Pack", "Report", "Request", "Scope", "SearchResult", "Settings", "load",
    "pack", "search",
]  # fmt: skip
_HOMES = {
    "answer": ("Report", "pack"), "errors": ("CtxpackError",), "model": ("Candidate", "Pack", "Request", "Scope"),
    "pipeline": ("SearchResult", "search"), "settings": ("Settings",), "settings.loading": ("load",),
    "settings.window": ("Budget",), "system.version": ("__version__",),
}  # fmt: skip


def __getattr__(name: str) -> object:
    """Import a public name when it is first used, so that ``import ctxpack`` costs nothing."""
    import importlib

    home = next((home for home, names in _HOMES.items() if name in names), None)
    if home is None:
        raise AttributeError(f"module 'ctxpack' has no attribute {name!r}")
    return getattr(importlib.import_module(f"ctxpack.{home}"), name)
