"""What the prompt formats share: how a source is cited, what was asked in full, what was left out."""

from __future__ import annotations

import json
from dataclasses import dataclass

from ctxpack.model import Fragment, Pack, Request, Scope
from ctxpack.render import wording
from ctxpack.text import code, fenced, printable, valid, without_surrogates


def citation(fragment: Fragment, number: int) -> str:
    """``[Source 3]`` with document, symbol or section, and lines; where it is not whole, its form."""
    origin = fragment.provenance
    name = code(wording.names(origin.symbol)) if origin.symbol else ""
    parts = [
        code(printable(origin.path)),
        f"section {name}" if name and origin.kind.is_document else name,
        cited_lines(origin.start_line, origin.end_line),
        wording.state(fragment),
    ]
    return f"[Source {number}] {', '.join(part for part in parts if part)}"


def cited_lines(start: int, end: int) -> str:
    """``lines 12-15`` or ``line 12``."""
    return f"lines {start}-{end}" if end > start else f"line {start}"


def cited_piece(fragment: Fragment, number: int, *, line_numbers: bool) -> str:
    """A piece with the least around it: its citation and its fenced content."""
    content = wording.content(fragment, line_numbers=line_numbers)
    return f"{citation(fragment, number)}\n{fenced(content, fragment.language)}"


def missed_list(pack: Pack, most: int | None = None) -> str:
    """A list of the first places to look at next, with a blank line above; empty where there are none."""
    rows = "".join(f"{place}\n" for place in wording.next_places(pack)[:most])
    return f"\nNot included, in order of relevance:\n\n{fenced(rows, '')}" if rows else ""


def quoted(request: Request) -> str:
    """What a request says beside its title as a quotation, with a blank line below; empty for nothing."""
    rows = wording.request_behind_title(request).splitlines()
    return "".join(f"> {row}\n" for row in rows) + ("\n" if rows else "")


def note_list(pack: Pack) -> str:
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
        return f"{cited_lines(*request.lines)} of {path}"
    return f"line {request.line} of {path}" if request.line else path


SOURCES_SCHEMA = 1
_FEW_PLACES = 8  # of a compact pack: a longer list costs as much as a piece


def source_map(pack: Pack) -> str:
    """``{"schema", "repository", "commit", "sources": {"1": {"path", "start_line", …}}}``, indented."""
    numbered = enumerate(pack.selection.fragments, pack.first_source)
    sources = {str(number): _source(each, pack) for number, each in numbered}
    document = {
        "schema": SOURCES_SCHEMA,
        "repository": valid(pack.state.name),
        "commit": pack.state.commit,
        "sources": sources,
    }
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _source(fragment: Fragment, pack: Pack) -> dict[str, object]:
    origin = fragment.provenance
    return {
        "path": valid(origin.path),
        "start_line": origin.start_line,
        "end_line": origin.end_line,
        "section" if origin.kind.is_document else "symbol": valid(origin.symbol),
        "kind": str(origin.kind),
        "form": str(fragment.form),
        "blob": origin.blob,
        "commit": origin.commit or pack.state.commit,
        "dirty": origin.dirty,
    }


@dataclass(frozen=True, slots=True)
class CompactRenderer:
    """Neither layout nor reasons; ``[Source N]`` stands above each piece."""

    line_numbers: bool = False

    def frame(self, pack: Pack) -> tuple[str, str]:
        """Title and repository; where to look on."""
        head = f"# {wording.pack_title(pack.request)}\n\n{wording.repository(pack.state)}; {wording.order(pack)}\n\n"
        return head, missed_list(pack, _FEW_PLACES) + note_list(pack)

    def fragment(self, fragment: Fragment, number: int) -> str:
        """The citation and the fenced content."""
        return cited_piece(fragment, number, line_numbers=self.line_numbers)

    def between(self, above: Fragment, below: Fragment) -> str:  # noqa: ARG002 - the citations show what is omitted
        """A blank line."""
        return "\n"
