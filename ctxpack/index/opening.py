"""The index of a repository, open for the time that a request needs it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ctxpack.discover import discover
from ctxpack.index.build import Progress, open_index
from ctxpack.index.memory import cache_of, known_files
from ctxpack.index.view import IndexView
from ctxpack.model import Discovery
from ctxpack.settings import Settings


def found(settings: Settings) -> Discovery:
    """The files of the repository as they are now. Raises what ``discover`` raises."""
    return discover(settings, known_files(settings))


@contextmanager
def opened(
    settings: Settings, on_progress: Progress | None = None, discovery: Discovery | None = None
) -> Iterator[IndexView]:
    """The repository as it is now; what was learned on the way is kept when it is closed.

    ``discovery`` is what was just found with the same settings; without it the repository is looked through.
    Raises what ``discover`` and ``open_index`` raise.
    """
    with cache_of(settings) as its:
        view = open_index(its, discovery or found(its), on_progress)
        if its.buffers:  # an editor's; nobody else needs what parses them
            from ctxpack.index.buffers import with_buffers

            view = with_buffers(view, its)
        try:
            yield view
        finally:
            view.close()
