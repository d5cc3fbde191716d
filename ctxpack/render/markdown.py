"""Markdown, the default: pleasant to read, cheap in tokens, and no file can close its own fence."""

from __future__ import annotations

from dataclasses import dataclass

from ctxpack.fences import code, fenced
from ctxpack.model import Fragment, Omission, Pack
from ctxpack.render import wording
from ctxpack.report import omitted_lines
from ctxpack.text import printable, without_surrogates


@dataclass(frozen=True, slots=True)
class MarkdownRenderer:
    """Numbered headings, one or two lines about each piece, fenced contents."""

    line_numbers: bool = False

    def frame(self, pack: Pack) -> tuple[str, str]:
        """The head with the tree, and the tail with what just missed."""
        return _head(pack), _tail(pack)

    def fragment(self, fragment: Fragment, number: int) -> str:
        """Heading, provenance, fenced content."""
        symbol = fragment.provenance.symbol
        heading = (
            f"## {number}. {code(wording.location(fragment))}{' ' + code(wording.names(symbol)) if symbol else ''}"
        )
        about = [", ".join(wording.facts(fragment)), _why(fragment)]
        lines = [heading, *(f"- {line}" for line in about if line)]
        return (
            "\n".join(lines)
            + "\n\n"
            + fenced(wording.content(fragment, line_numbers=self.line_numbers), fragment.language)
        )

    def between(self, above: Fragment, below: Fragment) -> str:
        """A blank line, or the mark of what was omitted."""
        lines = omitted_lines(above, below)
        return f"\n{wording.elision(lines)}\n\n" if lines else "\n"


def _why(fragment: Fragment) -> str:
    reasons = wording.why(fragment)
    words = wording.matched(fragment, reasons)
    return "; ".join(
        part for part in (f"why: {reasons}" if reasons else "", f"matched: {words}" if words else "") if part
    )


def _head(pack: Pack) -> str:
    words = ", ".join(wording.keywords(pack.query))
    rows = {
        "Repository": wording.repository(pack.state),
        "Files": wording.files(pack),
        "Tokens": wording.tokens(pack),
        "Strategy": f"{wording.one_line(pack.strategy)}; order: {wording.order(pack)}",
        "Keywords": words,
        "Added words": wording.added(pack.query),
    }
    head = f"# Context: {wording.title(pack.request)}\n\n"
    head += "".join(f"- {name}: {value}\n" for name, value in rows.items() if value) + "\n"
    return head + (f"{fenced(without_surrogates(pack.tree), 'text')}\n" if pack.tree.strip() else "")


def _tail(pack: Pack) -> str:
    missed = "".join(f"- {_missed(omission)}\n" for omission in pack.selection.omissions)
    notes = "".join(f"- {wording.one_line(note)}\n" for note in pack.notes)
    return (f"\n## Just missed\n\n{missed}" if missed else "") + (f"\n## Notes\n\n{notes}" if notes else "")


def _missed(omission: Omission) -> str:
    if omission.more:
        return f"{wording.further(omission)} {code(printable(omission.path))}"
    symbol = f" {code(wording.names(omission.symbol))}" if omission.symbol else ""
    return f"{code(wording.location(omission))}{symbol}, score {omission.score:.2f}: {wording.missed(omission)}"
