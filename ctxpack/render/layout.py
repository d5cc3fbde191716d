"""What a report is made of: the contract of its formats, and how the parts are put together."""

from __future__ import annotations

from itertools import pairwise
from typing import Protocol

from ctxpack.model import Fragment, Pack


class Renderer(Protocol):
    """One format. The parts are strings that ``report`` only puts one after the other."""

    def frame(self, pack: Pack) -> tuple[str, str]:
        """What stands before the first fragment and after the last one."""

    def fragment(self, fragment: Fragment, number: int) -> str:
        """One piece with its provenance; ``number`` counts from 1."""

    def between(self, above: Fragment, below: Fragment) -> str:
        """What separates two pieces."""


def report(pack: Pack, renderer: Renderer) -> str:
    """The whole text of a pack in one format."""
    head, tail = renderer.frame(pack)
    fragments = pack.selection.fragments
    separators = ["", *(renderer.between(above, below) for above, below in pairwise(fragments))]
    parts = [head]
    for number, (separator, fragment) in enumerate(zip(separators, fragments, strict=False), start=pack.first_source):
        parts += (separator, renderer.fragment(fragment, number))
    return "".join((*parts, tail))
