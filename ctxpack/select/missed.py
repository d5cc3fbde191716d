"""What just missed, file by file: a few pieces of each, then how many more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from ctxpack.model import Fragment, Omission
from ctxpack.select.gains import gain, weakness
from ctxpack.select.shelf import Shelf

FULL = "budget full"
_LINES_PER_DOUBLE = 3  # of so many lines one may be about what says the same as a piece
_PER_FILE = 2  # pieces of one file that are named


def omissions(missed: Sequence[Fragment], shelf: Shelf, limit: int) -> tuple[Omission, ...]:
    """At most ``limit`` lines about the pieces that were left out, best first; a few of them about doubles."""
    doubles = sorted(shelf.doubles, key=weakness, reverse=True)
    doubles = doubles[: max(limit // _LINES_PER_DOUBLE, limit - len(missed))]
    seen: Counter[str] = Counter()
    found: list[Omission] = []
    for fragment in sorted([*missed, *doubles], key=lambda each: -gain(each)):
        path = fragment.provenance.path
        is_named = seen[path] < _PER_FILE and sum(seen.values()) < limit
        seen[path] += is_named
        cost = shelf.offer(fragment).cost if is_named else fragment.tokens
        found.append(omission(fragment, cost, shelf.doubles.get(fragment, FULL)))
    return by_file(found)[:limit]


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


def by_file(lines: Iterable[Omission]) -> tuple[Omission, ...]:
    """The lines with at most two pieces of each file; the others of a file are one line behind its second."""
    kept: list[Omission] = []
    seen: Counter[str] = Counter()
    for line in lines:
        place = next((at for at, each in enumerate(kept) if each.more and each.path == line.path), None)
        if place is not None:
            kept[place] = _joined(kept[place], line)
        elif line.more or seen[line.path] < _PER_FILE:
            seen[line.path] += 1
            kept.append(line)
        else:
            last = max(at for at, each in enumerate(kept) if each.path == line.path)
            kept.insert(last + 1, replace(line, reason=FULL, symbol="", more=1))
    return tuple(kept)


def _joined(one: Omission, other: Omission) -> Omission:
    """One line for the pieces of both."""
    return replace(
        one,
        start_line=min(one.start_line, other.start_line),
        end_line=max(one.end_line, other.end_line),
        score=max(one.score, other.score),
        tokens=one.tokens + other.tokens,
        more=one.more + (other.more or 1),
    )
