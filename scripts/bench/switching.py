#!/usr/bin/env python3
"""Switch branches while ctxpack runs, several copies on one cache, and look at what the index holds afterwards.

  switching.py [--root REPOSITORY] [--back N] [--rounds N] [--seconds N] [--copies N]

Works on a clone of a repository, or on one made for it, whose three last states, --back commits apart, are checked out
in turns for --seconds, while --copies commands ask at the same time, again and again. Then each state is checked out
once more and asked: the answer must be, to the byte, that of a run with a cache of its own. While branches change a
report may miss what has changed, but no command may crash. Prints the wrong answers and the crashes; exits with 1 if
there was one. Standard library only.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

PROJECT = Path(__file__).parents[2]
REQUESTS = ("where is the part sent", "add an option to read all parts", "error: part 3 is lost")
CRASH = "failed unexpectedly"
FILES, STATES = 60, 3
PAUSE = 0.2  # seconds between two switches


@dataclass(slots=True)
class Bench:
    """A repository, its states, the caches, and what went wrong."""

    tree: Path
    states: list[str]
    caches: Path
    wrong: list[str] = field(default_factory=list)
    answers: int = 0

    def switch(self, state: str) -> None:
        """Check out a state."""
        git(self.tree, "checkout", "-q", "-f", "--detach", state)

    def ask(self, text: str, cache: str) -> str:
        """Ask once; returns the report."""
        command = (sys.executable, "-m", "ctxpack", "task", text, "-b", "4k", "--format", "json", "-q")
        places = {"CTXPACK_CACHE_DIR": str(self.caches / cache), "PYTHONPATH": str(PROJECT)}
        asked = (*command, "--root", str(self.tree))
        done = subprocess.run(asked, env=os.environ | places, capture_output=True, text=True, check=False)
        if CRASH in done.stderr:
            self.wrong.append(f"{text}: {done.stderr.strip().splitlines()[0]}")
        return done.stdout

    def ask_while_switching(self, seconds: float, copies: int) -> None:
        """Ask in some threads and switch in this one until time is up."""
        numbers, end = count(), time.monotonic() + seconds

        def go_on() -> None:
            while time.monotonic() < end:
                number = next(numbers)
                text = REQUESTS[number % len(REQUESTS)]  # every other one anew, so that no kept report answers it
                self.ask(f"{text} {number}" if number % 2 else text, "shared")

        threads = [threading.Thread(target=go_on) for _ in range(copies)]
        for thread in threads:
            thread.start()
        for number in count():
            if time.monotonic() >= end:
                break
            self.switch(self.states[number % len(self.states)])
            time.sleep(PAUSE * (1 + number % 3))
        for thread in threads:
            thread.join()

    def compare(self, turn: int) -> None:
        """Ask each state with the cache that was used, and with one of its own."""
        for at, state in enumerate(self.states):
            self.switch(state)
            for text in REQUESTS:
                used, own = (self.ask(text, cache) for cache in ("shared", f"own {turn} {at}"))
                self.answers += 1
                if used != own:
                    self.wrong.append(f"{text}, at {state[:8]}: another answer than with a cache of its own")


def git(tree: Path, *arguments: str) -> str:
    """Run git in a tree."""
    own = ("-c", "user.name=bench", "-c", "user.email=bench@example.com", "-c", "init.defaultBranch=main")
    done = subprocess.run(("git", *own, *arguments), cwd=tree, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def make_repository(tree: Path) -> list[str]:
    """Make a repository of modules that import each other, others in each of its states; returns these."""
    tree.mkdir()
    git(tree, "init", "-q")
    for state in range(STATES):
        for number in range(FILES):
            other = (number * 7 + state * (number % 2) + 1) % FILES
            body = f"def send_{number}(part):\n    return send_{other}(part) + {state * (number % 3)}\n"
            (tree / f"part_{number}.py").write_text(
                f"from part_{other} import send_{other}\n\n\n{body}", encoding="utf-8"
            )
        (tree / f"part_{FILES + state}.py").write_text(
            f"def read_{state}(parts):\n    return parts\n", encoding="utf-8"
        )
        git(tree, "add", "-A")
        git(tree, "commit", "-q", "-m", f"Send part {state}")
    return [git(tree, "rev-parse", f"HEAD~{back}") for back in range(STATES)]


def clone(root: Path, tree: Path, back: int) -> list[str]:
    """Clone a repository; returns its states, some commits apart."""
    git(root, "clone", "-q", "--no-hardlinks", str(root.resolve()), str(tree))
    return [git(tree, "rev-parse", f"HEAD~{back * times}") for times in range(STATES)]


def main() -> int:
    """Run the rounds and print what went wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path)
    parser.add_argument("--back", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--copies", type=int, default=2)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ctxpack-bench-") as place:
        tree = Path(place) / "tree"
        states = clone(given.root, tree, given.back) if given.root else make_repository(tree)
        bench = Bench(tree, states, Path(place))
        for turn in range(given.rounds):
            bench.ask_while_switching(given.seconds, given.copies)
            bench.compare(turn)
    for each in bench.wrong:
        print(f"  {each}")
    print(f"{len(bench.wrong)} went wrong; {bench.answers} answers compared")
    return 1 if bench.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
