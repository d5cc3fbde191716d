"""The commands that make a report: pack, deliver, and print a summary on standard error."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ctxpack.answer import Report, pack, total_of
from ctxpack.cli.inputs import Spot, complete_request, settings_of, tell_scope
from ctxpack.cli.options import Flags
from ctxpack.cli.output import check_output, deliver, tell, write_file
from ctxpack.cli.progress import log_of, progress
from ctxpack.cli.tables import place_label
from ctxpack.model import Fragment, Omission, Pack, Request
from ctxpack.settings import Settings
from ctxpack.text import printable

NOWHERE = Spot()


def pack_and_deliver(request: Request, flags: Flags, spot: Spot = NOWHERE) -> None:
    """Make the report of a request and send it where the flags say. Raises CtxpackError."""
    request, settings = complete_request(request, settings_of(flags), flags, spot)
    tell_scope(flags, settings)
    check_output(flags)
    on_event = log_of(flags.log_format)  # a slip shows before any work is done
    with progress(flags) as on_progress:
        report = pack(
            request, replace(settings, remember=not flags.dry_run), on_progress=on_progress, on_event=on_event
        )
        if flags.dry_run:
            _ = report.run
    deliver(pieces_table(report.pack) if flags.dry_run else report.text, flags)
    if flags.sources is not None:
        from ctxpack.render.citing import source_map

        write_file("--sources", flags.sources, source_map(report.pack))
    if flags.metrics is not None:
        from ctxpack.cli.tables import prometheus

        write_file("--metrics", Path(flags.metrics), prometheus(report, request))
    _print_details(report, settings, flags)


def pieces_table(pack: Pack) -> str:
    """Return the table of ``--dry-run``."""
    from ctxpack.cli.tables import align_columns

    selection = pack.selection
    rows = [
        (str(number), f"{each.tokens:,}", f"{each.provenance.score:.2f}", str(each.form), place_label(each.provenance))
        for number, each in enumerate(selection.fragments, 1)
    ]
    missed = [
        ("-", f"{each.tokens:,}" if each.tokens else "", f"{each.score:.2f}", "left out", _omission_text(each))
        for each in selection.omissions
    ]
    table = align_columns([("", "tokens", "score", "form", "piece"), *rows, *missed], right=(0, 1, 2))
    return f"{table}{total_of(pack)}\n"


def _omission_text(omission: Omission) -> str:
    return f"{place_label(omission)}  {printable(omission.reason)}"


def _print_details(report: Report, settings: Settings, flags: Flags) -> None:
    """Print what the flags ask for besides the report."""
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
    for note in (*report.remarks, *report.notes):
        tell(f"Note: {printable(note)}")
    if flags.dry_run and flags.output == "-" and not flags.copy:
        return  # the table ends with the same line
    target = "" if flags.output == "-" else f", written to {flags.output}"
    tell(f"{report.total}{target}{', copied to the clipboard' if flags.copy else ''}")


def _print_tables(report: Report, settings: Settings, flags: Flags) -> None:
    """The tables that were asked for."""
    from ctxpack.cli.tables import division_table, stats_table

    if flags.explain_budget:
        from ctxpack.session.conversation import token_counts

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
    """All that is known of a piece: how sure it is and why, of what file it is, and who brought it."""
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
