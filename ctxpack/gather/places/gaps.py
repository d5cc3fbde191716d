"""What lies between the parts of a file that are taken as they are: its outline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ctxpack.gather.context import Context
from ctxpack.gather.fragments import Role, Span, line_count, made_piece
from ctxpack.gather.places.outlines import outline
from ctxpack.model import Candidate, Fragment, SourceFile


def span_of(candidate: Candidate) -> Span:
    """First and last line of what the ranker found."""
    return candidate.chunk.start_line, candidate.chunk.end_line


def outlined_gaps(
    context: Context, file: SourceFile, spans: Sequence[Span], made: tuple[int, Role]
) -> Iterator[Fragment]:
    """The outlines of the lines between ``spans``, which are in order; ``made`` are their characters and their role."""
    limit, role = made
    gaps = _gaps(spans, line_count(context, file.path))
    total = sum(end - start + 1 for start, end in gaps)
    outlines = [(gap, outline(context, file.path, limit * (gap[1] - gap[0] + 1) // total, within=gap)) for gap in gaps]
    yield from (made_piece(context, file, text, role, gap) for gap, text in outlines if text)


def _gaps(spans: Sequence[Span], last: int) -> list[Span]:
    """The lines 1 to ``last`` that lie in none of the spans."""
    starts = [1, *(end + 1 for _, end in spans)]
    ends = [*(start - 1 for start, _ in spans), last]
    return [(start, end) for start, end in zip(starts, ends, strict=True) if start <= end]
