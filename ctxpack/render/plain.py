"""Plain text: rules of equals signs, each longer than any inside of what they enclose."""

from __future__ import annotations

from dataclasses import dataclass

from ctxpack.fences import longest_run
from ctxpack.model import Fragment, Omission, Pack
from ctxpack.render import wording
from ctxpack.report import omitted_lines
from ctxpack.text import printable, without_surrogates

_MIN_RULE = 8


@dataclass(frozen=True, slots=True)
class PlainRenderer:
    """Every piece stands between two rules of the same length."""

    line_numbers: bool = False

    def frame(self, pack: Pack) -> tuple[str, str]:
        """The head with the tree, and the tail with what just missed."""
        return _head(pack), _tail(pack)

    def fragment(self, fragment: Fragment, number: int) -> str:
        """A rule with the place, what is known of it, the content, a rule."""
        text = wording.content(fragment, line_numbers=self.line_numbers)
        rule = "=" * max(_MIN_RULE, longest_run("=", text) + 1)
        symbol = f" {wording.names(fragment.provenance.symbol)}" if fragment.provenance.symbol else ""
        reasons = wording.why(fragment)
        words = wording.matched(fragment, reasons)
        about = [
            ", ".join(wording.facts(fragment)),
            f"why: {reasons}" if reasons else "",
            f"matched: {words}" if words else "",
        ]
        lines = [f"{rule} {number}. {wording.location(fragment)}{symbol}", *(line for line in about if line)]
        return "\n".join(lines) + f"\n\n{text}{rule}\n"

    def between(self, above: Fragment, below: Fragment) -> str:
        """A blank line, or the mark of what was omitted."""
        lines = omitted_lines(above, below)
        return f"\n{wording.elision(lines)}\n\n" if lines else "\n"


def _head(pack: Pack) -> str:
    rows = {
        "Context": wording.title(pack.request),
        "Repository": wording.repository(pack.state),
        "Files": wording.files(pack),
        "Tokens": wording.tokens(pack),
        "Strategy": f"{wording.one_line(pack.strategy)}; order: {wording.order(pack)}",
        "Keywords": ", ".join(wording.keywords(pack.query)),
        "Added words": wording.added(pack.query),
    }
    head = "".join(f"{name}: {value}\n" for name, value in rows.items() if value) + "\n"
    return head + (f"{without_surrogates(pack.tree).rstrip()}\n\n" if pack.tree.strip() else "")


def _tail(pack: Pack) -> str:
    missed = "".join(f"{_missed(omission)}\n" for omission in pack.selection.omissions)
    notes = "".join(f"{wording.one_line(note)}\n" for note in pack.notes)
    return (f"\nJust missed:\n{missed}" if missed else "") + (f"\nNotes:\n{notes}" if notes else "")


def _missed(omission: Omission) -> str:
    if omission.more:
        return f"{wording.further(omission)} {printable(omission.path)}"
    symbol = f" {wording.names(omission.symbol)}" if omission.symbol else ""
    return f"{wording.location(omission)}{symbol}, score {omission.score:.2f}: {wording.missed(omission)}"
