"""Make the report: choose what fits the budget, say what belongs to it, and render it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ctxpack.budget import counter_of
from ctxpack.gather import Gathered
from ctxpack.index import IndexView
from ctxpack.model import Fragment, Pack
from ctxpack.query.intent import defaults_of
from ctxpack.rank.ranking import Ranking
from ctxpack.rank.subject import lane_shares
from ctxpack.redact.redaction import Removed
from ctxpack.render import renderer
from ctxpack.report.framing import ReportHeader, draft_pack, with_final_frame, with_floor, with_times
from ctxpack.report.overview import repository_notes
from ctxpack.report.paging import Remainder
from ctxpack.report.prompt import converse, keep_memory
from ctxpack.select import PieceCounter, assemble, limits_of
from ctxpack.settings import Settings
from ctxpack.system.clock import Clock, Stopwatch
from ctxpack.understand import Understood


@dataclass(frozen=True, slots=True)
class FinishedPack:
    """A pack, its text, and what became of everything that was gathered, in numbers."""

    pack: Pack
    text: str
    stats: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Material:
    """What a report is made of: the request, the ranking, and the pieces without secrets."""

    asked: Understood
    ranking: Ranking
    found: Gathered
    removed: tuple[Removed, ...]


def make_report(
    material: Material, view: IndexView, settings: Settings, clock: Clock, watch: Stopwatch
) -> FinishedPack:
    """Make the report of a request, never over the budget. Raises BudgetError where not even a piece fits.

    ``clock`` is asked for a session only; ``watch`` says how long each stage took where the settings ask for figures.
    """
    asked, found = material.asked, material.found
    counter = PieceCounter(renderer(settings.format, line_numbers=settings.line_numbers), counter_of(settings))
    pieces = _compressible(found.fragments, view) if settings.compress else found.fragments
    prompt = converse(asked.shown, asked.query, settings, counter.counter, clock)
    header = ReportHeader(view, pieces, counter, material.removed)
    frame = draft_pack(asked.shown, asked.query, settings, replace(found, fragments=pieces), header)
    told = repository_notes(view, settings, asked.change)
    notes = (*told, *prompt.notes, *material.ranking.notes, *found.notes)
    frame = replace(frame, notes=notes, conversation=prompt.conversation)
    frame = replace(frame, notes=header.notes(frame, pieces))
    choice = defaults_of(asked.request, asked.query)
    shares, limits = lane_shares(asked.query, view, settings.shares, choice), limits_of(settings, choice)
    packed, text = with_final_frame(*assemble(pieces, frame, counter, shares, limits), header)
    packed, text = with_floor(packed, text, pieces, limits, counter)
    watch.lap("select")
    if settings.stats:
        packed, text = with_times(packed, watch.seconds, counter)
    keep_memory(prompt, settings)
    packed = replace(packed, rest=Remainder(pieces, shares, settings))
    return FinishedPack(packed, text, header.statistics(packed))


def _compressible(pieces: tuple[Fragment, ...], view: IndexView) -> tuple[Fragment, ...]:
    """The pieces, each of which knows the lines it can do without."""
    from ctxpack.select.compressible import with_compressible_lines

    return with_compressible_lines(pieces, view.files.all_lines)
