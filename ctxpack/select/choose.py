"""Choose the pieces of a pack: first the required ones, then those that add most per token."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence

from ctxpack.errors import BudgetError
from ctxpack.light import dataclass, replace
from ctxpack.model import Fragment, Pack, Selection
from ctxpack.select.excerpt import cut_to_fit, is_hardly_more_than_a_head, passage_of, smallest
from ctxpack.select.finish import (
    finish,
    fit_frame,
    frame_around,
    omission_cost,
    omissions_reserved,
    omissions_wanted,
    smaller_frames,
)
from ctxpack.select.limits import DEFAULTS, SEARCH, Limits, relevant_pieces, strong_pieces, weak_parts
from ctxpack.select.order import best_result, omissions, reading_order, sort_key, with_weaker, worth_listing
from ctxpack.select.packing import Offer, PackingState, Shares, gain, in_order_of_gain, worth
from ctxpack.select.pieces import STEPS, PieceCounter, lines_spanned, overlap
from ctxpack.system.clock import SELECT_END, Timekeeper, is_over


def take_required(fragments: Sequence[Fragment], state: PackingState) -> None:
    """Take every required fragment, the longest ones as excerpts where there is too little room.

    Raises BudgetError if not even the smallest form of each fits.
    """
    if not fragments:
        return
    counter = state.counter
    whole = _without_overlaps(fragments, counter)
    costs = [counter.fragment(fragment) for fragment in whole]
    least = [smallest(fragment, counter) for fragment in whole]
    needed = sum(map(counter.fragment, least))
    if needed > state.room:
        raise BudgetError(
            f"The required pieces need at least {needed} tokens, and the budget leaves {max(0, state.room)} for them.",
            hint=f"Raise the budget by {needed - state.room} tokens or more.",
        )
    cap = fair_share(costs, state.room)
    for fragment, fallback in zip(whole, least, strict=True):
        state.take(state.offer(piece := cut_to_fit(fragment, cap, counter) or fallback), piece)


def whole_cost(fragments: Sequence[Fragment], counter: PieceCounter) -> int:
    """The cost of the required fragments in full; 0 if there are none."""
    required = [fragment for fragment in fragments if fragment.required]
    return sum(counter.fragment(each) for each in _without_overlaps(required, counter)) if required else 0


def _without_overlaps(fragments: Sequence[Fragment], counter: PieceCounter) -> list[Fragment]:
    """Leave out overlaps; keep the order."""
    state = PackingState(0, {}, counter)
    for fragment in fragments:
        if not state.twin(fragment):
            state.take(state.offer(fragment), fragment)
    return state.pieces


def fair_share(costs: Sequence[int], room: int) -> int:
    """The largest size of a piece with which all fit: short ones stay whole, long ones share the rest."""
    left = room
    for done, cost in enumerate(sorted(costs)):
        fair = left // (len(costs) - done)
        if cost > fair:
            return fair
        left -= cost
    return max(costs, default=0)


ENOUGH_TOKENS = 200  # an excerpt of this length is worth its heading
ENOUGH_SHARE = 0.4  # and so is one of this part of a short fragment
ENOUGH_OF_ROOM = 0.04  # and so is one of this part of the room: in a small pack nothing else may be left to fit
_EARLY = 0.5  # while this part of the room is free, the best fragment is cut rather than passed over
_AMPLE = 0.5  # of the room: while it is free, what differs a little from a piece comes in as well
_TRIED_FIRST = 4  # pieces that are tried before all others
_OF_LISTED = 0.5  # of the room for lines about what just missed, in which pieces that were cut become whole
# Tokens of the room: in a larger one every piece is small, and trying some first gains nothing. Without it at 8,000
# tokens needed places or lines are in two packs more and in none fewer, of 281; at 16,000 tokens none changes; at 2,500
# documents lose 2 % of the needed lines.
_SMALL_ROOM = 6_000
# Lines between two pieces that come with them: these, or this part of both. With 5 or 20 lines alone a pack held 1 %
# less of what was needed; with the part it holds as much, in fewer pieces.
_SHORT_GAP, _GAP_SHARE, _LONGEST_GAP = 10, 0.2, 40
# Of the room, and a value: a longer piece worth less is cut, so that it does not take what several others need. Over
# 100 requests and 57 issues, all needed places or more of them in three packs, fewer in one; with .25 none changes.
_LONG, _SURE = 0.15, 0.8
_LEAST_LONG = 600  # tokens: of a small pack any function takes such a part
_LATE = "Choosing the pieces took longer than {:g} s, so the pack may hold less than it could."
SEAMS = 8  # tokens that the seams of the finished text may cost more than its parts


def assemble(
    fragments: Sequence[Fragment],
    pack: Pack,
    counter: PieceCounter,
    shares: Mapping[str, float] | None = None,
    limits: Limits = DEFAULTS,
    keeper: Timekeeper | None = None,
) -> tuple[Pack, str]:
    """Pack the best fragments and write the finished text, never over ``pack.budget`` tokens.

    ``pack`` is everything but the selection; ``shares`` maps a lane or a kind to its soft share of the budget;
    ``keeper`` says how long the choice may take.
    Raises BudgetError where not even the smallest report fits.
    """
    framed = frame_around(whole_cost(fragments, counter) + SEAMS, fit_frame(pack, counter), counter)
    for smaller in smaller_frames(framed):
        try:
            chosen = select(fragments, smaller, counter, shares or {}, limits, keeper)
            listed = with_weaker(chosen, fragments, omissions_wanted(pack.budget))
            return finish(replace(smaller, selection=listed), counter)
        except BudgetError as error:  # the frame gives way before a required piece, or the only one, does
            last = error
    raise last


def select(
    fragments: Sequence[Fragment],
    pack: Pack,
    counter: PieceCounter,
    shares: Mapping[str, float],
    limits: Limits = DEFAULTS,
    keeper: Timekeeper | None = None,
) -> Selection:
    """Choose the fragments that fit ``pack.budget`` with the frame of ``pack``, and list the best of the rest.

    Raises BudgetError if a required fragment does not fit in its smallest form, or if nothing fits at all.
    """
    welcome, keeper = relevant_pieces(fragments, limits), keeper or Timekeeper()
    listable = sum(not fragment.required for fragment in worth_listing(welcome, welcome))
    reserved = min(omissions_reserved(pack.budget), listable)
    try:
        return _select(welcome, pack, counter, _Rules(shares, limits, reserved), keeper)
    except BudgetError:
        if not reserved:  # else a piece goes before lines about what just missed
            raise
        return _select(welcome, pack, counter, _Rules(shares, limits, 0), keeper)


@dataclass(frozen=True, slots=True)
class _Rules:
    """The rules of a choice; ``reserved`` is the number of lines about omitted pieces that have their room."""

    shares: Mapping[str, float]
    limits: Limits
    reserved: int


def _select(
    fragments: Sequence[Fragment], pack: Pack, counter: PieceCounter, rules: _Rules, keeper: Timekeeper
) -> Selection:
    ranked = sorted(fragments, key=sort_key)
    required = [fragment for fragment in ranked if fragment.required]
    optional = [counter.with_tokens(fragment) for fragment in ranked if not fragment.required]
    optional = [passage_of(fragment, pack.budget, rules.limits, counter) for fragment in optional]
    line = omission_cost(pack, counter)
    free = pack.budget - counter.frame(pack) - SEAMS
    if free - rules.reserved * line < whole_cost(required, counter) <= free:
        rules = replace(rules, reserved=0)  # a required piece is not cut for lines about what just missed
    room = free - rules.reserved * line

    def prepare() -> PackingState:
        state = PackingState(room, rules.shares, counter, rules.limits)
        take_required(required, state)
        return state

    state, missed = fill(prepare, optional, keeper)
    spare = rules.reserved - len(missed) - len(state.doubles)
    if missed and spare > 0:
        state.room += spare * line
        missed = _Greedy(state, keeper).choose(missed)
    while missed and rules.limits.compress and state.steps < len(STEPS) and not _is_late(state, keeper):
        state.compress(state.steps + 1)
        missed = _Greedy(state, keeper).choose(missed)
    _take_variants(state, keeper)
    if missed and not state.pieces:
        raise _too_small(missed, pack, counter)
    state, missed = _settle(prepare, state, [*missed, *(f for f in optional if f.is_bridge)], rules.limits, keeper)
    state.complete_cut(spare=int(_OF_LISTED * rules.reserved * line))
    missed = [each for each in missed if each not in state]
    return Selection(reading_order(state.shown, pack.order), omissions(missed, state, omissions_wanted(pack.budget)))


def _settle(
    prepare: Callable[[], PackingState], state: PackingState, missed: list[Fragment], limits: Limits, keeper: Timekeeper
) -> tuple[PackingState, list[Fragment]]:
    """Leave out the weak parts of a choice; take what is strong, or closes a hole, into the room left."""
    before = state
    while weak := weak_parts(state.history, state.shown, limits):
        shorter = prepare()
        shorter.repeat(state, weak)
        if shorter.cost >= state.cost:  # between two pieces a heading can cost more than the lines did
            break
        state = shorter
    strong = strong_pieces(missed, before.history, limits) if state is not before else ()
    missed += [each for each in before.history if each not in state.history and state.is_in_hole(each)]
    wanted = [each for each in missed if each.is_bridge or each in strong or state.is_in_hole(each)]
    left = _Greedy(state, keeper).choose(wanted)
    return state, [each for each in missed if not each.is_bridge and (each not in wanted or each in left)]


def _is_late(state: PackingState, keeper: Timekeeper) -> bool:
    """Whether time is up for the choice; the timekeeper notes it."""
    deadline = keeper.until(SELECT_END)
    if not state.pieces or not is_over(deadline) or deadline is None:
        return False
    keeper.cut(_LATE.format(deadline.seconds))
    return True


def fill(
    prepare: Callable[[], PackingState], optional: Sequence[Fragment], keeper: Timekeeper
) -> tuple[PackingState, list[Fragment]]:
    """Fill a pack in several ways; return the state of most worth, and what was left out.

    Some of the best result is in, whatever others repeat of it: it may be a script for zsh beside one for bash.
    By gain alone a big piece can stay out because small ones came before it. So the choice is also made with pieces cut
    as soon as they do not fit and, in a small room, with each of the worthiest pieces before all others. Which are
    tried does not depend on how small it is, and so whole pieces are never worth less there where there is more room.
    """
    best = _Greedy(prepare(), keeper).fill(optional)
    if _is_late(best[0], keeper):
        return best
    eager = _Greedy(prepare(), keeper, early=0.0).fill(optional)
    best = eager if eager[0].worth > best[0].worth else best
    top = best_result(each for each in optional if not each.is_bridge)
    held = [piece for piece in best[0].pieces if top is not None and piece.home == top.home and overlap(piece, top)]
    if top is not None and not held and not _is_late(best[0], keeper):
        best = _Greedy(prepare(), keeper).fill(optional, top)
    if best[0].total >= _SMALL_ROOM:
        return best
    whole = [fragment for fragment in optional if not fragment.is_bridge]
    worthiest = sorted(whole, key=lambda fragment: (-_worth(fragment, best[0]), sort_key(fragment)))
    for first in worthiest[:_TRIED_FIRST]:
        if first not in best[0] and not _is_late(best[0], keeper):
            other = _Greedy(prepare(), keeper).fill(optional, first)
            best = other if other[0].worth > best[0].worth else best
    return best


def _take_variants(state: PackingState, keeper: Timekeeper) -> None:
    """Take near-duplicates that were left out, while much of the room is free.

    Similar methods may differ in what matters: they are better than nothing, unless they are long.
    """
    for fragment in in_order_of_gain(tuple(state.doubles), state):
        if state.room < _AMPLE * state.total or _is_late(state, keeper):
            return
        variant = state.relent(fragment)
        offer = state.offer(variant) if variant else None
        if variant and offer and offer.cost <= min(state.room, max(_LONG * state.total, _LEAST_LONG)):
            state.take(offer, variant)
            del state.doubles[fragment]


def _worth(fragment: Fragment, state: PackingState) -> float:
    return worth(fragment, state.counter.fragment(fragment))


class _Greedy:
    """A greedy choice: the fragment of highest gain that fits, again and again."""

    def __init__(self, state: PackingState, keeper: Timekeeper, early: float = _EARLY) -> None:
        self.state = state
        self.early = early
        self.keeper = keeper
        self.total = state.total
        self.bridges: Sequence[Fragment] = ()

    def fill(self, fragments: Sequence[Fragment], first: Fragment | None = None) -> tuple[PackingState, list[Fragment]]:
        """Choose; return the state as well."""
        return self.state, self.choose(fragments, first)

    def choose(self, fragments: Sequence[Fragment], first: Fragment | None = None) -> list[Fragment]:
        """Fill the pack, ``first`` before all others; return what was left out and is new, best first."""
        self.bridges = [fragment for fragment in fragments if fragment.is_bridge]
        fragments = [fragment for fragment in fragments if not fragment.is_bridge]
        if first is not None:
            self._cut_some(self._pass([first], keep_shares=False, may_cut=False))
        waiting = self._pass(fragments, keep_shares=True)
        waiting = self._pass(waiting, keep_shares=False)
        self._close_gaps()
        self.state.complete_cut()
        waiting = self._cut_some(waiting)
        missed = [fragment for fragment in waiting if not self.state.twin(fragment)]
        return sorted(missed, key=lambda fragment: (-gain(fragment), sort_key(fragment)))

    def _pass(self, fragments: Sequence[Fragment], *, keep_shares: bool, may_cut: bool = True) -> list[Fragment]:
        """Go over the fragments once, by gain; return those that still wait for room."""
        waiting, shares = list[Fragment](), Shares(self.state)
        for fragment in in_order_of_gain(fragments, self.state):
            self.keeper.checkpoint()
            if _is_late(self.state, self.keeper):
                waiting.append(fragment)
                continue
            if self.state.twin(fragment) or self.state.is_double(fragment):
                continue
            if self.state.is_too_long(fragment) and not self._is_early():
                waiting.append(fragment)
                continue
            offer = self.state.offer(fragment)
            is_welcome = not keep_shares or shares.admit(fragment, offer.cost)
            if keep_shares and self._is_dear(fragment):
                is_taken = self._take_cut(fragment, min(int(_LONG * self.total), self._part()))
            elif is_welcome and offer.cost <= self.state.room:
                self._take(offer, fragment)
                is_taken = True
            elif keep_shares and not is_welcome and (part := self.state.best_part(fragment, offer.cost)):
                is_taken = self._take_cut(fragment, part)
            else:
                is_taken = is_welcome and may_cut and self._is_early() and self._take_cut(fragment, self._part())
            if not is_taken:
                waiting.append(fragment)
        return waiting

    def _is_dear(self, fragment: Fragment) -> bool:
        """Whether a fragment from the search would take more of the room than it is worth."""
        is_searched = fragment.strategy == SEARCH and not fragment.is_named
        return is_searched and fragment.value < _SURE and fragment.tokens > max(_LONG * self.total, _LEAST_LONG)

    def _is_early(self) -> bool:
        return self.state.room >= self.early * self.total

    def _part(self) -> int:
        """The room that a piece too large to fit may take while others wait."""
        return self.state.room // 2 if self.early else self.state.room

    def _cut_some(self, fragments: Sequence[Fragment]) -> list[Fragment]:
        """Fill the remaining room with excerpts; return the fragments that stay out."""
        return [
            fragment
            for fragment in fragments
            if _is_late(self.state, self.keeper)
            or not (self.state.twin(fragment) or self._take_cut(fragment, self.state.room))
        ]

    def _take_cut(self, fragment: Fragment, room: int) -> bool:
        """Take an excerpt of at most ``room`` tokens if it is long, a good part of the piece, or the first piece."""
        is_first = not self.state.pieces
        enough = min(ENOUGH_TOKENS, ENOUGH_SHARE * fragment.tokens, ENOUGH_OF_ROOM * self.total)
        if room < enough and not is_first:
            return False
        excerpt = cut_to_fit(
            fragment, self.state.room if is_first and room < ENOUGH_TOKENS else room, self.state.counter
        )
        if excerpt is None or ((excerpt.tokens < enough or is_hardly_more_than_a_head(excerpt)) and not is_first):
            return False
        if self.state.twin(excerpt) or self.state.is_double(excerpt):
            return False
        offer = self.state.offer(excerpt)
        if offer.cost > self.state.room:
            return False
        self.state.take_cut(offer, fragment, excerpt)
        self._close_gaps(fragment.home)
        return True

    def _take(self, offer: Offer, fragment: Fragment) -> None:
        """Add a piece, and the few lines between it and another piece of its file."""
        self.state.take(offer, fragment)
        self._close_gaps(fragment.home)

    def _close_gaps(self, home: tuple[str, str] | None = None) -> None:
        """Take the lines between two pieces of a file, the shortest gap first; with ``home`` only its short gaps."""
        gaps = [(lines_spanned(each), each) for each in self.bridges if home in (None, each.home)]
        for length, bridge in sorted(gaps, key=lambda gap: (gap[0], sort_key(gap[1]))):
            joined = 0 if self.state.twin(bridge) else self.state.lines_joined_by(bridge)
            longest = max(_SHORT_GAP, min(int(_GAP_SHARE * joined), _LONGEST_GAP)) if home else sys.maxsize
            if joined and length <= longest:
                offer = self.state.offer(bridge)
                if offer.cost <= self.state.room:
                    self.state.take(offer, bridge)


def _too_small(missed: Sequence[Fragment], pack: Pack, counter: PieceCounter) -> BudgetError:
    least = min(counter.fragment(smallest(fragment, counter)) for fragment in missed)
    needed = counter.frame(pack) + least + SEAMS
    needed = counter.frame(replace(pack, budget=needed)) + least + SEAMS  # the head names the budget
    return BudgetError(
        f"The budget of {pack.budget} tokens cannot hold a single piece; the smallest report needs {needed}.",
        hint=f"Raise the budget to at least {needed} tokens.",
    )
