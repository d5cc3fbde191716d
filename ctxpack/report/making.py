"""The report of a request: pieces are selected and rendered, for a prompt with the conversation around them.

Further pages contain what a pack left out, each within the budget, without lines of earlier pages.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from ctxpack.errors import BudgetError, UsageError
from ctxpack.gather import Gathered
from ctxpack.index import IndexView
from ctxpack.light import dataclass, field, replace
from ctxpack.model import Conversation, Form, Fragment, Lane, Pack, Page, Prompt, Query, Request, Selection
from ctxpack.model.formats import PROMPT_FORMATS, format_of
from ctxpack.query.understand import USUAL_DEFAULTS, Aim, PackDefaults
from ctxpack.rank.ranking import Ranking
from ctxpack.rank.subject import subject_of
from ctxpack.redact.redaction import Removed
from ctxpack.render import renderer
from ctxpack.render.reports import Renderer, report
from ctxpack.render.wording import total_of
from ctxpack.report.framing import (
    Figures,
    ReportHeader,
    Statistics,
    draft_pack,
    repository_notes,
    times,
    with_final_frame,
)
from ctxpack.select import PieceCounter, assemble, bound_of_filler, finish, limits_of
from ctxpack.select.pieces import is_verbatim, span
from ctxpack.settings import Settings
from ctxpack.settings.budget import counter_of
from ctxpack.system.clock import Clock, Stopwatch, Timekeeper
from ctxpack.system.tokens import TokenCounter
from ctxpack.text import lines_of
from ctxpack.understand.request import Understood

_Span = tuple[int, int]
_NOTE = "Page {}: pieces that earlier pages left out."
_SHORT = "Nothing more was relevant enough: the rest scores below {:.0%} of the best piece. --min-score 0 includes it."


@dataclass(frozen=True, slots=True)
class Remainder:
    """Everything gathered for a pack, redacted, and the shares of its budget; the ``rest`` of that pack."""

    fragments: tuple[Fragment, ...]
    shares: Mapping[str, float]
    settings: Settings = field(repr=False)
    keeper: Timekeeper = field(default_factory=Timekeeper, repr=False, compare=False)

    def pages(self, pack: Pack) -> Iterator[Page]:
        """Yield the pack itself, then the following pages, until nothing is left."""
        yield Page(pack, report(pack, renderer_of(self.settings)))
        shown = list(pack.selection.fragments)
        left, before = without_shown(self.fragments, shown), self.fragments
        number = 2
        following = len(shown) + 1
        while left != before and (
            page := self.page(replace(pack, first_source=following), left, note=_NOTE.format(number))
        ):
            yield page
            following += len(page.pack.selection.fragments)
            shown += page.pack.selection.fragments
            left, before = without_shown(self.fragments, shown), left
            number += 1

    def page(self, pack: Pack, fragments: Sequence[Fragment], *, note: str) -> Page | None:
        """Make a page of the best fragments in the frame of a pack, without its tree and its notes.

        None if there are none, or none that fits the budget. Required fragments stay required.
        """
        self.keeper.checkpoint()
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
            limits = limits_of(self.settings)
            packed, _ = assemble(fragments, bare, counter, self.shares, limits, self.keeper)
        except BudgetError:  # no page is the answer
            return None
        used = {each.strategy for each in packed.selection.fragments}
        named = ", ".join(name for name in packed.strategy.split(", ") if name in used)
        finished, _ = finish(replace(packed, strategy=named), counter)
        return Page(finished, report(finished, renderer_of(self.settings))) if finished.selection.fragments else None

    def counter(self) -> PieceCounter:
        """The counter of pieces in the format and encoding of the pack."""
        return _piece_counter(self.settings)

    def is_counted_as_shown(self) -> bool:
        """Whether the report is counted in the format that is shown."""
        return not format_of(self.settings.format).counted_as


def _piece_counter(settings: Settings) -> PieceCounter:
    """The counter of pieces, in the format that the report is counted as."""
    counted = format_of(settings.format).counted_as or settings.format
    return PieceCounter(renderer(counted, line_numbers=settings.line_numbers), counter_of(settings))


def renderer_of(settings: Settings) -> Renderer:
    """Return the renderer of the format in the settings."""
    return renderer(settings.format, line_numbers=settings.line_numbers)


def without_shown(fragments: Iterable[Fragment], shown: Iterable[Fragment]) -> tuple[Fragment, ...]:
    """Remove lines that were shown from the fragments; each may leave several parts, none of them required.

    Lines are the same whatever strategy found them. A derived text, such as an outline,
    is left out if any part of it was shown.
    """
    lines: dict[tuple[str, str], list[_Span]] = {}
    made: set[tuple[tuple[str, str], Form, _Span]] = set()
    for each in shown:
        if each.form.holds_lines:
            lines.setdefault(each.home, []).append(span(each))
        else:
            made.add((each.home, each.form, span(each)))  # whatever was cut off its end
    left: list[Fragment] = []
    for each in fragments:
        if (each.home, each.form, span(each)) not in made:
            left += _without(replace(each, required=False), sorted(lines.get(each.home, ())))
    return tuple(left)


def _without(fragment: Fragment, shown: Sequence[_Span]) -> Iterator[Fragment]:
    """Return the parts of a fragment between the spans that were shown, in order."""
    if not fragment.form.holds_lines:
        yield fragment
        return
    first, last = span(fragment)
    taken = [(start, end) for start, end in shown if start <= last and first <= end]
    if not taken:
        yield fragment
        return
    if not is_verbatim(fragment):  # its lines cannot be distinguished
        return
    at = first
    for start, end in [*taken, (last + 1, last + 1)]:
        if at < start and (part := _part(fragment, (at, start - 1))):
            yield part
        at = max(at, end + 1)


def _part(fragment: Fragment, lines: _Span) -> Fragment | None:
    """Return some lines of a fragment as an excerpt, without blank lines at its ends; None if nothing is left."""
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


def with_prompt_budget(settings: Settings) -> Settings:
    """Return the settings with the budget of a whole prompt, including what a window keeps free for other formats.

    An explicit budget stays. Raises UsageError for settings that the format does not support.
    """
    if settings.format in PROMPT_FORMATS:
        from ctxpack.report.conversation import prompt_reserves

        return replace(settings, budget=settings.budget + sum(prompt_reserves(settings).values()))
    for name in ("system", "history", "session", "instructions"):
        if getattr(settings, name) and settings.origins.get(name, "") in {"", f"--{name}"}:
            raise UsageError(
                f"--{name} cannot be used with --format {settings.format}.",
                hint=f"Add --format {' or '.join(reversed(PROMPT_FORMATS))}.",
            )
    return settings


def conversation_for(
    request: Request, query: Query, settings: Settings, counter: TokenCounter, clocks: tuple[Clock, Timekeeper]
) -> Prompt:
    """Return the conversation around the pieces, empty unless the format is a prompt. Raises as ``prompt_of`` does."""
    if settings.format not in PROMPT_FORMATS:
        return Prompt(Conversation())
    from ctxpack.report.conversation import prompt_of

    return prompt_of(request, query, settings, counter, clocks)


def keep_memory(prompt: Prompt, settings: Settings) -> None:
    """Save messages without room in the memory of the session. Raises InternalError."""
    if prompt.fresh is not None and settings.remember:
        from ctxpack.report.conversation import save_memory

        save_memory(prompt.fresh, settings)


@dataclass(frozen=True, slots=True)
class FinishedPack:
    """A pack, its text, a summary line, and statistics of the gathered pieces."""

    pack: Pack
    text: str
    total: str
    stats: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Material:
    """The input of a report: the request, the ranking, and the redacted pieces."""

    asked: Understood
    ranking: Ranking
    found: Gathered
    removed: tuple[Removed, ...]
    before: tuple[Fragment, ...] = ()  # the same pieces with their secrets


# Of the budget, until every lane has had its turn. Measured at 8,000 tokens on 30 Python issues: files that the fix
# changed are in 80 % of the packs instead of 77 %; documents below .6 would cost requests about documents more.
LANE_SHARES: Final[Mapping[str, float]] = {Lane.DOCS: 0.6, Lane.TESTS: 0.25, Lane.CONFIG: 0.2}
# Who asks how to do something is told it, and shown code: of 90 such requests four get more of their places, one less.
_TELLING_CODE: Final = 0.5
_CHANGES: Final = frozenset((Aim.CHANGE, Aim.REVIEW, Aim.EVERYWHERE))


def lane_shares(
    query: Query, view: IndexView, given: Mapping[str, float], choice: PackDefaults = USUAL_DEFAULTS
) -> Mapping[str, float]:
    """Lane or kind -> share of the budget; the user's values come first; the subject of the request has no limit."""
    subject = subject_of(query, view)
    free = {Lane.DOCS} if subject.documents or subject.only_documents else set()
    free |= {Lane.TESTS} if subject.tests else set()
    wants_telling = Aim.HOW_TO in subject.aims and subject.aims.isdisjoint(_CHANGES)
    usual = {**LANE_SHARES, **choice.shares} | ({Lane.CODE: _TELLING_CODE} if wants_telling else {})
    return {lane: share for lane, share in usual.items() if lane not in free} | dict(given)


def make_report(
    material: Material, view: IndexView, settings: Settings, clock: Clock, watch: Stopwatch
) -> FinishedPack:
    """Make the report of a request, never over the budget. Raises BudgetError where not even a piece fits.

    ``clock`` is used for sessions only; ``watch`` has the time of each stage, for statistics.
    """
    asked, found = material.asked, material.found
    counter = _piece_counter(settings)
    secrets = tokens_of_secrets(material, counter)
    pieces = _compressible(found.fragments, view) if settings.compress else found.fragments
    prompt = conversation_for(asked.shown, asked.query, settings, counter.tokens, (clock, view.keeper))
    header = ReportHeader(view, pieces, counter, material.removed)
    frame = draft_pack(asked.shown, asked.query, settings, replace(found, fragments=pieces), header)
    late = tuple(each for each in view.keeper.notes if each not in found.notes)
    notes = (*asked.notes, *repository_notes(view, settings, asked.change), *late)
    notes += (*prompt.notes, *material.ranking.notes, *found.notes)
    frame = replace(frame, notes=notes, conversation=prompt.conversation)
    frame = replace(frame, notes=header.notes(frame, pieces))
    shares = lane_shares(asked.query, view, settings.shares, asked.defaults)
    limits = limits_of(settings, asked.defaults)
    packed, text = with_final_frame(*assemble(pieces, frame, counter, shares, limits, view.keeper), header)
    if cut := tuple(each for each in view.keeper.notes if each not in packed.notes and each not in frame.notes):
        packed, text = finish(replace(packed, notes=(*packed.notes, *cut)), counter)
    if bound := bound_of_filler(pieces, packed, limits):
        told = _SHORT.format(bound)
        packed, text = finish(replace(packed, notes=(*packed.notes, told)), counter)
    watch.lap("select")
    if settings.stats:  # the times of the stages, which differ from run to run
        packed, text = finish(replace(packed, stats={**packed.stats, **times(watch.seconds)}), counter)
    keep_memory(prompt, settings)
    packed = replace(packed, rest=Remainder(pieces, shares, settings, view.keeper.without_limit()))
    if format_of(settings.format).counted_as:
        text = report(packed, renderer_of(settings))
    figures = Figures(partial(_figures, packed, header.statistics, secrets))
    return FinishedPack(packed, text, total_of(packed), figures)


def _figures(packed: Pack, statistics: Statistics, secrets: int) -> dict[str, int]:
    counted = statistics(packed)
    return {**counted, "tokens_before_redaction": counted["tokens_gathered"] + secrets}


def tokens_of_secrets(material: Material, counter: PieceCounter) -> int:
    """How many more tokens the gathered pieces had before redaction; negative where placeholders are longer."""
    pairs = zip(material.before, material.found.fragments, strict=False)
    return sum(counter.text(one.text) - counter.text(other.text) for one, other in pairs if one.text != other.text)


def _compressible(pieces: tuple[Fragment, ...], view: IndexView) -> tuple[Fragment, ...]:
    """The pieces with their compressible lines."""
    from ctxpack.select.compressible import with_compressible_lines

    return with_compressible_lines(pieces, view.files.all_lines)
