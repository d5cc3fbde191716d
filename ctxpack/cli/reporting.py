"""The commands that make a report, ask, which sends it to a model, and preview, which shows it on a screen.

The report or the last answer goes to standard output, the summary and all messages to standard error.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from ctxpack.answer import Report, pack
from ctxpack.cli.display import event_writer, progress, progress_of_packs
from ctxpack.cli.inputs import (
    Spot,
    complete_request,
    patient_settings,
    request_at,
    request_text,
    settings_of,
    tell_first_run,
    tell_scope,
)
from ctxpack.cli.options import Flags
from ctxpack.cli.output import check_output, check_target, deliver, tell, tell_notes, write, write_file
from ctxpack.cli.resident import pending_metrics
from ctxpack.errors import UsageError, did_you_mean
from ctxpack.light import lazy_pattern, replace
from ctxpack.model import Fragment, Pack, Request, Scope
from ctxpack.model.formats import PROMPT_FORMATS
from ctxpack.render.wording import place_label, total_of
from ctxpack.settings import Settings
from ctxpack.system.patterns import kept_patterns
from ctxpack.system.version import TUI_PACKAGE, install_command
from ctxpack.text import first_of, number_of, printable

if TYPE_CHECKING:
    from ctxpack.cli.draft import Draft
    from ctxpack.workflows.ask import Ending, Round


NOWHERE = Spot()


def pack_and_deliver(request: Request, flags: Flags, spot: Spot = NOWHERE) -> None:
    """Make the report of a request and write it to the chosen output. Raises CtxpackError."""
    if not flags.watch:
        _pack_and_deliver(request, flags, spot)
        return
    from ctxpack.cli.upkeep import check_watch, follow_changes

    check_watch(flags, is_buffer=spot.is_buffer)
    follow_changes(lambda: _pack_and_deliver(request, flags, spot), flags)


def _pack_and_deliver(request: Request, flags: Flags, spot: Spot) -> None:
    request, settings = complete_request(request, patient_settings(flags), flags, spot)
    tell_scope(flags, settings)
    check_output(flags)
    tell_first_run(flags, settings)
    if settings.metrics:
        check_target("--metrics", settings.metrics, "Name a file such as ctxpack.prom.")
    on_event = event_writer(flags.log_format)  # a mistake shows before any work is done
    its = replace(settings, remember=not flags.dry_run)
    folder = settings.cache_dir if settings.use_cache else None
    with progress(flags) as on_progress, _counting(request, settings), kept_patterns(folder):
        report = pack(request, its, on_progress=on_progress, on_event=on_event)
        if flags.dry_run:
            _ = report.run
    deliver(pieces_table(report.pack) if flags.dry_run else report.text, flags)
    if flags.sources is not None:
        from ctxpack.render.prompts import source_map

        write_file("--sources", flags.sources, source_map(report.pack))
    if settings.metrics:
        from ctxpack.workflows.metrics import count, samples_of

        count(samples_of(None if report.is_kept else report.run, request, settings), settings)
    if pending_metrics.is_on:
        from ctxpack.workflows.metrics import samples_of

        pending_metrics.work.append(lambda: samples_of(None if report.is_kept else report.run, request, settings))
    _print_details(report, settings, flags)


def _counting(request: Request, settings: Settings) -> AbstractContextManager[None]:
    """Count the errors of a request, if anything is to be counted."""
    if not (settings.metrics or pending_metrics.is_on):
        return nullcontext()
    from ctxpack.workflows.metrics import count_errors, error_samples

    def hear(error: Exception) -> None:
        if pending_metrics.is_on:
            pending_metrics.work.append(lambda: error_samples(error, request, settings))

    return count_errors(request, settings, hear)


def pieces_table(pack: Pack) -> str:
    """Return the table of ``--dry-run``."""
    from ctxpack.cli.display import align_columns

    selection = pack.selection
    rows = [
        (str(number), f"{each.tokens:,}", f"{each.provenance.score:.2f}", str(each.form), place_label(each.provenance))
        for number, each in enumerate(selection.fragments, 1)
    ]
    missed = [
        (
            "-",
            f"{each.tokens:,}" if each.tokens else "",
            f"{each.score:.2f}",
            "left out",
            f"{place_label(each)}  {printable(each.reason)}",
        )
        for each in selection.omissions
    ]
    table = align_columns([("", "tokens", "score", "form", "piece"), *rows, *missed], right=(0, 1, 2))
    return f"{table}{total_of(pack)}\n"


def _print_details(report: Report, settings: Settings, flags: Flags) -> None:
    """Print explanations, sources and statistics for the report."""
    if flags.explain:
        explain(report.pack)
    if flags.verbose:
        for name, origin in sorted(settings.origins.items()):
            tell(f"{name} = {getattr(settings, name)!r} from {origin}")
        for each in report.pack.skipped:
            tell(f"skipped {printable(each.path)}: {printable(each.reason)}")
    if flags.explain_budget or settings.stats:
        _print_tables(report, settings, flags)
    _print_summary(report, flags)


def _print_summary(report: Report, flags: Flags) -> None:
    """The notes and the line that sums the report up."""
    if flags.quiet or flags.log_format is not None:
        return
    tell_notes((*report.remarks, *report.notes), flags)
    if flags.dry_run and flags.output == "-" and not flags.copy:
        return  # the table ends with the same line
    target = "" if flags.output == "-" else f", written to {flags.output}"
    tell(f"{report.total}{target}{', copied to the clipboard' if flags.copy else ''}")


def _print_tables(report: Report, settings: Settings, flags: Flags) -> None:
    """The tables that were asked for."""
    from ctxpack.cli.display import division_table, stats_table

    if flags.explain_budget:
        from ctxpack.report.conversation import token_counts

        tell(division_table(settings, token_counts(report.pack, settings)).rstrip("\n"))
    if settings.stats:
        tell(stats_table(report).rstrip("\n"))


def explain(pack: Pack) -> None:
    """Say how the request was understood, and why each piece was chosen."""
    tell(f"Understood as a {pack.query.complexity} request, intent {pack.query.intent}")
    for each in pack.query.expansions:
        tell(f"{printable(each.source)} also means {printable(each.term)} ({each.origin})")
    for number, fragment in enumerate(pack.selection.fragments, 1):
        tell(f"{number}. {_explanation_of(fragment)}")


def _explanation_of(fragment: Fragment) -> str:
    """All that is known of a piece: its confidence and reasons, its file, and the strategy that found it."""
    source = fragment.provenance
    known = [
        f"{fragment.strategy}, {str(source.kind).replace('_', ' ')}",
        f"{source.size:,} bytes" if source.size else "",
        f"changed {source.modified}" if source.modified else "",
        "uncommitted" if source.dirty else "",
        f"tags {', '.join(source.tags)}" if source.tags else "",
        f"matched {', '.join(source.keywords)}" if source.keywords else "",
        *source.reasons,
    ]
    account = "; ".join(printable(each) for each in known if each)
    return f"{place_label(source)}  {source.score:.2f} {source.confidence}: {account}"


_OF_ONE_PACK = ("stats", "metrics", "explain_budget")
_SHOWN = 5  # new pieces that are named
_NOT_FOR_TERMINALS = lazy_pattern(r"\x1b\[[0-?]*[ -/]*[@-~]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def ask_and_deliver(text: str, flags: Flags) -> None:
    """Ask the command that was named and stream its answer. Raises CtxpackError."""
    settings = settings_of(flags)
    _check(settings, flags)
    from ctxpack.workflows.ask import ask_model

    writer = _AnswerWriter()
    try:
        printer = _RoundPrinter(settings, flags, writer)
        with progress_of_packs(flags) as observer:
            ending = ask_model(text, settings, observer=observer, on_round=printer.tell, on_text=writer.write)
    except (_ListedError, _ReaderGoneError):  # the pieces were shown, or nobody reads the answer
        return
    finally:
        writer.end()
    _tell_ending(ending, settings, flags)


def _check(settings: Settings, flags: Flags) -> None:
    """Check, before any work is done, that an answer is possible. Raises UsageError."""
    from ctxpack.system.commands import command_words, find_program

    given = next((name for name in _OF_ONE_PACK if flags.has(name)), None)
    if given:
        option = given.replace("_", "-")
        raise UsageError(
            f"--{option} describes one pack, but ask makes several.", hint=f"Use it with one: ctxpack task … --{option}"
        )
    if flags.dry_run:
        return
    if not settings.llm:
        raise UsageError(
            "No command to ask is set.",
            hint='Name one that reads a prompt: --llm "llm", --llm "claude -p" or --llm "ollama run qwen3".',
        )
    words = command_words(settings.llm)
    if find_program(words) is None:
        raise UsageError(f"There is no program {words[0]}.", hint="Install it, or name another command with --llm.")


class _ReaderGoneError(Exception):
    """The reader of the answer has closed the pipe."""


class _ListedError(Exception):
    """The pieces were listed for ``--dry-run``, so no question is asked."""


class _RoundPrinter:
    """Prints what a round contains."""

    def __init__(self, settings: Settings, flags: Flags, writer: _AnswerWriter) -> None:
        self._settings = settings
        self._flags = flags
        self._writer = writer

    def tell(self, each: Round) -> None:
        """Print lines about one round; with ``--dry-run`` the table of its pieces, and no round follows."""
        if self._flags.dry_run:
            write(pieces_table(each.pack))
            raise _ListedError
        self._writer.begin(is_last=each.is_last)
        if self._flags.explain:
            explain(each.pack)
        if self._flags.quiet:
            return
        tell_notes((*each.remarks, *(each.pack.notes if each.number == 1 else ())), self._flags)
        if each.number > 1 and each.wanted:
            tell(f"The answer asks for more: {printable(each.wanted)}")
        chosen = each.pack.selection
        pieces, files = number_of(len(chosen.fragments), "piece"), number_of(len(chosen.paths), "file")
        size = f"{each.tokens:,} of {self._settings.budget:,} tokens"
        tell(f"Round {each.number}: {pieces} of {files}{_new(each)}, {size}")


def _new(each: Round) -> str:
    """The pieces that are new in this round; empty in the first."""
    if each.number == 1:
        return ""
    named = first_of([_place(piece) for piece in each.new], _SHOWN)
    return f" ({len(each.new)} new: {named})" if each.new else " (nothing new)"


def _place(piece: Fragment) -> str:
    origin = piece.provenance
    return f"{printable(origin.path)}:{origin.start_line}-{origin.end_line}"


class _AnswerWriter:
    """Writes the answer, on a terminal without control characters.

    On a terminal every answer is seen as it comes. Elsewhere an answer is held until it is known whether another
    follows: only the last one is output. That of the last possible round is passed on as it comes.
    """

    def __init__(self) -> None:
        self._is_terminal = sys.stdout.isatty()
        self._holds = not self._is_terminal
        self._held = ""
        self._last = "\n"
        self._has_written = False

    def begin(self, *, is_last: bool) -> None:
        """Begin a round: the answer before it was not the last one."""
        said, self._held = self._held.strip("\n"), ""
        if said:
            tell(said)
        self._holds = self._holds and not is_last

    def write(self, text: str) -> None:
        """Write a part, or hold it. Raises _ReaderGoneError if nobody reads it."""
        if self._holds:
            self._held += text
            return
        shown = _NOT_FOR_TERMINALS.sub("", text) if self._is_terminal else text
        if not self._has_written:
            shown = shown.lstrip("\n")  # which sets a further answer apart from one that is not output
        self._has_written |= bool(shown)
        self._last = shown[-1:] or self._last
        if not write(shown):
            raise _ReaderGoneError

    def end(self) -> None:
        """Write the held text and end its last line."""
        held, self._held, self._holds = self._held.lstrip("\n"), "", False
        text = held + ("" if (held[-1:] or self._last) == "\n" else "\n")
        self._last = "\n"
        if text:
            write(text)


def _tell_ending(ending: Ending, settings: Settings, flags: Flags) -> None:
    from ctxpack.workflows.ask import Ending

    if flags.quiet or ending is Ending.ENOUGH:
        return
    if ending is Ending.NOTHING_LEFT:
        tell("Note: The answer asks for more, but there is nothing left to add.")
    else:
        tell(f"Note: The answer asks for more after {number_of(settings.max_rounds, 'round')}: raise --max-rounds.")


# --- preview ----------------------------------------------------------------------------------------------------------

_SAY_A_COMMAND: Final = 'Write the command to preview: ctxpack preview task "fix the retry bug".'


def preview_pack(
    scope: str, words: Sequence[str], flags: Flags, spot: Spot = NOWHERE, *, is_staged: bool = False
) -> None:
    """Show a pack until the user leaves. Raises CtxpackError."""
    request = request_of(scope, words, flags, spot, is_staged=is_staged)
    if find_spec("textual") is None:
        raise UsageError(
            "The library of the preview is not installed.",
            hint=f"Run {install_command(TUI_PACKAGE)}.",
        )
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError(
            "The preview needs a terminal.", hint="To see the pieces without one: ctxpack task … --dry-run"
        )
    from ctxpack.cli.output import copy
    from ctxpack.cli.screen import Preview

    make = draft_maker(request, flags)
    with progress(flags):
        draft = make(False)
    Preview(draft, make, copy).run()


def request_of(
    scope: str, words: Sequence[str], flags: Flags, spot: Spot = NOWHERE, *, is_staged: bool = False
) -> Request:
    """Return the request as typed. Raises UsageError for an invalid one."""
    if scope not in {each.value for each in Scope}:
        raise UsageError(
            f"{scope!r} is not a command that packs.", hint=did_you_mean(scope, [*Scope]) or _SAY_A_COMMAND
        )
    if spot != NOWHERE and scope != Scope.FILE:
        raise UsageError("Only a file has a line, lines or a symbol.", hint="Write: ctxpack preview file PATH --line 7")
    if is_staged and scope != Scope.DIFF:
        raise UsageError("Only a diff has staged changes.", hint="Write: ctxpack preview diff --staged")
    if scope == Scope.DIFF:
        return Request(Scope.DIFF, revision=" ".join(words), is_staged=is_staged)
    text = request_text(words, flags, _SAY_A_COMMAND)
    if scope == Scope.FILE:
        return request_at(text, spot)
    return Request.about(Scope(scope), text)


def draft_maker(request: Request, flags: Flags) -> Callable[[bool], Draft]:
    """Return a function that makes the pack of a request, with or without the lines that a model can do without."""
    from ctxpack.cli.draft import draft_of

    request, settings = complete_request(request, _with_piecewise_format(settings_of(flags)), flags, NOWHERE)

    def make(is_short: bool) -> Draft:
        report = pack(request, replace(settings, compress=settings.compress or is_short))
        return draft_of(report.pack, report.text)

    return make


def _with_piecewise_format(settings: Settings) -> Settings:
    """The settings with a format that consists of separate pieces."""
    is_prompt = settings.format in PROMPT_FORMATS or settings.format == "html"
    return replace(settings, format="markdown") if is_prompt else settings
