"""A row of the definition table, and the pieces that rows share."""

from __future__ import annotations

from dataclasses import dataclass

SLASHES = ("//", "/*", "*", "@")
HASH = ("#",)
DASHES = ("--", "{-")
NOT_A_NAME = (
    r"(?!(?:if|for|foreach|while|switch|catch|return|else|do|new|throw|await|typeof|delete|sizeof|defined|using|lock|"
    r"function|super|import|case|yield|in|of|elseif|unless|until|when|match|fixed|synchronized|try|with)\b)"
)
C_NAME = NOT_A_NAME + r"[A-Za-z_]\w*"
TYPE = r"[\w.$]++(?:<[^;(){}=\n]{0,200}?>)?(?:\[\])*+\??[ \t]++"


@dataclass(frozen=True, slots=True)
class Row:
    """How definitions of one language look, and how they end.

    ``definitions`` are (symbol kind, pattern). ``ends`` is ``brace`` at a closing brace, ``word`` at ``end`` (or
    ``closer``), ``indent`` at the next line that is not deeper, ``layout`` the same with the brace that closes it. A
    first line that matches ``inline`` has no ``end`` of its own: its definition ends by layout. ``above`` are the
    openings of lines that belong to the definition below them; ``clauses``: neighbours of one name are one definition;
    ``guard`` rejects most lines at once.
    """

    definitions: tuple[tuple[str, str], ...]
    ends: str = "brace"
    above: tuple[str, ...] = SLASHES
    name: str = r"\w+"
    guard: str = ""
    closer: str = r"\}"
    inline: str = ""
    clauses: bool = False
    ignore_case: bool = False
