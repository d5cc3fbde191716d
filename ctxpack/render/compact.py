"""Markdown with the least frame: one line about the report, one about each piece, and the contents."""

from __future__ import annotations

from dataclasses import dataclass

from ctxpack.model import Fragment, Pack
from ctxpack.render import wording
from ctxpack.render.citing import gap, missed, notes, piece


@dataclass(frozen=True, slots=True)
class CompactRenderer:
    """Neither tree nor scores nor reasons; ``[Source N]`` stands above each piece."""

    line_numbers: bool = False

    def frame(self, pack: Pack) -> tuple[str, str]:
        """Title and repository; what just missed on one line."""
        head = f"# {wording.title(pack.request)}\n\n{wording.repository(pack.state)}; order: {wording.order(pack)}\n\n"
        left = ", ".join(missed(omission) for omission in pack.selection.omissions)
        return head, (f"\nLeft out: {left}\n" if left else "") + notes(pack)

    def fragment(self, fragment: Fragment, number: int) -> str:
        """The citation and the fenced content."""
        return piece(fragment, number, line_numbers=self.line_numbers)

    def between(self, above: Fragment, below: Fragment) -> str:
        """A blank line, or the mark of what was omitted."""
        return gap(above, below)
