"""The search and why-not commands: ranked matches, and what became of a file, as text or as JSON."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from ctxpack.cli.display import align_columns, chunk_label, progress
from ctxpack.cli.inputs import (
    is_below_root,
    is_in_root,
    path_in_root,
    patient_settings,
    settings_of,
    tell_first_run,
    tell_scope,
)
from ctxpack.cli.options import Flags
from ctxpack.cli.output import check_output, deliver, is_for_terminal, tell, tell_notes
from ctxpack.errors import NothingFoundError
from ctxpack.model import Candidate
from ctxpack.rank.evidence import reasons_of
from ctxpack.system.patterns import kept_patterns
from ctxpack.text import json_text, printable, valid

if TYPE_CHECKING:
    from ctxpack.pipeline import SearchResult
    from ctxpack.workflows.why_not import Verdict


SEARCH_SCHEMA = 1
_REASONS, _WORDS = 2, 4  # of a match, in the table


def search_and_deliver(text: str, flags: Flags) -> None:
    """Rank and write the list to the chosen output. Raises CtxpackError; NothingFoundError after an empty JSON list."""
    settings = patient_settings(flags)
    tell_scope(flags, settings)
    check_output(flags)
    tell_first_run(flags, settings)
    folder = settings.cache_dir if settings.use_cache else None
    with progress(flags) as on_progress, kept_patterns(folder):
        from ctxpack import pipeline

        result = pipeline.search(text, settings, on_progress=on_progress)
    is_json = settings.format == "json"
    if result.candidates or is_json:
        deliver(_matches_json(text, result) if is_json else _table(result, flags), flags)
    _print_details(result, flags)
    if not result.candidates:
        raise NothingFoundError("Nothing in the repository matches.", hint="Try other words, or fewer.")


def _matches_json(text: str, result: SearchResult) -> str:
    """The documented form, schema 1."""
    document = {"schema": SEARCH_SCHEMA, "query": valid(text), "results": [_entry(each) for each in result.candidates]}
    return json_text(document)


def _entry(match: Candidate) -> dict[str, object]:
    return {
        "path": valid(match.file.path),
        "start_line": match.chunk.start_line,
        "end_line": match.chunk.end_line,
        "symbol": match.chunk.symbol,
        "kind": match.file.kind.value,
        "score": round(match.score, 4),
        "confidence": match.confidence.value,
        "reasons": [each.reason for each in match.evidence if each.points > 0],
        "evidence": {each.signal: round(each.points, 4) for each in match.evidence},
    }


def _table(result: SearchResult, flags: Flags) -> str:
    """Aligned text; on a terminal drawn by Rich."""
    if is_for_terminal(flags):
        return _draw_table(result)
    head = ("", "score", "sure", "kind", "match", "name", "why")
    rows = [_row(number, each, result.state.root) for number, each in enumerate(result.candidates, 1)]
    return align_columns([head, *rows], right=(0, 1))


def _row(number: int, match: Candidate, root: Path) -> tuple[str, ...]:
    path = (
        os.path.relpath(root.resolve() / match.file.path) if is_below_root(root) else match.file.path
    )  # as git grep does
    place = f"{printable(path)}:{match.chunk.start_line}-{match.chunk.end_line}"
    words = ", ".join(match.keywords[:_WORDS])
    why = "; ".join(each for each in (words, *reasons_of(match, _REASONS)) if each)
    name = chunk_label(match.chunk)
    return str(number), f"{match.score:.2f}", match.confidence.value, match.file.kind.value, place, name, printable(why)


def _draw_table(result: SearchResult) -> str:
    """Each match in colour: its place on a line of its own, which is never cut, then the reasons."""
    from rich.console import Console
    from rich.text import Text

    colors = {"high": "green", "medium": "yellow", "low": "dim"}
    console = Console()
    with console.capture() as capture:
        for number, each in enumerate(result.candidates, 1):
            rank, score, sure, kind, place, name, why = _row(number, each, result.state.root)
            first = Text.assemble(f"{rank:>3}  ", (score, colors[sure]), "  ", (place, "bold"), f"  {name}".rstrip())
            console.print(first, soft_wrap=True)
            console.print(Text(f"           {kind}: {why}", "dim"), overflow="ellipsis", no_wrap=True)
    return capture.get()


def _print_details(result: SearchResult, flags: Flags) -> None:
    """Print explanations and notes for the list."""
    if flags.explain:
        for each in result.query.expansions:
            tell(f"{printable(each.source)} also means {printable(each.term)} ({each.origin})")
        for number, match in enumerate(result.candidates, 1):
            tell(f"{number}. {printable(match.file.path)}:{match.chunk.start_line}-{match.chunk.end_line}")
            for evidence in match.evidence:
                tell(f"   {evidence.points:.3f} {evidence.signal}: {printable(evidence.reason)}")
    tell_notes((*result.remarks, *result.notes), flags)


WHY_NOT_SCHEMA = 1


def explain_and_deliver(written: str, text: str, flags: Flags) -> None:
    """Say what became of a file. Raises CtxpackError; UsageError where there is no such file.

    The request may also stand before the file.
    """
    settings = settings_of(flags, format="markdown")
    if not is_in_root(settings.places, written) and is_in_root(settings.places, text):
        written, text = text, written
    path = path_in_root(settings.places, written)
    check_output(flags)
    with progress(flags) as on_progress:
        from ctxpack.workflows.why_not import explain_absence, sentences_of

        if on_progress:
            on_progress("explaining", 0, 0)
        verdict = explain_absence(path, text, settings, on_progress)
    is_json = flags.format == "json"
    deliver(_reasons_json(verdict) if is_json else "".join(f"{line}\n" for line in sentences_of(verdict)), flags)
    tell_notes(verdict.remarks, flags)


def _reasons_json(verdict: Verdict) -> str:
    """The documented form, schema 1."""
    from ctxpack.workflows.why_not import sentences_of

    ranked, standing, weakest = verdict.ranked, verdict.standing, verdict.weakest
    document = {
        "schema": WHY_NOT_SCHEMA,
        "path": verdict.path,
        "budget": verdict.budget,
        "searched": not verdict.rule,
        "rule": verdict.rule or None,
        "hidden": verdict.hidden or None,
        "in_pack": bool(verdict.pieces),
        "pieces": [
            {
                "start_line": each.provenance.start_line,
                "end_line": each.provenance.end_line,
                "form": each.form.value,
                "tokens": each.tokens,
            }
            for each in verdict.pieces
        ],
        "files": verdict.files,
        "best": {**asdict(ranked), "confidence": ranked.confidence.value} if ranked else None,
        "place": standing.place if standing else None,
        "points": standing.points if standing else None,
        "evidence": [asdict(each) for each in verdict.evidence],
        "weakest_score": weakest.provenance.score if weakest else None,
        "enough_budget": verdict.enough,
        "sentences": list(sentences_of(verdict)),
    }
    return json_text(document)
