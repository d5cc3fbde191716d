#!/usr/bin/env python3
"""Measure how long a pack takes and what it costs, beside other tools, on one checkout.

  speed.py --root CHECKOUT [--query TEXT] [--budget N] [--runs N] [--only NAME ...]

A row for each command: `ctxpack task` and `ctxpack search` cold (the cache folder is emptied before each run) and warm,
`--version` (bare start-up), and, where they are installed, `probe search` (packs for a request, without an index),
`repomix` and `files-to-prompt` (pack everything). Columns: runs; median wall seconds with least and most; CPU seconds
(user and system, children included, the least of the runs: the figure that a busy machine distorts least); the largest
resident set of any one process in MB; bytes of standard output. Nothing is written into the checkout. The file cache of
the system is warm for all: one run of each is not counted. Absent tools get a line that says how to install them.
Works where the standard library has os.wait4: Linux and macOS. Standard library only.
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

QUERY = "fix retry of database connection when a transaction is rolled back"
INSTALL = {
    "probe": "npm install -g @buger/probe",
    "repomix": "npm install -g repomix",
    "files-to-prompt": "pip install files-to-prompt",
}


@dataclass(frozen=True, slots=True)
class Run:
    """One finished run: seconds of wall and CPU time, megabytes, bytes, exit status."""

    wall: float
    cpu: float
    peak: float
    output: int
    status: int


@dataclass(frozen=True, slots=True)
class Case:
    """A command to measure, and what has to be done before each of its runs."""

    name: str
    command: tuple[str, ...]
    prepare: Callable[[], None] = lambda: None


def measure(case: Case, folder: Path, environment: dict[str, str]) -> Run:
    """Run a command in ``folder`` and wait for it; its messages are dropped, its output only counted."""
    case.prepare()
    with tempfile.TemporaryFile() as output:
        began = time.perf_counter()
        process = subprocess.Popen(
            case.command,
            cwd=folder,
            env=environment,
            stdout=output,
            stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        size = os.fstat(output.fileno()).st_size
    return Run(wall, usage.ru_utime + usage.ru_stime, megabytes(usage.ru_maxrss), size, process.returncode)


def megabytes(resident: int, platform: str = sys.platform) -> float:
    """``ru_maxrss`` in MB: macOS counts bytes, Linux kilobytes."""
    return resident / (1_000_000 if platform == "darwin" else 1_000)


def row(name: str, runs: Sequence[Run]) -> tuple[str, ...]:
    """A line of the table."""
    walls = sorted(run.wall for run in runs)
    failed = sorted({run.status for run in runs} - {0})
    return (
        name,
        str(len(runs)),
        f"{statistics.median(walls):.2f} ({walls[0]:.2f}-{walls[-1]:.2f})",
        f"{min(run.cpu for run in runs):.2f}",
        f"{max(run.peak for run in runs):.0f}",
        f"{runs[-1].output:,}",
        f"exit {', '.join(map(str, failed))}" if failed else "",
    )


def table(rows: Sequence[Sequence[str]]) -> str:
    """Rows in columns of equal width, the first one to the left, the others to the right."""
    widths = [max(len(line[place]) for line in rows) for place in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if place else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in rows
    )


def cases(options: argparse.Namespace, cache: Path) -> list[Case]:
    """Every command whose program is there; a line about each that is not."""
    own = tuple(shlex.split(options.ctxpack))
    root, budget = str(options.root), str(options.budget)

    def forget() -> None:
        shutil.rmtree(cache, ignore_errors=True)

    task = (*own, "task", options.query, "--root", root, "--budget", budget, "--quiet")
    search = (*own, "search", options.query, "--root", root, "--quiet")
    found = [
        Case("ctxpack --version", (*own, "--version")),
        Case("ctxpack task, cold", task, forget),
        Case("ctxpack task, warm", task),
        Case("ctxpack search, cold", search, forget),
        Case("ctxpack search, warm", search),
    ]
    peers = {
        "probe": ("probe", "search", options.query, "--max-tokens", budget, "-o", "markdown", root),
        "repomix": ("repomix", "--stdout", "--quiet", root),
        "files-to-prompt": ("files-to-prompt", root, "--cxml"),
    }
    for name, command in peers.items():
        if shutil.which(name):
            found.append(Case(" ".join(command[:2]) if name == "probe" else name, command))
        else:
            print(f"{name} is not on the PATH: {INSTALL[name]}", file=sys.stderr)
    return [case for case in found if not options.only or any(name in case.name for name in options.only)]


def main() -> int:
    """Measure every case and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", required=True, type=lambda text: Path(text).resolve(), help="the checkout to pack")
    parser.add_argument("--query", default=QUERY, help=f"the request; default: {QUERY}")
    parser.add_argument("--budget", type=int, default=8000, help="tokens; default: 8000")
    parser.add_argument("--runs", type=int, default=5, help="counted runs of each command; default: 5")
    parser.add_argument("--ctxpack", default="ctxpack", help="how ctxpack is called, such as: python -m ctxpack")
    parser.add_argument("--only", nargs="*", help="only commands whose name holds one of these")
    options = parser.parse_args()
    if not hasattr(os, "wait4"):
        parser.error("this system has no os.wait4")
    rows: list[Sequence[str]] = [("command", "n", "wall s (min-max)", "CPU s", "peak MB", "output bytes", "")]
    with tempfile.TemporaryDirectory(prefix="ctxpack-speed-") as folder:
        cache = Path(folder) / "cache"
        environment = {**os.environ, "CTXPACK_CACHE_DIR": str(cache)}
        for case in cases(options, cache):
            measure(case, Path(folder), environment)
            rows.append(row(case.name, [measure(case, Path(folder), environment) for _ in range(options.runs)]))
            print(f"{case.name}: done", file=sys.stderr)
    print(table(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
