"""What is relevant, and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ctxpack.model.chunks import Chunk
from ctxpack.model.files import SourceFile

HELD_WORDS = ("its name holds", "its path holds")
"""Beginnings of reasons that only say where matched keywords stand: a piece's heading shows both already."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why something is relevant: which signal, how many points it gave, in words a user understands."""

    signal: str
    points: float
    reason: str


class Confidence(StrEnum):
    """How sure the ranker is."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk with its score. Lists of candidates are sorted by ``(-score, path, start_line)``."""

    file: SourceFile
    chunk: Chunk
    score: float
    confidence: Confidence
    evidence: tuple[Evidence, ...]
    keywords: tuple[str, ...] = ()
    value: float = 0.0  # 0..1 on a linear scale: what select maximises
