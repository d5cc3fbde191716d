"""What a pack left out, page by page: each within the budget, and no line that an earlier page has shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ctxpack.errors import BudgetError
from ctxpack.model import Form, Fragment, Pack, Page, Selection
from ctxpack.render import renderer
from ctxpack.select import PieceCounter, assemble, finish, limits_of
from ctxpack.select.pieces import is_verbatim, span
from ctxpack.settings import Settings
from ctxpack.settings.budget import counter_of
from ctxpack.text import lines_of

_Span = tuple[int, int]
_NOTE = "Page {}: pieces that the pages before it left out."


@dataclass(frozen=True, slots=True)
class Remainder:
    """All that was gathered for a pack, redacted, and how its budget is shared; the ``rest`` of that pack."""

    fragments: tuple[Fragment, ...]
    shares: Mapping[str, float]
    settings: Settings = field(repr=False)

    def pages(self, pack: Pack) -> Iterator[Page]:
        """The pack as it is, then what follows, until nothing is left."""
        counter = self.counter()
        yield Page(pack, counter.report(pack)[0])
        shown = list(pack.selection.fragments)
        left, before = unseen(self.fragments, shown), self.fragments
        number = 2
        following = len(shown) + 1
        while left != before and (
            page := self.page(replace(pack, first_source=following), left, note=_NOTE.format(number))
        ):
            yield page
            following += len(page.pack.selection.fragments)
            shown += page.pack.selection.fragments
            left, before = unseen(self.fragments, shown), left
            number += 1

    def page(self, pack: Pack, fragments: Sequence[Fragment], *, note: str) -> Page | None:
        """One page of the best of some fragments in the frame of a pack, without its tree and its notes.

        None where there are none, or none that its budget can hold. A fragment that is required stays required.
        """
        if not fragments:
            return None
        bare = replace(
            pack,
            selection=Selection(()),
            tokens_used=0,
            tree="",
            notes=(note,),
            stats={},
            strategy=", ".join(dict.fromkeys(each.strategy for each in fragments)),
        )
        counter = self.counter()
        try:
            packed, _ = assemble(fragments, bare, counter, self.shares, limits_of(self.settings))
        except BudgetError:
            return None
        used = {each.strategy for each in packed.selection.fragments}
        named = ", ".join(name for name in packed.strategy.split(", ") if name in used)
        page = Page(*finish(replace(packed, strategy=named), counter))
        return page if page.pack.selection.fragments else None

    def counter(self) -> PieceCounter:
        """What pieces cost in the format and the tokens of the pack."""
        its = self.settings
        return PieceCounter(renderer(its.format, line_numbers=its.line_numbers), counter_of(its))


def unseen(fragments: Iterable[Fragment], shown: Iterable[Fragment]) -> tuple[Fragment, ...]:
    """The fragments without the lines that were shown, none of them required any more; what is left may be several.

    Lines of one text are the same lines whatever strategy brought them. What is no run of lines, such as an outline,
    is left out where it was shown, if only in part.
    """
    lines: dict[tuple[str, str], list[_Span]] = {}
    made: set[tuple[tuple[str, str], Form, _Span]] = set()
    for each in shown:
        if _shows_lines(each):
            lines.setdefault(each.home, []).append(span(each))
        else:
            made.add((each.home, each.form, span(each)))  # whatever was cut off its end
    left: list[Fragment] = []
    for each in fragments:
        if (each.home, each.form, span(each)) not in made:
            left += _without(replace(each, required=False), sorted(lines.get(each.home, ())))
    return tuple(left)


def _shows_lines(fragment: Fragment) -> bool:
    """Whether the lines of its span stand in a fragment, if only the beginning of a long one."""
    return fragment.form in {Form.FULL, Form.EXCERPT}


def _without(fragment: Fragment, shown: Sequence[_Span]) -> Iterator[Fragment]:
    """The parts of a fragment between the spans that were shown, in order."""
    if not _shows_lines(fragment):
        yield fragment
        return
    first, last = span(fragment)
    taken = [(start, end) for start, end in shown if start <= last and first <= end]
    if not taken:
        yield fragment
        return
    if not is_verbatim(fragment):  # its lines cannot be told apart
        return
    at = first
    for start, end in [*taken, (last + 1, last + 1)]:
        if at < start and (part := _part(fragment, (at, start - 1))):
            yield part
        at = max(at, end + 1)


def _part(fragment: Fragment, lines: _Span) -> Fragment | None:
    """Some lines of a fragment as an excerpt, without blank ones at its ends; None where they say nothing."""
    first, _ = span(fragment)
    every = lines_of(fragment.text)
    start, end = lines
    while start <= end and not every[start - first].strip():
        start += 1
    while start <= end and not every[end - first].strip():
        end -= 1
    kept = every[start - first : end - first + 1]
    if not any(char.isalnum() for line in kept for char in line):
        return None
    return replace(
        fragment,
        text="\n".join(kept) + "\n",
        form=Form.EXCERPT,
        cut_from=fragment.cut_from or span(fragment),
        provenance=replace(fragment.provenance, start_line=start, end_line=end),
    )
