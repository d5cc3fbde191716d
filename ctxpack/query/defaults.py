"""What the complexity and the intent of a request choose where the user set nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from ctxpack.model import Complexity, Intent, Lane, Query, Request, Scope


@dataclass(frozen=True, slots=True)
class Choice:
    """Defaults of a pack.

    ``floor`` is a part of the best score, below which a piece stays out (0 for none); ``max_files`` is a count of
    files, 0 for any; ``shares`` are lanes and soft shares of the budget, instead of the usual ones.
    """

    floor: float = 0.0
    max_files: int = 0
    shares: Mapping[str, float] = field(default_factory=dict)


USUAL: Final = Choice()
_HALF: Final = 0.5  # of the best score: on 8 short requests every piece of a changed file scored more, most filler less
_DOCUMENTS: Final[Mapping[str, float]] = {Lane.DOCS: 0.75}

# Medium and complex requests keep the usual: each limit would cost them changed lines. So do short orders to change,
# mend or review something: they need what surrounds a place, however little of the request it says. The instructions
# by intent are in ``ctxpack.render.instructions``.
_CHOICES: Final[Mapping[tuple[Complexity, Intent], Choice]] = {
    # One answer is wanted: what says half as much of it is filler, and no answer is spread over more files.
    (Complexity.SIMPLE, Intent.LOOKUP): Choice(_HALF, 12, _DOCUMENTS),
    # A how or why: documents tell it, and code shows it, in more places than one.
    (Complexity.SIMPLE, Intent.EXPLAIN): Choice(_HALF, 20, _DOCUMENTS),
}


def choice_of(request: Request, query: Query) -> Choice:
    """The defaults of a request; those about a file, a component or a change have the usual ones."""
    is_task = request.scope is Scope.TASK
    return _CHOICES.get((query.complexity, query.intent), USUAL) if is_task else USUAL
