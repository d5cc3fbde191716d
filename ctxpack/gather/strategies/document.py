"""The document strategy: the file that was asked for, complete if it fits, else its outline and its best parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ctxpack.errors import UsageError
from ctxpack.gather.context import Context
from ctxpack.gather.fragments import Role, Span, lines_piece, whole_piece
from ctxpack.gather.places.gaps import outlined_gaps, span_of
from ctxpack.gather.places.placed import taken
from ctxpack.model import Fragment, SourceFile
from ctxpack.tokens import CHARACTERS_PER_TOKEN

_WHOLE_SHARE, _OUTLINE_SHARE = 0.5, 0.3  # of the budget
_MAX_PARTS = 4
_AROUND_PLACE = 0.99  # of the best score: the place in it comes first
_REASON = "the file that was asked for"


def gather(context: Context) -> Sequence[Fragment]:
    """The file itself. Raises UsageError if it was left out of what is read, with the rule that hid it."""
    path = context.request.path
    file = context.view.files.get(path)
    if file is None:
        reason = next((each.reason for each in context.view.skipped if each.path == path), "")
        said = f"{path} is not read: {reason}." if reason else f"{path} is not among the files of the repository."
        raise UsageError(said, hint="" if reason == "binary" else "Name it with --include to have it read.")
    budget = context.settings.budget * CHARACTERS_PER_TOKEN
    if len(context.view.files.text(path)) <= budget * _WHOLE_SHARE:
        return (whole_piece(context, file, Role("document", _value(context), (_REASON,), required=True)),)
    return list(_abridged(context, file, int(budget * _OUTLINE_SHARE)))


def _abridged(context: Context, file: SourceFile, limit: int) -> Iterator[Fragment]:
    """The parts that the request's words ask for, and the outline of what lies between them."""
    placed = taken(context)
    asked = [each for each in context.candidates if each.file.path == file.path and context.request.text.strip()]
    asked = [each for each in asked if not any(_overlap(span_of(each), span) for span in placed)]
    parts = sorted(asked[:_MAX_PARTS], key=lambda each: each.chunk.start_line)
    long = (f"{_REASON}, too long to be whole",)
    role = Role("document", _value(context), long, required=context.place is None)  # else the place itself is
    spans = sorted([*placed, *(span_of(each) for each in parts)])
    outlines = list(outlined_gaps(context, file, spans, (limit, role)))
    yield from outlines
    for each in parts:
        why = tuple(evidence.reason for evidence in each.evidence[:2])
        role = Role(
            "document", 0.6 + 0.4 * each.score, (_REASON, *why), keywords=each.keywords, symbol=each.chunk.symbol
        )
        yield lines_piece(context, file, span_of(each), role)
    if not spans and not outlines:
        yield whole_piece(context, file, Role("document", 1.0, (_REASON,), required=True))


def _value(context: Context) -> float:
    return _AROUND_PLACE if context.place else 1.0


def _overlap(one: Span, other: Span) -> bool:
    return one[0] <= other[1] and other[0] <= one[1]
