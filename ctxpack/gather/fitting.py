"""How much of a diff a report shows: whole hunks, else hunks with less context, else some of them; never a cut line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ctxpack.changes import FileChange, Hunk, counted, narrowed
from ctxpack.changes.hunks import CONTEXT
from ctxpack.model import Lane

_CONTEXTS = (CONTEXT, 1, 0)  # lines around a change, the most first
_LEAST = 120  # tokens that a file is worth showing in
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
        """What is missing: ``3 more hunks, +120 −30``; empty if nothing is."""
        if not self.left_out:
            return ""
        count = len(self.left_out)
        added, removed = (sum(getattr(hunk, side) for hunk in self.left_out) for side in ("added", "removed"))
        return f"{count} more {'hunk' if count == 1 else 'hunks'}, {counted(added, removed)}"


Cost = Callable[[Shown], int]


def fitted(files: Sequence[FileChange], room: int, cost: Cost) -> tuple[list[Shown], list[FileChange]]:
    """What is shown within ``room`` tokens, in the order of ``files``, and the files of which nothing fits.

    Short diffs stay whole and long ones share what is left; what matters least gives way first.
    """
    ranked = sorted(files, key=_importance)
    least = {each.path: _narrow(each, 0) for each in ranked}
    costs = {path: cost(shown) for path, shown in least.items()}
    kept = _kept(ranked, costs, room)
    cap = _cap([costs[each.path] for each in kept], room)
    chosen = {each.path: _within(least[each.path], cap, cost) for each in kept}
    found = {path: shown for path, shown in chosen.items() if shown is not None}
    used = {path: cost(shown) for path, shown in found.items()}
    left = room - sum(used.values())
    for file in (each for each in ranked if each.path in found):
        better = _widest(found[file.path], left + used[file.path], cost)
        left += used[file.path] - cost(better)
        found[file.path] = better
    return [found[each.path] for each in files if each.path in found], [
        each for each in files if each.path not in found
    ]


def _importance(file: FileChange) -> tuple[bool, bool, int, str]:
    """A sort key: what people wrote before what programs did, code before tests, what is there before what is gone."""
    return bool(file.traits), file.status == "D", _LANES.index(file.kind.lane), file.path


def _narrow(file: FileChange, context: int) -> Shown:
    return Shown(file, file.hunks if context == CONTEXT else narrowed(file.hunks, context), context)


def _kept(ranked: Sequence[FileChange], costs: dict[str, int], room: int) -> list[FileChange]:
    """The most important files that can have at least a few lines each."""
    kept: list[FileChange] = []
    for file in ranked:
        room -= min(_LEAST, costs[file.path])
        if room < 0:
            break
        kept.append(file)
    return kept


def _cap(costs: Sequence[int], room: int) -> int:
    """The most tokens a file may have so that all fit."""
    left = room
    for done, cost in enumerate(sorted(costs)):
        fair = left // (len(costs) - done)
        if cost > fair:
            return fair
        left -= cost
    return max(costs, default=0)


def _within(shown: Shown, cap: int, cost: Cost) -> Shown | None:
    """The file, or as many of its first hunks as fit; None if not even the first does."""
    if cost(shown) <= cap:
        return shown
    fewest, most = 0, len(shown.hunks) - 1  # so many hunks fit, and at most so many
    while fewest < most:
        middle = (fewest + most + 1) // 2
        if cost(_first(shown, middle)) <= cap:
            fewest = middle
        else:
            most = middle - 1
    return _first(shown, fewest) if fewest else None


def _first(shown: Shown, count: int) -> Shown:
    return replace(shown, hunks=shown.hunks[:count], left_out=shown.hunks[count:])


def _widest(shown: Shown, room: int, cost: Cost) -> Shown:
    """The same with as many hunks, then as much context, as fit."""
    if shown.left_out:
        return _within(_narrow(shown.file, 0), room, cost) or shown
    return next((wide for wide in (_narrow(shown.file, each) for each in _CONTEXTS) if cost(wide) <= room), shown)
