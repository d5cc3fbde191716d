"""Tasks and the repositories they speak of: reading, drawing, ordering, checking out. Shared by the benchmark scripts.

A task is a line of JSON. Used of it:
  id, repo       a name; OWNER/NAME of the repository
  commit         the state to search: later commits are not seen
  query          the request
  gold_files     paths that the answer has to hold; or, for short questions,
  targets        [path, first line or null, last line or null] each
  gold_hunks     optional: [path, first line, last line] of what a fix changed
  gold_function_spans  optional: [path, first line, last line] of the functions that it changed
  root           optional: the folder of the repository to search, "" for all
  mirror         optional: OWNER/NAME of a fork that holds the commit
  twins          optional: paths that are as good as a gold file and are left out of the ranking
  gold_in_query  optional: how openly the request names a gold file: path, basename, stem or no; found out if missing
Mirrors are git repositories at OWNER+NAME/repo, OWNER+NAME/repo/.git or OWNER+NAME of one folder.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from measures import Task


def task_parser(description: str | None) -> argparse.ArgumentParser:
    """A parser with the options of every script that scores tasks."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", type=Path, required=True, help="a file of tasks, one line of JSON each")
    parser.add_argument("--mirrors", type=Path, required=True, help="the folder of git repositories")
    parser.add_argument("--repo", action="append", help="only tasks of this repository; may be repeated")
    parser.add_argument("--limit", type=int, help="number of tasks, drawn with a fixed seed")
    parser.add_argument("--out", type=Path, help="write a line of JSON for each task")
    return parser


def trees_of(tasks: Sequence[Task], mirrors: Path, work: Path) -> Iterator[tuple[Task, Path]]:
    """Check out the tree of each task, say which is not at hand, and count aloud."""
    for number, task in enumerate(tasks, 1):
        tree = checkout(task, mirrors, work)
        if tree is None:
            print(f"{task['id']}: no mirror holds {task['commit'][:12]} of {task['repo']}", file=sys.stderr)
            continue
        yield task, tree
        print(f"\r{number} of {len(tasks)}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


def write_rows(rows: Iterable[Mapping[str, Any]], out: Path | None) -> None:
    """Write a line of JSON for each row, if a file for them was named."""
    if out:
        out.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def read_tasks(file: Path, repos: Sequence[str] | None = None, limit: int | None = None) -> list[Task]:
    """The tasks of a file: those of some repositories, or a number of them drawn with a fixed seed."""
    with file.open(encoding="utf-8") as lines:
        tasks = [json.loads(line) for line in lines]
    tasks = [task for task in tasks if not repos or task["repo"] in repos]
    if limit and limit < len(tasks):
        tasks = random.Random(1).sample(tasks, limit)  # noqa: S311 - a sample, not a secret
    return tasks


def in_order(tasks: Sequence[Task], mirrors: Path) -> list[Task]:
    """By repository and commit date: then little changes from task to task, and indexes and trees are brought up."""
    commits: defaultdict[Path | None, list[str]] = defaultdict(list)
    for task in tasks:
        commits[mirror_of(task, mirrors)].append(task["commit"])
    dates = {sha: date for mirror, group in commits.items() if mirror for sha, date in _dates(mirror, group).items()}
    return sorted(
        tasks, key=lambda task: (task["repo"], dates.get(task["commit"], 0), task["commit"], task.get("root", ""))
    )


def _dates(mirror: Path, commits: Sequence[str]) -> dict[str, int]:
    """When each commit was made; none for what the mirror lacks."""
    command = ["git", f"--git-dir={mirror}", "rev-list", "--no-walk", "--ignore-missing", "--timestamp", "--stdin"]
    done = subprocess.run(command, input="\n".join(commits), capture_output=True, text=True, check=True)
    return {sha: int(date) for date, sha in (line.split() for line in done.stdout.splitlines())}


def mirror_of(task: Task, mirrors: Path) -> Path | None:
    """The git directory that holds a task's repository, or None."""
    names = [name.replace("/", "+") for name in (task.get("mirror"), task["repo"]) if name]
    places = [mirrors / name / inner for name in names for inner in ("repo", "repo/.git", "")]
    return next((place for place in places if (place / "HEAD").exists() and (place / "objects").exists()), None)


def checkout(task: Task, mirrors: Path, work: Path) -> Path | None:
    """A tree of the task's commit, the same folder for every commit of a repository; None where it is not at hand."""
    mirror = mirror_of(task, mirrors)
    if mirror is None:
        return None
    tree = work / mirror.parent.name if mirror.name in {"repo", ".git"} else work / mirror.name
    if not (tree / ".git").exists():
        command = ["git", "clone", "-q", "--shared", "--no-checkout", str(mirror), str(tree)]
        subprocess.run(command, check=True, capture_output=True)
    commit = task["commit"]
    _git(tree, "checkout", "-q", "-f", "--detach", commit)
    _git(tree, "clean", "-q", "-ffdx")
    if _git(tree, "rev-parse", "HEAD") != commit:  # a mirror may lack a big file of the tree: HEAD is what counts
        _git(tree, "update-ref", "--no-deref", "HEAD", commit)
        _git(tree, "reset", "-q", "--hard", commit)
    return tree if _git(tree, "rev-parse", "HEAD") == commit else None


def _git(tree: Path, *arguments: str) -> str:
    command = ["git", "-C", str(tree), *arguments]
    return subprocess.run(command, check=False, capture_output=True, text=True).stdout.strip()
