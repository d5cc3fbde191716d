"""How the room of a pack is shared between lanes, softly: what is not used by one is free for all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ctxpack.index import IndexView
from ctxpack.model import Lane, Query
from ctxpack.query.defaults import USUAL, Choice
from ctxpack.rank.subject import subject_of

# Of the budget, until every lane has had its turn. Measured at 8,000 tokens on 30 Python issues: files that the fix
# changed are in 80 % of the packs instead of 77 %; documents below .6 would cost requests about documents more.
SHARES: Final[Mapping[str, float]] = {Lane.DOCS: 0.6, Lane.TESTS: 0.25, Lane.CONFIG: 0.2}


def lane_shares(
    query: Query, view: IndexView, given: Mapping[str, float], choice: Choice = USUAL
) -> Mapping[str, float]:
    """Lane or kind -> share of the budget; what the user set comes first, and what a request is about has no limit."""
    subject = subject_of(query, view)
    free = {Lane.DOCS} if subject.documents or subject.only_documents else set()
    free |= {Lane.TESTS} if subject.tests else set()
    return {lane: share for lane, share in {**SHARES, **choice.shares}.items() if lane not in free} | dict(given)
