"""The import graph of the files, as numbers into their paths."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING

from ctxpack.errors import BrokenIndexError
from ctxpack.index.arrays import load_arrays
from ctxpack.light import dataclass

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ctxpack.index.arrays import Arrays, Load


@dataclass(frozen=True)
class Graph:
    """Edges from importer to imported, in that order; both are numbers into ``paths``, which are sorted."""

    paths: tuple[str, ...]
    sources: NDArray[np.int32]
    targets: NDArray[np.int32]

    def _number(self, path: str) -> int | None:
        number = bisect_left(self.paths, path)
        return number if self.paths[number : number + 1] == (path,) else None

    def imports(self, path: str) -> tuple[str, ...]:
        """Return the files that a file imports, sorted."""
        number = self._number(path)
        if number is None:
            return ()
        first, last = (bisect_left(self.sources, each) for each in (number, number + 1))
        return tuple(sorted(self.paths[place] for place in self.targets[first:last].tolist()))

    def importers(self, path: str) -> tuple[str, ...]:
        """Return the files that import a file, sorted."""
        number = self._number(path)
        if number is None:
            return ()
        return tuple(sorted(self.paths[place] for place in self.sources[self.targets == number].tolist()))

    def importers_of_fronts(self, path: str) -> tuple[str, ...]:
        """Return the files that import a front of a file, such as the ``index.ts`` of its folder or one above, sorted.

        A front imports the file and passes on what it defines. What imports it may want other things of it.
        """
        found: set[str] = set()
        fronts, seen = [path], {path}
        while fronts:
            front = fronts.pop()
            above = [each for each in self.importers(front) if _is_front(each, path)]
            fronts += [each for each in above if each not in seen]
            seen.update(above)
            found.update(self.importers(front) if front != path else ())
        return tuple(sorted(found - seen))

    def in_degrees(self, numbers: Mapping[str, int]) -> NDArray[np.int64]:
        """Return how many files import each of some, of which these are the numbers."""
        import numpy as np

        places = np.fromiter(map(numbers.get, self.paths, repeat(-1)), np.int64, len(self.paths))
        degrees = np.zeros(len(numbers) + 1, np.int64)  # the last is of what is not among them
        degrees[places] = np.bincount(self.targets, minlength=len(self.paths))
        return degrees[:-1]


_FRONTS = frozenset({"__init__", "index", "lib", "mod", "public-api", "public_api"})  # without their suffix


def _is_front(path: str, inner: str) -> bool:
    """Whether a file passes on what those of its folder define, of which ``inner`` is one, by its name."""
    folder, slash, name = path.rpartition("/")
    return name.partition(".")[0] in _FRONTS and inner.startswith(folder + slash)


def with_imports(graph: Graph | None, edges: Mapping[str, Sequence[str]]) -> Graph:
    """Return a graph with the imports of each file in ``edges`` replaced; others stay as they are.

    Equal graphs come out alike, however they came about: their paths and their edges are sorted. One in which nothing
    changes is returned as it is.
    """
    import numpy as np

    none = np.zeros(0, np.int32)
    graph = graph or Graph((), none, none)
    paths, numbers = list(graph.paths), {path: number for number, path in enumerate(graph.paths)}
    for path in (*edges, *(target for targets in edges.values() for target in targets)):
        if numbers.setdefault(path, len(paths)) == len(paths):
            paths.append(path)
    kept = ~np.isin(graph.sources, [numbers[path] for path in edges])
    pairs = [(numbers[path], numbers[target]) for path, targets in edges.items() for target in targets]
    sources = np.concatenate([graph.sources[kept], np.asarray([source for source, _ in pairs], np.int32)])
    targets = np.concatenate([graph.targets[kept], np.asarray([target for _, target in pairs], np.int32)])
    used = np.flatnonzero(np.bincount(np.concatenate([sources, targets]), minlength=len(paths))).tolist()
    used.sort(key=paths.__getitem__)
    places = np.zeros(len(paths), np.int64)
    places[used] = np.arange(len(used))
    order = np.sort(places[sources] * max(len(used), 1) + places[targets])
    first, second = (part.astype(np.int32) for part in np.divmod(order, max(len(used), 1)))
    made = Graph(tuple(paths[number] for number in used), first, second)
    pairs_of = ((made.sources, graph.sources), (made.targets, graph.targets))
    is_same = made.paths == graph.paths and all(np.array_equal(new, old) for new, old in pairs_of)
    return graph if is_same else made


def graph_arrays(graph: Graph) -> Arrays:
    """Return the arrays of a graph, ready for ``save_arrays``."""
    import numpy as np

    paths = "\0".join(graph.paths).encode("utf-8", "surrogateescape")
    return {"paths": np.frombuffer(paths, np.uint8), "sources": graph.sources, "targets": graph.targets}


def load_graph(path: Path, load: Load = load_arrays) -> Graph:
    """Open a graph file. Raises BrokenIndexError."""
    found = load(path)
    try:
        text = found["paths"][:].tobytes().decode("utf-8", "surrogateescape")
        return Graph(tuple(text.split("\0")) if text else (), found["sources"][:], found["targets"][:])
    except KeyError as error:
        raise BrokenIndexError(f"The index file {path.name} lacks {error}.") from error
