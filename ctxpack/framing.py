"""What a pack says beside its pieces: before they are chosen, as it can be guessed; then, as they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from ctxpack.budget import estimate_of
from ctxpack.gather import Gathered
from ctxpack.gather.tree import Folders, tree
from ctxpack.index import IndexView
from ctxpack.model import Fragment, Pack, Query, Request, Selection
from ctxpack.select import Gauge, Limits, finish, is_short_by_floor
from ctxpack.settings import Settings
from ctxpack.statistics import Tally, shares, times

_SHORT = "Nothing more was relevant enough: the rest scores below {:.0%} of the best piece. --min-score 0 takes it in."


class Beside:
    """What is said of pieces as they change; what of it stays the same is worked out once."""

    def __init__(self, view: IndexView, gathered: Sequence[Fragment], gauge: Gauge) -> None:
        self.view = view
        self.gauge = gauge
        self.statistics = Tally(gathered, gauge).statistics
        self._folders = Folders(view.files)

    def tree(self, fragments: Iterable[Fragment], budget: int) -> str:
        """The project tree that marks the files of some pieces."""
        paths = (each.provenance.path for each in fragments if self.view.files.get(each.provenance.path))
        return tree(self.view.state.name, self._folders, paths, budget)


def draft(request: Request, query: Query, settings: Settings, found: Gathered, beside: Beside) -> Pack:
    """Everything of a pack but its selection and its notes, as if all that was found could stand in it."""
    best = sorted(found.fragments, key=lambda each: (-each.required, -each.value, each.provenance.path))
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
        tree=beside.tree(best, settings.budget) if has_tree else "",
        considered=len(view.files),
        skipped=view.skipped,
    )
    return replace(pack, stats={**shares(settings), **beside.statistics(pack)})


def settled(pack: Pack, text: str, beside: Beside) -> tuple[Pack, str]:
    """The pack whose strategies, tree and statistics are those of what is in it: its draft could only guess them."""
    gauge = beside.gauge
    while True:
        before = pack.selection.fragments
        used = {each.strategy for each in before}
        strategy = ", ".join(name for name in pack.strategy.split(", ") if name in used)
        stats = pack.stats and {**pack.stats, **beside.statistics(pack)}
        final = replace(pack, strategy=strategy, tree=pack.tree and beside.tree(before, pack.budget), stats=stats)
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
