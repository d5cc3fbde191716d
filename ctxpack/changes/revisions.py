"""Which two states a diff compares: what the user typed becomes two commits, the index or the work tree."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ctxpack.errors import UsageError
from ctxpack.model import Request
from ctxpack.settings import Settings
from ctxpack.system.git import Git, GitError, find_git

_EXAMPLES = "Name a commit, a branch or a range: ctxpack diff main, ctxpack diff v1.0..HEAD"
_ONE_COMMIT = "^!"  # git's own ending for what one commit changed


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


def resolve_revisions(request: Request, settings: Settings) -> tuple[Git, Revisions]:
    """Git for the root of ``settings``, and what the request of a diff compares.

    Raises UsageError where there is no git, for a name that is no commit, and for a range that cannot be staged.
    """
    git = _git(settings.root)
    written = request.revision.strip()
    if written.startswith("-"):
        raise UsageError(f"{written} is an option, not a revision.", hint=_EXAMPLES)
    head = _commit(git, "HEAD") or ""
    left, dots, right = _split_range(written)
    if dots and request.is_staged:
        raise UsageError(f"{written} names two commits, so nothing of it is staged.", hint="Leave --staged out.")
    if dots:
        return git, _range(git, written, (left, dots, right), head)
    if written.endswith(_ONE_COMMIT):
        return git, _one(git, written, head)
    old = _require_commit(git, written) if written else head
    return git, Revisions(
        _title(written, is_staged=request.is_staged),
        old or _empty_tree(git),
        "",
        head,
        has_old=bool(old),
        is_staged=request.is_staged,
    )


def _git(root: Path) -> Git:
    git = find_git(str(root))
    if git is None:
        raise UsageError("A diff needs git, which is not installed.", hint="Install git, or try: ctxpack task")
    try:
        is_inside = git.start("rev-parse", "--is-inside-work-tree").text().strip() == "true"
    except GitError as error:
        if "not a git repository" not in str(error):
            raise UsageError(f"Git cannot read the repository {root}: {error}.") from error
        is_inside = False
    if not is_inside:
        raise UsageError(f"{root} is not a git work tree, so there is no diff.", hint="Give --root a git repository.")
    return git


def _split_range(written: str) -> tuple[str, str, str]:
    """Both sides of a range and its dots; without dots it is no range."""
    dots = "..." if "..." in written else ".." if ".." in written else ""
    left, _, right = written.partition(dots) if dots else (written, "", "")
    return left, dots, right


def _range(git: Git, written: str, parts: tuple[str, str, str], head: str) -> Revisions:
    left, dots, right = parts
    old, new = (_require_commit(git, side or "HEAD") for side in (left, right))
    if dots == "...":
        try:
            old = git.start("merge-base", old, new).text().split()[0]
        except GitError as error:
            raise UsageError(f"{left or 'HEAD'} and {right or 'HEAD'} share no commit.", hint=_EXAMPLES) from error
    return Revisions(written, old, new, head)


def _one(git: Git, written: str, head: str) -> Revisions:
    """Return what one commit changed since its first parent."""
    new = _require_commit(git, written.removesuffix(_ONE_COMMIT))
    old = _commit(git, f"{new}^")
    return Revisions(written, old or _empty_tree(git), new, head, has_old=bool(old))


def _require_commit(git: Git, name: str) -> str:
    found = None if name.startswith("-") or "\0" in name else _commit(git, name)
    if found is None:
        raise UsageError(f"{name} is not a commit of this repository.", hint=_EXAMPLES)
    return found


def _commit(git: Git, name: str) -> str | None:
    """Return the full hash of a commit, or None."""
    try:
        run = git.start("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
        return run.text().strip() or None
    except GitError:
        return None


def _empty_tree(git: Git) -> str:
    """Return the id of the tree without files, in the object format of the repository."""
    return git.start("hash-object", "-t", "tree", "--stdin").text().strip()


def _title(written: str, *, is_staged: bool) -> str:
    if written:
        return f"{written}, staged" if is_staged else f"{written}, to the work tree"
    return "staged changes" if is_staged else "uncommitted changes"
