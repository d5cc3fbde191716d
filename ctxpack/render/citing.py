"""What the prompt formats share: how a source is cited, what was asked in full, what was left out."""

from __future__ import annotations

from ctxpack.fences import code, fenced
from ctxpack.model import Fragment, Pack, Request, Scope
from ctxpack.render import wording
from ctxpack.text import printable, without_surrogates


def citation(fragment: Fragment, number: int) -> str:
    """``[Source 3]`` with document, symbol or section, and lines; where it is not whole, its form."""
    origin = fragment.provenance
    name = code(wording.names(origin.symbol)) if origin.symbol else ""
    parts = [
        code(printable(origin.path)),
        f"section {name}" if name and origin.kind.is_document else name,
        lines(origin.start_line, origin.end_line),
        wording.state(fragment),
    ]
    return f"[Source {number}] {', '.join(part for part in parts if part)}"


def lines(start: int, end: int) -> str:
    """``lines 12-15`` or ``line 12``."""
    return f"lines {start}-{end}" if end > start else f"line {start}"


def piece(fragment: Fragment, number: int, *, line_numbers: bool) -> str:
    """A piece with the least around it: its citation and its fenced content."""
    content = wording.content(fragment, line_numbers=line_numbers)
    return f"{citation(fragment, number)}\n{fenced(content, fragment.language)}"


def left_out(pack: Pack) -> str:
    """A list of the places to look at next, with a blank line above; empty where there are none."""
    rows = "".join(f"{place}\n" for place in wording.next_places(pack))
    return f"\nNot included, in order of relevance:\n\n{fenced(rows, '')}" if rows else ""


def quoted(request: Request) -> str:
    """What a request says beside its title as a quotation, with a blank line below; empty for nothing."""
    rows = wording.request_behind_title(request).splitlines()
    return "".join(f"> {row}\n" for row in rows) + ("\n" if rows else "")


def notes(pack: Pack) -> str:
    """What the user should know, a line each, with a blank line above."""
    rows = "".join(f"Note: {wording.one_line(note)}\n" for note in pack.notes)
    return f"\n{rows}" if rows else ""


def question(request: Request) -> str:
    """All of what was asked, as it was asked; of a file, a component or a change, what one wants to know of it."""
    text = without_surrogates(request.text).strip()
    if request.scope is Scope.TASK:
        return text
    about = {
        Scope.FILE: f"What should I know to work on {_place(request)}?",
        Scope.COMPONENT: f"What should I know to work on {code(wording.one_line(request.name))}?",
        Scope.DIFF: f"Review the change{f' {code(wording.one_line(request.name))}' if request.name else ''}.",
    }[request.scope]
    return f"{about}\n\n{text}" if text else about


def _place(request: Request) -> str:
    path = code(printable(request.path))
    if request.symbol:
        return f"{code(wording.one_line(request.symbol))} in {path}"
    if request.lines:
        return f"{lines(*request.lines)} of {path}"
    return f"line {request.line} of {path}" if request.line else path
