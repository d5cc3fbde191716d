"""Propose a ctxpack.toml for a repository: what was recognised in it, and what is worth deciding, as comments."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import Final

from ctxpack.index.opening import find_files
from ctxpack.model import Kind, Lane, SourceFile
from ctxpack.report.making import LANE_SHARES
from ctxpack.settings import DEFAULT_BUDGET, Settings
from ctxpack.settings.declaration import format_default
from ctxpack.text import number_of, printable

_FOLDERS: Final = 3  # that a kind is shown with
_KEPT_BY_CTXPACK: Final = "AGENTS.md"
_HELD_BACK: Final = ("vendored", "generated", "minified")
_FEW: Final = 5  # files with such a trait that are not worth a rule
_DEEP: Final = 2  # names of a folder that a rule has


def propose_configuration(settings: Settings) -> str:
    """Return the text of a ctxpack.toml. Everything in it is a comment but what changes no pack."""
    files = find_files(settings).files
    sections = (_budget(), _exclude(files), _synonyms(), _kinds(files), _shares(files), _context(settings))
    return "\n".join("".join(f"{printable(line)}\n" for line in section) for section in sections)


def _budget() -> Iterator[str]:
    yield "# Settings of ctxpack for this repository. Lines without # count; ctxpack config show lists all settings."
    yield ""
    yield f'# budget = "16k"                # tokens of a pack; {format_default(DEFAULT_BUDGET)} without this line'


def _exclude(files: Sequence[SourceFile]) -> Iterator[str]:
    counts = Counter(
        _folder(each.path) for each in files if any(trait in each.traits for trait in _HELD_BACK) and "/" in each.path
    )
    found = [folder for folder, count in sorted(counts.items(), key=lambda each: (-each[1], each[0])) if count >= _FEW]
    if found:
        globs = ", ".join(json.dumps(f"{folder}/**", ensure_ascii=False) for folder in found[:_FOLDERS])
        yield "# Held back already: vendored, generated or minified. Excluded files are not read at all."
        yield f"# exclude = [{globs}]"
    else:
        yield '# exclude = ["vendor/**"]        # files that are not read, besides what git ignores'


def _synonyms() -> Iterator[str]:
    yield "# Words that mean the same in this project."
    yield "# [synonyms]"
    yield '# courier = ["uploader", "delivery"]'


def _kinds(files: Sequence[SourceFile]) -> Iterator[str]:
    yield "# What the files were recognised as. Name globs under [kinds] where that is wrong."
    counts = Counter(each.kind for each in files)
    for kind in Kind:
        if counts[kind]:
            homes = Counter(_folder(each.path) for each in files if each.kind is kind)
            ranked = sorted(homes, key=lambda home: (-homes[home], home))[:_FOLDERS]
            yield f"#   {kind.value:15}{number_of(counts[kind], 'file')}, in {', '.join(ranked)}"
    yield "# [kinds]"
    yield '# spec = ["design/**/*.md"]'


def _shares(files: Sequence[SourceFile]) -> Iterator[str]:
    lanes = Counter(each.kind.lane for each in files)
    total = max(1, len(files))
    yield "# Soft shares of the budget, as long as other kinds still have pieces."
    yield "# [shares]"
    for lane in (Lane.DOCS, Lane.TESTS, Lane.CONFIG):
        share = f"{LANE_SHARES[lane]:g}"
        part = round(100 * lanes[lane] / total)
        yield f"# {f'{lane.value} = {share}':31}# the default; {part} % of the files are {lane.value}"


def _context(settings: Settings) -> Iterator[str]:
    there = (settings.root / _KEPT_BY_CTXPACK).exists()
    yield "# ctxpack refresh writes how to work on this project into the file, between two markers;"
    yield "# ctxpack refresh --check tells CI when it is out of date."
    if there:
        yield f"# {_KEPT_BY_CTXPACK} is there: its own text stays as it is."
    yield "[[context]]"
    yield f'path = "{_KEPT_BY_CTXPACK}"'
    yield 'budget = "2k"'


def _folder(path: str) -> str:
    """The first folders of a path; the top folder for a file there."""
    parts = PurePosixPath(path).parts[:-1]
    return "/".join(parts[:_DEEP]) if parts else "the top folder"
