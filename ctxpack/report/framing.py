"""What a pack says header its pieces, and what became of everything that was gathered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ctxpack.gather import Gathered
from ctxpack.index import IndexView
from ctxpack.model import Fragment, Pack, Query, Request, Selection
from ctxpack.redact.redaction import Removed, is_summary, summary
from ctxpack.report.overview import Folders, tree
from ctxpack.select import Limits, PieceCounter, finish, is_short_by_floor
from ctxpack.select.alike import LEAST_TEXT, SimilarityIndex
from ctxpack.select.limits import DEFAULTS
from ctxpack.settings import Settings
from ctxpack.settings.budget import budget_of, estimate_of


class Tally:
    """Counts what became of everything that was gathered; a selection that is asked about again is not counted again.

    It says how many pieces were gathered, how many of them are in the pack, say what it says already, or had no room.
    ``tokens_gathered`` and ``tokens_packed`` are of the pieces' own texts.
    """

    def __init__(self, gathered: Sequence[Fragment], counter: PieceCounter, limits: Limits = DEFAULTS) -> None:
        self._gathered = gathered
        self._counter = counter
        self._limits = limits
        self._last: tuple[tuple[Fragment, ...], dict[str, int]] | None = None

    def statistics(self, pack: Pack) -> dict[str, int]:
        """The numbers by name."""
        pieces = pack.selection.fragments
        if self._last is None or self._last[0] is not pieces:
            self._last = pieces, self._counted(pieces)
        return self._last[1]

    def _counted(self, pieces: tuple[Fragment, ...]) -> dict[str, int]:
        by_home: dict[tuple[str, str], list[Fragment]] = {}
        for piece in pieces:
            by_home.setdefault(piece.home, []).append(piece)
        others = [each for each in self._gathered if not any(_meet(each, its) for its in by_home.get(each.home, ()))]
        texts = [piece.text for piece in pieces]
        known = SimilarityIndex(self._limits)
        for piece in pieces:
            known.add(piece)
        repeated = sum(_is_in(piece.text, texts) or bool(known.find(piece)) for piece in others)
        return {
            "gathered": len(self._gathered),
            "packed": len(self._gathered) - len(others),
            "duplicates": repeated,
            "left_out": len(others) - repeated,
            "tokens_gathered": sum(self._counter.text(piece.text) for piece in self._gathered),
            "tokens_packed": sum(self._counter.text(text) for text in texts),
        }


def window_shares(settings: Settings) -> dict[str, int]:
    """The window and what of it is kept free, by part; nothing where no window is known."""
    if not (settings.window or settings.model):
        return {}
    division = budget_of(settings).division()
    return {"window": division.window, **{f"reserve_{part.name}": part.tokens for part in division.parts}}


def times(seconds: Mapping[str, float]) -> dict[str, int]:
    """The milliseconds of each stage."""
    return {f"ms_{stage}": round(each * 1000) for stage, each in seconds.items()}


def _meet(one: Fragment, other: Fragment) -> bool:
    """Whether two pieces of one text share a line."""
    mine, its = one.provenance, other.provenance
    return mine.start_line <= its.end_line and its.start_line <= mine.end_line


def _is_in(text: str, texts: Sequence[str]) -> bool:
    bare = text.strip()
    return len(bare) >= LEAST_TEXT and any(bare in each for each in texts)


_SHORT = "Nothing more was relevant enough: the rest scores below {:.0%} of the best piece. --min-score 0 takes it in."


class ReportHeader:
    """What is said of pieces as they change; what of it stays the same is worked out once."""

    def __init__(
        self, view: IndexView, gathered: Sequence[Fragment], counter: PieceCounter, removed: Sequence[Removed]
    ) -> None:
        self.view = view
        self.counter = counter
        self.statistics = Tally(gathered, counter).statistics
        self._removed = removed

    def notes(self, pack: Pack, fragments: Sequence[Fragment]) -> tuple[str, ...]:
        """The notes of a pack, with one about the secrets that were taken out of some fragments."""
        said = summary(self._removed, fragments)
        return (*(note for note in pack.notes if not is_summary(note)), *([said] if said else []))


def draft_pack(request: Request, query: Query, settings: Settings, found: Gathered, header: ReportHeader) -> Pack:
    """Everything of a pack but its selection and its notes, as if all that was found could stand in it."""
    view, has_tree = header.view, settings.use_tree and "tree" in found.strategies
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
    return replace(pack, stats={**window_shares(settings), **header.statistics(pack)}, has_figures=settings.stats)


def with_final_frame(pack: Pack, text: str, header: ReportHeader) -> tuple[Pack, str]:
    """The pack whose strategies, notes and statistics are those of what is in it: its draft could only guess them."""
    counter = header.counter
    while True:
        before = pack.selection.fragments
        used = {each.strategy for each in before}
        strategy = ", ".join(name for name in pack.strategy.split(", ") if name in used)
        stats = pack.stats and {**pack.stats, **header.statistics(pack)}
        final = replace(pack, strategy=strategy, stats=stats, notes=pack.notes and header.notes(pack, before))
        if counter.renderer.frame(final) == counter.renderer.frame(pack):
            return final, text
        pack, text = finish(final, counter)


def with_floor(
    pack: Pack, text: str, gathered: tuple[Fragment, ...], limits: Limits, counter: PieceCounter
) -> tuple[Pack, str]:
    """The pack that says so where it is short because nothing more was relevant enough."""
    if not is_short_by_floor(gathered, pack, limits):
        return pack, text
    return finish(replace(pack, notes=(*pack.notes, _SHORT.format(limits.floor))), counter)


def with_times(pack: Pack, seconds: Mapping[str, float], counter: PieceCounter) -> tuple[Pack, str]:
    """The pack that says how long each stage took: asked for, it differs from run to run."""
    return finish(replace(pack, stats={**pack.stats, **times(seconds)}), counter)
