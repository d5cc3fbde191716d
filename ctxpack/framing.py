"""What a pack says beside its pieces: before they are chosen, as it can be guessed; then, as they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ctxpack.budget import estimate_of
from ctxpack.gather import Gathered
from ctxpack.gather.tree import Folders, tree
from ctxpack.index import IndexView
from ctxpack.model import Fragment, Pack, Query, Request, Selection
from ctxpack.redact.redaction import Removed, is_summary, summary
from ctxpack.select import Gauge, Limits, finish, is_short_by_floor
from ctxpack.settings import Settings
from ctxpack.statistics import Tally, shares, times

_SHORT = "Nothing more was relevant enough: the rest scores below {:.0%} of the best piece. --min-score 0 takes it in."


class Beside:
    """What is said of pieces as they change; what of it stays the same is worked out once."""

    def __init__(self, view: IndexView, gathered: Sequence[Fragment], gauge: Gauge, removed: Sequence[Removed]) -> None:
        self.view = view
        self.gauge = gauge
        self.statistics = Tally(gathered, gauge).statistics
        self._removed = removed

    def notes(self, pack: Pack, fragments: Sequence[Fragment]) -> tuple[str, ...]:
        """The notes of a pack, with one about the secrets that were taken out of some fragments."""
        said = summary(self._removed, fragments)
        return (*(note for note in pack.notes if not is_summary(note)), *([said] if said else []))


def draft(request: Request, query: Query, settings: Settings, found: Gathered, beside: Beside) -> Pack:
    """Everything of a pack but its selection and its notes, as if all that was found could stand in it."""
    view, has_tree = beside.view, settings.use_tree and "tree" in found.strategies
    state = replace(view.state, commit="", branch="", dirty=False) if settings.stable else view.state
    pack = Pack(
        request=request,
        query=query,
        state=state,
        selection=Selection(()),
        budget=settings.budget,
        encoding=settings.encoding,
        model=settings.model,
        estimate=estimate_of(settings),
        strategy=", ".join(dict.fromkeys(each.strategy for each in found.fragments)),
        order=settings.order,
        tree=tree(Folders(view.files), settings.budget) if has_tree else "",
        considered=len(view.files),
        skipped=view.skipped,
    )
    return replace(pack, stats={**shares(settings), **beside.statistics(pack)}, has_figures=settings.stats)


def settled(pack: Pack, text: str, beside: Beside) -> tuple[Pack, str]:
    """The pack whose strategies, notes and statistics are those of what is in it: its draft could only guess them."""
    gauge = beside.gauge
    while True:
        before = pack.selection.fragments
        used = {each.strategy for each in before}
        strategy = ", ".join(name for name in pack.strategy.split(", ") if name in used)
        stats = pack.stats and {**pack.stats, **beside.statistics(pack)}
        final = replace(pack, strategy=strategy, stats=stats, notes=pack.notes and beside.notes(pack, before))
        if gauge.renderer.frame(final) == gauge.renderer.frame(pack):
            return final, text
        pack, text = finish(final, gauge)


def with_floor(pack: Pack, text: str, gathered: tuple[Fragment, ...], limits: Limits, gauge: Gauge) -> tuple[Pack, str]:
    """The pack that says so where it is short because nothing more was relevant enough."""
    if not is_short_by_floor(gathered, pack, limits):
        return pack, text
    return finish(replace(pack, notes=(*pack.notes, _SHORT.format(limits.floor))), gauge)


def with_times(pack: Pack, seconds: Mapping[str, float], gauge: Gauge) -> tuple[Pack, str]:
    """The pack that says how long each stage took: asked for, it differs from run to run."""
    return finish(replace(pack, stats={**pack.stats, **times(seconds)}), gauge)
