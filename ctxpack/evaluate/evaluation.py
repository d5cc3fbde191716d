"""The whole evaluation: commits become tasks, each is asked in the tree of its parent, under each of the settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ctxpack.clock import Progress
from ctxpack.errors import NothingFoundError, UsageError
from ctxpack.evaluate.outcome import Outcome, outcome_of
from ctxpack.evaluate.tasks import INCOMPLETE, Checkout, Task, last_tasks, temporary_checkout
from ctxpack.git import Git, GitError, find_git
from ctxpack.settings import Settings


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


def evaluate(variants: Sequence[Variant], commits: int, *, on_progress: Progress | None = None) -> Evaluation:
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
                    outcomes[each.name].append(_outcome(task, each, checkout))
            else:
                absent += 1
    left_out = dict(chosen.left_out)
    if absent:
        left_out[INCOMPLETE] = left_out.get(INCOMPLETE, 0) + absent
    if absent == len(chosen.tasks):
        raise _nothing(left_out)
    return Evaluation({name: tuple(each) for name, each in outcomes.items()}, left_out)


def _outcome(task: Task, variant: Variant, checkout: Checkout) -> Outcome:
    its = replace(variant.settings, root=checkout.root, cache_dir=checkout.cache_dir, use_cache=True, format="markdown")
    return outcome_of(task, its)


def _git(settings: Settings) -> Git:
    git = find_git(str(settings.root))
    if git is None:
        raise UsageError("An evaluation needs git.", hint="Install git and run it in a repository with commits.")
    try:
        git.start("rev-parse", "--verify", "--quiet", "HEAD").text()
    except GitError as error:
        raise UsageError(
            f"{settings.root} is no git repository with a commit.", hint="Give --root a repository that has a history."
        ) from error
    return git


def _nothing(left_out: Mapping[str, int]) -> NothingFoundError:
    reasons = "; ".join(f"{reason} ({count})" for reason, count in left_out.items()) or "there are none"
    return NothingFoundError(
        f"No commit is suitable as a task: {reasons}.",
        hint="A task is a commit with a message that changes at most 20 files, among them one that its parent has.",
    )
