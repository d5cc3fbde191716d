"""Which repository this is, and in which state."""

# ruff: noqa: PTH100, PTH119 -- tens of thousands of names as text with surrogate escapes
from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from ctxpack.discover.folder import holder_of
from ctxpack.discover.process import Git, GitError, Running
from ctxpack.model import RepositoryState


@dataclass(frozen=True, slots=True)
class StateRuns:
    """The processes that ask for the state."""

    head: Running
    branch: Running


def start_state(git: Git) -> StateRuns:
    """Ask while the listing runs. Raises GitError if git cannot run."""
    return StateRuns(
        git.start("rev-list", "--timestamp", "-n1", "HEAD", "--"), git.start("symbolic-ref", "-q", "--short", "HEAD")
    )


def read_state(root: Path, runs: StateRuns | None, *, is_git: bool) -> RepositoryState:
    """The state of the repository that holds ``root``, changes left aside; outside git only its name.

    Of a folder within a repository the name says which one it is.
    """
    place = os.path.realpath(root)
    top = holder_of(place) or place
    name = os.path.basename(top) or top
    if place != top:
        name = f"{name}/{os.path.relpath(place, top).replace(os.sep, '/')}"
    head = _answer(runs.head) if runs else ""
    branch = _answer(runs.branch) if runs else ""
    if not is_git:
        return RepositoryState(root, name)
    seconds, _, commit = head.partition(" ")
    return RepositoryState(root, name, commit, branch, int(seconds or 0), is_git=True)


def find_root(path: Path) -> Path:
    """The top of the git work tree that holds ``path``; without one, the path itself, or the folder it lies in."""
    folder = path if path.is_dir() else path.parent
    holder = holder_of(os.path.abspath(folder))
    return Path(holder) if holder else folder


def _answer(run: Running) -> str:
    try:
        return run.text().strip()
    except GitError:
        return ""  # nothing is committed yet, or no branch is checked out
