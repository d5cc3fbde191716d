"""A token counter that is easy to reckon with."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class FakeCounter:
    """One token for every ``size`` characters, rounded up."""

    size: int = 4
    name: str = "fake"

    def count(self, text: str) -> int:
        return -(-len(text) // self.size)
