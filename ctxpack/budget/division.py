"""The division of a context window: what other things need is kept free, the rest is for the pack."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from ctxpack.errors import BudgetError, UsageError
from ctxpack.settings.readers import RESERVES, STANDARD_RESERVES, Reserve

_BUFFER: Final = 0.02  # of the window: what wraps messages, and what counts may miss


@dataclass(frozen=True, slots=True)
class WindowPart:
    """One part of a window that is not for the pack: its tokens, and whether they were counted or only kept free."""

    name: str
    tokens: int
    is_counted: bool = False


@dataclass(frozen=True, slots=True)
class Division:
    """A divided window. ``pack`` is the pack's budget: what is left, or what was asked for."""

    window: int
    parts: tuple[WindowPart, ...]
    pack: int

    @property
    def left(self) -> int:
        """What the parts leave of the window; below zero if they take more than there is."""
        return self.window - sum(part.tokens for part in self.parts)


@dataclass(frozen=True, slots=True)
class Budget:
    """A context window in tokens, and what of it is kept free for other things than the pack.

    ``reserves`` maps names of ``RESERVES`` to tokens (int) or a share of the window (float); the others are standard.
    ``error`` is the bound of a count that is only estimated: the standard buffer is at least as large. ``asked`` is a
    pack's budget that was named outright; 0 means whatever is left.
    """

    window: int
    reserves: Mapping[str, Reserve]
    error: float = 0.0
    asked: int = 0

    def division(self, used: Mapping[str, int] | None = None) -> Division:
        """Divide the window, with the real counts of some parts: ``used`` maps their names to their tokens.

        An asked budget stays as it is. Raises BudgetError where nothing is left and nothing was asked for, and
        UsageError for a budget that is larger than its window.
        """
        if self.asked > self.window:
            raise UsageError(
                f"A budget of {self.asked} tokens does not fit a window of {self.window}.",
                hint=f"Give --budget {self.window} or less, or a larger --window.",
            )
        reserves = {"buffer": max(_BUFFER, self.error), **self.reserves}
        if self.asked:
            return Division(self.window, _parts(self.window, reserves, used or {}), self.asked)
        return Budget.divide(self.window, reserves, used or {})

    @staticmethod
    def divide(window: int, reserves: Mapping[str, Reserve], used: Mapping[str, int]) -> Division:
        """Divide a window of tokens.

        Each name of ``RESERVES`` takes its real count where ``used`` has one, else its reserve (tokens, or a share of
        the window), else the standard one. Raises BudgetError where nothing is left.
        """
        parts = _parts(window, reserves, used)
        taken = sum(part.tokens for part in parts)
        if taken >= window:
            largest = max(parts, key=lambda part: part.tokens)
            raise BudgetError(
                f"The window of {window} tokens leaves nothing for the pack: the other parts take {taken} "
                f"({_list(parts)}).",
                hint=f"Use a window of more than {taken} tokens, or reserve less for the largest part: --reserve "
                f"{largest.name}=….",
            )
        return Division(window, parts, window - taken)


def _parts(window: int, reserves: Mapping[str, Reserve], used: Mapping[str, int]) -> tuple[WindowPart, ...]:
    names = (*RESERVES, *sorted({*used} - {*RESERVES}))
    return tuple(
        WindowPart(name, used[name], is_counted=True)
        if name in used
        else WindowPart(name, _reserved(window, reserves, name))
        for name in names
    )


def _reserved(window: int, reserves: Mapping[str, Reserve], name: str) -> int:
    given = reserves.get(name)
    if isinstance(given, int):
        return given
    if given is None and name in STANDARD_RESERVES:
        most, share = STANDARD_RESERVES[name]
        return min(most, int(window * share))
    from fractions import Fraction

    return math.ceil(window * Fraction(str(_BUFFER if given is None else given)))


def _list(parts: tuple[WindowPart, ...]) -> str:
    return ", ".join(f"{part.name} {part.tokens}" for part in parts if part.tokens)
