"""What came of one task: where the changed files stand in the ranking, and what of them is in the pack."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Protocol

from ctxpack.errors import NothingFoundError, UsageError
from ctxpack.evaluate.commits import ChangedFile, Task
from ctxpack.model import Candidate, Form, Lane, Pack, Request, Scope
from ctxpack.settings import Settings

DEPTHS: Final = (1, 3, 5, 10)
MEASURES: Final = (*(f"acc@{depth}" for depth in DEPTHS), "mrr", "files", "lines")
"""A changed file among the first n; 1 / its rank; the share of changed files and of changed lines in the pack."""
_LISTED: Final = 200  # matches whose files have a rank
_WITH_TEXT: Final = (Form.FULL, Form.EXCERPT)


class Packed(Protocol):
    """A report."""

    @property
    def pack(self) -> Pack:
        """What was packed."""


class Ranked(Protocol):
    """The result of a search."""

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """The ranking, best first."""


class Engine(Protocol):
    """What is evaluated; ``ctxpack.pipeline`` is one."""

    def pack(self, request: Request, settings: Settings) -> Packed:
        """The report of a request."""

    def search(self, text: str, settings: Settings) -> Ranked:
        """The best ``settings.limit`` matches of a text."""


@dataclass(frozen=True, slots=True)
class Found:
    """What came of one changed file. ``rank`` counts files from 1; 0 is one that is not in the ranking."""

    path: str
    lane: Lane
    rank: int
    in_pack: bool
    lines: int  # that the commit changed
    lines_in_pack: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one task; at least one file."""

    task: Task
    files: tuple[Found, ...]

    @property
    def measures(self) -> tuple[float, ...]:
        """One number from 0 to 1 for each of ``MEASURES``."""
        best = min((each.rank for each in self.files if each.rank), default=0)
        accuracy = [float(0 < best <= depth) for depth in DEPTHS]
        files = sum(each.in_pack for each in self.files) / len(self.files)
        lines = sum(each.lines_in_pack for each in self.files) / sum(each.lines for each in self.files)
        return (*accuracy, 1 / best if best else 0.0, files, lines)

    def within(self, lane: Lane) -> Outcome | None:
        """The same for the changed files of one lane, or None if there are none."""
        files = tuple(each for each in self.files if each.lane is lane)
        return Outcome(self.task, files) if files else None


def outcome_of(task: Task, settings: Settings, engine: Engine) -> Outcome:
    """Ask for a task and compare the answer with its commit. A repository where nothing matches finds nothing."""
    try:
        pack = engine.pack(Request(Scope.TASK, text=task.text), settings).pack
        candidates = engine.search(task.text, replace(settings, limit=_LISTED)).candidates
    except (NothingFoundError, UsageError):  # no match; no file that may be searched as of this commit
        return Outcome(task, tuple(_found(each, {}, {}) for each in task.files))
    paths = dict.fromkeys(each.file.path for each in candidates)
    ranks = {path: rank for rank, path in enumerate(paths, 1)}
    held = _held(pack)
    return Outcome(task, tuple(_found(each, ranks, held) for each in task.files))


def _held(pack: Pack) -> Mapping[str, set[int]]:
    """The lines of each file whose text is in the pack."""
    held: dict[str, set[int]] = {}
    for piece in pack.selection.fragments:
        if piece.form in _WITH_TEXT:
            origin = piece.provenance
            held.setdefault(origin.path, set()).update(range(origin.start_line, origin.end_line + 1))
    return held


def _found(changed: ChangedFile, ranks: Mapping[str, int], held: Mapping[str, set[int]]) -> Found:
    lines = {line for first, last in changed.spans for line in range(first, last + 1)}
    in_pack = held.get(changed.path, set())
    rank = ranks.get(changed.path, 0)
    return Found(changed.path, changed.lane, rank, bool(in_pack), len(lines), len(lines & in_pack))
