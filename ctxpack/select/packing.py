"""The state of a pack while it is filled: which piece comes next, what it gains and costs, and what is taken."""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from ctxpack.light import dataclass, replace
from ctxpack.model import Fragment
from ctxpack.select.alike import SimilarityIndex
from ctxpack.select.limits import DEFAULTS, SEARCH, Limits
from ctxpack.select.pieces import PieceCounter, compress, is_covered, lines_spanned, location_of, overlap, span, touch

# Measured on SWE-bench Lite: with both, gold-file recall of a pack of 8,000 tokens goes from 83.8 to 87.9 %.
# They were measured in points of the ranker; a value of 1 is POINTS points.
POINTS = 10.0
SIZE_WEIGHT = 0.3
SIZE_UNIT = 400  # characters
# With .5 instead of .4 what adjoins a piece, which costs less, does not crowd out other files: on 361 issues the gold
# files in 8,000 tokens are 78.6 % instead of 76.5 %, at equal shares of the changed lines.
# What goes on in a piece is no further place of its file. On 299 tasks all needed lines are in nine packs more and one
# less, while a file of the answer drops out of five. With a weight of .65 half of that is lost.
CROWDING_WEIGHT = 0.5


REPEAT_WEIGHT = 2.0
LEAST_NEWS = 0.05
# Of what adjoins a piece of its file: methods side by side have one shape, and differ in what matters. On 217 tasks all
# needed places or more of them are in five packs, fewer in one.
LEAST_NEWS_ADJOINING = 0.6


@dataclass(frozen=True, slots=True)
class Surroundings:
    """How the pieces taken so far affect a fragment.

    ``taken`` is how many of them are of its file, without what it adjoins, ``saving`` how many times more it would cost
    alone than it costs with them, ``news`` the share of its text that none of them holds.
    """

    taken: int = 0
    saving: float = 1.0
    news: float = 1.0


ALONE = Surroundings()


def gain(fragment: Fragment, around: Surroundings = ALONE) -> float:
    """The value of a fragment, reduced by its length, by pieces of its file, and by what they repeat."""
    size = SIZE_WEIGHT * math.log1p(len(fragment.text) / SIZE_UNIT)
    again = -REPEAT_WEIGHT * math.log(max(around.news, LEAST_NEWS))
    return POINTS * fragment.value - size - CROWDING_WEIGHT * math.log1p(around.taken) - again + math.log(around.saving)


def worth(fragment: Fragment, cost: int, around: Surroundings = ALONE) -> float:
    """What a fragment of ``cost`` tokens adds to a pack: ``gain`` is the logarithm of this for each token.

    So a choice by gain is one by worth per token. A longer piece of the same value is worth more, but less than
    in proportion to its length.
    """
    return math.exp(gain(fragment, around)) * cost


def weakness(fragment: Fragment) -> tuple[float, float, str, int]:
    """A sort key: the fragment that matters least to a report comes first."""
    origin = fragment.provenance
    return (gain(fragment), origin.score, origin.path, -origin.start_line)


_REPEATED = 0.05  # of the content may be in two pieces
_CHARACTERS = 1.7  # of content for each token of the room, at least: the rest is around it
# Of the room that pieces of one file may take while others wait; a page is read as a whole. With .6 for documents all
# changed lines of 54 changes of documents are in 68.5 % of the packs instead of 64.8, and requests lose none.
_FILE_SHARE, _PAGE_SHARE = 0.45, 0.6
# Of the best, and of the room twice: a piece worth so much that takes so much is cut to what its file may have with it.
# The answer may be a function of three hundred lines, and shorter ones beside it take its file's share first.
_NEARLY_BEST, _LONG_BEST, _SHARE_WITH_BEST = 0.95, 0.15, 0.75
_CHEAPEST = 0.25  # of what a piece costs alone: what joins two pieces costs hardly more than its headings save
# Between two pieces of a file. With it two of 436 requests get one more place that they need, for 21 tokens a request;
# with 100 lines four, for 73.
_LONGEST_HOLE, _MUCH = 40, 0.4  # lines, and a part of all room that is free where more are taken
_MUCH_OF_REST = 0.25  # the same, of the rest of a definition that is cut: half of one helps nobody
_ELISION = 12  # tokens of the mark between two pieces of one file
# Lines and a value: what adjoins so long a piece and is worth so much less than the best of its file stands on its own.
# Else one good section draws in its whole page, neighbour by neighbour. On 300 tasks all needed places or files are in
# two packs more and in none fewer; with 90 lines also in two fewer.
_LONG_PIECE, _MUCH_LESS = 150, 0.2


@dataclass(frozen=True, slots=True)
class Offer:
    """The effect of taking a fragment: the resulting piece, the pieces it replaces, and the extra tokens."""

    piece: Fragment
    replaces: tuple[Fragment, ...]
    cost: int


class PackingState:
    """The pieces that are taken, merged by file, and the room that is left."""

    def __init__(
        self, room: int, shares: Mapping[str, float], counter: PieceCounter, limits: Limits = DEFAULTS
    ) -> None:
        self.room = room
        self.total = max(1, room)
        self.counter = counter
        self.limits = limits
        self.doubles: dict[Fragment, str] = {}  # what says the same as a piece, and as which
        self.worth = 0.0  # of all that was taken
        self.steps = 0  # of compression
        self.taken: Counter[str] = Counter()
        self.history: list[Fragment] = []  # what was taken, first to last
        self._cut: list[tuple[Fragment, Fragment, float]] = []  # a piece, what was taken of it, and what that added
        self._limits = {name: share * room for name, share in shares.items()}
        self._used: Counter[str] = Counter()
        self._of_files: Counter[str] = Counter()
        self._best: dict[tuple[str, str], float] = {}  # value of what was taken
        self._pieces: dict[tuple[str, str], list[Fragment]] = {}
        self._alike = SimilarityIndex(limits, _REPEATED * _CHARACTERS * max(0, room))

    def __contains__(self, fragment: Fragment) -> bool:
        """Whether one of the pieces holds every line of a fragment."""
        return is_covered(fragment, self._pieces.get(fragment.home, []))

    @property
    def shown(self) -> list[Fragment]:
        """The pieces in the form in which the pack shows them."""
        return [self.counter.with_tokens(compress(piece, self.steps)) for piece in self.pieces]

    def compress(self, steps: int) -> None:
        """Apply this many steps of compression; the room grows by what that saves."""
        before = sum(map(self._cost, self.pieces))
        self.steps = steps
        self.room += before - sum(map(self._cost, self.pieces))

    @property
    def pieces(self) -> list[Fragment]:
        """All pieces, by file in the order of the first taken, by line within a file."""
        return [piece for pieces in self._pieces.values() for piece in pieces]

    @property
    def cost(self) -> int:
        """The tokens of all pieces as the pack shows them."""
        return sum(map(self._cost, self.pieces))

    def twin(self, fragment: Fragment) -> str:
        """The reason why a fragment adds nothing to what was taken; empty if it does."""
        pieces = self._pieces.get(fragment.home, [])
        if is_covered(fragment, pieces):
            return f"same lines as {location_of(next(piece for piece in pieces if is_covered(fragment, [piece])))}"
        blocking = next((piece for piece in pieces if overlap(fragment, piece) and not touch(fragment, piece)), None)
        if blocking is not None:
            return f"same lines as {location_of(blocking)}"
        return ""

    def is_double(self, fragment: Fragment) -> bool:
        """Whether other lines say the same; where, is recorded in ``doubles``. Of what is named only copies do."""
        is_wanted = fragment.is_named and not self._alike.is_copy(fragment)
        found = "" if is_wanted or self._neighbours(fragment) else self._alike.find(fragment)
        if found:
            self.doubles[fragment] = found
        return bool(found)

    def relent(self, fragment: Fragment) -> Fragment | None:
        """Readmit a fragment that was left out as a duplicate, with that as a reason; None if nothing in it is new."""
        if self.twin(fragment) or self._alike.is_copy(fragment):
            return None
        origin = fragment.provenance
        reason = f"{self.doubles[fragment]}, but there is room for both"
        return replace(fragment, provenance=replace(origin, reasons=(*origin.reasons, reason)))

    def is_too_long(self, fragment: Fragment) -> bool:
        """Whether a fragment certainly does not fit, judged by size alone: it shares no text with the pack."""
        is_fixed = fragment.home not in self._pieces and not fragment.compressible
        return is_fixed and fragment.tokens > 2 * max(0, self.room)

    def offer(self, fragment: Fragment) -> Offer:
        """Compute the piece that the fragment would become, and its cost."""
        others = self._pieces.get(fragment.home, [])
        near = self._neighbours(fragment)
        piece = self.counter.merge((fragment, *near)) if near else self.counter.with_tokens(fragment)
        cost = self._cost(piece) - sum(map(self._cost, near))
        return Offer(piece, near, cost + (_ELISION if others and not near else 0))

    def saving(self, fragment: Fragment) -> float:
        """By what factor a fragment alone would cost more: one next to a piece of its file needs no heading.

        Measured on 501 tasks at 4,000, 8,000 and 16,000 tokens, changed lines in percent: issues in Python 66.7, 72.3,
        80.1 → 65.6, 73.4, 82.7, in other languages 44.4, 56.9, 68.1 → 47.0, 58.7, 69.6, documents 55.5, 73.0, 81.6 →
        55.2, 72.7, 84.0.
        """
        near = self._neighbours(fragment)
        if not near or self._only_continues(fragment, near):
            return 1.0
        alone = self.counter.fragment(fragment)
        return alone / max(_CHEAPEST * alone, self.offer(fragment).cost, 1)

    def _neighbours(self, fragment: Fragment) -> tuple[Fragment, ...]:
        """The pieces that a fragment touches: taken, it becomes one piece with them."""
        return tuple(piece for piece in self._pieces.get(fragment.home, ()) if touch(fragment, piece))

    def _only_continues(self, fragment: Fragment, near: Sequence[Fragment]) -> bool:
        """Whether a fragment adjoins a long piece and matters much less than the best of its file."""
        is_lesser = fragment.value < self._best[fragment.home] - _MUCH_LESS
        return is_lesser and not fragment.is_bridge and sum(map(lines_spanned, near)) > _LONG_PIECE

    def around(self, fragment: Fragment, saving: float = 1.0) -> Surroundings:
        """How the pieces affect a fragment."""
        news, taken = self._alike.news(fragment), self.taken[fragment.provenance.path]
        if saving > 1:  # it adjoins a piece
            places = len(self._pieces.get(fragment.home, ()))
            return Surroundings(min(taken, max(places - 1, 0)), saving, max(news, LEAST_NEWS_ADJOINING))
        return Surroundings(taken, saving, news)

    def lines_joined_by(self, fragment: Fragment) -> int:
        """The lines of the pieces that a fragment connects, or of the piece that it completes; 0 if none."""
        first, last = span(fragment)
        near = self._neighbours(fragment)
        begins = fragment.cut_from[0] if fragment.cut_from and fragment.cut_from[1] == last else 0
        is_end = any(span(each)[0] <= begins for each in near)
        if last - first >= _LONGEST_HOLE and self.room < (_MUCH_OF_REST if is_end else _MUCH) * self.total:
            return 0
        is_between = any(span(each)[0] < first for each in near) and any(last < span(each)[1] for each in near)
        return sum(map(lines_spanned, near)) if is_between or is_end else 0

    def is_in_hole(self, fragment: Fragment) -> bool:
        """Whether a fragment stands between two pieces of its file that are at most ``_LONGEST_HOLE`` lines apart."""
        first, last = span(fragment)
        near = [span(each) for each in self._pieces.get(fragment.home, ())]
        above = max((end for _, end in near if end < first), default=0)
        below = min((start for start, _ in near if start > last), default=0)
        return bool(above) and 0 < below - above - 1 <= _LONGEST_HOLE

    def has_share(self, fragment: Fragment, cost: int) -> bool:
        """Whether the fragment's file, and its kind or lane, stay within their soft shares."""
        path, key = fragment.provenance.path, self._key(fragment)
        used = self._of_files[path]
        limit = self.total * (_PAGE_SHARE if fragment.provenance.kind.is_document else _FILE_SHARE)
        if used and used + cost > limit and fragment.strategy == SEARCH and not fragment.is_named:
            return False
        return key not in self._limits or self._used[key] + cost <= self._limits[key]

    def best_part(self, fragment: Fragment, cost: int) -> int:
        """The room for a part of a piece that is long and nearly the best, beyond its file's share; 0 for others."""
        if fragment.value < _NEARLY_BEST or cost <= _LONG_BEST * self.total:
            return 0
        key = self._key(fragment)
        of_file = int(_SHARE_WITH_BEST * self.total) - self._of_files[fragment.provenance.path]
        of_key = int(self._limits[key]) - self._used[key] if key in self._limits else self.room
        return max(0, min(self.room, of_file, of_key))

    def take(self, offer: Offer, fragment: Fragment) -> None:
        """Add the offered piece."""
        self.history.append(fragment)
        home = fragment.home
        kept = [piece for piece in self._pieces.get(home, []) if piece not in offer.replaces]
        self._pieces[home] = sorted([*kept, offer.piece], key=lambda piece: piece.provenance.start_line)
        self.worth += worth(fragment, self.counter.fragment(fragment), self.around(fragment))
        self.taken[fragment.provenance.path] += not fragment.is_bridge
        self._best[home] = max(fragment.value, self._best.get(home, 0.0))
        self.room -= offer.cost
        self._used[self._key(fragment)] += offer.cost
        self._of_files[fragment.provenance.path] += offer.cost
        self._alike.add(fragment, is_merged=bool(offer.replaces))

    def take_cut(self, offer: Offer, fragment: Fragment, excerpt: Fragment) -> None:
        """Add the offered piece, an excerpt of a fragment."""
        before = self.worth
        self.take(offer, excerpt)
        self._cut.append((fragment, excerpt, self.worth - before))

    def complete_cut(self, spare: int = 0) -> None:
        """Take the whole of each piece that was cut, while there is room after all, or in ``spare`` tokens besides."""
        for fragment, excerpt, gained in self._cut:
            if not self.twin(fragment) and (offer := self.offer(fragment)).cost <= self.room + spare:
                self._complete(offer, fragment, excerpt, gained)

    def _complete(self, offer: Offer, fragment: Fragment, excerpt: Fragment, gained: float) -> None:
        """Put a fragment in the place of its excerpt, that added ``gained`` to the worth: no further piece."""
        path, before = fragment.provenance.path, self.worth
        taken = self.taken[path]
        self.take(offer, fragment)
        alone, part = (worth(each, self.counter.fragment(each)) for each in (fragment, excerpt))
        self.worth, self.taken[path] = before + gained * (alone / part - 1), taken

    def repeat(self, other: PackingState, weak: Collection[Fragment]) -> None:
        """Take what another choice took without some pieces, and without the lines between these and others."""
        self.steps, self.doubles = other.steps, other.doubles
        self._cut = [each for each in other._cut if each[1] not in weak]
        for fragment in other.history:
            if not (fragment in weak or fragment.is_bridge or self.twin(fragment)):
                self.take(self.offer(fragment), fragment)
        for bridge in other.history:
            if bridge.is_bridge and not self.twin(bridge) and self.lines_joined_by(bridge):
                self.take(self.offer(bridge), bridge)

    def _cost(self, piece: Fragment) -> int:
        return self.counter.fragment(compress(piece, self.steps) if self.steps else piece)

    def _key(self, fragment: Fragment) -> str:
        kind = str(fragment.provenance.kind)
        return kind if kind in self._limits else str(fragment.lane)


def in_order_of_gain(fragments: Sequence[Fragment], state: PackingState) -> Iterator[Fragment]:
    """Yield every fragment once, by its gain at that moment.

    The caller may take each fragment as it comes. That changes the gain of others in its file: more of
    one file is worth less, and adjacent fragments cost less.
    """
    of_file: dict[str, list[int]] = {}
    for at, fragment in enumerate(fragments):
        of_file.setdefault(fragment.provenance.path, []).append(at)
    savings = {at: saving for at, fragment in enumerate(fragments) if (saving := state.saving(fragment)) > 1}

    def loss(at: int) -> float:
        return -gain(fragments[at], state.around(fragments[at], savings.get(at, 1.0)))

    heap = [(loss(at), at) for at in range(len(fragments))]
    heapq.heapify(heap)
    seen: set[int] = set()
    while heap:
        then, at = heapq.heappop(heap)
        if at in seen:
            continue
        if (now := loss(at)) > then:
            heapq.heappush(heap, (now, at))
            continue
        seen.add(at)
        path = fragments[at].provenance.path
        taken = state.taken[path]
        yield fragments[at]
        if state.taken[path] == taken:
            continue
        for other in of_file[path]:
            if other not in seen and other not in savings and (saving := state.saving(fragments[other])) > 1:
                savings[other] = saving
                heapq.heappush(heap, (loss(other), other))


# A value, and points: filler worth that much less does not come first for the sake of a share.
_FILLER, _LEAD = 0.6, 1.0


class Shares:
    """The order of fragments while files, lanes and kinds have soft shares of the room."""

    def __init__(self, state: PackingState) -> None:
        self.state = state
        self.least = -math.inf  # the gain below which filler waits as well

    def admit(self, fragment: Fragment, cost: int) -> bool:
        """Whether a fragment is within its shares, and not mere filler for room that others may not use."""
        now = gain(fragment, self.state.around(fragment))
        if not self.state.has_share(fragment, cost):
            self.least = max(self.least, now - _LEAD)
            return False
        return now >= self.least or fragment.value >= _FILLER
