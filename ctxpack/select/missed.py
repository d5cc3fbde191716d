"""Where to look on: the best places that are not in the pack, of many files rather than many of one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from ctxpack.model import Form, Fragment, Lane, Omission, Selection
from ctxpack.select.gains import weakness
from ctxpack.select.pieces import overlap
from ctxpack.select.shelf import Shelf

FULL = "budget full"
_WEAK = "less relevant"
_MOST_DOUBLES = 2  # that are told of
_PER_FILE = 2  # places of one file that are named


def omissions(missed: Sequence[Fragment], shelf: Shelf, limit: int) -> tuple[Omission, ...]:
    """At most ``limit`` lines about the pieces that were left out, best first; behind them a few of their doubles."""
    doubles = sorted(shelf.doubles, key=weakness, reverse=True)[: min(limit, _MOST_DOUBLES)]
    told = (replace(omission(each, each.tokens, shelf.doubles[each]), is_double=True) for each in doubles)
    places = _diverse(missed, limit - len(doubles))
    return (*(omission(each, shelf.offer(each).cost, FULL) for each in places), *told)


def with_weaker(selection: Selection, fragments: Sequence[Fragment], limit: int) -> Selection:
    """The selection whose list goes on with what was not relevant enough to be packed, up to ``limit`` lines."""
    named = {(each.path, each.start_line) for each in selection.omissions}
    files = Counter(each.path for each in selection.omissions)
    others = [each for each in fragments if not _is_in(each, selection.fragments) and _place(each) not in named]
    weaker = _diverse(others, limit - len(selection.omissions), files)
    lines = (omission(each, each.tokens, _WEAK) for each in weaker)
    return Selection(selection.fragments, tuple(sorted((*selection.omissions, *lines), key=_is_double)))


def omission(fragment: Fragment, cost: int, reason: str) -> Omission:
    """A line about a piece that was left out."""
    origin = fragment.provenance
    return Omission(
        path=origin.path,
        start_line=origin.start_line,
        end_line=origin.end_line,
        score=origin.score,
        reason=reason,
        tokens=cost,
        symbol=origin.symbol,
    )


def _diverse(fragments: Sequence[Fragment], most: int, before: Counter[str] | None = None) -> list[Fragment]:
    """The first ``most`` by value, no two of which share lines, and at most two of each file."""
    seen = Counter(before)
    taken: list[Fragment] = []
    for fragment in sorted(fragments, key=_rank):
        path = fragment.provenance.path
        if len(taken) >= most:
            break
        if _is_no_place(fragment) or seen[path] >= _PER_FILE or _is_in(fragment, taken):
            continue
        seen[path] += 1
        taken.append(fragment)
    return taken


def _is_double(line: Omission) -> bool:
    return line.is_double


def _is_no_place(fragment: Fragment) -> bool:
    """Whether there is nothing to open: a mere mention, or what stands above the first definition of code."""
    origin = fragment.provenance
    is_head = origin.start_line == 1 and not origin.symbol and fragment.lane in {Lane.CODE, Lane.TESTS}
    return is_head or fragment.form is Form.MENTION


def _rank(fragment: Fragment) -> tuple[float, float, str, int, int, str]:
    origin = fragment.provenance
    return -fragment.value, -origin.score, origin.path, origin.start_line, origin.end_line, fragment.text


def _is_in(fragment: Fragment, pieces: Sequence[Fragment]) -> bool:
    """Whether some of the lines of a fragment stand in one of the pieces."""
    return any(fragment.home == each.home and overlap(fragment, each) for each in pieces)


def _place(fragment: Fragment) -> tuple[str, int]:
    return fragment.provenance.path, fragment.provenance.start_line
