"""Models by name: how large their window is, and how their tokens are counted.

Where a vendor's tokenizer is not public, counts are those of a public one, times a factor.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ctxpack.errors import UsageError, did_you_mean
from ctxpack.tokens import DEFAULT_ENCODING, TokenCounter

if TYPE_CHECKING:
    from fractions import Fraction

_VERSION = re.compile(r"(?:[-@:](?:latest|preview|\d{8}|\d{4}-\d{2}-\d{2}|v\d+:\d+))+$")  # behind a name
_VENDOR = re.compile(r"^(?:.*/)?(?:(?:[a-z]+\.)?(?:anthropic|openai|google|meta|mistral|qwen|deepseek|zai)\.)?")
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
    known = dict(_table())
    for each, values in (own or {}).items():
        known[_key(each)] = replace(known.get(_key(each), Model(each, 0)), name=each, **values)
    found = known.get(_key(name)) or known.get(_key(_bare(name)))
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
        """The encoding of the counter it rests on."""
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
def _table() -> Mapping[str, Model]:
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


def _bare(name: str) -> str:
    """The name without a vendor before it and a version behind it."""
    return _VERSION.sub("", _VENDOR.sub("", name.strip().lower()))


def _hint(name: str, known: Mapping[str, Model]) -> str:
    makers = ", ".join(sorted({each.name.partition("-")[0] for each in known.values()}))
    near = did_you_mean(_key(_bare(name)), known, count=_SHOWN, show=lambda key: known[key].name)
    near = near or f"Known families: {makers}."
    return f'{near} To add it, write [models."{name}"] with window = … into ctxpack.toml, or give --window.'
