"""Which reasons for a candidate are worth telling: the strongest, and each thing once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ctxpack.model import USES_WORDS, Evidence

NEIGHBOURS: Final = "neighbours"
"""Not a signal: what adjoins a match, matches as well and is told with it."""
_SAME: Final = {
    **dict.fromkeys(("subtokens", "words", "title", "chunks", "best chunk", "title chunk"), USES_WORDS),
    **dict.fromkeys(("chunk subtokens", "chunk words", "chunk title"), USES_WORDS),
    **dict.fromkeys(("chunk name", "similar name"), "its name resembles the request"),
    **dict.fromkeys(("file name", "folder name"), "its file is named like the request"),
}
"""Signals that tell a reader the same, and what they tell."""
_HEARD: Final = {"commit words": "commits"}
"""Signals that go untold beside another one: it counts much the same."""
_UNTOLD: Final = frozenset(("imported", "recency", "size"))
"""They hold whatever the request is."""
_RERANK: Final = "rerank"
"""A command's own order: it is told of what it names, whatever that gained, and not of the rest."""
_WORTH_TELLING: Final = 0.15  # of the points of the strongest


def told(evidence: Iterable[Evidence], most: int) -> tuple[str, ...]:
    """At most ``most`` reasons, in the order of the evidence; none for what hardly counts.

    Of what costs points only a trait is told, such as ``vendored``: that a test is held back goes without saying.
    """
    evidence = tuple(evidence)
    counted = (each for each in evidence if each.signal not in _UNTOLD and not each.signal.startswith(_RERANK))
    gained = [each for each in counted if each.points > 0]
    least = _WORTH_TELLING * max((each.points for each in gained), default=0.0)
    names = {each.signal for each in gained if each.points >= least}
    heard = [each for each in gained if each.signal in names and _HEARD.get(each.signal) not in names]
    reasons = [_SAME.get(each.signal, each.reason) for each in heard]
    put = [each.reason for each in evidence if each.signal == _RERANK]
    held_back = [each.reason for each in evidence if each.signal == "trait"]
    beside = [each.reason for each in evidence if each.signal == NEIGHBOURS]
    return (*put, *tuple(dict.fromkeys(reasons))[:most], *held_back, *beside)
