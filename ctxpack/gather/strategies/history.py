"""The history strategy: the commits that last changed the requested lines, with their messages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from ctxpack.errors import UsageError
from ctxpack.gather.context import Context
from ctxpack.gather.patches import commit_line, provenance
from ctxpack.light import replace
from ctxpack.model import LOG, Confidence, Form, Fragment, Provenance, Request, Scope, SourceFile
from ctxpack.text import number_of, printable
from ctxpack.understand.change import Change, CommitMessage
from ctxpack.understand.commits import blame_change, resolve_revisions

_VALUE, _LOWER = 0.42, 0.03
_CHARACTERS = 700  # of one file's list: some 200 tokens
_MOST = 8  # commits of a file
_BODIES = 1  # messages that are told in full, if they are short
_BRIEF = 8  # digits of a hash


def gather_history(context: Context) -> Sequence[Fragment]:
    """For a diff the last commits of the lines that it changes; else the last commits of the requested files."""
    if not context.settings.use_history:
        return ()
    if context.change is not None:
        return list(_commits_behind(context, context.change))
    return list(_of_files(context))


def _commits_behind(context: Context, change: Change) -> Iterator[Fragment]:
    try:
        git, _ = resolve_revisions(Request(Scope.DIFF), context.settings, context.view.keeper)
    except UsageError:  # no history, no pieces
        return
    for place, (file, touched) in enumerate(blame_change(git, change)):
        numbers = file.removed_lines
        origin = provenance(context, change, file, (numbers[0], numbers[-1]), is_before=True)
        text = _lines(context, [(each.message, f" ({number_of(each.lines, 'line')})") for each in touched])
        yield _piece(origin, text, "commits that last changed these lines", place)


def _of_files(context: Context) -> Iterator[Fragment]:
    for place, file in enumerate(context.subjects):
        commits = _last_commits(context, file)
        if commits:
            state = context.view.state.of(file.path)
            origin = Provenance(file.path, 1, len(context.lines(file.path)), file.kind, file.blob, state.commit)
            lines = [(each, "") for each in commits]
            yield _piece(origin, _lines(context, lines), f"last commits that changed {file.path}", place)


def _last_commits(context: Context, file: SourceFile) -> list[CommitMessage]:
    """The newest remembered commits that changed a file."""
    history = context.view.history
    if file.path not in history.paths:
        return []
    number = history.paths.index(file.path)
    found: list[CommitMessage] = []
    for commit_number in range(len(history)):
        if number in history.files_of(commit_number):
            commit = history.commit(commit_number)
            day = datetime.fromtimestamp(commit.time, UTC).date().isoformat()
            found.append(CommitMessage(commit.hash[:_BRIEF], day, commit.subject))
            if len(found) == _MOST:
                break
    return found


def _lines(context: Context, commits: Sequence[tuple[CommitMessage, str]]) -> str:
    """One line for each commit, after the first one also the rest of its message, as far as it fits."""
    rows = [f"{commit_line(context, each)}{more}" for each, more in commits]
    while len(rows) > 1 and sum(map(len, rows)) > _CHARACTERS:
        rows.pop()
    left = _CHARACTERS - sum(map(len, rows))
    for at in range(min(_BODIES, len(rows)) - 1, -1, -1):
        first = commits[at][0].body.partition("\n\n")[0].splitlines()
        body = [f"    {printable(line)}" for line in first]
        if sum(map(len, body)) <= left:
            rows[at + 1 : at + 1] = body
    return "".join(f"{row}\n" for row in rows)


def _piece(origin: Provenance, text: str, reason: str, place: int) -> Fragment:
    value = max(_VALUE - _LOWER * place, 0.0)
    whole = replace(origin, score=value, confidence=Confidence.MEDIUM, reasons=(reason,), symbol="history")
    return Fragment(text, Form.OUTLINE, "history", whole, "text", value=value, layer=LOG)
