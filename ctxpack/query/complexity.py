"""How much a request asks for at once, from its text alone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ctxpack.model import Complexity, Intent, Mention, Shape

_FEW: Final = 6  # words: a topic. What is longer and no question tells of an event, and that has causes elsewhere
# Of 109 requests about documents the longest tenth has 80 words or more: these tell of several things.
_LONG: Final = 80  # words
_PARAGRAPHS: Final = 4  # a title and three more: each usually has a matter of its own
_PLACES: Final = 3  # paths, names or frames that the request points at


def complexity_of(
    text: str, shape: Shape, intent: Intent, mentions: Iterable[Mention], identifiers: Iterable[str]
) -> Complexity:
    """Simple: a symbol, a topic or a short question about one thing. Complex: long, in parts, or many places."""
    places, words = {mention.text for mention in mentions}, len(text.split())
    is_brief = words <= _FEW or intent is Intent.EXPLAIN or text.rstrip().endswith("?")
    if shape is Shape.SYMBOL or (shape is Shape.QUESTION and is_brief and len({*places, *identifiers}) <= 1):
        return Complexity.SIMPLE
    paragraphs = sum(bool(block.strip()) for block in text.replace("\r\n", "\n").split("\n\n"))
    is_complex = words >= _LONG or paragraphs >= _PARAGRAPHS or len(places) >= _PLACES
    return Complexity.COMPLEX if is_complex else Complexity.MEDIUM
