"""``<!--TAG:name-->…<!--/TAG:name-->`` regions, and which of them stand for their file."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ctxpack.model import ParsedFile, TagRegion
from ctxpack.text import lines_of

SMALL_TAG = 500  # characters under which a lone tag needs its file beside it
ALL_TAGS = 5  # tags up to this number are all taken
BEST_TAGS = 3
_NAME_WEIGHT = 3  # a word in the tag's name says more than one in its text
_SHORTEST_INFLECTED = 6  # letters from which a word also matches other endings of itself
_MARK = re.compile(r"<!--[ \t]*(?P<close>/?)TAG:[ \t]*(?P<name>[^\n<>]{1,100}?)[ \t]*-->")


def find_tags(text: str) -> tuple[TagRegion, ...]:
    """Return the closed regions of ``text``, by their start; unclosed and unopened marks are ignored."""
    if "TAG:" not in text:
        return ()
    open_marks: dict[str, list[tuple[int, bool]]] = {}
    found: list[TagRegion] = []
    line, counted = 1, 0
    for mark in _MARK.finditer(text):
        line += text.count("\n", counted, mark.start())
        counted = mark.start()
        if not mark["close"]:
            ends_line = text[mark.end() : mark.end() + 1] in ("", "\n")
            open_marks.setdefault(mark["name"], []).append((line, ends_line))
        elif open_marks.get(mark["name"]):
            found.append(_region(mark, line, text, open_marks[mark["name"]].pop()))
    return tuple(sorted(found, key=lambda region: (region.start_line, -region.end_line, region.name)))


def _region(mark: re.Match[str], line: int, text: str, opened: tuple[int, bool]) -> TagRegion:
    open_line, open_ends_line = opened
    starts_line = mark.start() == 0 or text[mark.start() - 1] == "\n"
    start = open_line + 1 if open_ends_line and line > open_line else open_line
    end = line - 1 if starts_line and line > start else line
    return TagRegion(mark["name"], start, max(start, end))


def tag_choice(text: str, parsed: ParsedFile, wanted: Sequence[str]) -> tuple[TagRegion, ...] | None:
    """Return the regions that stand for the file, in file order; None: the file has no tags, take the file.

    One tag under 500 characters is returned with the whole file behind it, as a region without a name; one longer tag
    and two to five tags are returned as they are; of more, the three that match the ``wanted`` words best.
    """
    tags = parsed.tags
    if not tags:
        return None
    lines = lines_of(text)
    if len(tags) == 1 and len(_content(lines, tags[0])) < SMALL_TAG:
        return tags[0], TagRegion("", 1, len(lines))
    if len(tags) <= ALL_TAGS:
        return tags
    ranked = sorted(tags, key=lambda tag: (-_match(lines, tag, wanted), tag.start_line, tag.end_line, tag.name))
    return tuple(sorted(ranked[:BEST_TAGS], key=lambda tag: (tag.start_line, -tag.end_line, tag.name)))


def _content(lines: Sequence[str], tag: TagRegion) -> str:
    return "\n".join(lines[tag.start_line - 1 : tag.end_line])


def _match(lines: Sequence[str], tag: TagRegion, wanted: Sequence[str]) -> int:
    name = _words(tag.name)
    content = _words(_content(lines, tag))
    return sum(_NAME_WEIGHT * _holds(name, word) + _holds(content, word) for word in dict.fromkeys(wanted))


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[^\W_]+", text.casefold()))


def _holds(words: frozenset[str], word: str) -> bool:
    """Whether all parts of a word are there: ``memory_store`` is held where ``memory`` and ``store`` are."""
    parts = re.findall(r"[^\W_]+", word.casefold())
    return bool(parts) and all(_holds_part(words, part) for part in parts)


def _holds_part(words: frozenset[str], folded: str) -> bool:
    if folded in words or len(folded) < _SHORTEST_INFLECTED:
        return folded in words
    return any(other.startswith(folded[:-2]) for other in words)
