"""How deep a ranking goes for a pack: as many candidates as its budget can use."""

from __future__ import annotations

from typing import Final

_TOKENS_PER_CANDIDATE: Final = 60
_TOKENS_IN_A_WINDOW: Final = 240  # the same, of a budget as large as a model's window
_FEWEST: Final = 60
_MOST: Final = 400  # up to a budget that fills a chat


def depth(budget: int) -> int:
    """More for more room; from what fills a chat on, only as many as a whole window needs."""
    return max(_FEWEST, min(_MOST, budget // _TOKENS_PER_CANDIDATE), budget // _TOKENS_IN_A_WINDOW)
