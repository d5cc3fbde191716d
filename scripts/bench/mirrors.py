#!/usr/bin/env python3
"""Clone the repositories that tasks speak of, with their history, where the other scripts look for them.

  mirrors.py --tasks FILE.jsonl --mirrors DIR [--origin https://github.com]

A task is a line of JSON: its fields stand in tasks.py. Its repository, or the fork that holds its commit, is cloned to
DIR/OWNER+NAME/repo, without a work tree; what is there already stays as it is. Standard library and git.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

from measures import Task
from tasks import mirror_of, read_tasks


def clone(task: Task, mirrors: Path, origin: str) -> bool:
    """Clone the repository of a task unless it is there; whether it is there now. Half a clone leaves nothing."""
    if mirror_of(task, mirrors):
        return True
    name = task.get("mirror") or task["repo"]
    home = mirrors / name.replace("/", "+") / "repo"
    part = home.with_name("repo.part")
    home.parent.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(part, ignore_errors=True)  # of a run that was killed
    command = ["git", "clone", "-q", "--bare", f"{origin}/{name}", str(part)]
    if subprocess.run(command, check=False).returncode:
        return False
    part.rename(home)
    return True


def main() -> int:
    """Clone all that is missing; fails where one cannot be cloned."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", type=Path, required=True, help="a file of tasks, one line of JSON each")
    parser.add_argument("--mirrors", type=Path, required=True, help="the folder of git repositories")
    parser.add_argument("--origin", default="https://github.com", help="where OWNER/NAME is found")
    options = parser.parse_args()
    tasks = {task["repo"]: task for task in read_tasks(options.tasks)}
    missing = [name for name, task in sorted(tasks.items()) if not clone(task, options.mirrors, options.origin)]
    print(f"{len(tasks) - len(missing)} of {len(tasks)} repositories in {options.mirrors}")
    for name in missing:
        print(f"{name}: not cloned", file=sys.stderr)
    return bool(missing)


if __name__ == "__main__":
    sys.exit(main())
