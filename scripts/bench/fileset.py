#!/usr/bin/env python3
"""Make random trees with ignore files and compare the files that ctxpack finds with those that git finds.

  fileset.py [--count N] [--seed N] [--show]

Each tree is looked at three times: as a git work tree, with tracked files that a rule ignores, info/exclude, the user's
own rules, nested repositories and links; as a folder where git is installed; and as a folder where it is not. git's
answer is ``git ls-files``, of what is untracked for a folder. Prints the differences; exits with 1 if there was one.
The documents name one: without git, files that were tracked although a rule ignores them are not known.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ctxpack.discover.source import Source
from ctxpack.discover.walk import list_by_walking
from ctxpack.system.clock import Timekeeper

NAMES = (
    "a", "b", "ab", "aab", "build", "doc", "src", "x.log", "y.log", "keep.log", "a.b", "!b", "#c", " d", "e ", "файл",
    "日本", "[x]", "x]", "a-b", "A", "Build", "*", "?", "\\f", "foo.tmp", ".hidden", "z~", "0", "9",
)  # fmt: skip
PARTS = (
    "*", "**", "?", "a*", "*b", "*.log", "[ab]", "[!a]", "[a-c]*", "[[:upper:]]", "[[:alpha:]]?",
    "[^a]b", "\\!b", "\\#c",
    "\\*", "[]]", "[]x]*", "[a\\]b]", "a**b", "***", "[0-9]", "[z-a]", "[", "[!]a]", "\\", "*.tmp", "fil[e", "\\ d",
    "e\\ ", "файл", "фа*", "日?", "[日-本]*", "build", "doc", "src", "x.log", "keep.log", ".*",
    "?*", "*~", "[A-Z]*", "[[:digit:]]",
    "[[:bogus:]]", "[a-", "[--0]", "[\\]]", "**a", "a**",
)  # fmt: skip


DEEPEST = 4


@dataclass(frozen=True, slots=True)
class Difference:
    """What ctxpack found and git did not, and the other way round."""

    way: str
    tree: int
    more: tuple[str, ...]
    less: tuple[str, ...]


def run_git(folder: Path, *arguments: str, env: dict[str, str] | None = None) -> str:
    """Run git with nothing of the machine's configuration."""
    clean = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", **(env or {})}
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "core.quotePath=false")
    done = subprocess.run(
        ["git", *identity, *arguments], cwd=folder, env=os.environ | clean, capture_output=True, check=True
    )
    return os.fsdecode(done.stdout)


def happens(rng: random.Random, share: float) -> bool:
    """Decide by chance."""
    return rng.random() < share


def make_line(rng: random.Random) -> str:
    """Make one line of an ignore file; some are odd, some are invalid."""
    count = rng.choices((1, 2, 3, 4), (6, 3, 2, 1))[0]
    line = "/".join(rng.choice(PARTS if happens(rng, 0.7) else NAMES) for _ in range(count))
    line = ("/" if happens(rng, 0.2) else "") + line + ("/" if happens(rng, 0.25) else "")
    line = ("!" if happens(rng, 0.25) else "") + line + rng.choice(("", "", "", "", " ", "  ", "\\ ", "\t"))
    return rng.choice((line, line, line, line, line, line, f"# {line}", "", "!", "/", "//", "**/"))


def make_rules(rng: random.Random) -> bytes:
    """Make an ignore file, with one of the ends of lines that there are."""
    end = rng.choice(("\n", "\n", "\n", "\r\n"))
    text = end.join(make_line(rng) for _ in range(rng.randrange(1, 7))) + rng.choice(("", end))
    return rng.choice((b"", b"", b"", b"\xef\xbb\xbf")) + text.encode()


def make_tree(top: Path, rng: random.Random, depth: int = 0) -> None:
    """Fill a folder with files, folders and ignore files."""
    for name in rng.sample(NAMES, rng.randrange(2, 8)):
        place = top / name
        if depth < DEEPEST and happens(rng, 0.45):
            place.mkdir()
            make_tree(place, rng, depth + 1)
        elif happens(rng, 0.04):
            place.symlink_to(rng.choice(NAMES))
        else:
            place.write_bytes(b"text\n")
    if happens(rng, 0.9 if depth == 0 else 0.3):
        (top / ".gitignore").write_bytes(make_rules(rng))


def found_by_us(root: Path) -> set[str]:
    """The paths that ctxpack lists, before what they hold is judged."""
    return {each.path for each in Source(str(root), use_gitignore=True).list().found}


def found_by_git(root: Path, *what: str, env: dict[str, str] | None = None) -> set[str]:
    """The paths that git lists and that are there, without the repositories inside."""
    listed = run_git(root, "ls-files", "-z", *what, "--exclude-standard", env=env).split("\0")
    return {path for path in listed if path and not path.endswith("/") and os.path.lexists(root / path)}


def compare(way: str, tree: int, ours: set[str], its: set[str]) -> Iterator[Difference]:
    """Give the difference, if there is one."""
    if ours != its:
        yield Difference(way, tree, tuple(sorted(ours - its)), tuple(sorted(its - ours)))


def as_folder(top: Path, tree: int) -> Iterator[Difference]:
    """Compare the tree as a folder, with and without git, with a repository where all is untracked."""
    run_git(top, "init", "-q")
    its = found_by_git(top, "-o")
    shutil.rmtree(top / ".git")
    yield from compare("folder, with git", tree, found_by_us(top), its)
    walked = list_by_walking(str(top), Timekeeper(), use_gitignore=True)
    yield from compare("folder, without git", tree, {each.path for each in walked.found}, its)


def as_repository(top: Path, tree: int, rng: random.Random) -> Iterator[Difference]:
    """Compare the tree as a work tree in which some ignored files are tracked and some tracked files are gone."""
    run_git(top, "init", "-q")
    every = sorted(path for path in top.rglob("*") if ".git" not in path.parts)
    files = [path for path in every if path.is_symlink() or path.is_file()]
    folders = [path for path in every if path.is_dir() and not path.is_symlink()]
    chosen = [str(path.relative_to(top)) for path in files if happens(rng, 0.4)]
    if chosen:
        run_git(top, "--literal-pathspecs", "add", "-f", "--", *chosen)
        run_git(top, "commit", "-q", "-m", "Some")
    for path in chosen:
        if happens(rng, 0.1):
            (top / path).unlink()
    if happens(rng, 0.5):
        (top / ".git" / "info").mkdir(exist_ok=True)
        (top / ".git" / "info" / "exclude").write_bytes(make_rules(rng))
    if happens(rng, 0.5):
        rules = top.parent / f"rules-{tree}"
        rules.write_bytes(make_rules(rng))
        run_git(top, "config", "core.excludesFile", str(rules))
    if folders and happens(rng, 0.3):
        run_git(rng.choice(folders), "init", "-q")
    yield from compare("work tree", tree, found_by_us(top), found_by_git(top, "-c", "-o"))
    if folders:
        inner = rng.choice(folders)
        if not (inner / ".git").exists():
            yield from compare("folder of a work tree", tree, found_by_us(inner), found_by_git(inner, "-c", "-o"))


def check_trees(folder: Path, count: int, seed: int) -> Iterator[Difference]:
    """Make trees one after the other and compare each in every way."""
    for tree in range(count):
        rng = random.Random(f"{seed} {tree}")  # noqa: S311 - the same trees each time
        top = folder / f"tree-{tree}"
        top.mkdir()
        make_tree(top, rng)
        yield from as_folder(top, tree)
        yield from as_repository(top, tree, rng)
        shutil.rmtree(top)


def main(arguments: Sequence[str]) -> int:
    """Compare and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true")
    given = parser.parse_args(arguments)
    os.environ.update(GIT_CONFIG_GLOBAL=os.devnull, GIT_CONFIG_NOSYSTEM="1", XDG_CONFIG_HOME=os.devnull)
    with tempfile.TemporaryDirectory(prefix="fileset-") as folder:
        found = list(check_trees(Path(folder), given.count, given.seed))
    for each in found if given.show else found[:10]:
        print(f"tree {each.tree}, {each.way}: only ours {list(each.more)}, only git's {list(each.less)}")
    print(f"{given.count} trees, {len(found)} differences")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
