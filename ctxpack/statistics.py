"""What became of everything that was gathered, in numbers. The same input gives the same numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ctxpack.budget import budget_of
from ctxpack.model import Fragment, Pack
from ctxpack.select import Gauge, Limits
from ctxpack.select.alike import LEAST_TEXT, Alike
from ctxpack.select.limits import DEFAULTS
from ctxpack.settings import Settings


class Tally:
    """Counts what became of everything that was gathered; a selection that is asked about again is not counted again.

    It says how many pieces were gathered, how many of them are in the pack, say what it says already, or had no room.
    ``tokens_gathered`` and ``tokens_packed`` are of the pieces' own texts.
    """

    def __init__(self, gathered: Sequence[Fragment], gauge: Gauge, limits: Limits = DEFAULTS) -> None:
        self._gathered = gathered
        self._gauge = gauge
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
        known = Alike(self._limits)
        for piece in pieces:
            known.add(piece)
        repeated = sum(_is_in(piece.text, texts) or bool(known.find(piece)) for piece in others)
        return {
            "gathered": len(self._gathered),
            "packed": len(self._gathered) - len(others),
            "duplicates": repeated,
            "left_out": len(others) - repeated,
            "tokens_gathered": sum(self._gauge.text(piece.text) for piece in self._gathered),
            "tokens_packed": sum(self._gauge.text(text) for text in texts),
        }


def shares(settings: Settings) -> dict[str, int]:
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
