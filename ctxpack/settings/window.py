"""Models by name, and the division of a context window: other things' needs are kept free, the rest is for the pack.

A model determines the size of its window and how its tokens are counted. If a vendor's tokenizer is not public, a
public one counts, times a factor.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ctxpack.errors import BudgetError, UsageError, did_you_mean
from ctxpack.light import dataclass, lazy_pattern, replace
from ctxpack.settings.readers import RESERVES, STANDARD_RESERVES, Reserve
from ctxpack.system.tokens import DEFAULT_ENCODING, TokenCounter

if TYPE_CHECKING:
    from fractions import Fraction


_BUFFER: Final = 0.02  # of the window: what wraps messages, and what counts may miss


@dataclass(frozen=True, slots=True)
class WindowPart:
    """A part of a window that is not for the pack: its tokens, and whether they were counted or only reserved."""

    name: str
    tokens: int
    is_counted: bool = False


@dataclass(frozen=True, slots=True)
class Division:
    """A divided window. ``pack`` is the pack's budget: the rest, or the requested size."""

    window: int
    parts: tuple[WindowPart, ...]
    pack: int

    @property
    def left(self) -> int:
        """The tokens left by the parts; negative if they need more than the window."""
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

        Each name of ``RESERVES`` takes its real count where ``used`` has one, else its reserve (tokens, or a share of
        the window), else the standard one. An asked budget stays as it is. Raises BudgetError where nothing is left and
        nothing was asked for, and UsageError for a budget that is larger than its window.
        """
        if self.asked > self.window:
            raise UsageError(
                f"A budget of {self.asked} tokens does not fit a window of {self.window}.",
                hint=f"Give --budget {self.window} or less, or a larger --window.",
            )
        reserves = {"buffer": max(_BUFFER, self.error), **self.reserves}
        parts = _parts(self.window, reserves, used or {})
        taken = sum(part.tokens for part in parts)
        if taken >= self.window and not self.asked:
            largest = max(parts, key=lambda part: part.tokens)
            others = ", ".join(f"{part.name} {part.tokens}" for part in parts if part.tokens)
            raise BudgetError(
                f"The window of {self.window} tokens leaves nothing for the pack: the other parts take {taken} "
                f"({others}).",
                hint=f"Use a window of more than {taken} tokens, or reserve less for the largest part: --reserve "
                f"{largest.name}=….",
            )
        return Division(self.window, parts, self.asked or self.window - taken)


def _parts(window: int, reserves: Mapping[str, Reserve], used: Mapping[str, int]) -> tuple[WindowPart, ...]:
    names = (*RESERVES, *sorted({*used} - {*RESERVES}))
    return tuple(
        WindowPart(name, used[name], is_counted=True)
        if name in used
        else WindowPart(name, _reserved_tokens(window, reserves, name))
        for name in names
    )


def _reserved_tokens(window: int, reserves: Mapping[str, Reserve], name: str) -> int:
    given = reserves.get(name)
    if isinstance(given, int):
        return given
    if given is None and name in STANDARD_RESERVES:
        most, share = STANDARD_RESERVES[name]
        return min(most, int(window * share))
    from fractions import Fraction

    return math.ceil(window * Fraction(str(_BUFFER if given is None else given)))


_VERSION = lazy_pattern(r"(?:[-@:](?:latest|preview|\d{8}|\d{4}-\d{2}-\d{2}|v\d{1,9}:\d{1,9})){1,3}$")  # behind a name
_VENDOR = lazy_pattern(r"^(?:.*/)?(?:(?:[a-z]+\.)?(?:anthropic|openai|google|meta|mistral|qwen|deepseek|zai)\.)?")
_SHOWN: Final = 3  # names in a hint


@dataclass(frozen=True, slots=True)
class Model:
    """What is known of a model. ``window`` is tokens; 0 where it is not known.

    Counts in ``encoding`` times ``factor`` are within ``error`` (a share) of the vendor's own.
    """

    name: str
    window: int
    encoding: str = DEFAULT_ENCODING
    factor: float = 1.0
    error: float = 0.0

    @property
    def is_estimate(self) -> bool:
        """Whether its tokens can only be estimated."""
        return self.factor != 1 or self.error > 0


def model_named(name: str, own: Mapping[str, Mapping[str, Any]] | None = None) -> Model:
    """Return the model that a name means; ``own`` are the user's, by name, and win over the table.

    A vendor before the name, a date or ``-latest`` behind it, case and dots do not matter. Raises UsageError with the
    nearest names for one that is not known.
    """
    known = dict(known_models())
    for each, values in (own or {}).items():
        known[_key(each)] = replace(known.get(_key(each), Model(each, 0)), name=each, **values)
    found = known.get(_key(name)) or known.get(_key(_bare_name(name)))
    if found is None:
        raise UsageError(f"The model {name!r} is not known.", hint=_hint(name, known))
    return found


@dataclass(frozen=True, slots=True)
class EstimatingCounter:
    """Counts with another counter and multiplies by the exact factor, rounding up."""

    counter: TokenCounter
    factor: Fraction

    @property
    def name(self) -> str:
        """The encoding of the other counter."""
        return self.counter.name

    def count(self, text: str) -> int:
        """Return the estimated number of the vendor's tokens in ``text``."""
        return -(-self.counter.count(text) * self.factor.numerator // self.factor.denominator)


def estimating_counter(counter: TokenCounter, factor: float) -> TokenCounter:
    """Return a counter whose counts are multiplied by a factor; the counter itself if the factor is 1."""
    if factor == 1:
        return counter
    from fractions import Fraction

    return EstimatingCounter(counter, Fraction(str(factor)))


@cache
def known_models() -> Mapping[str, Model]:
    """The models of the data file, by the key of their name."""
    import tomllib

    data = tomllib.loads(Path(__file__).with_name("models.toml").read_text(encoding="utf-8"))
    return {
        _key(name): Model(name, row["window"], row["encoding"], row.get("factor", 1.0), row.get("error", 0.0))
        for row in data["family"]
        for name in row["names"]
    }


def _key(name: str) -> str:
    return name.strip().lower().replace(".", "-").replace("_", "-")


def _bare_name(name: str) -> str:
    """The name without a vendor before it and a version behind it."""
    return _VERSION.sub("", _VENDOR.sub("", name.strip().lower()))


def _hint(name: str, known: Mapping[str, Model]) -> str:
    makers = ", ".join(sorted({each.name.partition("-")[0] for each in known.values()}))
    near = did_you_mean(_key(_bare_name(name)), known, count=_SHOWN, show=lambda key: known[key].name)
    near = near or f"Known families: {makers}."
    return f'{near} To add it, write [models."{name}"] with window = … into ctxpack.toml, or give --window.'
