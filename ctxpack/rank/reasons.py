"""Which reasons for a candidate are worth telling: the strongest, each thing once, and by its own words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from ctxpack.model import HELD_WORDS, Candidate, Evidence
from ctxpack.query.tokens import raw_words, split

NEIGHBOURS: Final = "neighbours"
"""Not a signal: what adjoins a match, matches as well and is told with it."""
_MATCHED: Final = frozenset(
    (
        "subtokens", "words", "title", "chunks", "best chunk", "title chunk", "phrases",
        "chunk subtokens", "chunk words", "chunk title", "identifiers", "plain names",
    )
)  # fmt: skip
"""Signals of which the keywords of a candidate say more than a sentence could."""
_OF_NAME: Final = frozenset(("chunk name", "similar name"))
_OF_PATH: Final = frozenset(("path", "file name", "folder name"))
_DEFINES: Final = frozenset(("chunk identifiers", "chunk plain names", "chunk dotted name"))
_HEARD: Final = {"commit words": "commits"}
"""Signals that go untold beside another one: it counts much the same."""
_UNTOLD: Final = frozenset(("imported", "recency", "size"))
"""They hold whatever the request is."""
_RERANK: Final = "rerank"
"""A command's own order: it is told of what it names, whatever that gained, and not of the rest."""
_WORTH_TELLING: Final = 0.15  # of the points of the strongest


def told(match: Candidate, most: int) -> tuple[str, ...]:
    """At most ``most`` reasons, in the order of the evidence; none for what hardly counts, or says no more than words.

    Of what costs points only a trait is told, such as ``vendored``: that a test is held back goes without saying.
    """
    counted = (each for each in match.evidence if each.signal not in _UNTOLD and not each.signal.startswith(_RERANK))
    gained = [each for each in counted if each.points > 0]
    least = _WORTH_TELLING * max((each.points for each in gained), default=0.0)
    strong = [each for each in gained if each.points >= least]
    names = {each.signal for each in strong}
    heard = [each for each in strong if _HEARD.get(each.signal) not in names]
    reasons = dict.fromkeys(reason for each in heard if (reason := _concrete(each, match)))
    put = [each.reason for each in match.evidence if each.signal == _RERANK]
    held_back = [each.reason for each in match.evidence if each.signal == "trait"]
    beside = [each.reason for each in match.evidence if each.signal == NEIGHBOURS]
    return (*put, *tuple(reasons)[:most], *held_back, *beside)


def _concrete(evidence: Evidence, match: Candidate) -> str:
    """A reason with the words and names it rests on; empty where these are the matched keywords alone."""
    if evidence.signal in _MATCHED:
        return ""
    name = match.chunk.symbol or " ".join(match.chunk.heading)
    if evidence.signal in _OF_NAME:
        return _held(HELD_WORDS[0], name, match.keywords)
    if evidence.signal in _OF_PATH:
        return _held(HELD_WORDS[1], match.file.path, match.keywords)
    if evidence.signal in _DEFINES and match.chunk.symbol:
        return f"defines {match.chunk.symbol.rpartition('.')[2]}"
    return evidence.reason


def _held(beginning: str, name: str, keywords: Iterable[str]) -> str:
    """Which of the keywords a name holds, after a beginning; empty for none."""
    held = ", ".join(_in(name, keywords))
    return f"{beginning} {held}" if held else ""


def _in(name: str, keywords: Iterable[str]) -> Iterator[str]:
    parts = {part for word in raw_words(name) for part in split(word)}
    return (word for word in keywords if word in parts)
