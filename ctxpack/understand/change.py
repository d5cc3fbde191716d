"""What changed between two states of a repository: files, hunks, lines, and the definitions they touch. Free of git.

Hunks are read from git's text, narrowed to less context and written again with right line numbers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache

from ctxpack.index import IndexView
from ctxpack.light import dataclass, field, lazy_pattern
from ctxpack.model import Kind, Lane, ParsedFile, Symbol, Trait
from ctxpack.parse import exact
from ctxpack.query.subtokens import is_identifier, raw_words
from ctxpack.text import lines_of, number_of

CONTEXT = 3  # lines around a change, as git shows them
_HEADER = lazy_pattern(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_NO_NEWLINE = "\\"


@dataclass(frozen=True, slots=True)
class Revisions:
    """Two states. ``old`` is a commit, or the empty tree; ``new`` is a commit, or empty for what is not committed.

    ``has_old`` tells whether ``old`` is a commit; ``head`` is the commit that is checked out, empty before the first.
    """

    title: str
    old: str
    new: str
    head: str
    has_old: bool = True
    is_staged: bool = False

    @property
    def is_work_tree(self) -> bool:
        """Whether the new state is that of the files on disk."""
        return not self.new and not self.is_staged


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One line of a hunk: its mark (blank, ``+``, ``-``, or a backslash for a remark of git's) and its text.

    ``old`` and ``new`` are its numbers in both texts; where a side lacks it, the number of the line before it.
    """

    mark: str
    text: str
    old: int
    new: int


@dataclass(frozen=True)
class Hunk:
    """Neighbouring lines of a diff."""

    lines: tuple[DiffLine, ...]

    @cached_property
    def added(self) -> int:
        """How many lines it adds."""
        return sum(line.mark == "+" for line in self.lines)

    @cached_property
    def removed(self) -> int:
        """How many lines it removes."""
        return sum(line.mark == "-" for line in self.lines)

    @cached_property
    def old_span(self) -> tuple[int, int]:
        """First and last line before the change; the last is smaller where there are none."""
        return _span([line.old for line in self.lines if line.mark in " -"], self.lines[0].old)

    @cached_property
    def new_span(self) -> tuple[int, int]:
        """First and last line after the change; the last is smaller where there are none."""
        return _span([line.new for line in self.lines if line.mark in " +"], self.lines[0].new)

    @property
    def first_change(self) -> int:
        """The number after the change of the first line that it touches, or of the line before that."""
        return next((line.new for line in self.lines if line.mark in "+-"), self.lines[0].new)

    @property
    def is_only_line_ends(self) -> bool:
        """Whether only line endings differ, which are not shown."""
        old = [line.text for line in self.lines if line.mark in " -"]
        return old == [line.text for line in self.lines if line.mark in " +"] and self.added > 0

    def text(self, title: str = "") -> str:
        """Return the hunk as a unified diff has it, with the ``title`` of what it is part of."""
        head = f"@@ -{_range(self.old_span)} +{_range(self.new_span)} @@"
        body = "".join(f"{line.mark}{line.text}\n" for line in self.lines)
        return f"{head} {title}\n{body}" if title else f"{head}\n{body}"


def parse_hunks(lines: Sequence[str]) -> tuple[Hunk, ...]:
    """Read the hunks from the lines of one file's part of a diff; lines before the first are skipped."""
    found: list[Hunk] = []
    body: list[DiffLine] = []
    old = new = old_left = new_left = 0
    for line in lines:
        if old_left <= 0 and new_left <= 0 and not (body and line[:1] == _NO_NEWLINE):
            header = _HEADER.match(line)
            if header is None:
                continue
            found += _close_hunk(body)
            body = []
            old_left, new_left = int(header[2] or 1), int(header[4] or 1)
            old, new = int(header[1]) - (old_left > 0), int(header[3]) - (new_left > 0)
            continue
        mark, text = line[:1] or " ", line[1:]
        old, new = old + (mark in " -"), new + (mark in " +")
        old_left, new_left = old_left - (mark in " -"), new_left - (mark in " +")
        body.append(DiffLine(mark, text, old, new))
    return (*found, *_close_hunk(body))


def narrow_hunks(hunks: Iterable[Hunk], context: int) -> tuple[Hunk, ...]:
    """Narrow hunks to the same changes with at most ``context`` unchanged lines around each."""
    return tuple(part for hunk in hunks for part in _narrow(hunk, context))


def new_file_hunks(lines: Sequence[str]) -> tuple[Hunk, ...]:
    """Return the hunk that adds every line of a new file."""
    return _close_hunk([DiffLine("+", line, 0, number) for number, line in enumerate(lines, 1)])


def _narrow(hunk: Hunk, context: int) -> list[Hunk]:
    lines = hunk.lines
    changes = [at for at, line in enumerate(lines) if line.mark in "+-"]
    kept: set[int] = set()
    for at in changes:
        kept.update(range(max(0, at - context), min(len(lines), at + context + 1)))
    kept.update(at for at in range(1, len(lines)) if lines[at].mark == _NO_NEWLINE and at - 1 in kept)
    parts: list[list[DiffLine]] = []
    before = -2
    for at in sorted(kept):
        if at != before + 1:
            parts.append([])
        parts[-1].append(lines[at])
        before = at
    return [Hunk(tuple(part)) for part in parts]


def _close_hunk(body: list[DiffLine]) -> tuple[Hunk, ...]:
    return (Hunk(tuple(body)),) if body else ()


def _span(numbers: Sequence[int], before: int) -> tuple[int, int]:
    return (numbers[0], numbers[-1]) if numbers else (before, before - 1)


def _range(span: tuple[int, int]) -> str:
    count = span[1] - span[0] + 1
    return str(span[0]) if count == 1 else f"{span[0]},{count}"


@dataclass(frozen=True, slots=True)
class CommitMessage:
    """A commit of a range: abbreviated hash, day (ISO), first line and the rest of its message."""

    hash: str
    day: str
    subject: str
    body: str = ""


@dataclass(frozen=True, slots=True)
class FileChange:
    """A changed file.

    ``old_path`` differs from ``path`` after a rename. ``remark`` says why no hunk is there to be shown: a binary, a
    submodule, a mere rename; it is empty if ``hunks`` show everything.
    """

    path: str
    old_path: str
    status: str  # A added, D deleted, M modified, R renamed, T another type, U in conflict
    kind: Kind
    language: str
    traits: tuple[Trait, ...] = ()
    added: int = 0
    removed: int = 0
    hunks: tuple[Hunk, ...] = ()
    remark: str = ""
    modes: tuple[str, str] = ("", "")  # before and after, where they differ
    old_blob: str = ""  # empty where there is no such side, or where git knows no blob of it
    new_blob: str = ""

    @property
    def counts(self) -> str:
        """``+12 −3``."""
        return line_counts(self.added, self.removed)

    @property
    def removed_lines(self) -> list[int]:
        """The numbers that the removed lines had."""
        return [line.old for hunk in self.hunks for line in hunk.lines if line.mark == "-"]


@dataclass(frozen=True)
class Change:
    """The difference between two states: the files in git's order, and the commits between them, newest first."""

    revisions: Revisions
    files: tuple[FileChange, ...]
    messages: tuple[CommitMessage, ...] = ()
    more_messages: int = 0  # further commits that are only counted
    texts: Mapping[str, str] = field(default_factory=dict)  # of the blobs that the work tree does not hold

    @property
    def title(self) -> str:
        """The compared states, as the user would name them."""
        return self.revisions.title

    @cached_property
    def counts(self) -> str:
        """``3 files, +12 −3``."""
        added, removed = sum(each.added for each in self.files), sum(each.removed for each in self.files)
        files = number_of(len(self.files), "file")
        return f"{files}, {line_counts(added, removed)}" if added or removed else files

    @property
    def subjects(self) -> Sequence[str]:
        """The first lines of the commit messages."""
        return [message.subject for message in self.messages]


def line_counts(added: int, removed: int) -> str:
    """``+12 −3``; a side without lines is left out, ``no lines`` if both are."""
    sides = (f"+{added:,}" if added else "", f"−{removed:,}" if removed else "")
    return " ".join(side for side in sides if side) or "no lines"


@dataclass(frozen=True, slots=True)
class Side:
    """One state of a file. ``is_current`` tells whether it is the state on disk."""

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
    """A definition that a diff changed, and how many lines of it; if ``is_gone``, as it was before."""

    file: FileChange
    symbol: Symbol
    side: Side
    lines: int
    is_gone: bool = False


_NOT_WRITTEN = frozenset({Trait.GENERATED, Trait.MINIFIED, Trait.VENDORED})


def changed_definitions(change: Change, view: IndexView) -> tuple[Changed, ...]:
    """The definitions by file, in the order of the diff, then by line; of code and tests that people wrote."""
    return tuple(each for file in change.files if file.hunks for each in _of_file(change, file, view))


def names_of_changed(changed: Iterable[Changed], path: str = "") -> Mapping[str, tuple[Changed, ...]]:
    """The names that other code uses for changed definitions, in all files or in one; for ``__init__`` its class."""
    found: dict[str, tuple[Changed, ...]] = {}
    for each in changed:
        if each.file.kind.lane is not Lane.CODE or (path and each.file.path != path):
            continue
        parts = [part for part in each.symbol.qualified.split(".") if not _SPECIAL.fullmatch(part)]
        if parts and len(parts[-1]) >= _SHORTEST:
            found[parts[-1]] = (*found.get(parts[-1], ()), each)
    return found


def _of_file(change: Change, file: FileChange, view: IndexView) -> Iterable[Changed]:
    if file.kind.lane is Lane.DOCS or not _NOT_WRITTEN.isdisjoint(file.traits):
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
    """The definition to show for a line: the innermost, the function around it, or the largest new one around it."""
    unit = side.parsed.enclosing(number, number)
    outer = [each for each in side.parsed.symbols if each.start_line <= number <= each.end_line]
    for each in sorted(outer, key=lambda symbol: symbol.end_line - symbol.start_line):
        lines = range(each.start_line, each.end_line + 1)
        is_function = each.kind in _CALLABLE and len(lines) <= _LONG
        if is_function or touched.issuperset(lines):
            unit = each
    return unit


MOST_NAMES = 30  # of definitions that the changed lines use
_COMMON = 40  # places that define a name: in more of them it says nothing


def names_used(change: Change, view: IndexView) -> list[str]:
    """Names in the changed lines that the repository defines, the most frequent first.

    Nothing else of the lines goes into the query, which a report repeats: a secret is not a definition.
    """
    counts = Counter(word for line in _changed_lines(change) for word in set(raw_words(line)) if is_identifier(word))
    ranked = sorted(counts, key=lambda word: (-counts[word], word))
    defined = (word for word in ranked if 0 < len(view.postings.terms("definition", word.lower()).docs) <= _COMMON)
    return [word for word, _ in zip(defined, range(MOST_NAMES), strict=False)]


def _changed_lines(change: Change) -> Iterator[str]:
    for file in change.files:
        if file.kind.lane is Lane.CODE and not file.traits:
            yield from (line.text for hunk in file.hunks for line in hunk.lines if line.mark in "+-")


# What kind of change it is, and of which release, tells nothing of its subject: "docs: minor fix of the readme".
_IDLE = lazy_pattern(
    r"\bv?\d{1,6}(?:\.\d{1,6}){1,4}\b"
    r"|^(?:build|chore|ci|docs?|feat|fix|perf|refactor|style|tests?)(?:\([^()\n]{0,60}\))?!?:"
    r"|\b(?:docs|documentation|issues?|minor|readme(?:\.md)?|typos?)\b",
    re.IGNORECASE | re.MULTILINE,
)
_WORD = lazy_pattern(r"[^\W\d_]{3}")


def subject_said(messages: str) -> str:
    """Messages of commits without what they say of any change; empty where nothing is left."""
    said = _IDLE.sub(" ", messages).strip()
    return said if _WORD.search(said) else ""
