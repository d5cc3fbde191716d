#!/usr/bin/env python3
"""Kill ctxpack at random moments of indexing and writing, and look at what the next run makes of what is left.

  kills.py [--count N] [--seed N] [--root REPOSITORY] [--show]

Works on a copy of a small repository (fixtures/demo unless --root names another) with caches of its own. Each trial
starts from an empty cache, or from the one of the trial before after some files were changed, lets one to eight copies
of a command begin at once on it, and ends each by SIGKILL at a moment within the time that a run takes. Then the same
command runs to its end, twice: both must answer as a run with a cache of its own does, with the same notes. A run that
says that it had not the time for something, as the machine has too much to do, is made again. The file
that it writes (-o) must be as it was before or as a clean run writes it, never half, and no second one may be left
beside it by the run that comes to its end. Prints the wrong trials and how many were killed at work; exits with 1 if
one was wrong. Standard library only; needs os.fork: Linux and macOS.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path

import faults

OLD = b"what stood here before\n"
MOST_COPIES = 8
MOST_MORE = 0.1  # of a run: some kills come after its end
LATE = re.compile("took (?:longer than|too long)")  # in the notes of a run on a machine that has too much to do
PATIENT_RUNS = 20
REPORTED = 25  # trials between two lines of --show


@dataclass(slots=True)
class Trials:
    """A repository with its clean answers, and what went wrong."""

    bench: faults.Bench
    rng: random.Random
    seconds: float = 0.0
    expected: bytes = b""
    expected_notes: tuple[str, ...] = ()
    late: int = 0
    killed: int = 0
    wrong: Counter[str] = field(default_factory=Counter)

    @property
    def report(self) -> Path:
        """The file that a run writes."""
        return self.bench.used.parent / "out" / "report.md"

    @property
    def log(self) -> Path:
        """What the runs that are killed say."""
        return self.bench.used.parent / "log"

    def command(self) -> Sequence[str]:
        """A command that indexes and writes."""
        return ("task", "fix the retry of uploads", "-b", "3k", "-o", str(self.report))

    def run(self) -> faults.Answer:
        """Run the command until nothing is left out for want of time."""
        for _ in range(PATIENT_RUNS):
            answer = faults.ask(self.bench, self.command())
            if not LATE.search(answer.messages):
                break
            self.late += 1
        return answer

    def make_clean(self) -> None:
        """Take what the command writes with a cache of its own, and the time of such a run."""
        kept = self.bench.used.rename(self.bench.used.with_name("kept")) if self.bench.used.exists() else None
        began = time.monotonic()
        self.expected_notes = notes_of(self.run())
        self.seconds = time.monotonic() - began
        self.expected = self.report.read_bytes()
        shutil.rmtree(self.bench.used, ignore_errors=True)
        if kept:
            kept.rename(self.bench.used)

    def change(self) -> None:
        """Change some files of the repository, so that a part of the index is made anew."""
        places = sorted(self.bench.repository.rglob("*.py"))
        for place in self.rng.sample(places, min(3, len(places))):
            with place.open("a", encoding="utf-8") as file:
                file.write(f"\n\ndef retry_{self.rng.randrange(10**6)}(upload):\n    return upload\n")

    def one(self, *, is_cold: bool) -> str:
        """Try once; empty where all is right."""
        if is_cold:
            shutil.rmtree(self.bench.used, ignore_errors=True)
        else:
            if not self.bench.used.exists():  # the trial before was wrong
                self.run()
            self.change()
        if not (is_cold and self.expected):  # the repository is as it was at the trial before
            self.make_clean()
        expected = self.expected
        self.report.write_bytes(OLD)
        self.log.write_bytes(b"")
        copies = self.rng.choice((1, 1, 1, 2, 4, MOST_COPIES))
        patience = self.seconds * (copies + 1) / 2  # they share the processors
        moments = [(self.rng.random() * (1 + MOST_MORE) * patience, self._start()) for _ in range(copies)]
        self._kill(moments)
        left = self.report.read_bytes()
        was_late = LATE.search(left.decode("utf-8", "replace"))  # a report has its notes
        if left not in (OLD, expected) and not was_late:
            kind = "half-written" if expected.startswith(left) else "another whole one"
            return f"the file is {kind}: {first_difference(left, expected)}"
        for turn in ("first", "second"):
            answer = self.run()
            if answer.status != 0 or notes_of(answer) != self.expected_notes:
                return f"the {turn} run: status {answer.status}, {answer.messages.strip()[:200]!r}"
            if self.report.read_bytes() != expected:
                return f"the {turn} run answers otherwise: {first_difference(self.report.read_bytes(), expected)}"
        return ""

    def _start(self) -> int:
        child = os.fork()
        if child:
            return child
        log = os.open(self.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        faults.be_ctxpack(self.bench, self.command(), log, log)
        raise AssertionError

    def _kill(self, moments: Sequence[tuple[float, int]]) -> None:
        """End each process at its moment, and what it started with it: a child of its own dies with its pipe."""
        began = time.monotonic()
        for moment, child in sorted(moments):
            time.sleep(max(began + moment - time.monotonic(), 0.0))
            pid, _ = os.waitpid(child, os.WNOHANG)
            if not pid:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
                self.killed += 1


def first_difference(data: bytes, expected: bytes) -> str:
    """The first lines that differ, and the sizes."""
    pairs = zip_longest(data.splitlines(), expected.splitlines(), fillvalue=b"")
    lines = next((f"{one[:120]!r} instead of {other[:120]!r}" for one, other in pairs if one != other), "no line")
    return f"{lines}, {len(data)} bytes instead of {len(expected)}"


def notes_of(answer: faults.Answer) -> tuple[str, ...]:
    """What a run says besides the size of its report."""
    return tuple(line for line in answer.messages.splitlines() if line.startswith(("Note: ", "Error: ")))


def try_all(trials: Trials, count: int, *, show: bool) -> int:
    """Try and print; whether anything was wrong."""
    trials.report.parent.mkdir()
    for number in range(count):
        verdict = trials.one(is_cold=number % 2 == 0)
        if verdict:
            trials.wrong[verdict] += 1
            shutil.rmtree(trials.bench.used, ignore_errors=True)
            if show:
                print(f"{number}: {verdict}", flush=True)
        if show and (number + 1) % REPORTED == 0:
            print(f"{number + 1} trials, {sum(trials.wrong.values())} wrong, {trials.killed} killed", flush=True)
    for verdict, times in sorted(trials.wrong.items()):
        print(f"{times:4}  {verdict}")
    left = [path.name for path in trials.report.parent.iterdir() if path != trials.report]
    print(f"{sum(trials.wrong.values())} of {count} trials went wrong; {trials.killed} processes were killed at work")
    print(f"{trials.late} runs had not the time for something and were made again")
    print(f"{len(left)} unfinished files are left beside the report")
    return 1 if trials.wrong else 0


def main() -> int:
    """Run the trials."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--root", type=Path, default=faults.PROJECT / "fixtures" / "demo")
    parser.add_argument("--show", action="store_true")
    given = parser.parse_args()
    sys.path.insert(0, str(faults.PROJECT))
    import ctxpack.cli.run
    import ctxpack.pipeline  # noqa: F401 - the copies of this process find both loaded

    with tempfile.TemporaryDirectory(prefix="ctxpack-kills-") as name:
        bench = faults.make_bench(given.root.resolve(), Path(name))
        shutil.rmtree(bench.used)
        trials = Trials(bench, random.Random(given.seed))  # noqa: S311 - the same moments each time
        return try_all(trials, given.count, show=given.show)


if __name__ == "__main__":
    sys.exit(main())
