"""The file set of a folder that is no git repository, by git's own rules: with an empty repository beside it."""

# ruff: noqa: PTH103, PTH110, PTH112, PTH113, PTH114, PTH118, PTH120 -- tens of thousands of names as text with surrogate escapes
from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from ctxpack.discover.listing import Listing, joined, look_at
from ctxpack.discover.process import Git, GitError, split_records
from ctxpack.discover.worktree import list_repositories


@contextmanager
def borrowed(git: Git) -> Iterator[Git]:
    """A git that takes the folder for the work tree of an empty repository, which lives as long as the block.

    A ``.git`` that git itself refuses to read still lends its ``info/exclude``. Raises GitError if none can be made.
    """
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix="ctxpack-") as empty:
        git.inside(empty).start("init", "-q", "--bare", "--template=", empty).text()
        top = holder_of(git.folder) or git.folder
        _lend_excludes(top, empty)
        yield Git(git.executable, git.folder, (f"--git-dir={empty}", f"--work-tree={top}"))


def list_folder(git: Git, *, use_gitignore: bool) -> Listing:
    """All files below ``git.folder`` that no ignore file hides, and those of the git repositories inside it.

    Raises GitError if git cannot do it.
    """
    standard = ("--exclude-standard",) if use_gitignore else ()
    with borrowed(git) as lent:
        paths = split_records(lent.start("ls-files", "-z", "-o", *standard).text())
    repositories = sorted(path.removesuffix("/") for path in paths if path.endswith("/"))
    files = Listing(tuple(look_at(git.folder, (path for path in paths if not path.endswith("/")))))
    return joined((files, *list_repositories(git, repositories, use_gitignore=use_gitignore)))


def holder_of(folder: str) -> str | None:
    """The nearest folder, this or above, that holds a ``.git`` which looks like a repository's."""
    while True:
        mark = os.path.join(folder, ".git")
        if os.path.isfile(mark) or os.path.exists(os.path.join(mark, "HEAD")):
            return folder
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above


def is_bare(folder: str) -> bool:
    """Whether a folder is a git repository without a work tree."""
    parts = ("objects", "refs")
    is_git = os.path.isfile(os.path.join(folder, "HEAD")) and os.path.isfile(os.path.join(folder, "config"))
    return is_git and all(os.path.isdir(os.path.join(folder, part)) for part in parts)


def _lend_excludes(top: str, empty: str) -> None:
    source = os.path.join(top, ".git", "info", "exclude")
    if not os.path.isfile(source) or os.path.islink(source):
        return
    try:
        os.makedirs(os.path.join(empty, "info"), exist_ok=True)
        shutil.copyfile(source, os.path.join(empty, "info", "exclude"))
    except OSError as error:
        raise GitError(f"{source} cannot be read") from error
