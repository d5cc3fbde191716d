"""Headings -> chunks: the sections of a document, split when long, joined when tiny."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ctxpack.languages.record import Heading
from ctxpack.model import Chunk
from ctxpack.text import open_fences

LONGEST_SECTION = 80
_SHORT = 3  # lines of a section that is joined with the next one
_BOUND = re.compile(r"[ \t]|[-*+][ \t]|\d+[.)][ \t]|\||</")  # lines that lean on the paragraph before them


def cut_sections(lines: Sequence[str], headings: Sequence[Heading]) -> tuple[Chunk, ...]:
    """Cut a document into chunks: what stands before the first heading, then one section a chunk."""
    if not lines:
        return ()
    chunks: list[Chunk] = []
    if not headings or headings[0].line > 1:
        end = headings[0].line - 1 if headings else len(lines)
        chunks.append(Chunk(1, end, "header" if headings else "window"))
    chunks.extend(_merge_short(_whole_sections(len(lines), headings)))
    return tuple(part for chunk in chunks for part in _parts(lines, chunk))


def _whole_sections(total: int, headings: Sequence[Heading]) -> list[tuple[int, Chunk]]:
    path: list[Heading] = []
    found = []
    for number, heading in enumerate(headings):
        while path and path[-1].level >= heading.level:
            path.pop()
        path.append(heading)
        end = headings[number + 1].line - 1 if number + 1 < len(headings) else total
        titles = tuple(item.title for item in path)
        found.append((heading.level, Chunk(heading.line, end, "section", heading=titles)))
    return found


def _merge_short(found: list[tuple[int, Chunk]]) -> list[Chunk]:
    kept: list[Chunk] = []
    last_level = 0
    for level, chunk in found:
        last = kept[-1] if kept else None
        if last and last.end_line - last.start_line < _SHORT and level >= last_level:
            deeper = chunk.heading[: len(last.heading)] == last.heading
            kept[-1] = replace(last, end_line=chunk.end_line, heading=chunk.heading if deeper else last.heading)
            continue
        kept.append(chunk)
        last_level = level
    return kept


def _parts(lines: Sequence[str], chunk: Chunk) -> list[Chunk]:
    if chunk.end_line - chunk.start_line < LONGEST_SECTION:
        return [chunk]
    places = _paragraphs(lines, chunk.start_line, chunk.end_line)
    parts = []
    start = chunk.start_line
    while chunk.end_line - start >= LONGEST_SECTION:
        cut = _best_cut(places, start)
        parts.append(replace(chunk, start_line=start, end_line=cut - 1))
        start = cut
    return [*parts, replace(chunk, start_line=start)]


def _best_cut(places: Sequence[tuple[int, bool]], start: int) -> int:
    """Return where the next part begins: the last free paragraph in reach, else any paragraph, else the limit."""
    in_reach = [place for place in places if start < place[0] <= start + LONGEST_SECTION]
    free = [line for line, is_bound in in_reach if not is_bound and line > start + LONGEST_SECTION // 4]
    if free:
        return free[-1]
    return in_reach[-1][0] if in_reach else start + LONGEST_SECTION


def _paragraphs(lines: Sequence[str], start: int, end: int) -> list[tuple[int, bool]]:
    """Return the lines that begin a paragraph outside fences, and whether each leans on what stands before it."""
    is_fenced = open_fences(lines[start - 1 : end])
    return [
        (number, _BOUND.match(lines[number - 1]) is not None)
        for number in range(start + 1, end + 1)
        if not is_fenced[number - start] and lines[number - 1].strip() and not lines[number - 2].strip()
    ]
