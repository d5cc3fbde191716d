"""Whether a work tree is as it was, by the times of its folders and files, without asking git.

The system stamps a file with a time that nobody can set whenever its content, mode or name changes (ctime), and a
folder whenever a name in it comes or goes. While all stamps of what git would look at are those of the last run, git
would answer what it answered then. Folders that git's rules hide are left alone, as git leaves them.
"""

# ruff: noqa: PTH110, PTH111, PTH113, PTH116, PTH118, PTH120, PTH123 -- names as text with surrogate escapes
from __future__ import annotations

import hashlib
import os
from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from ctxpack.discover.listing import is_settled
from ctxpack.light import dataclass
from ctxpack.model import Places, Skipped, SourceFile, Stamps
from ctxpack.model.columns import FileTable
from ctxpack.system.git import Git, GitError, split_records

_LINK: Final = "symbolic link"  # what such a reason says depends on where the link leads
_OF_GIT: Final = ("HEAD", "index", "commondir", "config.worktree")
_OF_ALL_WORKTREES: Final = ("config", "packed-refs", "info/exclude", "info/attributes", "refs/replace")
_RULES: Final = (".gitignore", ".gitattributes")
_PLACES: Final = ("HOME", "XDG_CONFIG_HOME")  # variables that say where git's configuration is
_NAMING: Final = ("core.excludesfile", "core.attributesfile")
_MOST_FOLDERS: Final = 3  # for each file; where there are more, asking git costs less
_FEW_FOLDERS: Final = 1_000


@dataclass(frozen=True, slots=True)
class Tree:
    """A work tree as it was found."""

    root: str
    git: Git
    files: Sequence[SourceFile]
    skipped: Sequence[Skipped]

    @property
    def paths(self) -> Iterator[str]:
        """The paths that git lists and that exist."""
        yield from FileTable.of(self.files).paths
        yield from (each.path for each in self.skipped)


def is_unchanged(tree: Tree, stamps: Stamps | None) -> bool:
    """Whether a tree still has these stamps."""
    return stamps is not None and _digest(tree, stamps.folders, stamps.others) == stamps.digest


def stamps_of(tree: Tree, asked_ns: int) -> Stamps | None:
    """Return the stamps of a tree, in which nothing has changed since git was asked; None where they tell too little.

    They do where something changed but just now: it may change again under the same stamp.
    """
    if os.name != "posix":  # elsewhere the ctime is another time
        return None
    try:
        others = _of_git(tree)
        times = [found[-1] for place in others if (found := _times(place))]
        if not (times and is_settled(max(times), asked_ns)):
            return None
        stamps = _stamps(tree.root, tree.paths)
        if not _are_settled(stamps, asked_ns):
            return None
        others = sorted({*others, *_configuration(tree)})
        folders = _folders(tree, others)
    except (OSError, ValueError, GitError):  # git is asked instead
        return None
    digest = _digest(tree, folders, others, asked_ns, stamps) if folders else ""
    return Stamps(tuple(folders), tuple(others), digest) if folders and digest else None


def _stamps(root: str, paths: Iterable[str]) -> array[int]:
    """Return size and times of each path. Raises OSError and ValueError."""
    stamps, lstat = array("q"), os.lstat
    for path in paths:
        status = lstat(f"{root}/{path}")
        stamps.extend((status.st_size, status.st_mtime_ns, status.st_ctime_ns))
    return stamps


def _are_settled(stamps: array[int], asked_ns: int) -> bool:
    return is_settled(max(stamps[2::3], default=0), asked_ns)


def _digest(
    tree: Tree, folders: Iterable[str], others: Iterable[str], asked_ns: int = 0, known: array[int] | None = None
) -> str:
    """Digest the stamps; empty where something is gone, or where it changed too shortly before ``asked_ns``.

    ``known`` are the stamps of the paths, where they were looked at since then: what has changed afterwards differs.
    """
    try:
        stamps = array("q", known) if known is not None else _stamps(tree.root, tree.paths)
        stamps.extend(_stamps(tree.root, folders))
    except (OSError, ValueError):  # git is asked instead
        return ""
    outside = [(place, _times(place)) for place in others]
    latest = max((0, *stamps[2::3], *(times[-1] for _, times in outside if times)))
    if asked_ns and not is_settled(latest, asked_ns):
        return ""
    links = (f"{tree.root}/{each.path}" for each in tree.skipped if each.reason.startswith(_LINK))
    ends = [(os.path.realpath(at), os.path.exists(at)) for at in links]
    facts = (tree.git.executable, outside, _environment(), _user(), ends)
    digest = hashlib.sha256(stamps.tobytes())
    digest.update(repr(facts).encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


def _times(place: str) -> tuple[int, ...]:
    try:
        status = os.stat(place)
    except (OSError, ValueError):  # there is none
        return ()
    return status.st_mode, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def _user() -> int:
    """Return the user of the process: git reads no repository that belongs to another."""
    return os.geteuid() if hasattr(os, "geteuid") else 0


def _environment() -> list[tuple[str, str]]:
    return sorted((name, value) for name, value in os.environ.items() if name.startswith("GIT_") or name in _PLACES)


def _of_git(tree: Tree) -> list[str]:
    """Return the files that git's answer depends on besides the work tree; none where that cannot be told.

    Those that are not there are named as well: they may come.
    """
    own = f"{tree.root}/.git"
    if os.path.isfile(own):
        own = os.path.join(tree.root, _first_line(own).removeprefix("gitdir:").strip())
    common = os.path.join(own, _first_line(f"{own}/commondir"))
    head = _first_line(f"{own}/HEAD")
    name = head.removeprefix("ref:").strip()
    if os.path.exists(f"{common}/reftable") or _first_line(f"{common}/{name}").startswith("ref:"):
        return []
    named = [f"{tree.root}/.git"] if own != f"{tree.root}/.git" else []
    named += [f"{own}/{each}" for each in _OF_GIT] + [f"{common}/{each}" for each in _OF_ALL_WORKTREES]
    named += [f"{own}/{name}", f"{common}/{name}"] if head.startswith("ref:") else []
    return [*named, tree.git.executable]


def _first_line(place: str) -> str:
    try:
        with open(place, "rb") as stream:
            return os.fsdecode(stream.readline(4096)).rstrip("\n")
    except OSError:  # there is none
        return ""


def _configuration(tree: Tree) -> Iterator[str]:
    """The files of git's configuration, those they include, and those of rules that they name. Raises GitError."""
    base = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    yield from ("/etc/gitconfig", os.path.expanduser("~/.gitconfig"))
    yield from (f"{base}/git/{name}" for name in ("config", "ignore", "attributes"))
    fields = split_records(tree.git.start("config", "-z", "--list", "--show-origin").text())
    for origin, setting in zip(fields[::2], fields[1::2], strict=False):
        key, _, value = setting.partition("\n")
        place = os.path.join(tree.root, origin.removeprefix("file:")) if origin.startswith("file:") else ""
        if place:
            yield place
        if key in _NAMING or (key.startswith(("include.", "includeif.")) and key.endswith(".path")):
            yield os.path.join(os.path.dirname(place), os.path.expanduser(value))


def _folders(tree: Tree, others: list[str]) -> list[str] | None:
    """Return the folders in which git looks, the root first; None where there are too many.

    Files with rules that are hidden themselves are added to ``others``. Raises GitError.
    """
    listed = frozenset(tree.paths)
    above = _folders_above(listed)
    most = _MOST_FOLDERS * len(listed) + _FEW_FOLDERS
    folders, pending = list[str](), [""]
    while pending:
        unknown: list[str] = []
        found: list[str] = []
        for folder in pending:
            folders.append(folder or ".")
            for path, is_folder in _entries(tree.root, folder):
                if is_folder:
                    (found if path in above else unknown).append(path)
                elif path not in listed and path.rpartition("/")[2] in _RULES:
                    others.append(f"{tree.root}/{path}")
        if len(folders) + len(found) + len(unknown) > most:
            return None
        pending = found + _unhidden_folders(tree, [path for path in unknown if f"{path}/" not in listed])
    return folders


def _folders_above(paths: Iterable[str]) -> set[str]:
    above: set[str] = set()
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder and folder not in above:
            above.add(folder)
            folder = folder.rpartition("/")[0]
    return above


def _entries(root: str, folder: str) -> Iterator[tuple[str, bool]]:
    with os.scandir(f"{root}/{folder}") as entries:
        for entry in entries:
            if entry.name != ".git":
                yield f"{folder}/{entry.name}" if folder else entry.name, entry.is_dir(follow_symlinks=False)


def _unhidden_folders(tree: Tree, folders: Sequence[str]) -> list[str]:
    """Return those of some folders, in which git lists nothing, that its rules do not hide. Raises GitError."""
    if not folders:
        return []
    given = "".join(f"{folder}\0" for folder in folders)
    run = tree.git.start("check-ignore", "-z", "--stdin", reads_input=True)
    hidden = frozenset(split_records(run.text(given, accept=(0, 1))))
    return [folder for folder in folders if folder not in hidden]


def is_untouched(places: Places, file: SourceFile) -> bool:
    """Whether nobody wrote a file since it was found: what was read of it then is what it held."""
    try:
        status = os.stat(places.name_of(file.path))  # of every file, after a first run
    except OSError:  # gone
        return False
    return (status.st_size, status.st_mtime_ns) == (file.size, file.mtime_ns)


def is_as_found(places: Places, file: SourceFile, data: bytes) -> bool:
    """Whether what was read of a file is what it was found with; its times are only the fast way to see it."""
    if is_untouched(places, file):
        return True
    from ctxpack.discover.reading import blob_id

    return blob_id(data, file.blob) == file.blob
