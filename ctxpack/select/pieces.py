"""Pieces: the lines they cover, how neighbours become one, their compressible lines, and what they cost in tokens."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, TypeVar

from ctxpack.light import lazy_pattern, replace
from ctxpack.model import PATCH, Form, Fragment, Kind, Pack, Provenance
from ctxpack.query.subtokens import split, stem_of
from ctxpack.render.reports import Renderer, body
from ctxpack.system.tokens import TokenCounter
from ctxpack.text import count_lines, lines_of

_MAX_SYMBOLS = 3
_SAYS = lazy_pattern(r"\w")
# Lines of a part of a definition that comes with the part beside it. On 545 requests no pack gains or loses a place.
_REST = 80
_T = TypeVar("_T")


def span(fragment: Fragment) -> tuple[int, int]:
    """First and last line."""
    return fragment.provenance.start_line, fragment.provenance.end_line


def lines_spanned(fragment: Fragment) -> int:
    """The lines of the span."""
    first, last = span(fragment)
    return last - first + 1


def count_telling_lines(fragment: Fragment) -> int:
    """The lines with a word."""
    return sum(_SAYS.search(line) is not None for line in fragment.text.split("\n"))


def is_named_for(path: str, other: str) -> bool:
    """Whether a file has the words of another one's name, as ``test_uploader.py`` those of ``uploader.py``."""
    own, its = ({*split(stem_of(each))} for each in (path, other))
    return bool(its) and its <= own


def is_verbatim(fragment: Fragment) -> bool:
    """Whether the text is exactly the lines of the span, so that it can be cut and merged by lines."""
    first, last = span(fragment)
    is_cut = fragment.cut_from == (first, last) or fragment.dropped  # inside a line, or lines are left out
    is_text = fragment.form.holds_lines and fragment.layer != PATCH
    return is_text and not is_cut and count_lines(fragment.text) == last - first + 1


def overlap(one: Fragment, other: Fragment) -> bool:
    """Whether two fragments of one file share a line."""
    return one.provenance.start_line <= other.provenance.end_line and (
        other.provenance.start_line <= one.provenance.end_line
    )


def touch(one: Fragment, other: Fragment) -> bool:
    """Whether two fragments of one file share a line or are neighbours, and can become one."""
    near = one.provenance.start_line <= other.provenance.end_line + 1 and (
        other.provenance.start_line <= one.provenance.end_line + 1
    )
    return near and is_verbatim(one) and is_verbatim(other)


def is_covered(fragment: Fragment, by: Iterable[Fragment]) -> bool:
    """Whether one of the pieces holds every line of the fragment."""
    first, last = span(fragment)
    return any(start <= first and last <= end for start, end in map(span, by))


def merge_pieces(parts: Sequence[Fragment]) -> Fragment:
    """Merge verbatim parts that touch each other; the whole gets the provenance of the best part."""
    best_first = sorted(parts, key=lambda part: (-part.provenance.score, *span(part)))
    best = best_first[0]
    in_order = sorted(parts, key=span)
    first, last = in_order[0].provenance.start_line, max(part.provenance.end_line for part in parts)
    whole = [part.cut_from or span(part) for part in parts]
    uncut = (min(start for start, _ in whole), max(end for _, end in whole))
    is_excerpt = any(part.form is Form.EXCERPT for part in parts) and uncut != (first, last)
    return replace(
        best,
        text=_merge_texts(in_order),
        form=Form.EXCERPT if is_excerpt else Form.FULL,
        cut_from=uncut if is_excerpt else None,
        priority=max(part.priority for part in parts),
        required=any(part.required for part in parts),
        value=max(part.value for part in parts),
        compressible=_unique(part.compressible for part in in_order),
        provenance=_merge_provenance(best_first, first, last),
    )


def _merge_texts(in_order: Sequence[Fragment]) -> str:
    lines: list[str] = []
    first = in_order[0].provenance.start_line
    for part in in_order:
        known = first + len(lines) - part.provenance.start_line
        lines += lines_of(part.text)[max(0, known) :]
    return "\n".join(lines) + "\n"


def _merge_provenance(best_first: Sequence[Fragment], first: int, last: int) -> Provenance:
    origins = [part.provenance for part in best_first]
    in_order = sorted(origins, key=lambda origin: origin.start_line)
    symbols = _unique(origin.symbol.removesuffix(" …").split(", ") for origin in in_order if origin.symbol)
    return replace(
        origins[0],
        start_line=first,
        end_line=last,
        reasons=_unique(origin.reasons for origin in origins),
        keywords=_unique(origin.keywords for origin in origins),
        tags=_unique(origin.tags for origin in origins),
        symbol=", ".join(symbols[:_MAX_SYMBOLS]) + (" …" if len(symbols) > _MAX_SYMBOLS else ""),
    )


def _unique(groups: Iterable[Iterable[_T]]) -> tuple[_T, ...]:
    """The items without repeats, in the order of their first places."""
    return tuple(dict.fromkeys(chain.from_iterable(groups)))


def rest_of_definitions(fragments: Iterable[Fragment], weak: Collection[Fragment]) -> Iterator[Fragment]:
    """The weak parts of code that adjoin a part of the same definition that is not weak."""
    edges = {(_definition(each), line) for each in fragments if each not in weak for line in span(each)}
    for each in weak:
        home, (first, last) = _definition(each), span(each)
        is_part = each.cut_from is not None and each.provenance.kind is Kind.CODE and last - first < _REST
        if is_part and ((home, first - 1) in edges or (home, last + 1) in edges):
            yield each


def _definition(fragment: Fragment) -> tuple[tuple[str, str], tuple[int, int] | None]:
    """The file of a piece, and the lines that it is a part of."""
    return fragment.home, fragment.cut_from


def location_of(fragment: Fragment) -> str:
    """``path:12-80``, for a reason."""
    first, last = span(fragment)
    return f"{fragment.provenance.path}:{first}-{last}"


LICENCE = "licence header"
BLANK = "blank lines"
COMMENTS = "comments"
REPEATED = "repeated lines"
LITERALS = "long literals"

STEPS = (LICENCE, BLANK, COMMENTS, REPEATED, LITERALS)


_UNMARKED = frozenset({BLANK, LICENCE})  # the line about the piece says it
_REMEMBERED = 2_048


@lru_cache(maxsize=_REMEMBERED)
def compress(fragment: Fragment, steps: int) -> Fragment:
    """Leave out of a fragment what the first ``steps`` of ``STEPS`` remove; return it unchanged if that is nothing.

    ``numbers`` are the line numbers of what remains, 0 for a mark such as ``⋯ 12-18``: what remains is unchanged.
    """
    wanted = STEPS[:steps]
    gone = {
        number: each.step
        for each in fragment.compressible
        if each.step in wanted
        for number in range(each.start_line, each.end_line + 1)
    }
    first = fragment.provenance.start_line
    lines = lines_of(fragment.text)
    if len(lines) != fragment.provenance.end_line - first + 1:
        return fragment
    kept: list[tuple[int, str]] = []
    start = 0  # of the run of lines that is being left out
    for number, line in [*enumerate(lines, first), (first + len(lines), "")]:
        if gone.get(number, BLANK) not in _UNMARKED and not start:
            start = number
        if number in gone:
            continue
        if start:
            kept.append((0, _mark(start, number - 1, line)))
            start = 0
        kept.append((number, line))
    kept.pop()  # the line behind the last
    if not any(number for number, _ in kept):
        return fragment
    dropped = {gone[number] for number in range(first, first + len(lines)) if number in gone}
    if not dropped:
        return fragment
    return replace(
        fragment,
        text="\n".join(line for _, line in kept) + "\n",
        numbers=tuple(number for number, _ in kept),
        dropped=tuple(step for step in STEPS if step in dropped),
    )


def _mark(first: int, last: int, below: str) -> str:
    indent = below[: len(below) - len(below.lstrip())]
    return f"{indent}⋯ {first}-{last}" if last > first else f"{indent}⋯"


_Made = TypeVar("_Made")
_ANY_NUMBER = 99  # as long as the numbers of a big report
_SEPARATOR = 2  # what a blank line or a comma costs at most


class PieceCounter:
    """A token counter for rendered pieces, with a cache.

    While choosing, counts of parts are added up, exact except at the seams; the finished text is counted whole.
    """

    def __init__(self, renderer: Renderer, counter: TokenCounter) -> None:
        self.renderer = renderer
        self.tokens = counter
        self._counts: dict[str, int] = {}
        self._costs: dict[int, tuple[Fragment, int]] = {}  # by identity: the same pieces are weighed again and again
        self._headings: dict[int, tuple[Fragment, int]] = {}
        self._merged: dict[tuple[int, ...], tuple[tuple[Fragment, ...], Fragment]] = {}
        self._made: dict[tuple[object, int], tuple[Fragment, Any]] = {}
        self._body: tuple[tuple[Fragment, ...], int, str] | None = None  # of the last report

    def text(self, text: str) -> int:
        """The tokens of a text, remembered."""
        known = self._counts.get(text)
        if known is None:
            known = self._counts[text] = self.tokens.count(text)
        return known

    def once(self, make: Callable[[Fragment, PieceCounter], _Made], fragment: Fragment) -> _Made:
        """Return what a function makes of a fragment, made at the first time."""
        key = make, id(fragment)
        if key not in self._made:
            self._made[key] = fragment, make(fragment, self)
        made: _Made = self._made[key][1]
        return made

    def fragment(self, fragment: Fragment) -> int:
        """The tokens of a rendered fragment with what separates it from the one before."""
        known = self._costs.get(id(fragment))
        if known is None:
            cost = self.text(self.renderer.fragment(fragment, _ANY_NUMBER)) + _SEPARATOR
            known = self._costs[id(fragment)] = fragment, cost
        return known[1]

    def heading(self, fragment: Fragment) -> int:
        """The tokens of a rendered fragment without its own text."""
        known = self._headings.get(id(fragment))
        if known is None:
            cost = self.text(self.renderer.fragment(replace(fragment, text=""), _ANY_NUMBER))
            known = self._headings[id(fragment)] = fragment, cost
        return known[1]

    def with_tokens(self, fragment: Fragment) -> Fragment:
        """Record the tokens of a fragment's own text in it; return it unchanged if it has them."""
        tokens = self.text(fragment.text)
        return fragment if fragment.tokens == tokens else replace(fragment, tokens=tokens)

    def merge(self, parts: tuple[Fragment, ...]) -> Fragment:
        """Make one fragment, with its tokens, of parts that touch each other; of the same parts the same one."""
        key = tuple(map(id, parts))
        known = self._merged.get(key)
        if known is None:
            known = self._merged[key] = parts, self.with_tokens(merge_pieces(parts))
        return known[1]

    def frame(self, pack: Pack) -> int:
        """The tokens of head and tail."""
        head, tail = self.renderer.frame(pack)
        return self.text(head) + self.text(tail)

    def report(self, pack: Pack) -> tuple[str, int]:
        """The whole text of a pack and its exact count; pieces are rendered again only if they changed."""
        pieces, first = pack.selection.fragments, pack.first_source
        if self._body is None or self._body[0] is not pieces or self._body[1] != first:
            self._body = pieces, first, body(pack, self.renderer)
        head, tail = self.renderer.frame(pack)
        text = f"{head}{self._body[2]}{tail}"
        return text, self.tokens.count(text)
