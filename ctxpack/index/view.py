"""What the later stages see of an index: one state of the repository, read only."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from ctxpack.index.files import Files
from ctxpack.index.postings import Postings
from ctxpack.model import ParsedFile, RepositoryState, Skipped, SourceFile

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ctxpack.index.graph import Graph
    from ctxpack.index.history import History
    from ctxpack.index.store import Store


@dataclass
class IndexView:
    """One state of the repository: its files, the postings over them, its history and its imports.

    Made by ``ctxpack.index.open_index``. Threads may share it: the store takes one question at a time, and what is
    remembered here depends on nothing but the state, so that the worst that two threads can do is to work out the same
    thing twice.
    """

    state: RepositoryState
    files: Files
    postings: Postings
    history: History
    graph: Graph
    store: Store
    skipped: tuple[Skipped, ...] = ()

    @cached_property
    def history_numbers(self) -> NDArray[np.int64]:
        """File number of each path of the history, or -1."""
        import numpy as np

        numbers, paths = self.files.numbers, self.history.paths
        return np.fromiter((numbers.get(path, -1) for path in paths), np.int64, len(paths))

    def file(self, path: str) -> SourceFile | None:
        """Return the file at a path, or None; part of the contract with plug-ins, as ``exact`` is."""
        return self.files.get(path)

    def exact(self, path: str) -> ParsedFile:
        """Parse a file by its syntax tree."""
        return self.files.exact(path)

    @property
    def remarks(self) -> tuple[str, ...]:
        """Sentences about damage that was met on disk."""
        return self.store.remarks

    def close(self) -> None:
        """Keep what was parsed, and let the store go."""
        self.files.record_parsed()
        self.store.close()
