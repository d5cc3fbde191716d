"""Markdown, the default: one line about each piece, and no file can close its own fence."""

from __future__ import annotations

from dataclasses import dataclass

from ctxpack.model import Fragment, Pack
from ctxpack.render import wording
from ctxpack.render.citing import quoted
from ctxpack.render.instructions import use
from ctxpack.text import code, fenced


@dataclass(frozen=True, slots=True)
class MarkdownRenderer:
    """Numbered headings that say place, name and why, and fenced contents."""

    line_numbers: bool = False

    def frame(self, pack: Pack) -> tuple[str, str]:
        """The request and what is said of the report; behind the pieces where to look on, and the notes."""
        return _head(pack), _tail(pack)

    def fragment(self, fragment: Fragment, number: int) -> str:
        """A heading and the fenced content."""
        symbol = fragment.provenance.symbol
        name = f" {code(wording.names(symbol))}" if symbol else ""
        heading = f"## {number}. {code(wording.location(fragment))}{name}{wording.about(fragment)}\n"
        return heading + fenced(wording.content(fragment, line_numbers=self.line_numbers), fragment.language)

    def between(self, above: Fragment, below: Fragment) -> str:  # noqa: ARG002 - the headings show what is omitted
        """A blank line."""
        return "\n"


def _head(pack: Pack) -> str:
    rows = [
        wording.pack_counts(pack),
        f"Layout: {wording.one_line(pack.tree)}" if pack.tree.strip() else "",
        use(pack.request),
    ]
    return (
        f"# Context: {wording.pack_title(pack.request)}\n\n{quoted(pack.request)}"
        + "".join(f"- {row}\n" for row in rows if row)
        + "\n"
    )


def _tail(pack: Pack) -> str:
    places = "".join(f"{place}\n" for place in wording.next_places(pack))
    notes = "".join(f"- {wording.one_line(note)}\n" for note in pack.notes)
    return (f"\n## Next places to open\n\n{fenced(places, '')}" if places else "") + (
        f"\n## Notes\n\n{notes}" if notes else ""
    )
