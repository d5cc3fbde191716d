"""The changes strategy: the diff itself, one piece a file, behind an overview of its commits and of what is missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ctxpack.errors import CtxpackError
from ctxpack.gather.context import Context
from ctxpack.gather.diff_overview import overview, room_for
from ctxpack.gather.patches import Shown, fit_patches, patch_piece
from ctxpack.model import Fragment, Request, Scope, Trait
from ctxpack.understand.change import Change
from ctxpack.understand.read import read_change

_SHARE, _FRAME = 0.65, 220  # of the budget, and tokens of it that the frame of a report may take
_BESIDE_SHARE, _BESIDE_VALUE = 0.3, 0.85  # of the budget, and a value, where the diff is not what was asked for

_NOISE = frozenset({Trait.LOCK, Trait.GENERATED, Trait.MINIFIED})
_LONG_NOISE = 300  # tokens of a diff that no reviewer reads: beyond them it is only named


def gather_changes(context: Context) -> Sequence[Fragment]:
    """The overview and the diff of each file; beside another request only the uncommitted diff of what it is about."""
    if context.change is not None:
        first, shown = arrange_patches(context, context.change)
        pieces = [patch_piece(context, context.change, each, 1.0, is_required=True) for each in shown]
        return (*([first] if first else []), *pieces)
    change = _uncommitted_changes(context)
    if change is None:
        return ()
    files = [each for each in change.files if each.hunks]

    def piece(shown: Shown) -> Fragment:
        return patch_piece(context, change, shown, _BESIDE_VALUE, is_required=False)

    counter = context.counter
    room = int(context.settings.budget * _BESIDE_SHARE)
    return [piece(each) for each in fit_patches(files, room, lambda shown: counter.fragment(piece(shown)))[0]]


def arrange_patches(context: Context, change: Change) -> tuple[Fragment | None, list[Shown]]:
    """The overview, if it says more than the pieces do, and what is shown of each file."""
    counter, budget = context.counter, context.settings.budget
    room = min(int(budget * _SHARE), budget - _FRAME)

    def cost(shown: Shown) -> int:
        return counter.fragment(patch_piece(context, change, shown, 1.0, is_required=True))

    whole = [Shown(each, each.hunks) for each in change.files if each.hunks]
    noise = [each.file for each in whole if _NOISE.intersection(each.file.traits) and cost(each) > _LONG_NOISE]
    whole = [each for each in whole if each.file not in noise]
    first = overview(context, change, noise, counter, is_required=True)
    if sum(map(cost, whole)) + (counter.fragment(first) if first else 0) <= room:
        return first, whole
    shown, listed = fit_patches([each.file for each in whole], room - room_for(budget), cost)
    return overview(context, change, [*noise, *listed], counter, is_required=True), shown


def _uncommitted_changes(context: Context) -> Change | None:
    """The uncommitted changes of the files in question, or of the repository where the request names none."""
    try:
        change = read_change(Request(Scope.DIFF), context.settings, context.view)
    except CtxpackError:
        return None  # no git, or nothing has changed
    asked = {each.path for each in context.subjects}
    return replace(change, files=tuple(each for each in change.files if not asked or each.path in asked))
