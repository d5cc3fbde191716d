"""The dependencies strategy: what a file imports, who imports it, and what depends on what around it."""

from __future__ import annotations

from collections.abc import Sequence

from ctxpack.gather.context import Context
from ctxpack.gather.relations import dependency_map, imports
from ctxpack.model import Fragment, Scope


def gather(context: Context) -> Sequence[Fragment]:
    """Of a file the imported files and the importers, then the maps; of a component only the maps."""
    used = imports.gather(context) if context.request.scope is Scope.FILE else ()
    return (*used, *dependency_map.gather(context))
