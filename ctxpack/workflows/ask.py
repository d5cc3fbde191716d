"""The rounds of a question: pieces, answer, and more pieces if the answer says that some are missing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Final

from ctxpack.errors import BudgetError, CommandError, NothingFoundError
from ctxpack.events import SILENT, Observer
from ctxpack.gather.required import REQUIRED
from ctxpack.gather.strategies.readme import README_REASON
from ctxpack.light import dataclass, replace
from ctxpack.model import Fragment, Pack, Page, Request, Scope
from ctxpack.model.formats import format_of
from ctxpack.pipeline import PackRun, run_pack
from ctxpack.redact import redact
from ctxpack.redact.redaction import redact_request
from ctxpack.redact.rules import rules_of, rules_to_keep
from ctxpack.report.making import Remainder, without_shown
from ctxpack.settings import Settings
from ctxpack.settings.budget import counter_of
from ctxpack.system.commands import command_name, run_command
from ctxpack.workflows.answers import AnswerFilter, find_missing, prompt_ending

_SEAM: Final = 8  # tokens that two texts may cost more together
_NEW_SHARE: Final = 0.5  # of a prompt, for pieces that it did not hold before; the best earlier ones stay
_HINT: Final = "Raise the budget, or ask in fewer words."
_NOTE: Final = "What was missing is added to the best of the earlier pieces."


class Ending(StrEnum):
    """The reason why no further round follows."""

    ENOUGH = "enough"
    NOTHING_LEFT = "nothing left"
    ROUNDS_OVER = "rounds over"


@dataclass(frozen=True, slots=True)
class Round:
    """The next prompt for the command: ``tokens`` are those of the whole prompt.

    ``new`` are the pieces that no earlier round contained, ``wanted`` is what the last answer called missing.
    After the last round none follows, whatever the answer. ``remarks`` report damage on disk.
    """

    number: int
    pack: Pack
    new: tuple[Fragment, ...]
    wanted: str
    tokens: int
    is_last: bool = False
    remarks: tuple[str, ...] = ()


def ask_model(
    question: str,
    settings: Settings,
    *,
    observer: Observer = SILENT,
    on_round: Callable[[Round], None],
    on_text: Callable[[str], None],
) -> Ending:
    """Put a question to the command ``settings.llm``, with pieces; every prompt is within ``settings.budget`` tokens.

    ``on_text`` hears the answers as they come, without the lines that only ask for more; ``on_round`` hears of each
    prompt before it is sent; ``observer`` of the packs that are made. Raises NothingFoundError where nothing is
    relevant, BudgetError where the question leaves no room, CommandError where the command fails, and what ``on_text``
    raises.
    """
    return _Rounds(question, settings, observer, on_round, on_text).ask_until_done()


class _Rounds:
    """One question and what was shown for it so far."""

    def __init__(
        self,
        question: str,
        settings: Settings,
        observer: Observer,
        on_round: Callable[[Round], None],
        on_text: Callable[[str], None],
    ) -> None:
        shown, _ = redact_request(Request(Scope.TASK, text=question), rules_of(settings))
        self.question = question
        self.asked = shown.text
        its = format_of(settings.format)  # a prompt would bring a question of its own, and a page is not for a model
        self.settings = replace(settings, format="markdown") if its.is_prompt or its.counted_as else settings
        self.observer = observer
        self.on_round = on_round
        self.on_text = on_text
        self.counter = counter_of(settings)
        self.first: Pack | None = None
        self.shown: list[Fragment] = []
        self.remarks: tuple[str, ...] = ()
        self.has_answered = False

    def ask_until_done(self) -> Ending:
        """Ask round after round until the last."""
        markers = self.settings.more_markers
        wanted, is_over, number = "", False, 1
        fresh: tuple[Fragment, ...] = ()
        while True:
            is_last = is_over or number == self.settings.max_rounds or not markers
            page, prompt = self._prompt(fresh, prompt_ending(self.asked, wanted, markers, is_last=is_last))
            new = fresh if self.first else page.pack.selection.fragments
            self.first = self.first or page.pack
            self.shown += page.pack.selection.fragments
            tokens = self.counter.count(prompt)
            self.on_round(Round(number, page.pack, new, wanted, tokens, is_last, self.remarks))
            self.remarks = ()
            answer, has_said = self._answer(prompt, () if is_last else markers)
            missing = find_missing(answer, markers)
            if missing is None:
                return Ending.ENOUGH
            if is_last:
                return Ending.NOTHING_LEFT if is_over else Ending.ROUNDS_OVER
            wanted, fresh = missing, self._new_pieces(missing)
            if not fresh and has_said:
                return Ending.NOTHING_LEFT
            is_over = not fresh
            number += 1

    def _prompt(self, fresh: Sequence[Fragment], end: str) -> tuple[Page, str]:
        """Return the page of a round and the whole prompt."""
        budget = self.settings.budget
        room = budget - self.counter.count(end) - _SEAM
        while room > 0:
            page = self._page(fresh, room)
            prompt = page.text + end
            over = self.counter.count(prompt) - budget
            if over <= 0:
                return page, prompt
            room -= over
        needed = self.counter.count(end) + _SEAM
        raise BudgetError(
            f"The question and its instructions need {needed:,} of {budget:,} tokens: none are left for pieces.",
            hint=_HINT,
        )

    def _page(self, fresh: Sequence[Fragment], room: int) -> Page:
        """The best pieces in the first round; later the new pieces with the best of the shown ones."""
        if self.first is None:
            return self._first_page(room)
        pieces = [*(replace(each, required=True) for each in fresh), *map(_shown_before, self.shown)]
        page = self._remainder(self.first).page(replace(self.first, budget=room), pieces, note=_NOTE)
        if page is None:
            raise BudgetError(f"The question leaves room for {room:,} tokens, too few for a piece.", hint=_HINT)
        return page

    def _first_page(self, room: int) -> Page:
        request = Request(Scope.TASK, text=self.question)
        try:
            report = run_pack(request, replace(self.settings, budget=room), observer=self.observer)
        except BudgetError as error:
            raise BudgetError(f"{error} The question leaves room for {room:,}.", hint=_HINT) from error
        self._hear(report)
        return Page(report.pack, report.text)

    def _hear(self, run: PackRun) -> None:
        self.remarks = tuple(dict.fromkeys((*self.remarks, *run.remarks)))

    def _answer(self, prompt: str, markers: Sequence[str]) -> tuple[str, bool]:
        """The answer of the command, and whether it is more than requests for pieces."""
        command = self.settings.llm
        filtered = AnswerFilter(markers, self._writer_on_new_line() if self.has_answered else self.on_text)
        outcome = run_command(command, prompt, seconds=self.settings.llm_timeout, on_text=filtered.add)
        filtered.end()
        self.has_answered |= filtered.has_passed
        if outcome.problem:
            raise CommandError(
                redact(outcome.problem, is_data=True, rules=rules_to_keep(self.settings)).text,
                hint="Try the command by itself.",
            )
        if not outcome.text.strip():
            raise CommandError(f"{command_name(command)} printed no answer.", hint="Try the command by itself.")
        return outcome.text, filtered.has_passed

    def _writer_on_new_line(self) -> Callable[[str], None]:
        """Return what passes on a further answer, on a line of its own."""
        is_first = True

        def write(text: str) -> None:
            nonlocal is_first
            self.on_text(f"\n{text}" if is_first else text)
            is_first = False

        return write

    def _new_pieces(self, wanted: str) -> tuple[Fragment, ...]:
        """Pieces that were not shown yet: those about what is missing, else the best of the rest."""
        assert self.first is not None  # noqa: S101 - a round came before
        pool = without_shown(self._pieces_about(wanted), self.shown) if wanted else ()
        gathered = self._remainder(self.first)
        pool = pool or without_shown(gathered.fragments, self.shown)
        page = gathered.page(replace(self.first, budget=int(self.settings.budget * _NEW_SHARE)), pool, note=_NOTE)
        return page.pack.selection.fragments if page else ()

    def _pieces_about(self, wanted: str) -> tuple[Fragment, ...]:
        """Gather for the question with the missing names and words in front, where they weigh most."""
        request = Request(Scope.TASK, text=f"{wanted}\n\n{self.question}")
        try:
            run = run_pack(request, replace(self.settings, rerank=""), observer=self.observer)
            self._hear(run)
            return self._remainder(run.pack).fragments
        except NothingFoundError:  # the next round has nothing to add, and says so
            return ()

    @staticmethod
    def _remainder(pack: Pack) -> Remainder:
        assert isinstance(pack.rest, Remainder)  # noqa: S101 - the pipeline says what it gathered
        return pack.rest


def _shown_before(fragment: Fragment) -> Fragment:
    """Return a piece that was shown for the next round, the readme as no longer required.

    Its head may be in a longer piece of another strategy.
    """
    is_readme = README_REASON in fragment.provenance.reasons and fragment.strategy != REQUIRED
    return replace(fragment, required=False) if is_readme else fragment
