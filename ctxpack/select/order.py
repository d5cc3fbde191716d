"""The order of the pieces, and the list of omitted places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from ctxpack.light import replace
from ctxpack.model import PATCH, Form, Fragment, Kind, Lane, Omission, Selection
from ctxpack.parse.chunking import closes
from ctxpack.select.limits import CHANGING, SEARCH
from ctxpack.select.packing import PackingState, weakness
from ctxpack.select.pieces import overlap

_OVERVIEW = frozenset({Kind.README, Kind.CONVENTIONS, Kind.DEPENDENCY_MAP})
_DETAILS = frozenset({Kind.SPEC, Kind.WIKI, Kind.RUNBOOK, Kind.DOC})


def reading_order(fragments: Iterable[Fragment], order: str = "relevance") -> tuple[Fragment, ...]:
    """The pieces in one of ``ORDERS``; the pieces of one file stay together, by line.

    ``relevance``: files by their best score. ``path``: by path. ``edges``: the best files at the beginning and at the
    end, the weakest in the middle (1, 3, 5, 6, 4, 2). ``hierarchical``: diff, overview, details, code, tests.
    """
    return ORDERS[order](_by_relevance(fragments))


def _by_relevance(fragments: Iterable[Fragment]) -> tuple[Fragment, ...]:
    """Files by their best score, the pieces of one file by line."""
    pieces = list(fragments)
    best: dict[tuple[str, str], tuple[float, int]] = {}
    for piece in pieces:
        best[piece.home] = max(best.get(piece.home, (0.0, 0)), (piece.provenance.score, piece.priority))
    return tuple(sorted(pieces, key=lambda piece: _key(piece, best[piece.home])))


def _key(piece: Fragment, best: tuple[float, int]) -> tuple[float, int, str, str, int]:
    return (-best[0], -best[1], *piece.home, piece.provenance.start_line)


def _by_path(ranked: tuple[Fragment, ...]) -> tuple[Fragment, ...]:
    return tuple(sorted(ranked, key=_by_path_and_line))


def _by_path_and_line(piece: Fragment) -> tuple[str, bool, str, int]:
    return piece.provenance.path, piece.layer != PATCH, piece.layer, piece.provenance.start_line


def _edges(ranked: tuple[Fragment, ...]) -> tuple[Fragment, ...]:
    """Every second file from the front, then the others from the back: readers remember the end as well."""
    paths = list(dict.fromkeys(piece.provenance.path for piece in ranked))
    place = {path: at for at, path in enumerate([*paths[::2], *paths[1::2][::-1]])}
    return tuple(sorted(ranked, key=lambda piece: place[piece.provenance.path]))


def _hierarchical(ranked: tuple[Fragment, ...]) -> tuple[Fragment, ...]:
    return tuple(sorted(ranked, key=lambda piece: -1 if piece.layer == PATCH else _level(piece.provenance.kind)))


def _level(kind: Kind) -> int:
    if kind in _OVERVIEW:
        return 0
    if kind in _DETAILS:
        return 1
    return 3 if kind is Kind.TEST else 2


ORDERS: Mapping[str, Callable[[tuple[Fragment, ...]], tuple[Fragment, ...]]] = {
    "relevance": lambda ranked: ranked,
    "path": _by_path,
    "edges": _edges,
    "hierarchical": _hierarchical,
}


FULL = "budget full"
_WEAK = "less relevant"
_MOST_DOUBLES = 2  # that are told of
_PER_FILE = 2  # places of one file that are named
_NEW_OF_VARIANT = 0.5  # of a duplicate, at most
_LISTED = 0.3  # of the best score: what the search found and is worth less is no place to look at next


def omissions(missed: Sequence[Fragment], state: PackingState, limit: int) -> tuple[Omission, ...]:
    """At most ``limit`` lines about the pieces that were left out, best first; then a few duplicates.

    Where code is to be changed, its duplicates come first: they have to be changed with it.
    """
    is_change = not CHANGING.isdisjoint(state.limits.aims)
    found = [each for each in state.doubles if each not in state]
    changed = {each for each in worth_listing(found, state.pieces) if is_change and _is_variant(each, state)}
    best = sorted(found, key=lambda each: (each in changed, weakness(each)), reverse=True)
    doubles = [
        replace(omission(each, each.tokens, state.doubles[each]), is_double=each not in changed)
        for each in best[: min(limit, _MOST_DOUBLES)]
    ]
    places = _diverse(worth_listing(missed, state.pieces), limit - len(doubles))
    costs = [state.offer(each).cost for each in places]
    reasons = [FULL if cost > state.room else _WEAK for cost in costs]
    first = (each for each in doubles if not each.is_double)
    return (*first, *map(omission, places, costs, reasons), *filter(_is_double, doubles))


def with_weaker(selection: Selection, fragments: Sequence[Fragment], limit: int) -> Selection:
    """Extend the list of omissions with what was not relevant enough to be packed, up to ``limit`` lines."""
    named = {(each.path, each.start_line) for each in selection.omissions}
    files = Counter(each.path for each in selection.omissions)
    others = [each for each in fragments if not _is_in(each, selection.fragments) and _place(each) not in named]
    weaker = _diverse(worth_listing(others, selection.fragments), limit - len(selection.omissions), files)
    lines = (omission(each, each.tokens, _WEAK) for each in weaker)
    return Selection(selection.fragments, tuple(sorted((*selection.omissions, *lines), key=_is_double)))


def worth_listing(fragments: Iterable[Fragment], pieces: Iterable[Fragment]) -> list[Fragment]:
    """The fragments without what the search found and scored far below the best of the pieces."""
    least = _LISTED * max((each.provenance.score for each in pieces if each.strategy == SEARCH), default=0.0)
    return [each for each in fragments if each.strategy != SEARCH or each.provenance.score >= least]


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


def _is_variant(fragment: Fragment, state: PackingState) -> bool:
    """Whether a duplicate is a definition of which most is in the pack: what is changed there changes here as well."""
    is_definition = fragment.lane is Lane.CODE and bool(fragment.provenance.symbol) and not _is_no_place(fragment)
    return is_definition and state.around(fragment).news <= _NEW_OF_VARIANT


def _is_double(line: Omission) -> bool:
    return line.is_double


def _is_no_place(fragment: Fragment) -> bool:
    """Whether there is nothing to open: a mention, what is above the first definition of code, or closing brackets."""
    origin = fragment.provenance
    is_head = origin.start_line == 1 and not origin.symbol and fragment.lane in {Lane.CODE, Lane.TESTS}
    is_end = fragment.is_bridge and all(map(closes, fragment.text.splitlines()))
    return is_head or is_end or fragment.form is Form.MENTION


def _rank(fragment: Fragment) -> tuple[float, float, str, int, int, str]:
    origin = fragment.provenance
    return -fragment.value, -origin.score, origin.path, origin.start_line, origin.end_line, fragment.text


def _is_in(fragment: Fragment, pieces: Sequence[Fragment]) -> bool:
    """Whether one of the pieces holds some of the lines of a fragment."""
    return any(fragment.home == each.home and overlap(fragment, each) for each in pieces)


def _place(fragment: Fragment) -> tuple[str, int]:
    return fragment.provenance.path, fragment.provenance.start_line


def sort_key(fragment: Fragment) -> tuple[int, str, int, int, int, str, str]:
    """A total sort key, so that the order of the fragments does not matter."""
    origin = fragment.provenance
    form = tuple(Form).index(fragment.form)
    return (
        -fragment.priority,
        origin.path,
        origin.start_line,
        -origin.end_line,
        form,
        fragment.strategy,
        fragment.text,
    )


def best_result(fragments: Iterable[Fragment]) -> Fragment | None:
    """The fragment that the search scores best, of equals the shortest; None where it found none."""
    found = (each for each in fragments if each.strategy == SEARCH)
    return min(found, key=lambda each: (-each.provenance.score, each.tokens, sort_key(each)), default=None)
