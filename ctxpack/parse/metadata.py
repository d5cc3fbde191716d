"""What a file says about itself: front matter, regions marked with tags, how it was made, and the name of a project."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from ctxpack.light import lazy_pattern
from ctxpack.model import FrontMatter, ParsedFile, TagRegion
from ctxpack.query.subtokens import split
from ctxpack.text import lines_of

_LONGEST = 20_000  # characters that are searched for the closing mark
_BLOCK = lazy_pattern(r"\ufeff?(?P<mark>---|\+\+\+)[ \t]*\n(?P<body>.*?)(?:^|\n)(?P=mark)[ \t]*(?:\n|$)", re.DOTALL)
_KEY = lazy_pattern(r"(?P<key>[A-Za-z_][\w -]*+)[ \t]*+:(?:[ \t]++(?P<value>.*+))?$")
_COMMENT = lazy_pattern(r"[ \t]#[^\n]*")
_QUOTES = "'\""
_Value = str | tuple[str, ...]


def read_front_matter(text: str) -> tuple[FrontMatter, int]:
    """Return what a document says about itself, and the number of its first line after the front matter (1: none)."""
    match = _BLOCK.match(text[:_LONGEST]) if text.startswith(("---", "+++", "\ufeff")) else None
    if match is None:
        return FrontMatter(), 1
    values = _toml(match["body"]) if match["mark"] == "+++" else _yaml(match["body"])
    if not values and match["body"].strip():
        return FrontMatter(), 1
    after = text.count("\n", 0, match.end()) + 1
    return _front_matter(values), after


def _front_matter(values: Mapping[str, _Value]) -> FrontMatter:
    return FrontMatter(
        _word(values, ("title",)),
        _word(values, ("description", "summary", "abstract", "subtitle")),
        _words(values, ("tags", "keywords", "categories", "topics", "labels")),
        _word(values, ("date", "updated", "lastmod", "last_modified", "last-modified", "created")),
    )


def _word(values: Mapping[str, _Value], keys: Sequence[str]) -> str:
    for key in keys:
        value = values.get(key, "")
        if value:
            return value if isinstance(value, str) else ", ".join(value)
    return ""


def _words(values: Mapping[str, _Value], keys: Sequence[str]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for key in keys:
        value = values.get(key, "")
        parts = value.split(",") if isinstance(value, str) else value
        found.update(dict.fromkeys(part.strip() for part in parts if part.strip()))
    return tuple(found)


def _yaml(body: str) -> dict[str, _Value]:
    values: dict[str, _Value] = {}
    key = ""
    for line in body.split("\n"):
        bare = line.strip()
        if not bare or bare.startswith("#"):
            continue
        match = None if line[0] in " \t-" else _KEY.match(line.rstrip())
        if match:
            key = match["key"].strip().lower()
            values[key] = _scalar_or_list(match["value"] or "")
        elif key:
            values[key] = _with_line(values[key], bare)
    return values


def _with_line(value: _Value, bare: str) -> _Value:
    """Return ``value`` with one more line: an item of a list, or a further line of a text."""
    if bare.startswith("- ") or bare == "-":
        items = value if isinstance(value, tuple) else ()
        return (*items, _scalar(bare[1:]))
    if isinstance(value, tuple):
        return value
    joined = f"{value} {bare}".strip()
    return _scalar_or_list(joined) if joined.startswith("[") else _scalar(joined)


def _scalar_or_list(value: str) -> _Value:
    value = value.strip()
    if value in ("|", ">", "|-", ">-", "|+", ">+"):
        return ""
    if value.startswith("[") and value.endswith("]"):
        return tuple(item for part in value[1:-1].split(",") if (item := _scalar(part)))
    return _scalar(value)


def _scalar(value: str) -> str:
    value = value.strip()
    if value[:1] in _QUOTES and value[:1]:
        end = value.find(value[0], 1)
        return value[1:end] if end > 0 else value
    return "" if value in ("null", "~") else _COMMENT.sub("", value).strip()


def _toml(body: str) -> dict[str, _Value]:
    import tomllib

    try:
        table = tomllib.loads(body)
    except (tomllib.TOMLDecodeError, RecursionError):  # it is part of the text, not metadata
        return {}
    taxonomies = table.get("taxonomies")
    merged = {**taxonomies, **table} if isinstance(taxonomies, dict) else table
    values: dict[str, _Value] = {}
    for key, value in merged.items():
        if isinstance(value, list):
            values[key.lower()] = tuple(str(item) for item in value)
        elif not isinstance(value, dict):
            values[key.lower()] = str(value)
    return values


SMALL_TAG = 500  # characters under which a lone tag needs its file as well
ALL_TAGS = 5  # tags up to this number are all taken
BEST_TAGS = 3
_NAME_WEIGHT = 3  # a word in the tag's name says more than one in its text
_SHORTEST_INFLECTED = 6  # letters from which a word also matches other endings of itself
_MARK = lazy_pattern(r"<!--[ \t]{0,20}(?P<close>/?)TAG:[ \t]{0,20}(?P<name>[^\n<>]{1,100}?)[ \t]{0,20}-->")


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


def choose_tags(text: str, parsed: ParsedFile, wanted: Sequence[str]) -> tuple[TagRegion, ...] | None:
    """Return the regions that are taken instead of the file, in file order; None: the file has no tags, take the file.

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
    """How often a region, and its name, hold the wanted words."""
    name, content = _word_counts(tag.name), _word_counts(_content(lines, tag))
    words = dict.fromkeys(part for word in wanted for part in _word_counts(word))
    return sum(_NAME_WEIGHT * min(1, _count(name, word)) + _count(content, word) for word in words)


def _word_counts(text: str) -> Counter[str]:
    """Count the words of a text; ``memory_store`` is two."""
    return Counter(re.findall(r"[^\W_]+", text.casefold()))


def _count(words: Counter[str], word: str) -> int:
    """How often a word is among others, if need be with another ending."""
    if word in words or len(word) < _SHORTEST_INFLECTED:
        return words[word]
    return sum(count for other, count in words.items() if other.startswith(word[:-2]))


_TITLE: Final = lazy_pattern(
    r"\s{0,80}(?:# {1,9}(?P<name>[\w.-]{1,80}) {0,9}(?:\n|$)|(?:[=#*]{2,80}\n)?(?P<above>[\w.-]{1,80})\n[=#*-]{2,80})"
)
_NAMED: Final = lazy_pattern(r"(?m)^[ \t]{0,20}\"?name\"?[ \t]{0,20}[=:][ \t]{0,20}[\"'](?P<name>[\w.-]{1,80})[\"']")
_GO_MODULE: Final = lazy_pattern(r"(?m)^module (?:\S{1,200}?/)??(?P<name>[\w.-]{1,80}?)(?:/v\d{1,3})?$")
_PACKAGES: Final = {
    "pyproject.toml": _NAMED,
    "Cargo.toml": _NAMED,
    "package.json": _NAMED,
    "composer.json": _NAMED,
    "go.mod": _GO_MODULE,
}
_READMES: Final = {"README.md": _TITLE, "README.rst": _TITLE}  # asked where no package has a name


def read_project_names(read: Callable[[str], str]) -> frozenset[str]:
    """The names of a project, lower-case: of its package, or a readme title of one word; ``read`` gives a text."""
    return frozenset(_names_in(_PACKAGES, read)) or frozenset(_names_in(_READMES, read))


def _names_in(places: Mapping[str, re.Pattern[str]], read: Callable[[str], str]) -> Iterator[str]:
    for path, pattern in places.items():
        text = read(path)
        found = pattern.match(text) if pattern is _TITLE else pattern.search(text)
        name = next(filter(None, found.groups()), "") if found else ""
        if len(split(name)) == 1:
            yield name.lower()


_HEAD: Final = 12  # lines that may say how a page was made
_MADE: Final = lazy_pattern(r"\bauto-?generated\b|\bdo not edit\b", re.IGNORECASE)


def says_it_is_made(lines: Sequence[str]) -> bool:
    """Whether a page says at its top that it is made from another one."""
    return any(map(_MADE.search, lines[:_HEAD]))
