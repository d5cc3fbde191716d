"""What a diff is about, in words: the messages of its commits, the definitions it changed and those it calls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from ctxpack.gather.asked import words
from ctxpack.gather.relations.resemblance import stem_of
from ctxpack.index import IndexView
from ctxpack.model import Intent, Lane, Query, Request, Scope
from ctxpack.query.tokens import is_identifier, raw_words
from ctxpack.query.understand import understand
from ctxpack.settings import Settings

if TYPE_CHECKING:
    from ctxpack.changes import Change

_MOST_NAMES = 30  # of definitions that the changed lines use
_TITLE_NAMES = 6  # where there is no commit message
_COMMON = 40  # places that define a name: in more of them it says nothing
_MESSAGES = 8  # commits whose messages are words to search for


def change_of(request: Request, settings: Settings, view: IndexView) -> Change | None:
    """What a request of a diff is about; None for every other request. Raises UsageError and NothingFoundError."""
    if request.scope is not Scope.DIFF:
        return None
    from ctxpack.changes import read_change

    return read_change(request, settings, view)


def told(request: Request, change: Change | None) -> Request:
    """The request with the name of what is compared, and the messages of its commits as its text."""
    if change is None:
        return request
    messages = (f"{each.subject}\n\n{each.body}".strip() for each in change.messages[:_MESSAGES])
    return replace(request, name=change.title, text="\n\n".join((request.text, *messages)).strip())


def understood(request: Request, change: Change | None, view: IndexView) -> Query:
    """The query of a request; of a diff with the names of what it changed and of what its lines use."""
    if change is None:
        return understand(words(request))
    from ctxpack.gather.diffs.changed import changed_definitions

    changed = changed_definitions(change, view)
    names = list(dict.fromkeys(each.symbol.qualified for each in changed if each.file.kind.lane is Lane.CODE))
    title = "" if request.text.strip() else " ".join(names[:_TITLE_NAMES] or _stems(change))
    used = " ".join(dict.fromkeys((*names[:_MOST_NAMES], *_used(change, view))))
    query = understand(
        "\n\n".join(part for part in (request.text or title, f"```\n{used}\n```" if used else "") if part)
    )
    return replace(query, intent=Intent.REVIEW)


def _stems(change: Change) -> list[str]:
    return list(dict.fromkeys(stem_of(each.path) for each in change.files))[:_TITLE_NAMES]


def _used(change: Change, view: IndexView) -> list[str]:
    """Names in the changed lines that the repository defines, those in most lines first.

    Nothing else of the lines goes into a query, which a report repeats: a secret is no definition.
    """
    counts = Counter(word for line in _changed_lines(change) for word in set(raw_words(line)) if is_identifier(word))
    ranked = sorted(counts, key=lambda word: (-counts[word], word))
    defined = (word for word in ranked if 0 < len(view.postings.terms("definition", word.lower()).docs) <= _COMMON)
    return [word for word, _ in zip(defined, range(_MOST_NAMES), strict=False)]


def _changed_lines(change: Change) -> Iterator[str]:
    for file in change.files:
        if file.kind.lane is Lane.CODE and not file.traits:
            yield from (line.text for hunk in file.hunks for line in hunk.lines if line.mark in "+-")
