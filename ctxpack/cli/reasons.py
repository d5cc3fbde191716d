"""The why-not command: what became of one file, in sentences or as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING

from ctxpack.cli.inputs import path_in_root, settings_of
from ctxpack.cli.options import Flags
from ctxpack.cli.output import check_output, deliver
from ctxpack.cli.progress import progress
from ctxpack.cli.tables import place_label
from ctxpack.text import printable

if TYPE_CHECKING:
    from ctxpack.workflows.why_not import Ranked, Verdict

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
    deliver(_json(verdict) if flags.format == "json" else "".join(f"{line}\n" for line in _sentences(verdict)), flags)


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
    """Where the file stands, or why no piece of it is in the ranking."""
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


def _json(verdict: Verdict) -> str:
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
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"
