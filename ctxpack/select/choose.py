"""Choose the fragments that are worth most for the tokens they cost."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ctxpack.errors import BudgetError
from ctxpack.model import Form, Fragment, Pack, Selection
from ctxpack.select.excerpt import cut, smallest
from ctxpack.select.frame import omission_cost, omissions_wanted
from ctxpack.select.gains import gain
from ctxpack.select.gauge import Gauge
from ctxpack.select.missed import omissions
from ctxpack.select.order import reading_order
from ctxpack.select.required import take_required
from ctxpack.select.shelf import Shelf

ENOUGH_TOKENS = 200  # an excerpt of so many tokens is worth its heading
ENOUGH_SHARE = 0.4  # and so is one of this part of a short fragment
_EARLY = 0.5  # while so much of the room is free, the best fragment is cut rather than passed over
_SEAMS = 8  # tokens that the seams of the finished text may cost more than its parts


def select(fragments: Sequence[Fragment], pack: Pack, gauge: Gauge, shares: Mapping[str, float]) -> Selection:
    """The fragments that fit ``pack.budget`` beside the frame of ``pack``, in reading order, and what just missed.

    Raises BudgetError where a required fragment does not fit in its least form, or where nothing fits at all.
    """
    reserved = min(omissions_wanted(pack.budget), sum(not fragment.required for fragment in fragments))
    try:
        return _selected(fragments, pack, gauge, shares, reserved)
    except BudgetError:
        if not reserved:
            raise
        return _selected(fragments, pack, gauge, shares, 0)  # a piece goes before lines about what just missed


def _selected(
    fragments: Sequence[Fragment], pack: Pack, gauge: Gauge, shares: Mapping[str, float], reserved: int
) -> Selection:
    """The same with room for ``reserved`` lines about what just missed."""
    ranked = sorted(fragments, key=_rank)
    optional = [gauge.weighed(fragment) for fragment in ranked if not fragment.required]
    line = omission_cost(pack, gauge)
    shelf = Shelf(pack.budget - gauge.frame(pack) - reserved * line - _SEAMS, shares, gauge)
    take_required([fragment for fragment in ranked if fragment.required], shelf)
    missed = _Greedy(shelf).choose(optional)
    if 0 < len(missed) < reserved:
        shelf.room += (reserved - len(missed)) * line
        missed = _Greedy(shelf).choose(missed)
    if missed and not shelf.pieces:
        raise _too_small(missed, pack, gauge)
    return Selection(reading_order(map(gauge.weighed, shelf.pieces), pack.order), omissions(missed, shelf, reserved))


class _Greedy:
    """Takes the fragment of highest gain that fits, again and again."""

    def __init__(self, shelf: Shelf) -> None:
        self.shelf = shelf
        self.total = max(1, shelf.room)

    def choose(self, fragments: Sequence[Fragment]) -> list[Fragment]:
        """Fill the shelf; gives what was left out and says something new, best first."""
        waiting = self._pass(fragments, keep_shares=True)
        waiting = self._pass(waiting, keep_shares=False)
        waiting = self._cut_some(waiting)
        missed = [fragment for fragment in waiting if not self.shelf.twin(fragment)]
        return sorted(missed, key=lambda fragment: (-gain(fragment, 0), _rank(fragment)))

    def _pass(self, fragments: Sequence[Fragment], *, keep_shares: bool) -> list[Fragment]:
        """One round over the fragments by gain; gives those that are still waiting for room, by gain."""
        waiting: list[Fragment] = []
        for fragment in self._by_gain(fragments):
            if self.shelf.twin(fragment):
                continue
            offer = self.shelf.offer(fragment)
            is_welcome = not keep_shares or self.shelf.has_share(fragment, offer.cost)
            if is_welcome and offer.cost <= self.shelf.room:
                self.shelf.take(offer, fragment)
            elif not (is_welcome and self._is_early() and self._take_cut(fragment, self.shelf.room // 2)):
                waiting.append(fragment)
        return waiting

    def _by_gain(self, fragments: Sequence[Fragment]) -> Iterator[Fragment]:
        """Fragments by their gain at the moment they come up: taking a piece lowers the gain of its file's others."""
        heap = [(-gain(fragment, self._taken(fragment)), at) for at, fragment in enumerate(fragments)]
        heapq.heapify(heap)
        while heap:
            lost, at = heap[0]
            fragment = fragments[at]
            now = -gain(fragment, self._taken(fragment))
            if now > lost:
                heapq.heapreplace(heap, (now, at))
            else:
                heapq.heappop(heap)
                yield fragment

    def _taken(self, fragment: Fragment) -> int:
        return self.shelf.taken[fragment.provenance.path]

    def _is_early(self) -> bool:
        return self.shelf.room >= _EARLY * self.total

    def _cut_some(self, fragments: Sequence[Fragment]) -> list[Fragment]:
        """Fill what room is left with excerpts; gives the fragments that stay out."""
        return [
            fragment
            for fragment in fragments
            if not self.shelf.twin(fragment) and not self._take_cut(fragment, self.shelf.room)
        ]

    def _take_cut(self, fragment: Fragment, room: int) -> bool:
        """Take an excerpt of at most ``room`` tokens if it is worth it: long, a good part, or all there is so far."""
        is_first = not self.shelf.pieces
        enough = min(ENOUGH_TOKENS, ENOUGH_SHARE * fragment.tokens)
        if room < enough and not is_first:
            return False
        excerpt = cut(fragment, self.shelf.room if is_first and room < ENOUGH_TOKENS else room, self.shelf.gauge)
        if excerpt is None or (excerpt.tokens < enough and not is_first) or self.shelf.twin(excerpt):
            return False
        offer = self.shelf.offer(excerpt)
        if offer.cost > self.shelf.room:
            return False
        self.shelf.take(offer, excerpt)
        return True


def _rank(fragment: Fragment) -> tuple[int, str, int, int, int, str, str]:
    """A total order, so that it does not matter in which order the fragments come."""
    origin = fragment.provenance
    form = tuple(Form).index(fragment.form)
    return (
        -fragment.priority,
        origin.path,
        origin.start_line,
        -origin.end_line,
        form,
        fragment.strategy,
        fragment.text,
    )


def _too_small(missed: Sequence[Fragment], pack: Pack, gauge: Gauge) -> BudgetError:
    least = min(gauge.fragment(smallest(fragment, gauge)) for fragment in missed)
    needed = gauge.frame(pack) + least + _SEAMS
    needed = gauge.frame(replace(pack, budget=needed)) + least + _SEAMS  # the head names the budget
    return BudgetError(
        f"The budget of {pack.budget} tokens cannot hold a single piece; the smallest report needs {needed}.",
        hint=f"Raise the budget to at least {needed} tokens.",
    )
