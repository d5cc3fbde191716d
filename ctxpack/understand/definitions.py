"""The definitions that a change touches, from its text before and after."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from ctxpack.index import IndexView
from ctxpack.light import dataclass, lazy_pattern
from ctxpack.model import Lane, ParsedFile, Symbol
from ctxpack.parse import exact
from ctxpack.text import lines_of

if TYPE_CHECKING:
    from ctxpack.understand.change import Change, FileChange


@dataclass(frozen=True, slots=True)
class Side:
    """One state of a file. ``is_current`` tells whether the files on disk have it."""

    lines: list[str]
    parsed: ParsedFile
    is_current: bool = False


def side_after(view: IndexView, change: Change, file: FileChange) -> Side | None:
    """The file after the change; None if it was deleted or its text is not available."""
    current = view.files.get(file.path)
    if file.status == "D":
        return None
    if current is not None and (change.revisions.is_work_tree or current.blob == file.new_blob):
        return Side(view.files.all_lines(file.path), view.files.exact(file.path), is_current=True)
    return _of_blob(change, file.new_blob, file.language, file.path)


def side_before(change: Change, file: FileChange) -> Side | None:
    """The file before the change; None if it is new or its text is not available."""
    return _of_blob(change, file.old_blob, file.language, file.old_path)


def _of_blob(change: Change, blob: str, language: str, path: str) -> Side | None:
    text = change.texts.get(blob) if blob else None
    return None if text is None else Side(lines_of(text), _parse_side(text, language, path))


_parse_side = lru_cache(maxsize=256)(exact)  # several strategies ask for the same sides


_CALLABLE = frozenset({"function", "method", "macro"})
_SHORTEST = 3  # letters of a name that says something
_SPECIAL = lazy_pattern(r"__\w+__|constructor|init|initialize|setUp|tearDown|main")
_LONG = 120  # lines of a function around a function, beyond which the inner one is a unit of its own


@dataclass(frozen=True, slots=True)
class Changed:
    """A definition that a diff changed, and in how many lines; one that ``is_gone`` is as it was before."""

    file: FileChange
    symbol: Symbol
    side: Side
    lines: int
    is_gone: bool = False


def changed_definitions(change: Change, view: IndexView) -> tuple[Changed, ...]:
    """The definitions by file, in the order of the diff, then by line; of code and tests, not of documents."""
    return tuple(each for file in change.files if file.hunks for each in _of_file(change, file, view))


def names_of_changed(changed: Iterable[Changed], path: str = "") -> Mapping[str, tuple[Changed, ...]]:
    """The names that other code uses for what changed, in all files or in one; for ``__init__`` its class."""
    found: dict[str, tuple[Changed, ...]] = {}
    for each in changed:
        if each.file.kind.lane is not Lane.CODE or (path and each.file.path != path):
            continue
        parts = [part for part in each.symbol.qualified.split(".") if not _SPECIAL.fullmatch(part)]
        if parts and len(parts[-1]) >= _SHORTEST:
            found[parts[-1]] = (*found.get(parts[-1], ()), each)
    return found


def _of_file(change: Change, file: FileChange, view: IndexView) -> Iterable[Changed]:
    if file.kind.lane is Lane.DOCS:
        return ()
    new, old = side_after(view, change, file), side_before(change, file)
    lines = [line for hunk in file.hunks for line in hunk.lines]
    added = [line.new for line in lines if line.mark == "+"]
    removed = [line.old for line in lines if line.mark == "-"]
    there = _around(new, added) if new else {}
    gone: dict[Symbol, int] = {}
    by_name = {symbol.qualified: symbol for symbol in reversed(new.parsed.symbols)} if new else {}
    for symbol, count in (_around(old, removed) if old else {}).items():
        left = by_name.get(symbol.qualified)
        if left is None:
            gone[symbol] = count
        else:
            there[left] = there.get(left, 0) + count
    found = [Changed(file, symbol, new, count) for symbol, count in there.items() if new]
    found += [Changed(file, symbol, old, count, is_gone=True) for symbol, count in gone.items() if old]
    return sorted(found, key=lambda each: (each.is_gone, each.symbol.start_line, -each.symbol.end_line))


def _around(side: Side, numbers: Sequence[int]) -> dict[Symbol, int]:
    """The definitions around some lines, and how many of the lines each contains."""
    touched = set(numbers)
    found: dict[Symbol, int] = {}
    for number in sorted(touched):
        symbol = _unit(side, number, touched)
        if symbol is not None and side.lines[number - 1 : number] not in ([], [""]):
            found[symbol] = found.get(symbol, 0) + 1
    return found


def _unit(side: Side, number: int, touched: set[int]) -> Symbol | None:
    """The definition to show for a line: the innermost, the function around it, or all that is new around it."""
    unit = side.parsed.enclosing(number, number)
    outer = [each for each in side.parsed.symbols if each.start_line <= number <= each.end_line]
    for each in sorted(outer, key=lambda symbol: symbol.end_line - symbol.start_line):
        lines = range(each.start_line, each.end_line + 1)
        is_function = each.kind in _CALLABLE and len(lines) <= _LONG
        if is_function or touched.issuperset(lines):
            unit = each
    return unit
