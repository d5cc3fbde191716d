"""``<!--TAG:name-->…<!--/TAG:name-->`` regions, and which of them stand for their file."""

from __future__ import annotations

import re
from collections import Counter
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
    and two to five tags are returned as they are; of more, the three that hold the ``wanted`` words most often.
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
    """How often the wanted words stand in a region, and in its name."""
    name, content = _words(tag.name), _words(_content(lines, tag))
    words = dict.fromkeys(part for word in wanted for part in _words(word))
    return sum(_NAME_WEIGHT * min(1, _count(name, word)) + _count(content, word) for word in words)


def _words(text: str) -> Counter[str]:
    """The words of a text and how often it holds each; ``memory_store`` is two."""
    return Counter(re.findall(r"[^\W_]+", text.casefold()))


def _count(words: Counter[str], word: str) -> int:
    """How often a word stands among others, if need be with another ending."""
    if word in words or len(word) < _SHORTEST_INFLECTED:
        return words[word]
    return sum(count for other, count in words.items() if other.startswith(word[:-2]))
