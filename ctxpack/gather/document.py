"""The document strategy: the file that was asked for, complete if it fits, else its outline and its best parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ctxpack.errors import UsageError
from ctxpack.gather.context import Context
from ctxpack.gather.fragments import Role, Span, line_count, lines_piece, made_piece, whole_piece
from ctxpack.gather.outlines import outline
from ctxpack.model import Fragment, SourceFile

_CHARACTERS = 4  # of a token, about
_WHOLE_SHARE, _OUTLINE_SHARE = 0.5, 0.3  # of the budget
_MAX_PARTS = 4
_REASON = "the file that was asked for"


def gather(context: Context) -> Sequence[Fragment]:
    """The file itself. Raises UsageError if it was left out of what is read, with the rule that hid it."""
    path = context.request.path
    file = context.view.file(path)
    if file is None:
        reason = next((each.reason for each in context.view.skipped if each.path == path), "")
        said = f"{path} is not read: {reason}." if reason else f"{path} is not among the files of the repository."
        raise UsageError(said, hint="" if reason == "binary" else "Name it with --include to have it read.")
    budget = context.settings.budget * _CHARACTERS
    if len(context.view.text(path)) <= budget * _WHOLE_SHARE:
        return (whole_piece(context, file, Role("document", 1.0, (_REASON,), required=True)),)
    return list(_abridged(context, file, int(budget * _OUTLINE_SHARE)))


def _abridged(context: Context, file: SourceFile, limit: int) -> Iterator[Fragment]:
    """The parts that the request's words ask for, and the outline of what lies between them."""
    asked = [each for each in context.candidates if each.file.path == file.path and context.request.text.strip()]
    parts = sorted(asked[:_MAX_PARTS], key=lambda each: each.chunk.start_line)
    gaps = _gaps([(each.chunk.start_line, each.chunk.end_line) for each in parts], line_count(context, file.path))
    total = sum(end - start + 1 for start, end in gaps)
    role = Role("document", 1.0, (f"{_REASON}, too long to be whole",), required=True)
    outlines = [(gap, outline(context, file.path, limit * (gap[1] - gap[0] + 1) // total, within=gap)) for gap in gaps]
    yield from (made_piece(context, file, text, role, gap) for gap, text in outlines if text)
    for each in parts:
        why = tuple(evidence.reason for evidence in each.evidence[:2])
        role = Role(
            "document", 0.6 + 0.4 * each.score, (_REASON, *why), keywords=each.keywords, symbol=each.chunk.symbol
        )
        yield lines_piece(context, file, (each.chunk.start_line, each.chunk.end_line), role)
    if not parts and not any(text for _, text in outlines):
        yield whole_piece(context, file, Role("document", 1.0, (_REASON,), required=True))


def _gaps(spans: Sequence[Span], last: int) -> list[Span]:
    """The lines 1 to ``last`` that lie in none of the spans, which are in order."""
    starts = [1, *(end + 1 for _, end in spans)]
    ends = [*(start - 1 for start, _ in spans), last]
    return [(start, end) for start, end in zip(starts, ends, strict=True) if start <= end]
