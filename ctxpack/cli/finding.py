"""The search and why-not commands: ranked matches, and what became of a file, as text or as JSON."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from ctxpack.cli.display import align_columns, chunk_label, place_label, progress
from ctxpack.cli.inputs import is_below_root, path_in_root, settings_of, tell_scope
from ctxpack.cli.options import Flags
from ctxpack.cli.output import check_output, deliver, tell
from ctxpack.errors import NothingFoundError
from ctxpack.model import Candidate
from ctxpack.rank.evidence import reasons_of
from ctxpack.text import json_text, printable, valid

if TYPE_CHECKING:
    from ctxpack.pipeline import SearchResult
    from ctxpack.workflows.why_not import Ranked, Verdict


SEARCH_SCHEMA = 1
_REASONS, _WORDS = 2, 4  # of a match, in the table


def search_and_deliver(text: str, flags: Flags) -> None:
    """Rank and send the list where the flags say. Raises CtxpackError; NothingFoundError after an empty JSON list."""
    settings = settings_of(flags)
    tell_scope(flags, settings)
    check_output(flags)
    with progress(flags) as on_progress:
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
    if flags.output == "-" and not flags.copy and sys.stdout.isatty():
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
    """Print what the flags ask for besides the list."""
    if flags.explain:
        for each in result.query.expansions:
            tell(f"{printable(each.source)} also means {printable(each.term)} ({each.origin})")
        for number, match in enumerate(result.candidates, 1):
            tell(f"{number}. {printable(match.file.path)}:{match.chunk.start_line}-{match.chunk.end_line}")
            for evidence in match.evidence:
                tell(f"   {evidence.points:.3f} {evidence.signal}: {printable(evidence.reason)}")
    if not flags.quiet:
        for note in (*result.remarks, *result.notes):
            tell(f"Note: {printable(note)}")


WHY_NOT_SCHEMA = 1


def explain_and_deliver(written: str, text: str, flags: Flags) -> None:
    """Say what became of a file. Raises CtxpackError; UsageError where there is no such file."""
    settings = settings_of(flags, format="markdown")
    path = path_in_root(settings.root, written)
    check_output(flags)
    with progress(flags) as on_progress:
        from ctxpack.workflows.why_not import explain_absence

        if on_progress:
            on_progress("explaining", 0, 0)
        verdict = explain_absence(path, text, settings)
    is_json = flags.format == "json"
    deliver(_reasons_json(verdict) if is_json else "".join(f"{line}\n" for line in _sentences(verdict)), flags)


def _sentences(verdict: Verdict) -> Iterator[str]:
    path = printable(verdict.path)
    if verdict.rule:
        yield f"{path} is not searched: {printable(verdict.rule)}."
        yield _advice(verdict)
        return
    yield from _pack(verdict)
    yield _rank(verdict)
    for each in verdict.evidence:
        yield f"  {each.points:+.2f} {each.signal}: {printable(each.reason)}"
    if not verdict.pieces:
        yield from _ways_to_include(verdict)


def _pack(verdict: Verdict) -> Iterator[str]:
    path = printable(verdict.path)
    if not verdict.pieces:
        yield f"{path} is not in the pack of {verdict.budget:,} tokens."
        return
    yield f"{path} is in the pack of {verdict.budget:,} tokens:"
    for each in verdict.pieces:
        yield f"  {place_label(each.provenance)}, {each.form.value}, {each.tokens:,} tokens"


def _rank(verdict: Verdict) -> str:
    """The rank of the file, or why no piece of it is ranked."""
    ranked, standing = verdict.ranked, verdict.standing
    if ranked:
        return (
            f"It is number {ranked.rank} of {ranked.listed} files with matches ({verdict.files:,} were searched): "
            f"score {ranked.score:.2f}, {ranked.confidence.value} confidence, best at lines {_lines(ranked)}."
        )
    if standing is None:
        return "Nothing in the repository matches the request."
    if not standing.is_about:
        return "It contains too few words of the request."
    if standing.place > standing.compared:
        return (
            f"It is number {standing.place:,} of {verdict.files:,} files with {standing.points:.2f} points; "
            f"only pieces of the first {standing.compared} are compared, down to {standing.needed:.2f} points."
        )
    return "None of its pieces is a candidate for the pack."


def _ways_to_include(verdict: Verdict) -> Iterator[str]:
    """Yield what would include the file."""
    ranked, weakest = verdict.ranked, verdict.weakest
    if ranked and weakest:
        last = weakest.provenance
        yield (
            f"The weakest piece in the pack has score {last.score:.2f}: {place_label(last)}. "
            f"Its own best piece has {ranked.score:.2f} and would cost about {ranked.tokens:,} tokens."
        )
        if ranked.score >= weakest.provenance.score:
            yield "Pieces are chosen by value per token, so a short piece can win over a better one."
    if verdict.enough:
        yield f"A budget of {verdict.enough:,} tokens includes it."
    elif ranked:
        yield "None of the budgets that were tried includes it."
    path = printable(verdict.path)
    yield f"To include it, name it or something it defines in the request, or run: ctxpack file {path}"


def _advice(verdict: Verdict) -> str:
    from ctxpack.discover.named_paths import advice

    hidden = printable(verdict.hidden)
    return advice(verdict.rule) or f"To include it, change that rule or write !/{hidden} into .ctxpackignore."


def _lines(ranked: Ranked) -> str:
    return f"{ranked.start_line}-{ranked.end_line}"


def _reasons_json(verdict: Verdict) -> str:
    """The documented form, schema 1."""
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
        "sentences": list(_sentences(verdict)),
    }
    return json_text(document)
