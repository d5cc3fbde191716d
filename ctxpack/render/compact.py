"""Markdown with the least frame: one line about the report, one about each piece, and the contents."""

from __future__ import annotations

from dataclasses import dataclass

from ctxpack.model import Fragment, Pack
from ctxpack.render import wording
from ctxpack.render.citing import left_out, notes, piece


@dataclass(frozen=True, slots=True)
class CompactRenderer:
    """Neither layout nor reasons; ``[Source N]`` stands above each piece."""

    line_numbers: bool = False

    def frame(self, pack: Pack) -> tuple[str, str]:
        """Title and repository; where to look on."""
        head = f"# {wording.title(pack.request)}\n\n{wording.repository(pack.state)}; {wording.order(pack)}\n\n"
        return head, left_out(pack) + notes(pack)

    def fragment(self, fragment: Fragment, number: int) -> str:
        """The citation and the fenced content."""
        return piece(fragment, number, line_numbers=self.line_numbers)

    def between(self, above: Fragment, below: Fragment) -> str:  # noqa: ARG002 - the citations show what is omitted
        """A blank line."""
        return "\n"
