"""Where the file set comes from, best first: git's work tree, a folder by git's rules, our own walk; and its state."""

# ruff: noqa: PTH100, PTH119 -- tens of thousands of names as text with surrogate escapes
from __future__ import annotations

import os
from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from ctxpack.discover.listing import Listing
from ctxpack.discover.worktree import empty_repository, list_folder, list_worktree
from ctxpack.light import dataclass, field
from ctxpack.model import RepositoryState, Skipped
from ctxpack.system.clock import Timekeeper
from ctxpack.system.git import (
    Git,
    GitBlockedError,
    GitError,
    GitProcess,
    GitTimeoutError,
    enclosing_repository,
    find_git,
    has_record,
    split_records,
)

if TYPE_CHECKING:
    from ctxpack.discover.walk import Walk

UNREAD_RECORD = "git cannot read this repository"
_NO_REPOSITORY = ("not a git repository", "must be run in a work tree")


class Way(Enum):
    """How the files of a root are found."""

    WORKTREE = "git work tree"
    FOLDER = "folder, by git's rules"
    WALK = "folder, without git"


@dataclass(slots=True)
class Source:
    """The file set of one root, and what git's ignore rules hide from it."""

    root: str
    use_gitignore: bool
    keeper: Timekeeper = field(default_factory=Timekeeper)
    way: Way = Way.WALK
    git: Git | None = None
    note: Skipped | None = None  # why a repository could not be read as one
    blocked: GitBlockedError | None = None  # what git was found to wait for before
    _walk: Walk | None = None

    def list(self) -> Listing:
        """List the files, and set the ``way`` that later questions use."""
        self.git = find_git(self.root, self.keeper)
        if self.git is not None and has_record(self.root):  # else four processes would only say that there is none
            try:
                if self.blocked is not None:
                    raise self.blocked
                listing = list_worktree(self.git, use_gitignore=self.use_gitignore)
                self.way = Way.WORKTREE
            except GitTimeoutError as error:
                self._remember(error)
                self.git = None  # it would wait again
            except GitError as error:
                self._remember(error)
            else:
                return listing
        if self.git is not None:
            try:
                listing = list_folder(self.git, use_gitignore=self.use_gitignore)
                self.way = Way.FOLDER
            except GitError:  # the folders are walked instead
                self.git = None
            else:
                return listing
        from ctxpack.discover.walk import list_by_walking

        return list_by_walking(self.root, self.keeper, use_gitignore=self.use_gitignore)

    def list_hidden(self) -> Sequence[str]:
        """Return what git's rules hide: files, and whole folders with a slash at the end. Empty where those are off."""
        if not self.use_gitignore:
            return ()
        if self.way is Way.WALK:
            return tuple(self._outside_git().hidden)
        return self._ask("ls-files", "-z", "-o", "-i", "--exclude-standard", "--directory")

    def below(self, folders: Sequence[str]) -> Sequence[str]:
        """List the files below hidden ``folders``."""
        from ctxpack.discover.walk import files_below

        return [path for folder in folders for path in files_below(self.root, folder.removesuffix("/"))]

    def rules(self, paths: Sequence[str]) -> Sequence[str]:
        """Return for each path the reason why git hides it, or ``""``."""
        if not self.use_gitignore or not paths:
            return [""] * len(paths)
        if self.way is Way.WALK:
            return [self._walked_rule(path) for path in paths]
        request = "".join(f"{path}\0" for path in paths)
        fields = self._ask("check-ignore", "-z", "-v", "-n", "--stdin", data=request)
        rows = (fields[start : start + 3] for start in range(0, len(fields) - 3, 4))
        return [f'ignored by {name}: "{text}"' if name and text[:1] != "!" else "" for name, _, text in rows]

    def _ask(self, *arguments: str, data: str = "") -> Sequence[str]:
        git = self.git
        if git is None:
            return ()
        try:
            if self.way is Way.WORKTREE:
                return _answer(git, arguments, data)
            with empty_repository(git) as its:
                return _answer(its, arguments, data)
        except GitError:
            return ()  # only an explanation is lost

    def _outside_git(self) -> Walk:
        if self._walk is None:
            from ctxpack.discover.walk import start_walk

            walk = start_walk(self.root, use_gitignore=self.use_gitignore)
            self._walk = walk.run(self.keeper.without_limit())
            prefix = f"{self._walk.inner}/" if self._walk.inner else ""
            self._walk.hidden = {path.removeprefix(prefix): why for path, why in self._walk.hidden.items()}
        return self._walk

    def _walked_rule(self, path: str) -> str:
        hidden = self._outside_git().hidden
        folders = path.split("/")[:-1]
        names = [path, *("/".join(folders[:depth]) + "/" for depth in range(1, len(folders) + 1))]
        return next((hidden[name] for name in names if name in hidden), "")

    def _remember(self, error: GitError) -> None:
        """Keep a note about a repository that is broken or owned by someone else, but not about a plain folder."""
        message = str(error)
        if enclosing_repository(self.root) and not any(part in message for part in _NO_REPOSITORY):
            self.note = Skipped(".git", f"{UNREAD_RECORD}, its index was not used: {message}")


def _answer(git: Git, arguments: Sequence[str], data: str) -> Sequence[str]:
    return split_records(git.start(*arguments, reads_input=bool(data)).text(data, accept=(0, 1)))


@dataclass(frozen=True, slots=True)
class StateRuns:
    """The processes that ask for the state."""

    head: GitProcess
    branch: GitProcess


def start_state(git: Git) -> StateRuns:
    """Ask git for the state while the listing runs. Raises GitError if git cannot run."""
    return StateRuns(
        git.start("rev-list", "--timestamp", "-n1", "HEAD", "--"), git.start("symbolic-ref", "-q", "--short", "HEAD")
    )


def read_state(root: Path, runs: StateRuns | None, *, is_git: bool) -> RepositoryState:
    """Read the state of the repository that holds ``root``, without its changes; outside git only its name.

    Of a folder within a repository the name says which one it is.
    """
    place = os.path.realpath(root)
    top = enclosing_repository(place) or place
    name = os.path.basename(top) or top
    if place != top:
        name = f"{name}/{os.path.relpath(place, top).replace(os.sep, '/')}"
    head = _output(runs.head) if runs else ""
    branch = _output(runs.branch) if runs else ""
    if not is_git:
        return RepositoryState(root, name)
    seconds, _, commit = head.partition(" ")
    return RepositoryState(root, name, commit, branch, int(seconds or 0), is_git=True)


def find_root(path: Path) -> Path:
    """The top of the git work tree around ``path``; without one, the path itself or its folder."""
    folder = path if path.is_dir() else path.parent
    holder = enclosing_repository(os.path.abspath(folder))
    return Path(holder) if holder else folder


def _output(run: GitProcess) -> str:
    try:
        return run.text().strip()
    except GitError:
        return ""  # nothing is committed yet, or no branch is checked out
