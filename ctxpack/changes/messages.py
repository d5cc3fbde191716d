"""The commits that lie between two states, with their messages."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ctxpack.changes.change import CommitMessage
from ctxpack.changes.revisions import Revisions
from ctxpack.discover.process import Git

_MOST = 20
_FIELDS = 4
_SIGNATURE = re.compile(r"[a-z]+(?:-[a-z]+)*-(?:by|id|to): ", re.IGNORECASE)
_FIELD = "\x1f"
_BODY_LENGTH = 4_000  # characters


def messages_of(git: Git, revisions: Revisions) -> tuple[tuple[CommitMessage, ...], int]:
    """The newest commits that the new state has and the old one has not, and how many more there are.

    Merges are left out where there is anything else. Raises GitError.
    """
    last = revisions.new or revisions.head
    if not last or last == revisions.old:
        return (), 0
    span = (f"{revisions.old}..{last}",) if revisions.has_old else (last,)
    found = read_messages(git, ("--no-merges", *span)) or read_messages(git, span)
    count = len(found)
    if count == _MOST:
        count = int(git.start("rev-list", "--count", "--no-merges", *span).text())
    return found, max(0, count - len(found))


def read_messages(git: Git, what: Sequence[str], most: int = _MOST) -> tuple[CommitMessage, ...]:
    """The first commits, at most so many, that ``git log`` gives for ``what``. Raises GitError."""
    form = f"--format=tformat:%h{_FIELD}%cs{_FIELD}%s{_FIELD}%b%x00"
    options = ("--no-color", "--no-show-signature", "--no-notes", "--encoding=UTF-8", "--abbrev=8", f"-n{most}", "-s")
    output = git.start("log", *options, form, *what, "--").text()
    text = output.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    rows = (record.lstrip("\n").split(_FIELD, 3) for record in text.split("\0"))
    return tuple(CommitMessage(row[0], row[1], row[2], _body(row[3])) for row in rows if len(row) == _FIELDS)


def _body(text: str) -> str:
    """The message below its first line, without the lines that say who signed it."""
    lines = [line for line in text.splitlines() if not _SIGNATURE.match(line)]
    return "\n".join(lines).strip()[:_BODY_LENGTH]
