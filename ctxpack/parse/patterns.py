"""What a definition looks like in each language: one row a language, compiled on first use.

A pattern stands after the indentation of a line. ``NAME`` is the identifier, ``<NAME>`` an identifier of the row's own
shape, ``OWNER`` the type a free-standing method belongs to, ``TOP`` the left margin and ``ARGS`` a balanced argument
list. Quantifiers that could overlap are possessive, so that matching stays linear.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from ctxpack.parse.pattern_rows import ROWS, Row

_TOP = r"(?<=\n)"
_FLAT = r"[^();]*+"
_ARGS = rf"\({_FLAT}(?:\({_FLAT}(?:\({_FLAT}(?:\({_FLAT}\){_FLAT})*+\){_FLAT})*+\){_FLAT})*+\)"


@dataclass(frozen=True, slots=True)
class Grammar:
    """A compiled row. ``kinds`` maps the group that matched to (symbol kind, group of the owner or ``""``)."""

    row: Row
    pattern: re.Pattern[str]
    kinds: Mapping[str, tuple[str, str]]


@cache
def grammar(language: str) -> Grammar | None:
    """Return the compiled patterns of ``language``, None when no definitions are known for it."""
    row = ROWS.get(language)
    return _compiled(row) if row else None


def _compiled(row: Row) -> Grammar:
    kinds: dict[str, tuple[str, str]] = {}
    alternatives = []
    for number, (kind, pattern) in enumerate(row.definitions):
        group, owner = f"n{number}", f"o{number}"
        kinds[group] = (kind, owner if "OWNER" in pattern else "")
        pattern = pattern.replace("TOP", _TOP).replace("ARGS", _ARGS)
        pattern = pattern.replace("OWNER", rf"(?P<{owner}>\w+)").replace("NAME", rf"(?P<{group}>{row.name})")
        alternatives.append(pattern)
    body = "|".join(alternatives)
    flags = re.IGNORECASE if row.ignore_case else 0
    return Grammar(row, re.compile(rf"\n(?P<indent>[ \t]*+){row.guard}(?:{body})", flags), kinds)
