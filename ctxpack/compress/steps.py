"""What a piece can do without, what is missed least first."""

from __future__ import annotations

LICENCE = "licence head"
BLANK = "blank lines"
COMMENTS = "comments"
REPEATED = "repeated lines"
LITERALS = "long literals"

STEPS = (LICENCE, BLANK, COMMENTS, REPEATED, LITERALS)
