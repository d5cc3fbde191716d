"""The commands that make a report: pack, deliver, and say on standard error what came of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ctxpack.cli.inputs import settings_of, tell_scope
from ctxpack.cli.logging import log_of
from ctxpack.cli.options import Flags
from ctxpack.cli.output import check_output, deliver, tell, write_file
from ctxpack.cli.placing import Spot, settled
from ctxpack.cli.progress import progress
from ctxpack.cli.tables import where
from ctxpack.finished import Finished, find, is_repeatable, keep, key_of
from ctxpack.index.opening import found, taking
from ctxpack.model import Omission, Pack, Request
from ctxpack.render.wording import counted
from ctxpack.settings import Settings
from ctxpack.text import printable

if TYPE_CHECKING:
    from ctxpack.pipeline import Report

NOWHERE = Spot()


def pack_and_deliver(request: Request, flags: Flags, spot: Spot = NOWHERE) -> None:
    """Make the report of a request and send it where the flags say. Raises CtxpackError."""
    request, settings = settled(request, settings_of(flags), flags, spot)
    tell_scope(flags, settings)
    check_output(flags)
    log_of(flags.log_format)  # a slip shows before any work is done
    if _is_plain(flags) and is_repeatable(request, settings):
        _repeat_and_deliver(request, settings, flags)
        return
    report = _packed(request, replace(settings, remember=not flags.dry_run), flags)
    deliver(pieces_table(report.pack) if flags.dry_run else report.text, flags)
    if flags.sources is not None:
        from ctxpack.render.sources import source_map

        write_file("--sources", flags.sources, source_map(report.pack))
    if flags.metrics is not None:
        from ctxpack.cli.accounts import prometheus

        write_file("--metrics", Path(flags.metrics), prometheus(report, request))
    _comment(report, settings, flags)


def _is_plain(flags: Flags) -> bool:
    """Whether nothing is asked for but the text and what is always said of it."""
    accounts = (flags.sources, flags.metrics, flags.dry_run, flags.explain, flags.explain_budget, flags.verbose)
    if flags.log_format is not None:
        return False
    return not any(accounts)


def _repeat_and_deliver(request: Request, settings: Settings, flags: Flags) -> None:
    """Send the report from the last time, if all that it rests on is as it was, or else a new one, which is kept."""
    discovery = found(settings)
    key = key_of(request, settings, discovery)
    finished = find(settings, key)
    if finished is None:
        with taking(discovery):
            report = _packed(request, settings, flags)
        finished = Finished(report.text, report.pack.notes, _total(report.pack))
        keep(settings, key, finished)
    deliver(finished.text, flags)
    _sum_up(finished.notes, finished.total, flags)


def _packed(request: Request, settings: Settings, flags: Flags) -> Report:
    with progress(flags) as on_progress:
        from ctxpack import pipeline

        return pipeline.pack(request, settings, on_progress=on_progress, on_event=log_of(flags.log_format))


def pieces_table(pack: Pack) -> str:
    """The table of ``--dry-run``."""
    from ctxpack.cli.tables import aligned

    rows = [
        (str(number), f"{each.tokens:,}", f"{each.provenance.score:.2f}", str(each.form), where(each.provenance))
        for number, each in enumerate(pack.selection.fragments, 1)
    ]
    missed = [
        ("-", f"{each.tokens:,}", f"{each.score:.2f}", "left out", _missed(each)) for each in pack.selection.omissions
    ]
    table = aligned([("", "tokens", "score", "form", "piece"), *rows, *missed], right=(0, 1, 2))
    return f"{table}{_total(pack)}\n"


def _missed(omission: Omission) -> str:
    if omission.more:
        return f"{printable(omission.path)}  {omission.more} more"
    return f"{where(omission)}  {printable(omission.reason)}"


def _comment(report: Report, settings: Settings, flags: Flags) -> None:
    """What is said beside the report."""
    pack = report.pack
    if flags.explain:
        explain(pack)
    if flags.verbose:
        for name, origin in sorted(settings.origins.items()):
            tell(f"{name} = {getattr(settings, name)!r} from {origin}")
        for each in pack.skipped:
            tell(f"skipped {printable(each.path)}: {printable(each.reason)}")
    if flags.explain_budget or settings.stats:
        _account(report, settings, flags)
    _sum_up(pack.notes, _total(pack), flags)


def _sum_up(notes: Iterable[str], total: str, flags: Flags) -> None:
    """The notes and the line that sums the report up."""
    if flags.quiet or flags.log_format is not None:
        return
    for note in notes:
        tell(f"Note: {printable(note)}")
    if flags.dry_run and flags.output == "-" and not flags.copy:
        return  # the table ends with the same line
    target = "" if flags.output == "-" else f", written to {flags.output}"
    tell(f"{total}{target}{', copied to the clipboard' if flags.copy else ''}")


def _account(report: Report, settings: Settings, flags: Flags) -> None:
    """The tables that were asked for."""
    from ctxpack.cli.accounts import division_table, stats_table

    if flags.explain_budget:
        from ctxpack.prompting.costs import counts

        tell(division_table(settings, counts(report.pack, settings)).rstrip("\n"))
    if settings.stats:
        tell(stats_table(report).rstrip("\n"))


def explain(pack: Pack) -> None:
    """Say how the request was understood, and why each piece was chosen."""
    tell(f"Understood as a {pack.query.complexity} request, intent {pack.query.intent}")
    for each in pack.query.expansions:
        tell(f"{printable(each.source)} also means {printable(each.term)} ({each.origin})")
    for number, fragment in enumerate(pack.selection.fragments, 1):
        source = fragment.provenance
        why = "; ".join(source.reasons) or fragment.strategy
        tell(f"{number}. {where(source)}  {source.score:.2f} {source.confidence}: {printable(why)}")


def _total(pack: Pack) -> str:
    """One line: how many pieces, files and tokens."""
    pieces = pack.selection.fragments
    files = len({each.provenance.path for each in pieces})
    return (
        f"{len(pieces)} {'piece' if len(pieces) == 1 else 'pieces'} of {files} {'file' if files == 1 else 'files'}, "
        f"{pack.tokens_used:,} of {pack.budget:,} tokens ({printable(counted(pack))})"
    )
