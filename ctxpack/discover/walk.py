"""The file set where no git is installed: our own walk by git's rules. Tracked files are not known here."""

# ruff: noqa: PTH110, PTH111, PTH118 -- tens of thousands of names as text with surrogate escapes
from __future__ import annotations

import os
import re
from collections.abc import Iterator

from ctxpack.discover.ignores import RuleTree, group_by_folder, read_rules
from ctxpack.discover.listing import LATE, Listing, join_listings, look_at, place_below
from ctxpack.light import dataclass, field, lazy_pattern
from ctxpack.model import Skipped
from ctxpack.system.clock import FIND_END, Timekeeper, is_over
from ctxpack.system.disk import read_regular
from ctxpack.system.git import enclosing_repository, own_excludes

_SUBMODULE_PATH = lazy_pattern(r"^[ \t]*+path[ \t]*+=[ \t]*+([^\n]+)$", re.MULTILINE)


@dataclass(slots=True)
class Walk:
    """One walk over the tree ``top`` that keeps to ``inner``, a folder of it (``""`` for all).

    ``hidden`` collects what a rule hid: a file, or a whole folder with a slash at its end. ``late`` are the folders
    for which there was no time.
    """

    top: str
    inner: str
    tree: RuleTree
    use_gitignore: bool
    paths: list[str] = field(default_factory=list)
    repositories: list[str] = field(default_factory=list)
    hidden: dict[str, str] = field(default_factory=dict)  # path -> the rule's reason
    late: list[str] = field(default_factory=list)

    def run(self, keeper: Timekeeper) -> Walk:
        """Walk as long as there is time; afterwards the lists are filled, their paths seen from ``top``."""
        rule = self.tree.folder_verdict(self.inner)
        if rule is not None and not rule.is_negated:
            self.hidden[f"{self.inner}/"] = rule.reason
            return self
        pending, deadline = [self.inner], keeper.until(FIND_END)
        while pending:
            keeper.checkpoint()
            if is_over(deadline):
                self.late = pending
                break
            folder = pending.pop()
            self.learn(folder)
            pending += self._visit(folder)
        return self

    def learn(self, folder: str) -> None:
        """Read the ignore file of ``folder``."""
        if not self.use_gitignore:
            return
        path = f"{folder}/.gitignore" if folder else ".gitignore"
        rules = read_rules(os.path.join(self.top, path), folder, path, rank=0)
        if rules is not None:
            self.tree.files[folder] = (*self.tree.files.get(folder, ()), rules)

    def _visit(self, folder: str) -> Iterator[str]:
        for name, is_folder in sorted(_entries(os.path.join(self.top, folder))):
            path = f"{folder}/{name}" if folder else name
            rule = self.tree.decide(path, is_folder=is_folder)
            if rule is not None and not rule.is_negated:
                self.hidden[f"{path}/" if is_folder else path] = rule.reason
            elif not is_folder:
                self.paths.append(path)
            elif os.path.exists(os.path.join(self.top, path, ".git")):
                self.repositories.append(path)
            else:
                yield path


def start_walk(root: str, *, use_gitignore: bool) -> Walk:
    """Prepare a walk below ``root`` that knows the rules of the repository around it and the user's own."""
    holder = enclosing_repository(root)
    top = holder or root
    inner = os.path.relpath(root, top).replace(os.sep, "/")
    inner = "" if inner == "." else inner
    tree = RuleTree({})
    if use_gitignore:
        tree = group_by_folder(
            (
                read_rules(own_excludes(top), "", ".git/info/exclude", 1),
                read_rules(global_excludes(), "", "core.excludesFile", 2),
            )
        )
    walk = Walk(top, inner, tree, use_gitignore)
    parts = inner.split("/") if inner else []
    for depth in range(len(parts)):
        walk.learn("/".join(parts[:depth]))
    return walk


def list_by_walking(root: str, keeper: Timekeeper, *, use_gitignore: bool) -> Listing:
    """List the files below ``root`` that no ignore file hides, and the folders for which there was no time.

    Of repositories inside, submodules count, and all of them where ``root`` itself is in none.
    """
    walk = start_walk(root, use_gitignore=use_gitignore).run(keeper)
    prefix = f"{walk.inner}/" if walk.inner else ""
    members = _submodules(walk.top) if enclosing_repository(root) else None
    late = tuple(Skipped(f"{folder.removeprefix(prefix)}/".lstrip("/"), LATE) for folder in walk.late)
    parts = [Listing(tuple(look_at(root, (path.removeprefix(prefix) for path in walk.paths))), late)]
    for repository in sorted(walk.repositories):
        path = repository.removeprefix(prefix)
        if members is None or repository in members:
            parts.append(place_below(path, list_by_walking(f"{root}/{path}", keeper, use_gitignore=use_gitignore)))
        else:
            parts.append(Listing((), (Skipped(f"{path}/", "a git repository of its own"),)))
    return join_listings(parts)


def files_below(root: str, folder: str) -> list[str]:
    """List every file below ``folder`` of ``root``, whatever the rules say; no link is followed."""
    found: list[str] = []
    for place, folders, names in os.walk(f"{root}/{folder}"):
        folders[:] = sorted(name for name in folders if name != ".git")
        inner = os.path.relpath(place, root).replace(os.sep, "/")
        found += (f"{inner}/{name}" for name in sorted(names))
    return found


def global_excludes() -> str:
    """Return where git looks for the user's own ignore file if no configuration names one."""
    base = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
    return os.path.join(base, "git", "ignore")


def _entries(folder: str) -> list[tuple[str, bool]]:
    try:
        with os.scandir(folder) as entries:
            return [
                (entry.name, is_folder)
                for entry in entries
                if entry.name != ".git"
                and ((is_folder := entry.is_dir(follow_symlinks=False)) or entry.is_symlink() or entry.is_file())
            ]
    except OSError:
        return []  # git, too, passes over a folder it may not open


def _submodules(top: str) -> frozenset[str]:
    try:
        text = os.fsdecode(read_regular(os.path.join(top, ".gitmodules")))
        return frozenset(map(str.rstrip, _SUBMODULE_PATH.findall(text)))
    except OSError:  # there are none
        return frozenset()
