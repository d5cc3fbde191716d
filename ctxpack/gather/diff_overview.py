"""The overview of a change: what its patches do not show."""

from __future__ import annotations

from collections.abc import Sequence

from ctxpack.gather.context import Context
from ctxpack.model import PATCH, RECORD, Confidence, Form, Fragment, Kind, Provenance
from ctxpack.select import PieceCounter
from ctxpack.text import number_of, printable
from ctxpack.understand.change import Change, CommitMessage, FileChange

_SHARE, _LEAST = 0.15, 40  # of the budget, and tokens that its first line may take


def room_for(budget: int) -> int:
    """The tokens that the text of an overview may have."""
    return max(_LEAST, int(budget * _SHARE))


def overview(
    context: Context, change: Change, listed: Sequence[FileChange], counter: PieceCounter, *, is_required: bool
) -> Fragment | None:
    """The overview, within its share of the budget: what the pieces do not show; None if they show everything.

    ``listed`` are files whose hunks have no room in the report.
    """
    unseen = [each for each in change.files if not each.hunks or each in listed]
    if not unseen and not change.messages:
        return None
    lines = _lines(context, change, unseen, counter)
    commit = change.revisions.new or change.revisions.head
    origin = Provenance(
        RECORD, 1, len(lines), Kind.DATA, commit="" if context.settings.stable else commit, score=1.0,
        confidence=Confidence.HIGH, reasons=("overview of the diff",), symbol=printable(change.title),
    )  # fmt: skip
    text = "".join(f"{line}\n" for line in lines)
    return Fragment(text, Form.OUTLINE, "changes", origin, "text", required=is_required, value=1.0, layer=PATCH)


def commit_line(context: Context, message: CommitMessage) -> str:
    """A commit on one line: hash, day, subject; without the hash where a report has to stay the same."""
    rest = f"{message.day} {printable(message.subject)}"
    return rest if context.settings.stable else f"{message.hash} {rest}"


def _lines(context: Context, change: Change, unseen: Sequence[FileChange], counter: PieceCounter) -> list[str]:
    """The counts, then subjects and files in fair shares, then message bodies as far as they fit."""
    limit = room_for(context.settings.budget)
    head = [f"{change.title}: {change.counts}"]
    subjects = [commit_line(context, each) for each in change.messages]
    files = [f"  {_unseen_line(each)}" for each in unseen]
    left = limit - counter.text(head[0])
    shown = _fitting(subjects, left // 2 if files else left, counter)
    left -= sum(map(counter.text, shown))
    named = _fitting(files, left, counter)
    left -= sum(map(counter.text, named))
    commits: list[str] = []
    for subject, message in zip(shown, change.messages, strict=False):
        body = [f"    {printable(line)}".rstrip() for line in message.body.splitlines()]
        cost = sum(map(counter.text, body))
        commits += [subject, *(body if cost <= left else [])]
        left -= cost if cost <= left else 0
    more = len(subjects) - len(shown) + change.more_messages
    commits += [f"… and {number_of(more, 'more commit')}"] if more else []
    missing = len(files) - len(named)
    named += [f"  … and {number_of(missing, 'more file')}"] if missing else []
    return [*head, *commits, *(["not shown:"] if files else []), *named]


def _fitting(lines: Sequence[str], limit: int, counter: PieceCounter) -> list[str]:
    """The first lines within ``limit`` tokens."""
    kept: list[str] = []
    for line in lines:
        limit -= counter.text(line)
        if limit < 0:
            break
        kept.append(line)
    return kept


def _unseen_line(file: FileChange) -> str:
    """The line about a file that is not shown: its name, and why."""
    name = printable(file.path)
    if file.remark:
        counts = f", {file.counts}" if file.added or file.removed else ""
        return f"{name}  {printable(file.remark)}{counts}"
    traits = f", {', '.join(file.traits)}" if file.traits else ""
    return f"{name}  {file.counts}{traits}"
