"""Evaluate the ranking on the commits of a repository, each asked by its message under each of the settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from ctxpack.errors import NothingFoundError, UsageError
from ctxpack.light import dataclass, replace
from ctxpack.model import Lane, Pack, Request, Scope
from ctxpack.pipeline import run_pack, search
from ctxpack.settings import Settings
from ctxpack.settings.roots import check_one_root
from ctxpack.system.clock import Progress
from ctxpack.system.git import Git, GitError, find_git
from ctxpack.workflows.commit_tasks import INCOMPLETE, ChangedFile, Task, last_tasks, temporary_checkout

DEPTHS: Final = (1, 3, 5, 10)
MEASURES: Final = (*(f"acc@{depth}" for depth in DEPTHS), "mrr", "files", "lines")
"""A changed file among the first n; 1 / its rank; the share of changed files and of changed lines in the pack."""
_LISTED: Final = 200  # matches whose files have a rank
_RESAMPLES: Final = 2_000
_BOUNDS: Final = (2.5, 97.5)  # percentiles of a 95 % interval
_SEED: Final = 20_260_101


@dataclass(frozen=True, slots=True)
class FileOutcome:
    """The result for a changed file. ``rank`` counts files from 1; 0 means that it is not ranked."""

    path: str
    lane: Lane
    rank: int
    in_pack: bool
    lines: int  # that the commit changed
    lines_in_pack: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a task, for at least one file."""

    task: Task
    files: tuple[FileOutcome, ...]

    @property
    def measures(self) -> tuple[float, ...]:
        """One number from 0 to 1 for each of ``MEASURES``."""
        best = min((each.rank for each in self.files if each.rank), default=0)
        accuracy = [float(0 < best <= depth) for depth in DEPTHS]
        files = sum(each.in_pack for each in self.files) / len(self.files)
        lines = sum(each.lines_in_pack for each in self.files) / sum(each.lines for each in self.files)
        return (*accuracy, 1 / best if best else 0.0, files, lines)

    def within(self, lane: Lane) -> Outcome | None:
        """Return the same for the changed files of one lane, or None if there are none."""
        files = tuple(each for each in self.files if each.lane is lane)
        return Outcome(self.task, files) if files else None


def outcome_of(task: Task, settings: Settings) -> Outcome:
    """Ask for a task and compare the answer with its commit. A repository where nothing matches finds nothing."""
    try:
        held = _packed_lines(run_pack(Request(Scope.TASK, text=task.text), settings).pack)
        candidates = search(task.text, replace(settings, limit=_LISTED)).candidates
    except (NothingFoundError, UsageError):  # no match; no file that may be searched as of this commit
        return Outcome(task, tuple(_file_outcome(each, {}, {}) for each in task.files))
    paths = dict.fromkeys(each.file.path for each in candidates)
    ranks = {path: rank for rank, path in enumerate(paths, 1)}
    return Outcome(task, tuple(_file_outcome(each, ranks, held) for each in task.files))


def _packed_lines(packed: Pack) -> Mapping[str, set[int]]:
    """Return the lines of each file whose text is in the pack."""
    held: dict[str, set[int]] = {}
    for piece in packed.selection.fragments:
        if piece.form.holds_lines:
            origin = piece.provenance
            held.setdefault(origin.path, set()).update(range(origin.start_line, origin.end_line + 1))
    return held


def _file_outcome(changed: ChangedFile, ranks: Mapping[str, int], held: Mapping[str, set[int]]) -> FileOutcome:
    lines = {line for first, last in changed.spans for line in range(first, last + 1)}
    in_pack = held.get(changed.path, set())
    rank = ranks.get(changed.path, 0)
    return FileOutcome(changed.path, changed.lane, rank, bool(in_pack), len(lines), len(lines & in_pack))


@dataclass(frozen=True, slots=True)
class Figure:
    """A mean and its 95 % interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class LaneFigures:
    """The figures of the tasks that changed files of one lane, counting only those files."""

    lane: Lane
    tasks: int
    figures: Mapping[str, Figure]


def figures_of(outcomes: Sequence[Outcome]) -> Mapping[str, Figure]:
    """Return a figure for each of ``MEASURES``; at least one outcome."""
    return _figures([each.measures for each in outcomes])


def by_lane(outcomes: Sequence[Outcome]) -> tuple[LaneFigures, ...]:
    """Return the figures of each lane that some task changed."""
    found = []
    for lane in Lane:
        inside = [narrow for each in outcomes if (narrow := each.within(lane))]
        if inside:
            found.append(LaneFigures(lane, len(inside), figures_of(inside)))
    return tuple(found)


def differences(base: Sequence[Outcome], other: Sequence[Outcome]) -> Mapping[str, Figure]:
    """Return how much ``other`` gains over ``base``, paired by task; both have the same tasks in the same order."""
    pairs = [(one.measures, two.measures) for one, two in zip(base, other, strict=True)]
    return _figures([tuple(new - old for old, new in zip(*pair, strict=True)) for pair in pairs])


def _figures(rows: Sequence[Sequence[float]]) -> Mapping[str, Figure]:
    import numpy as np

    table = np.array(rows, np.float64)
    drawn = np.random.default_rng(_SEED).integers(0, len(table), (_RESAMPLES, len(table)))
    means = np.stack([table[each].mean(axis=0) for each in drawn])
    low, high = np.percentile(means, _BOUNDS, axis=0)
    return {
        name: Figure(*(round(float(value[at]), 4) for value in (table.mean(axis=0), low, high)))
        for at, name in enumerate(MEASURES)
    }


@dataclass(frozen=True, slots=True)
class Variant:
    """Settings to try, and what the user calls them."""

    name: str
    settings: Settings


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The outcomes of each variant over the same tasks, oldest first, and what was left out for which reason."""

    outcomes: Mapping[str, tuple[Outcome, ...]]
    left_out: Mapping[str, int]


def evaluate_commits(variants: Sequence[Variant], commits: int, *, on_progress: Progress | None = None) -> Evaluation:
    """Ask for the last ``commits`` suitable commits of the repository, under each of the variants.

    ``on_progress`` hears of (stage, done, total). All variants have one root.
    Raises UsageError outside a git repository, NothingFoundError if no commit is suitable, and what ``pack`` raises.
    """
    settings = variants[0].settings
    git = _git(settings)
    chosen = last_tasks(git, commits, settings.kinds)
    outcomes: dict[str, list[Outcome]] = {each.name: [] for each in variants}
    absent = 0
    with temporary_checkout(git) as checkout:
        for done, task in enumerate(chosen.tasks):
            if on_progress:
                on_progress("evaluating commits", done, len(chosen.tasks))
            if checkout.show(task.parent):
                for each in variants:
                    its = replace(each.settings, root=checkout.root, cache_dir=checkout.cache_dir)
                    outcomes[each.name].append(outcome_of(task, replace(its, use_cache=True, format="markdown")))
            else:
                absent += 1
    left_out = dict(chosen.left_out)
    if absent:
        left_out[INCOMPLETE] = left_out.get(INCOMPLETE, 0) + absent
    if absent == len(chosen.tasks):
        raise _nothing_found_error(left_out)
    return Evaluation({name: tuple(each) for name, each in outcomes.items()}, left_out)


def _git(settings: Settings) -> Git:
    check_one_root(settings, "An evaluation is about")
    git = find_git(str(settings.root))
    if git is None:
        raise UsageError("An evaluation needs git.", hint="Install git and run it in a repository with commits.")
    try:
        git.start("rev-parse", "--verify", "--quiet", "HEAD").text()
    except GitError as error:
        raise UsageError(
            f"{settings.root} is not a git repository with commits.",
            hint="Give --root a repository with a history.",
        ) from error
    return git


def _nothing_found_error(left_out: Mapping[str, int]) -> NothingFoundError:
    reasons = "; ".join(f"{reason} ({count})" for reason, count in left_out.items()) or "there are none"
    return NothingFoundError(
        f"No commit is suitable as a task: {reasons}.",
        hint="A task is a commit with a message that changes at most 20 files, among them one that its parent has.",
    )
