"""The cost of rendered pieces and frames."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from ctxpack.light import replace
from ctxpack.model import Fragment, Pack
from ctxpack.render.reports import Renderer, body
from ctxpack.select.pieces import merge_pieces
from ctxpack.system.tokens import TokenCounter

_Made = TypeVar("_Made")
_ANY_NUMBER = 99  # as long as the numbers of a big report
_SEPARATOR = 2  # what a blank line or a comma costs at most


class PieceCounter:
    """A token counter for rendered pieces, with a cache.

    While choosing, counts of parts are added up, exact except at the seams; the finished text is counted whole.
    """

    def __init__(self, renderer: Renderer, counter: TokenCounter) -> None:
        self.renderer = renderer
        self.tokens = counter
        self._counts: dict[str, int] = {}
        self._costs: dict[int, tuple[Fragment, int]] = {}  # by identity: the same pieces are weighed again and again
        self._headings: dict[int, tuple[Fragment, int]] = {}
        self._merged: dict[tuple[int, ...], tuple[tuple[Fragment, ...], Fragment]] = {}
        self._made: dict[tuple[object, int], tuple[Fragment, Any]] = {}
        self._body: tuple[tuple[Fragment, ...], int, str] | None = None  # of the last report

    def text(self, text: str) -> int:
        """The tokens of a text, remembered."""
        known = self._counts.get(text)
        if known is None:
            known = self._counts[text] = self.tokens.count(text)
        return known

    def once(self, make: Callable[[Fragment, PieceCounter], _Made], fragment: Fragment) -> _Made:
        """Return what a function makes of a fragment, made at the first time."""
        key = make, id(fragment)
        if key not in self._made:
            self._made[key] = fragment, make(fragment, self)
        made: _Made = self._made[key][1]
        return made

    def fragment(self, fragment: Fragment) -> int:
        """The tokens of a rendered fragment with what separates it from the one before."""
        known = self._costs.get(id(fragment))
        if known is None:
            cost = self.text(self.renderer.fragment(fragment, _ANY_NUMBER)) + _SEPARATOR
            known = self._costs[id(fragment)] = fragment, cost
        return known[1]

    def heading(self, fragment: Fragment) -> int:
        """The tokens of a rendered fragment without its own text."""
        known = self._headings.get(id(fragment))
        if known is None:
            cost = self.text(self.renderer.fragment(replace(fragment, text=""), _ANY_NUMBER))
            known = self._headings[id(fragment)] = fragment, cost
        return known[1]

    def with_tokens(self, fragment: Fragment) -> Fragment:
        """Record the tokens of a fragment's own text in it; return it unchanged if it has them."""
        tokens = self.text(fragment.text)
        return fragment if fragment.tokens == tokens else replace(fragment, tokens=tokens)

    def merge(self, parts: tuple[Fragment, ...]) -> Fragment:
        """Make one fragment, with its tokens, of parts that touch each other; of the same parts the same one."""
        key = tuple(map(id, parts))
        known = self._merged.get(key)
        if known is None:
            known = self._merged[key] = parts, self.with_tokens(merge_pieces(parts))
        return known[1]

    def frame(self, pack: Pack) -> int:
        """The tokens of head and tail."""
        head, tail = self.renderer.frame(pack)
        return self.text(head) + self.text(tail)

    def report(self, pack: Pack) -> tuple[str, int]:
        """The whole text of a pack and its exact count; pieces are rendered again only if they changed."""
        pieces, first = pack.selection.fragments, pack.first_source
        if self._body is None or self._body[0] is not pieces or self._body[1] != first:
            self._body = pieces, first, body(pack, self.renderer)
        head, tail = self.renderer.frame(pack)
        text = f"{head}{self._body[2]}{tail}"
        return text, self.tokens.count(text)
