"""What a file imports, as written, and which files of the repository that is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from ctxpack.light import lazy_pattern
from ctxpack.model import Import
from ctxpack.parse.languages import Language, find_language
from ctxpack.parse.languages.modules import PathIndex, Repository

_QUOTED = lazy_pattern(r"\"([^\"\n]+)\"")
_RENAMED = lazy_pattern(r"(?<!\s)\s+(?:as|=>)\s+.*\Z", re.DOTALL)
_COMMENTS = lazy_pattern(r"#[^\n]*|//[^\n]*")
_MARKS = dict.fromkeys(map(ord, "(){}\\;"), " ")
_INNER_BRACES = lazy_pattern(r"::\{[^{}]*\}")


def find_imports(text: str, record: Language) -> tuple[Import, ...]:
    """Return the imports of ``text`` in the order of their lines.

    A module that is imported by being used (the group ``use``) counts where that is first.
    """
    padded = "\n" + text
    found: dict[tuple[int, str], Import] = {}
    starts = _starts_of(padded, record.import_words.split()) if record.import_words else None
    for pattern in _compile(record.imports):
        line, counted = 0, 0
        for match in pattern.finditer(padded) if starts is None else _matches_at(pattern, padded, starts):
            begin = match.start() + 1
            line += padded.count("\n", counted, begin)
            counted = begin
            by_use = "use" in pattern.groupindex
            for item in _read(match, max(line, 1)):
                found.setdefault((0 if by_use else item.line, item.module), item)
    return tuple(sorted(found.values(), key=lambda item: (item.line, item.module)))


def _starts_of(padded: str, words: Sequence[str]) -> list[int]:
    """Return the line feeds before the lines that hold one of some words, for which a search costs little."""
    starts = set[int]()
    for word in words:
        at = padded.find(word)
        while at >= 0:
            starts.add(padded.rfind("\n", 0, at))
            end = padded.find("\n", at)
            at = padded.find(word, end) if end >= 0 else -1
    return sorted(starts)


def _matches_at(pattern: re.Pattern[str], padded: str, starts: Sequence[int]) -> Iterator[re.Match[str]]:
    """Yield the matches that ``finditer`` yields for a pattern which matches at ``starts`` alone."""
    end = 0
    for start in starts:
        if start >= end and (match := pattern.match(padded, start)):
            yield match
            end = match.end()


@cache
def _compile(patterns: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.MULTILINE) for pattern in patterns)


def _read(match: re.Match[str], line: int) -> Iterator[Import]:
    groups = match.groupdict()
    if groups.get("block") is not None:
        yield from _go_block(match, line)
    elif (modules := groups.get("list")) is not None:
        for module in modules.split(","):
            bare = _RENAMED.sub("", module.strip())
            if bare:
                yield Import(bare, (), line)
    elif groups.get("mod") is not None:
        yield Import(f"mod {groups['mod']}", (), line)
    else:
        yield _import(groups, line)


def _go_block(match: re.Match[str], line: int) -> Iterator[Import]:
    block = match["block"]
    for quoted in _QUOTED.finditer(block):
        offset = block.count("\n", 0, quoted.start())
        yield Import(quoted[1], (), line + offset)


def _import(groups: Mapping[str, str | None], line: int) -> Import:
    module = (groups.get("module") or groups.get("use") or "").strip()
    names = _names(written) if (written := groups.get("names")) else ()
    if groups.get("relative"):
        module = f"./{module}"
    head, brace, inner = module.partition(".{")
    if brace:
        module, names = head, _names(inner)
    return Import(module, names, line)


def _names(written: str) -> tuple[str, ...]:
    """Cut the names out of a clause such as ``{ a, type b as c }``; a renamed one counts under its first name."""
    if written.isidentifier():
        return (written,)
    flat = _INNER_BRACES.sub("", _COMMENTS.sub("", written)).translate(_MARKS)
    parts = (part if part.isidentifier() else _RENAMED.sub("", part) for part in map(str.strip, flat.split(",")))
    return tuple(dict.fromkeys(part.removeprefix("type ").strip() for part in parts if part))


def imported_files(
    parsed_imports: Mapping[str, tuple[Import, ...]],
    languages: Mapping[str, str],
    paths: Sequence[str],
    declared: Mapping[str, Sequence[Import]],
) -> dict[str, tuple[str, ...]]:
    """Return file -> the files of the repository it imports, sorted; files that import none are left out.

    ``parsed_imports`` and ``languages`` map paths to what was parsed and to the language; ``paths`` are all files, and
    ``declared`` the names of modules that some declare. What cannot be found (a library, a generated file) is left out
    without a message.
    """
    repository = Repository(PathIndex(paths), declared)
    seen: dict[tuple[str, str, str, tuple[str, ...]], tuple[str, ...]] = {}
    resolved: dict[str, tuple[str, ...]] = {}
    for path in sorted(parsed_imports):
        record = find_language(languages.get(path, ""))
        if record.resolve is None:
            continue
        folder = path.rpartition("/")[0]
        targets: set[str] = set()
        for item in parsed_imports[path]:
            place = path if record.resolves_by_file else folder
            key = (record.name, place, item.module, item.names)
            if key not in seen:
                seen[key] = tuple(record.resolve(item, path, repository))
            targets.update(seen[key])
        if record.interface and (beside := f"{path.rpartition('.')[0]}.{record.interface}") in repository.index.known:
            targets.add(beside)
        targets.discard(path)
        if targets:
            resolved[path] = tuple(sorted(targets))
    return resolved
