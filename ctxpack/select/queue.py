"""Which fragment comes up next: the one of most gain beside those that are already taken."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence

from ctxpack.model import Fragment
from ctxpack.select.gains import gain
from ctxpack.select.shelf import Shelf


def by_gain(fragments: Sequence[Fragment], shelf: Shelf) -> Iterator[Fragment]:
    """Every fragment once, by its gain at the moment it comes up.

    Between two of them the caller may put the first on the shelf. That changes the gain of its file's others: more of
    one file is worth less, and what adjoins the piece costs less.
    """
    of_file: dict[str, list[int]] = {}
    for at, fragment in enumerate(fragments):
        of_file.setdefault(fragment.provenance.path, []).append(at)
    savings = {at: saving for at, fragment in enumerate(fragments) if (saving := shelf.saving(fragment)) > 1}

    def lost(at: int) -> float:
        return -gain(fragments[at], shelf.beside(fragments[at], savings.get(at, 1.0)))

    heap = [(lost(at), at) for at in range(len(fragments))]
    heapq.heapify(heap)
    seen: set[int] = set()
    while heap:
        then, at = heapq.heappop(heap)
        if at in seen:
            continue
        if (now := lost(at)) > then:
            heapq.heappush(heap, (now, at))
            continue
        seen.add(at)
        path = fragments[at].provenance.path
        taken = shelf.taken[path]
        yield fragments[at]
        if shelf.taken[path] == taken:
            continue
        for other in of_file[path]:
            if other not in seen and other not in savings and (saving := shelf.saving(fragments[other])) > 1:
                savings[other] = saving
                heapq.heappush(heap, (lost(other), other))
