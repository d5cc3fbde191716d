"""Commits as tasks: a message, what the commit changed, and a folder that shows the repository as its parent has it."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from ctxpack.discover.reading import classify
from ctxpack.errors import InternalError
from ctxpack.light import dataclass, lazy_pattern
from ctxpack.model import Lane, Trait
from ctxpack.system.git import VERBATIM, Git, GitError, readable, split_records

_MOST_FILES: Final = 20  # a commit that changes more is a sweep through the repository, not a task
_FEWEST_WORDS: Final = 2
INCOMPLETE: Final = "commits that are not whole here"
_DEPTH: Final = 20  # commits that are looked at for each task that is wanted
_NOT_WRITTEN: Final = frozenset((Trait.LOCK, Trait.GENERATED, Trait.MINIFIED, Trait.VENDORED))
_FIELD: Final = "\x1f"
_DIFF: Final = ("diff-tree", "-r", "--no-renames", "--relative", "--ignore-submodules=all", "--diff-filter=AMD")
_HUNK: Final = lazy_pattern(r"@@ -(\d+)(?:,(\d+))? ")
_TRAILER: Final = lazy_pattern(r"(?:[a-z][\w-]*-by: |change-id: |\(cherry picked from commit ).*", re.IGNORECASE)
_REVERT: Final = lazy_pattern(r"\W*revert\b|This reverts commit", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """A file of the parent and the spans of its lines that the commit changed; an insertion is the line above it."""

    path: str
    lane: Lane
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Task:
    """One commit: what its message asks for, and what it changed."""

    commit: str
    parent: str
    text: str
    files: tuple[ChangedFile, ...]

    @property
    def subject(self) -> str:
        """The first line of the message."""
        return self.text.partition("\n")[0]


@dataclass(frozen=True, slots=True)
class Tasks:
    """The newest suitable commits, oldest first, and how many newer ones were left out for which reason."""

    tasks: tuple[Task, ...]
    left_out: Mapping[str, int]


class _UnsuitableError(Exception):
    """``str(error)`` is why a commit is no task."""


def last_tasks(git: Git, wanted: int, kinds: Mapping[str, tuple[str, ...]]) -> Tasks:
    """Find the last ``wanted`` suitable commits of HEAD's history that changed the folder of ``git``.

    ``kinds`` are the configured patterns of kinds. Raises InternalError if git refuses.
    """
    tasks: list[Task] = []
    left_out: Counter[str] = Counter()
    try:
        for commit, parents, message in _commits(git, wanted * _DEPTH):
            if len(tasks) == wanted:
                break
            try:
                tasks.append(_task(git, commit, parents, message, kinds))
            except _UnsuitableError as error:
                left_out[str(error)] += 1
            except GitError:  # counted, and shown with the figures
                left_out[INCOMPLETE] += 1
    except GitError as error:
        raise InternalError(f"The history of {git.folder} cannot be read: {error}.") from error
    return Tasks(tuple(reversed(tasks)), dict(sorted(left_out.items(), key=lambda each: (-each[1], each[0]))))


def _commits(git: Git, most: int) -> Iterator[tuple[str, tuple[str, ...], str]]:
    form = f"--format=tformat:%H{_FIELD}%P{_FIELD}%B"
    options = ("log", "-z", "--encoding=UTF-8", f"-n{most}", form)
    for record in split_records(git.start(*options, "--", ".").text()):
        commit, parents, message = record.split(_FIELD, 2)
        yield commit, tuple(parents.split()), message


def _task(git: Git, commit: str, parents: tuple[str, ...], message: str, kinds: Mapping[str, tuple[str, ...]]) -> Task:
    """Return the task of a commit: its message without trailers. Raises _UnsuitableError."""
    text = "\n".join(line for line in readable(message).splitlines() if not _TRAILER.match(line)).strip()
    if len(parents) != 1:
        raise _UnsuitableError("merges" if parents else "commits without a parent")
    if _REVERT.match(text) or "This reverts commit" in text:
        raise _UnsuitableError("reverts")
    if len(re.findall(r"\w{2,}", text)) < _FEWEST_WORDS:
        raise _UnsuitableError("messages of less than two words")
    return Task(commit, parents[0], text, _changed_files(git, parents[0], commit, kinds))


def _changed_files(git: Git, parent: str, commit: str, kinds: Mapping[str, tuple[str, ...]]) -> tuple[ChangedFile, ...]:
    """Return what changed of the files of the parent. Raises _UnsuitableError."""
    fields = split_records(git.start(*_DIFF, "-z", "--name-status", parent, commit, "--", ".").text())
    changes = list(zip(fields[1::2], fields[::2], strict=True))
    if len(changes) > _MOST_FILES:
        raise _UnsuitableError(f"changes of more than {_MOST_FILES} files")
    if all(status == "A" for _, status in changes):
        raise _UnsuitableError("commits that only add files" if changes else "commits that change no file")
    judged = {path: classify(path, b"", kinds) for path, _ in changes}
    written = {path for path, (_, _, traits) in judged.items() if _NOT_WRITTEN.isdisjoint(traits)}
    if all(status == "A" or path not in written for path, status in changes):
        raise _UnsuitableError("changes of lock, generated or vendored files only")
    spans = _spans(git, parent, commit, [path for path, _ in changes])
    old = [path for path, status in changes if status != "A" and path in written and spans[path]]
    if not old:
        raise _UnsuitableError("changes of no line of text")
    return tuple(ChangedFile(path, judged[path][0].lane, spans[path]) for path in old)


def _spans(git: Git, parent: str, commit: str, paths: list[str]) -> Mapping[str, tuple[tuple[int, int], ...]]:
    """The changed lines of each path; none of a file that is not text. The patch names the paths in the same order."""
    plain = ("-p", "-U0", "--no-ext-diff", "--no-textconv", "--no-color")
    patch = git.start(*_DIFF, *plain, parent, commit, "--", ".").text()
    sections = re.split(r"^diff --git .*\n", patch, flags=re.MULTILINE)[1:]
    return {path: tuple(_hunks(section)) for path, section in zip(paths, sections, strict=True)}


def _hunks(section: str) -> Iterator[tuple[int, int]]:
    for line in section.split("\n"):
        if hunk := _HUNK.match(line):
            first, count = int(hunk[1]), int(hunk[2] or 1)
            yield max(first, 1), max(first + count - 1, first, 1)


@dataclass(frozen=True, slots=True)
class Checkout:
    """A work tree that uses the objects of another repository. ``root`` is the place of the user's root in it."""

    root: Path
    cache_dir: Path
    git: Git

    def show(self, commit: str) -> bool:
        """Make the tree and HEAD those of a commit; False if git cannot, or if the root is no folder there."""
        try:
            self.git.start(*VERBATIM, "checkout", "--quiet", "--force", "--detach", commit).text()
        except GitError:  # the task is counted as left out
            return False
        return self.root.is_dir()


@contextmanager
def temporary_checkout(git: Git) -> Iterator[Checkout]:
    """Provide a checkout of the repository around the folder of ``git`` until the block ends. Raises InternalError."""
    with tempfile.TemporaryDirectory(prefix="ctxpack-eval-", ignore_cleanup_errors=True) as folder:
        try:
            yield _make_checkout(git, Path(folder).resolve())
        except GitError as error:
            raise InternalError(f"The repository {git.folder} cannot be checked out elsewhere: {error}.") from error


def _make_checkout(git: Git, folder: Path) -> Checkout:
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
