"""What a detector gives: where a secret stands and of which kind it is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

MARK = re.compile(r"\[REDACTED:[a-z0-9-]+\]")


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """The characters ``start..end`` (end excluded) of a text are a secret."""

    start: int
    end: int
    kind: str


Detector = Callable[[str], Iterator[Span]]
"""Finds one family of secrets in time linear in the text."""
