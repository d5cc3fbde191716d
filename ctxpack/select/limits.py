"""What a user wants of the choice of pieces, beside the budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ctxpack.model import Fragment
from ctxpack.settings import DEFAULT_DUPLICATE, DEFAULT_OVERLAP, Settings


@dataclass(frozen=True, slots=True)
class Limits:
    """``duplicate`` and ``overlap`` say how alike (0..1) to one in the pack a piece is that stays out.

    ``duplicate`` is the part of what two pieces say together that both say, ``overlap`` the part of the shorter one
    that the longer one says too. Pieces below ``min_score`` stay out, and so do those of further files than
    ``max_files`` (0 for any number). With ``compress`` pieces may stand without comments, blank lines and the like.
    """

    duplicate: float = DEFAULT_DUPLICATE
    overlap: float = DEFAULT_OVERLAP
    min_score: float = 0.0
    max_files: int = 0
    compress: bool = False


DEFAULTS = Limits()


def limits_of(settings: Settings) -> Limits:
    """The limits of the settings."""
    return Limits(
        duplicate=settings.duplicate_threshold,
        overlap=settings.overlap_threshold,
        min_score=settings.min_score,
        max_files=settings.max_files,
        compress=settings.compress,
    )


def admitted(fragments: Sequence[Fragment], limits: Limits) -> list[Fragment]:
    """The fragments that are relevant enough, of the best files only where their number is limited.

    Required ones are in any case, and count as files of the pack.
    """
    enough = [each for each in fragments if each.required or each.provenance.score >= limits.min_score]
    if not limits.max_files:
        return enough
    best: dict[str, tuple[bool, float]] = {}
    for each in enough:
        path = each.provenance.path
        best[path] = max(best.get(path, (False, 0.0)), (each.required, each.value))
    ranked = sorted(best, key=lambda path: (not best[path][0], -best[path][1], path))
    kept = {path for at, path in enumerate(ranked) if at < limits.max_files or best[path][0]}
    return [each for each in enough if each.provenance.path in kept]
