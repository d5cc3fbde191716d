"""Counts in a vendor's tokens where its tokenizer is not public: those of a public one, times a factor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ctxpack.tokens import TokenCounter

if TYPE_CHECKING:
    from fractions import Fraction


@dataclass(frozen=True, slots=True)
class EstimatingCounter:
    """Counts with another counter and multiplies by the exact factor, rounding up."""

    counter: TokenCounter
    factor: Fraction

    @property
    def name(self) -> str:
        """The encoding of the counter it rests on."""
        return self.counter.name

    def count(self, text: str) -> int:
        """The estimated tokens of ``text`` in the vendor's own."""
        return -(-self.counter.count(text) * self.factor.numerator // self.factor.denominator)


def estimating(counter: TokenCounter, factor: float) -> TokenCounter:
    """A counter whose counts are multiplied by a factor; the counter itself where it is 1."""
    if factor == 1:
        return counter
    from fractions import Fraction

    return EstimatingCounter(counter, Fraction(str(factor)))
