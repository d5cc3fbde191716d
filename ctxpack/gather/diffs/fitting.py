"""How much of a diff a report shows: whole hunks, else hunks with less context, else some of them; never a cut line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ctxpack.changes import FileChange, Hunk, narrow_hunks
from ctxpack.changes.change import CONTEXT, line_counts
from ctxpack.model import Lane
from ctxpack.select.required import fair_share

_CONTEXTS = (CONTEXT, 1, 0)  # lines around a change, the most first
_LEAST = 150  # tokens that a file is worth showing in
_PART = 0.65  # of the room that is left, for the files of one rank
_LANES = (Lane.CODE, Lane.CONFIG, Lane.DOCS, Lane.TESTS)  # those first whose change a reader must see


@dataclass(frozen=True)
class Shown:
    """What is shown of one file: some of its hunks, with so many lines of context."""

    file: FileChange
    hunks: tuple[Hunk, ...]
    context: int = CONTEXT
    left_out: tuple[Hunk, ...] = ()

    @property
    def is_whole(self) -> bool:
        """Whether the file's part of the diff is there as git prints it."""
        return self.context == CONTEXT and not self.left_out

    @cached_property
    def rest(self) -> str:
        """What is missing: ``3 hunks are not shown, +120 −30``; empty if nothing is."""
        if not self.left_out:
            return ""
        count = len(self.left_out)
        added, removed = (sum(getattr(hunk, side) for hunk in self.left_out) for side in ("added", "removed"))
        return f"{count} {'hunk is' if count == 1 else 'hunks are'} not shown, {line_counts(added, removed)}"


Cost = Callable[[Shown], int]


def fitted(files: Sequence[FileChange], room: int, cost: Cost) -> tuple[list[Shown], list[FileChange]]:
    """What is shown within ``room`` tokens, in the order of ``files``, and the files of which nothing fits.

    Rank by rank, a part of the room goes to files of that rank and what they leave to the next: short diffs stay whole,
    long ones share. At the end what is left widens what is shown, the most important first.
    """
    ranks: dict[tuple[bool, bool, int], list[FileChange]] = {}
    for file in sorted(files, key=lambda each: (_rank(each), -each.added - each.removed, each.path)):
        ranks.setdefault(_rank(file), []).append(file)
    found: dict[str, Shown] = {}
    left = room
    for done, rank in enumerate(ranks):
        part = left if done == len(ranks) - 1 else int(left * _PART)
        for shown in _shared(ranks[rank], part, cost):
            found[shown.file.path] = shown
            left -= cost(shown)
    waiting = [found[each.path] for rank in ranks.values() for each in rank if each.path in found]
    for done, shown in enumerate(waiting):
        partial = sum(bool(each.left_out) for each in waiting[done:])
        wide = _widest(shown, cost(shown) + (left // partial if shown.left_out else left), cost)
        found[shown.file.path] = wide
        left -= cost(wide) - cost(shown)
    return [found[each.path] for each in files if each.path in found], [
        each for each in files if each.path not in found
    ]


def _rank(file: FileChange) -> tuple[bool, bool, int]:
    """What people wrote before what programs did, what is there before what is gone, code before tests."""
    return bool(file.traits), file.status == "D", _LANES.index(file.kind.lane)


def _shared(files: Sequence[FileChange], room: int, cost: Cost) -> list[Shown]:
    """What is shown of files of one rank, those that changed most first, in ``room`` tokens."""
    least = [_narrow(each, 0) for each in files]
    costs = [cost(shown) for shown in least]
    kept, sum_of_least = 0, 0
    for each in costs:
        sum_of_least += min(_LEAST, each)
        kept += sum_of_least <= room
    kept = max(kept, min(1, len(costs)))  # of the first one perhaps a hunk
    cap = fair_share(costs[:kept], room)
    found = [_within(shown, cap, cost) for shown in least[:kept]]
    left = room - sum(cost(shown) for shown in found if shown)
    for at, shown in enumerate(found):
        if shown is None:  # its first hunk is longer than its share
            found[at] = more = _within(least[at], left, cost)
            left -= cost(more) if more else 0
    return [shown for shown in found if shown]


def _narrow(file: FileChange, context: int) -> Shown:
    return Shown(file, file.hunks if context == CONTEXT else narrow_hunks(file.hunks, context), context)


def _within(shown: Shown, cap: int, cost: Cost) -> Shown | None:
    """The file, or those of its hunks that fit, the first ones first; None if not one does."""
    if cost(shown) <= cap:
        return shown
    alone = [cost(replace(shown, hunks=(hunk,))) for hunk in shown.hunks]
    head = sum(alone[:2]) - cost(replace(shown, hunks=shown.hunks[:2])) if len(alone) > 1 else 0
    kept: list[int] = []
    left = cap
    for at, whole in enumerate(alone):
        extra = whole - head if kept else whole
        if extra <= left:
            kept.append(at)
            left -= extra
    while kept and cost(_only(shown, kept)) > cap:  # the line about what is missing takes room as well
        kept.pop()
    return _only(shown, kept) if kept else None


def _only(shown: Shown, kept: Sequence[int]) -> Shown:
    """The same with some of the hunks, in their order."""
    hunks = enumerate(shown.hunks)
    chosen = set(kept)
    parts = [(hunk, at in chosen) for at, hunk in hunks]
    return replace(
        shown,
        hunks=tuple(hunk for hunk, is_in in parts if is_in),
        left_out=tuple(hunk for hunk, is_in in parts if not is_in),
    )


def _widest(shown: Shown, room: int, cost: Cost) -> Shown:
    """The same with as many hunks, then as much context, as fit."""
    if shown.left_out:
        return _within(_narrow(shown.file, 0), room, cost) or shown
    return next((wide for wide in (_narrow(shown.file, each) for each in _CONTEXTS) if cost(wide) <= room), shown)
