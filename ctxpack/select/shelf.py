"""The pieces taken so far: no two of them overlap, and neighbours are one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from ctxpack.model import Fragment
from ctxpack.select.gauge import Gauge
from ctxpack.select.pieces import is_covered, merged, overlap, touch, where

_ELISION = 12  # tokens of the mark between two pieces of one file
_MIN_TWIN = 40  # characters: shorter texts may repeat


@dataclass(frozen=True, slots=True)
class Offer:
    """What taking a fragment means: the piece it becomes, the pieces that this one replaces, and the extra tokens."""

    piece: Fragment
    replaces: tuple[Fragment, ...]
    cost: int


class Shelf:
    """Takes fragments, merges them by file, and knows what room is left."""

    def __init__(self, room: int, shares: Mapping[str, float], gauge: Gauge) -> None:
        self.room = room
        self.gauge = gauge
        self.taken: Counter[str] = Counter()
        self._limits = {name: share * room for name, share in shares.items()}
        self._used: Counter[str] = Counter()
        self._pieces: dict[tuple[str, str], list[Fragment]] = {}
        self._texts: dict[str, Fragment] = {}

    @property
    def pieces(self) -> list[Fragment]:
        """All pieces, by file in the order of the first taken, by line within a file."""
        return [piece for pieces in self._pieces.values() for piece in pieces]

    def twin(self, fragment: Fragment) -> str:
        """Why the fragment says nothing new beside what was taken; empty if it does."""
        pieces = self._pieces.get(fragment.home, [])
        if is_covered(fragment, pieces):
            return f"same lines as {where(next(piece for piece in pieces if is_covered(fragment, [piece])))}"
        blocking = next((piece for piece in pieces if overlap(fragment, piece) and not touch(fragment, piece)), None)
        if blocking is not None:
            return f"same lines as {where(blocking)}"
        same = self._texts.get(fragment.text.strip())
        return f"same text as {where(same)}" if same is not None else ""

    def offer(self, fragment: Fragment) -> Offer:
        """What the fragment would become and cost."""
        others = self._pieces.get(fragment.home, [])
        near = tuple(piece for piece in others if touch(fragment, piece))
        piece = self.gauge.weighed(merged([fragment, *near]) if near else fragment)
        cost = self.gauge.fragment(piece) - sum(map(self.gauge.fragment, near))
        return Offer(piece, near, cost + (_ELISION if others and not near else 0))

    def has_share(self, fragment: Fragment, cost: int) -> bool:
        """Whether the fragment's kind or lane stays within its soft share."""
        key = self._key(fragment)
        return key not in self._limits or self._used[key] + cost <= self._limits[key]

    def take(self, offer: Offer, fragment: Fragment) -> None:
        """Put the offered piece in."""
        home = fragment.home
        kept = [piece for piece in self._pieces.get(home, []) if piece not in offer.replaces]
        self._pieces[home] = sorted([*kept, offer.piece], key=lambda piece: piece.provenance.start_line)
        self.taken[fragment.provenance.path] += 1
        self.room -= offer.cost
        self._used[self._key(fragment)] += offer.cost
        if len(fragment.text.strip()) >= _MIN_TWIN:
            self._texts.setdefault(fragment.text.strip(), fragment)

    def _key(self, fragment: Fragment) -> str:
        kind = str(fragment.provenance.kind)
        return kind if kind in self._limits else str(fragment.lane)
