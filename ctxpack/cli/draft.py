"""A pack that the user edits: after every change it is fitted to its budget again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ctxpack.errors import BudgetError
from ctxpack.light import dataclass, field, replace
from ctxpack.model import Fragment, Lane, Omission, Pack, Provenance, Selection
from ctxpack.render.reports import report
from ctxpack.render.wording import pack_title, place_label, repository
from ctxpack.report.making import Remainder, renderer_of, without_shown
from ctxpack.select import assemble, limits_of
from ctxpack.select.pieces import span

LEAST_TOKENS: Final = 200  # tokens of a budget
_STEPS: Final = (100, 125, 160, 200, 250, 320, 400, 500, 640, 800)  # a quarter apart, as people write budgets
_BY_HAND: Final = "you took it out"
_Key = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class DraftRow:
    """A line of the list: a piece of the pack, one that was taken out of it, or a place that just missed."""

    what: Fragment | Omission
    is_in: bool
    reason: str

    @property
    def key(self) -> _Key:
        """What stays the same when the pack is fitted again."""
        return self.place.path, self.place.start_line, self.place.end_line

    @property
    def place(self) -> Provenance | Omission:
        """Where it is, and its score."""
        return self.what.provenance if isinstance(self.what, Fragment) else self.what

    @property
    def searchable_text(self) -> str:
        """All that is shown of it, for a filter."""
        what = self.what
        return f"{place_label(self.place)}\n{what.text if isinstance(what, Fragment) else ''}\n{self.reason}"


@dataclass(slots=True)
class Draft:
    """A pack, and what was changed of it. ``pack`` and ``text`` are what it is now."""

    rest: Remainder
    pack: Pack
    text: str
    budget: int
    without: frozenset[str] = frozenset()  # strategies whose pieces are left out
    out: tuple[Fragment, ...] = ()
    wanted: tuple[_Key, ...] = ()
    _first: Pack | None = field(default=None, repr=False)
    _above: dict[_Key, tuple[_Key, ...]] = field(default_factory=dict, repr=False)
    """Where a piece was when it was taken out: what was above it, the nearest first."""

    @property
    def strategies(self) -> tuple[str, ...]:
        """The strategies that brought something."""
        return tuple(sorted({each.strategy for each in self.rest.fragments}))

    @property
    def is_changed(self) -> bool:
        """Whether the pack is another than the one that was made."""
        return bool(self.without or self.out or self.wanted) or self.budget != (self._first or self.pack).budget

    @property
    def title(self) -> str:
        """The request and the repository of the pack."""
        return f"{pack_title(self.pack.request)} – {repository(self.pack.state)}"

    def copy_changes(self, other: Draft) -> None:
        """Change it as another was changed. Raises BudgetError."""
        self._above = dict(other._above)
        self._fit(out=other.out, wanted=other.wanted, without=other.without, budget=other.budget)

    def rows(self) -> Iterator[DraftRow]:
        """Yield the pieces, with what was taken out where it was among them, then what just missed."""
        rows = [
            DraftRow(each, is_in=True, reason="; ".join(each.provenance.reasons))
            for each in self.pack.selection.fragments
        ]
        for piece in self.out:
            row = DraftRow(piece, is_in=False, reason=_BY_HAND)
            keys = {each.key: number for number, each in enumerate(rows, 1)}
            rows.insert(next((keys[each] for each in self._above.get(row.key, ()) if each in keys), 0), row)
        yield from rows
        for each in self.pack.selection.omissions:
            yield DraftRow(each, is_in=False, reason=each.reason)

    def tokens_by_lane(self) -> dict[Lane, int]:
        """The tokens of the pieces' own text in each lane."""
        found = dict.fromkeys(Lane, 0)
        for piece in self.pack.selection.fragments:
            found[piece.lane] += piece.tokens
        return found

    def toggle(self, row: DraftRow) -> None:
        """Take a piece out, or in. Raises BudgetError where nothing would be left, or a place has no room."""
        out, wanted = self.out, self.wanted
        if row.is_in and isinstance(row.what, Fragment):
            keys = [each.key for each in self.rows()]
            self._above[row.key] = tuple(reversed(keys[: keys.index(row.key)]))
            out = (*out, row.what)
            wanted = tuple(each for each in wanted if not _overlap(row.what, each))
        elif row.what in out:
            out = tuple(each for each in out if each != row.what)
            wanted = (*wanted, row.key)
        else:
            wanted = (*wanted, row.key)
        self._fit(out=out, wanted=wanted)

    def use(self, strategies: frozenset[str]) -> None:
        """Keep only pieces of these strategies. Raises BudgetError."""
        self._fit(without=frozenset(self.strategies) - strategies)

    def resize(self, budget: int) -> None:
        """Fit it into another budget. Raises BudgetError."""
        self._fit(budget=max(budget, LEAST_TOKENS))

    def larger(self) -> None:
        """Fit it into the next budget of the steps, about a quarter larger. Raises BudgetError."""
        self.resize(next(step for step in _steps_around(self.budget) if step > self.budget))

    def smaller(self) -> None:
        """Fit it into the budget that one key less gives, about a fifth smaller. Raises BudgetError."""
        self.resize(max((step for step in _steps_around(self.budget) if step < self.budget), default=1))

    def text_in(self, name: str) -> str:
        """Return the pack as it is now, in another format, within the same budget. Raises BudgetError."""
        rest = replace(self.rest, settings=replace(self.rest.settings, format=name))
        return self._fit_pieces(
            rest, self._first or self.pack, list(self._fragments(self.out, self.wanted)), self.budget
        )[1]

    def _fit(
        self,
        *,
        out: tuple[Fragment, ...] | None = None,
        wanted: tuple[_Key, ...] | None = None,
        without: frozenset[str] | None = None,
        budget: int = 0,
    ) -> None:
        """Fit it again; where that cannot be, nothing is changed."""
        before = self.out, self.wanted, self.without, self.budget
        first = self._first or self.pack
        self.out = self.out if out is None else out
        self.wanted = self.wanted if wanted is None else wanted
        self.without = self.without if without is None else without
        self.budget = budget or self.budget
        try:
            pieces = list(self._fragments(self.out, self.wanted))
            self.pack, self.text = self._fit_pieces(self.rest, first, pieces, self.budget)
        except BudgetError:
            self.out, self.wanted, self.without, self.budget = before
            raise
        self._first = first

    def _fit_pieces(self, rest: Remainder, first: Pack, pieces: list[Fragment], budget: int) -> tuple[Pack, str]:
        """The pack of some pieces in the frame of the first, and its text; no command makes such a one again.

        Raises BudgetError.
        """
        if not pieces:
            raise BudgetError("Nothing would be left in the pack.", hint="Add a piece first.")
        recipe = "" if self.is_changed else first.recipe
        frame = replace(first, selection=Selection(()), tokens_used=0, budget=budget, recipe=recipe)
        packed, text = assemble(pieces, frame, rest.counter(), rest.shares, limits_of(rest.settings))
        return packed, text if rest.is_counted_as_shown() else report(packed, renderer_of(rest.settings))

    def _fragments(self, out: tuple[Fragment, ...], wanted: tuple[_Key, ...]) -> Iterator[Fragment]:
        """The gathered fragments without removed ones; the user's choices are required."""
        left = [
            replace(part, required=each.required)
            for each in self.rest.fragments
            if each.strategy not in self.without
            for part in (without_shown([each], out) if out else (each,))
        ]
        chosen = {id(best) for place in wanted if (best := _best_of(left, place))}
        for each in left:
            yield replace(each, required=True, is_listed=False) if id(each) in chosen else each


def draft_of(pack: Pack, text: str) -> Draft:
    """Return the draft of a pack that was just made."""
    assert isinstance(pack.rest, Remainder)  # noqa: S101 - every pack of the pipeline has one
    return Draft(pack.rest, pack, text, pack.budget)


def _best_of(fragments: list[Fragment], place: _Key) -> Fragment | None:
    """The fragment for a place: that of the same lines, else the shortest that contains or touches them."""
    found = [each for each in fragments if _overlap(each, place)]
    _, start, end = place

    def distance(each: Fragment) -> tuple[int, int]:
        first, last = span(each)
        return abs(first - start) + abs(last - end), last - first

    return min(found, key=distance, default=None)


def _overlap(fragment: Fragment, place: _Key) -> bool:
    path, start, end = place
    first, last = span(fragment)
    return fragment.provenance.path == path and first <= end and start <= last


def _steps_around(budget: int) -> list[int]:
    """The budgets that the keys go through, from below this one to above it, so that more and less undo each other."""
    power = max(len(str(budget)) - 3, 0)
    return sorted({step * 10**each // 10 for each in range(power, power + 3) for step in _STEPS})
