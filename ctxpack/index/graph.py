"""Which file imports which: the resolved imports of a repository as flat arrays, in both directions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from ctxpack.errors import BrokenIndexError
from ctxpack.index.arrays import load_arrays

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ctxpack.index.field_postings import Arrays


@dataclass(frozen=True)
class Graph:
    """Edges from importer to imported; both are numbers into ``paths``."""

    paths: tuple[str, ...]
    sources: NDArray[np.int32]
    targets: NDArray[np.int32]

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each path."""
        return {path: number for number, path in enumerate(self.paths)}

    def imports(self, path: str) -> tuple[str, ...]:
        """Return the files that a file imports, sorted."""
        return self._neighbours(path, self.sources, self.targets)

    def importers(self, path: str) -> tuple[str, ...]:
        """Return the files that import a file, sorted."""
        return self._neighbours(path, self.targets, self.sources)

    def in_degrees(self, paths: Sequence[str]) -> NDArray[np.int64]:
        """Return how many files import each of ``paths``."""
        import numpy as np

        degrees = np.bincount(self.targets, minlength=len(self.paths) + 1)
        places = [self.numbers.get(path, len(self.paths)) for path in paths]
        return degrees[places].astype(np.int64)

    def _neighbours(self, path: str, mine: NDArray[np.int32], theirs: NDArray[np.int32]) -> tuple[str, ...]:
        number = self.numbers.get(path)
        if number is None:
            return ()
        return tuple(sorted(self.paths[place] for place in theirs[mine == number].tolist()))


def graph_arrays(edges: Mapping[str, Sequence[str]]) -> Arrays:
    """Return the arrays of a graph, from each importer and what it imports."""
    import numpy as np

    paths = sorted({*edges, *(target for targets in edges.values() for target in targets)})
    numbers = {path: number for number, path in enumerate(paths)}
    pairs = sorted((numbers[source], numbers[target]) for source in edges for target in edges[source])
    return {
        "paths": np.frombuffer("\0".join(paths).encode("utf-8", "surrogateescape"), np.uint8),
        "sources": np.asarray([source for source, _ in pairs], np.int32),
        "targets": np.asarray([target for _, target in pairs], np.int32),
    }


def load_graph(path: Path) -> Graph:
    """Map a graph file. Raises BrokenIndexError."""
    found = load_arrays(path)
    try:
        text = found["paths"].tobytes().decode("utf-8", "surrogateescape")
        return Graph(tuple(text.split("\0")) if text else (), found["sources"], found["targets"])
    except KeyError as error:
        raise BrokenIndexError(f"The index file {path.name} lacks {error}.") from error
