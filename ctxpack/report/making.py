"""Reports whose format is a prompt: the budget of the whole, and the conversation around the pieces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ctxpack.errors import UsageError
from ctxpack.gather import Gathered
from ctxpack.index import IndexView
from ctxpack.model import Conversation, Fragment, Pack, Prompt, Query, Request
from ctxpack.model.formats import PROMPT_FORMATS
from ctxpack.query.understand import defaults_of
from ctxpack.rank.ranking import Ranking
from ctxpack.rank.subject import lane_shares
from ctxpack.redact.redaction import Removed
from ctxpack.render import renderer
from ctxpack.report.framing import ReportHeader, draft_pack, with_final_frame, with_floor, with_times
from ctxpack.report.overview import repository_notes
from ctxpack.report.paging import Remainder
from ctxpack.select import PieceCounter, assemble, limits_of
from ctxpack.settings import Settings
from ctxpack.settings.budget import counter_of
from ctxpack.system.clock import Clock, Stopwatch
from ctxpack.tokens import TokenCounter
from ctxpack.understand.request import Understood


def with_prompt_budget(settings: Settings) -> Settings:
    """The settings whose budget is that of a whole prompt, in which stands what a window keeps free for other formats.

    A budget that was named stays. Raises UsageError for what the format has no place for.
    """
    if settings.format not in PROMPT_FORMATS:
        _check_format(settings)
        return settings
    from ctxpack.session.conversation import prompt_reserves

    rooms = prompt_reserves(settings)
    return replace(settings, budget=settings.budget + sum(rooms.values())) if rooms else settings


def _check_format(settings: Settings) -> None:
    """Nothing that was asked for is passed over in silence."""
    names = ("system", "history", "session", "instructions")
    given = [name for name in names if getattr(settings, name) and settings.origins.get(name, "") in {"", f"--{name}"}]
    if given:
        raise UsageError(
            f"--{given[0]} cannot be used with --format {settings.format}.",
            hint=f"Add --format {' or '.join(reversed(PROMPT_FORMATS))}.",
        )


def converse(request: Request, query: Query, settings: Settings, counter: TokenCounter, clock: Clock) -> Prompt:
    """What stands around the pieces; nothing for a format that is no prompt. Raises what ``prompt_of`` raises."""
    if settings.format not in PROMPT_FORMATS:
        return Prompt(Conversation())
    from ctxpack.session.conversation import prompt_of

    return prompt_of(request, query, settings, counter, clock)


def keep_memory(prompt: Prompt, settings: Settings) -> None:
    """Let the session remember what had no room. Raises InternalError."""
    if prompt.fresh is not None and settings.remember:
        from ctxpack.session.conversation import save_memory

        save_memory(prompt.fresh, settings)


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
    prompt = converse(asked.shown, asked.query, settings, counter.tokens, clock)
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
