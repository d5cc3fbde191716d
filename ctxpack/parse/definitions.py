"""The cheap outline: definitions found by pattern, good enough to index every file of a repository."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from ctxpack.model import Symbol
from ctxpack.parse.above import first_line
from ctxpack.parse.names import LONGEST_SIGNATURE, parts_of, refined_kind
from ctxpack.parse.pattern_rows import Row
from ctxpack.parse.patterns import Grammar

_ONE_LINERS = frozenset({"constant", "variable", "type", "macro", "module", "namespace", "task"})
_OPENERS = ("{", "(", "[", "=", ",", "\\", "|", "<", "&", "+", "`", "=>", "->", "do")


@dataclass(slots=True)
class _Found:
    """A definition while its end is still open. ``offset`` is that of its line in the text with a leading feed."""

    name: str
    kind: str
    owner: str
    indent: int
    line: int
    offset: int
    after: int
    start: int = 0
    end: int = 0
    qualified: str = ""


def find_symbols(text: str, lines: list[str], grammar: Grammar) -> list[Symbol]:
    """Return the definitions of ``text``, sorted by start, inner ones inside outer ones."""
    padded = "\n" + text
    found = _matches(padded, grammar)
    if grammar.row.clauses:
        found = _joined(found)
    _qualify(found)
    _set_starts(found, lines, grammar.row)
    _set_ends(found, lines, padded, grammar.row)
    return [
        Symbol(
            item.name,
            item.qualified,
            item.kind,
            item.start,
            item.end,
            lines[item.line - 1].strip()[:LONGEST_SIGNATURE],
        )
        for item in found
    ]


def _matches(padded: str, grammar: Grammar) -> list[_Found]:
    found = []
    kinds = grammar.kinds
    line, counted = 1, 1
    for match in grammar.pattern.finditer(padded):
        group = match.lastgroup
        if group is None or group not in kinds:
            continue
        kind, owner_group = kinds[group]
        begin = match.start() + 1
        line += padded.count("\n", counted, begin)
        counted = begin
        owner = (match[owner_group] or "") if owner_group else ""
        name_line_feeds = padded.count("\n", begin, match.start(group))
        indent = match.end("indent") - begin
        found.append(_Found(match[group], kind, owner, indent, line + name_line_feeds, begin, match.end(group)))
    return found


def _joined(found: list[_Found]) -> list[_Found]:
    kept: list[_Found] = []
    for item in found:
        if (
            kept
            and kept[-1].name == item.name
            and kept[-1].indent == item.indent
            and item.kind in ("function", "macro")
        ):
            continue
        kept.append(item)
    return kept


def _qualify(found: list[_Found]) -> None:
    stack: list[_Found] = []
    for item in found:
        while stack and stack[-1].indent >= item.indent:
            stack.pop()
        parts = parts_of(item.name, item.owner)
        item.name = parts[-1]
        own = ".".join(parts)
        item.qualified = f"{stack[-1].qualified}.{own}" if stack else own
        item.kind = refined_kind(item.kind, stack[-1].kind if stack else "")
        stack.append(item)


def _set_starts(found: list[_Found], lines: list[str], row: Row) -> None:
    floor = 1
    for item in found:
        item.start = first_line(lines, item.line, floor, row.above)
        floor = item.line + 1


def _set_ends(found: list[_Found], lines: list[str], padded: str, row: Row) -> None:
    following: list[tuple[int, int]] = []  # indentation and start of what comes later, nearest last
    total = len(lines)
    for item in reversed(found):
        while following and following[-1][0] > item.indent:
            following.pop()
        limit = following[-1][1] - 1 if following else total
        end = min(_end(item, lines, padded, row), limit)
        while end > item.line and not lines[end - 1].strip():
            end -= 1
        item.end = max(end, item.line)
        following.append((item.indent, item.start))


def _end(item: _Found, lines: list[str], padded: str, row: Row) -> int:
    first = lines[item.line - 1].rstrip()
    if row.ends == "brace" and (item.kind == "macro" or first.startswith("#")):
        return _continued(lines, item.line)
    if item.kind in _ONE_LINERS and row.ends != "indent" and not first.endswith(_OPENERS):
        return item.line
    if row.ends == "brace" and (first.endswith(";") or _is_closed(first)):
        return item.line
    match = _ender(row.ends, row.closer, item.indent).search(padded, item.after)
    if match is None:
        return len(lines)
    line = item.line + padded.count("\n", item.after, match.start() + 1)
    if row.ends != "indent" and match.end("indent") - match.start("indent") == item.indent:
        return line
    return line - 1


def _continued(lines: list[str], line: int) -> int:
    while line < len(lines) and lines[line - 1].rstrip().endswith("\\"):
        line += 1
    return line


def _is_closed(line: str) -> bool:
    return line.endswith(("}", "};", "),")) and line.count("{") == line.count("}") > 0


@cache
def _ender(ends: str, closer: str, indent: int) -> re.Pattern[str]:
    if ends == "indent":
        return re.compile(rf"\n[ \t]{{0,{indent}}}(?=[^\s)\]}}#])")
    flags = re.IGNORECASE if closer[0] == "(" else 0
    return re.compile(rf"\n(?P<indent>[ \t]{{0,{indent}}}){closer}", flags)
