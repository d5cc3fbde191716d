"""What a definition looks like in each language: one row a language, compiled on first use.

A pattern stands after the indentation of a line. ``NAME`` is the identifier in the row's own shape, ``WORD`` one that
may be a keyword, ``QUOTED`` one in quotes, ``OWNER`` the type that a free-standing method belongs to, ``TOP`` the left
margin, ``ARGS`` a balanced argument list. Quantifiers that could overlap are possessive: matching stays linear.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from ctxpack.parse.patterns import ROWS, Row

_TOP = r"(?<=\n)"
_FLAT = r"[^();]*+"
_ARGS = rf"\({_FLAT}(?:\({_FLAT}(?:\({_FLAT}(?:\({_FLAT}\){_FLAT})*+\){_FLAT})*+\){_FLAT})*+\)"
_CAPITALS = re.compile(r"(TOP|ARGS|OWNER|NAME|WORD|QUOTED)")


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
    for number, (kind, written) in enumerate(row.definitions):
        group, owner = f"n{number}", f"o{number}"
        kinds[group] = (kind, owner if "OWNER" in written else "")
        words = {
            "TOP": _TOP,
            "ARGS": _ARGS,
            "OWNER": rf"(?P<{owner}>\w+)",
            "NAME": rf"(?P<{group}>{row.name})",
            "QUOTED": rf"['\"](?P<{group}>[^'\"\n]+)['\"]",
            "WORD": rf"(?P<{group}>[A-Za-z_$][\w$]*+)",
        }
        alternatives.append("".join(words.get(part, part) for part in _CAPITALS.split(written)))
    body = "|".join(alternatives)
    flags = re.IGNORECASE if row.ignore_case else 0
    return Grammar(row, re.compile(rf"\n(?P<indent>[ \t]*+){row.guard}(?:{body})", flags), kinds)
