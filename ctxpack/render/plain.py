"""Plain text: rules of equals signs, each longer than any inside of what they enclose."""

from __future__ import annotations

from dataclasses import dataclass

from ctxpack.model import Fragment, Pack
from ctxpack.render import wording
from ctxpack.render.citing import quoted
from ctxpack.render.instructions import use
from ctxpack.text import longest_run

_MIN_RULE = 8


@dataclass(frozen=True, slots=True)
class PlainRenderer:
    """Every piece stands between two rules of the same length."""

    line_numbers: bool = False

    def frame(self, pack: Pack) -> tuple[str, str]:
        """The request and what is said of the report; behind the pieces where to look on, and the notes."""
        return _head(pack), _tail(pack)

    def fragment(self, fragment: Fragment, number: int) -> str:
        """A rule with place, name and why, the content, a rule."""
        text = wording.content(fragment, line_numbers=self.line_numbers)
        rule = "=" * max(_MIN_RULE, longest_run("=", text) + 1)
        symbol = f" {wording.names(fragment.provenance.symbol)}" if fragment.provenance.symbol else ""
        heading = f"{rule} {number}. {wording.location(fragment)}{symbol}{wording.about(fragment)}"
        return f"{heading}\n{text}{rule}\n"

    def between(self, above: Fragment, below: Fragment) -> str:  # noqa: ARG002 - the headings show what is omitted
        """A blank line."""
        return "\n"


def _head(pack: Pack) -> str:
    rows = [
        f"Context: {wording.pack_title(pack.request)}",
        wording.pack_counts(pack),
        f"Layout: {wording.one_line(pack.tree)}" if pack.tree.strip() else "",
        use(pack.request),
    ]
    return "".join(f"{row}\n" for row in rows if row) + "\n" + quoted(pack.request)


def _tail(pack: Pack) -> str:
    places = "".join(f"{place}\n" for place in wording.next_places(pack))
    notes = "".join(f"{wording.one_line(note)}\n" for note in pack.notes)
    return (f"\nNext places to open:\n{places}" if places else "") + (f"\nNotes:\n{notes}" if notes else "")
