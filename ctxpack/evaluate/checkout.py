"""A folder of its own that shows a repository as of any commit: the user's files, index and branches stay alone."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ctxpack.discover.process import Git, GitError
from ctxpack.errors import InternalError

# the objects are taken as they are: nothing is fetched, filtered or converted while they are written
_VERBATIM: Final = (
    "-c", "filter.lfs.smudge=",
    "-c", "filter.lfs.process=",
    "-c", "filter.lfs.required=false",
    "-c", "core.autocrlf=false",
    "-c", "core.longpaths=true",
    "-c", "advice.detachedHead=false",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Checkout:
    """A work tree that borrows the objects of another repository. ``root`` is what the user's root is there."""

    root: Path
    cache_dir: Path
    git: Git

    def show(self, commit: str) -> bool:
        """Make the tree and HEAD those of a commit; False if git cannot, or if the root is no folder there."""
        try:
            self.git.start(*_VERBATIM, "checkout", "--quiet", "--force", "--detach", commit).text()
        except GitError:
            return False
        return self.root.is_dir()


@contextmanager
def checkout_of(git: Git) -> Iterator[Checkout]:
    """A checkout of the repository around the folder of ``git``, which goes away afterwards. Raises InternalError."""
    with tempfile.TemporaryDirectory(prefix="ctxpack-eval-", ignore_cleanup_errors=True) as folder:
        try:
            yield _made(git, Path(folder).resolve())
        except GitError as error:
            raise InternalError(f"The repository {git.folder} cannot be checked out elsewhere: {error}.") from error


def _made(git: Git, folder: Path) -> Checkout:
    top, objects, shallow, prefix, form = (
        git.start("rev-parse", *asked).text().rstrip("\n")
        for asked in (
            ("--show-toplevel",),
            ("--git-path", "objects"),
            ("--git-path", "shallow"),
            ("--show-prefix",),
            ("--show-object-format",),
        )
    )
    tree = folder / (Path(top).name or "repository")  # the name of a repository is a word that counts
    tree.mkdir()
    own = git.inside(str(tree))
    own.start("init", "--quiet", "--template=", f"--object-format={form}").text()
    info = tree / ".git" / "objects" / "info"
    info.mkdir(exist_ok=True)
    borrowed = (Path(git.folder) / objects).resolve()
    (info / "alternates").write_text(f"{borrowed.as_posix()}\n", encoding="utf-8", errors="surrogateescape", newline="")
    if (Path(git.folder) / shallow).is_file():
        shutil.copyfile(Path(git.folder) / shallow, tree / ".git" / "shallow")
    return Checkout(tree / prefix, folder / "cache", own)
