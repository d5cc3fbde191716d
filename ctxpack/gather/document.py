"""The document strategy: the file that was asked for, complete if it fits, else its outline and its best parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ctxpack.errors import UsageError
from ctxpack.gather.context import Context
from ctxpack.gather.fragments import Role, lines_piece, made_piece, whole_piece
from ctxpack.gather.outlines import outline
from ctxpack.model import Fragment, SourceFile

_CHARACTERS = 4  # of a token, about
_WHOLE_SHARE, _OUTLINE_SHARE = 0.5, 0.3  # of the budget
_MAX_PARTS = 12


def gather(context: Context) -> Sequence[Fragment]:
    """The file itself. Raises UsageError if it was left out of what is read, with the rule that hid it."""
    path = context.request.path
    file = context.view.file(path)
    if file is None:
        reason = next((each.reason for each in context.view.skipped if each.path == path), "")
        said = f"{path} is not read: {reason}." if reason else f"{path} is not among the files of the repository."
        raise UsageError(said, hint="Name it with --include to have it read.")
    budget = context.settings.budget * _CHARACTERS
    if len(context.view.text(path)) <= budget * _WHOLE_SHARE:
        return (whole_piece(context, file, Role("document", 1.0, ("the file that was asked for",), required=True)),)
    return list(_abridged(context, file, int(budget * _OUTLINE_SHARE)))


def _abridged(context: Context, file: SourceFile, limit: int) -> Iterator[Fragment]:
    text = outline(context, file.path, limit)
    reason = "the file that was asked for"
    if text:
        yield made_piece(
            context, file, text, Role("document", 1.0, (f"{reason}, too long to be whole",), required=True)
        )
    own = [each for each in context.candidates if each.file.path == file.path][:_MAX_PARTS]
    for candidate in own:
        why = tuple(each.reason for each in candidate.evidence[:2])
        value = 0.6 + 0.4 * candidate.score
        role = Role("document", value, (reason, *why), keywords=candidate.keywords, symbol=candidate.chunk.symbol)
        yield lines_piece(context, file, (candidate.chunk.start_line, candidate.chunk.end_line), role)
    if not text and not own:
        yield whole_piece(context, file, Role("document", 1.0, (reason,), required=True))
