#!/usr/bin/env python3
"""Measure what starting costs: time of an import, and which modules it loads.

  startup.py [--runs N] [--top N] [--statement "import ctxpack.cli"]

Runs fresh interpreters. Prints for bare Python and for each statement the least CPU and wall milliseconds, how many
modules it loads beyond bare Python and how many of those are ctxpack's own; then the modules that take longest by
themselves (`-X importtime`, the least of the runs), and which of the libraries that must stay out of start-up are in.
With --statement, only that one. Run it twice: the first run may compile. Standard library only.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence

STATEMENTS = ("import ctxpack", "import ctxpack.cli.run", "import ctxpack.pipeline")
HEAVY = ("numpy", "pydantic", "rapidfuzz", "rich", "splintr", "sqlite3", "tiktoken", "tree_sitter")
_LINE = re.compile(r"import time:\s+(\d+) \|\s+\d+ \|\s*(\S+)")


def seconds(statement: str) -> tuple[float, float]:
    """CPU and wall seconds of a fresh interpreter that runs a statement."""
    before, began = os.times(), time.perf_counter()
    subprocess.run([sys.executable, "-c", statement], check=True)
    wall, after = time.perf_counter() - began, os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return cpu, wall


def modules(statement: str) -> frozenset[str]:
    """The modules that are loaded after a statement."""
    code = f"{statement}\nimport sys\nprint(*sys.modules, sep='\\n')"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return frozenset(done.stdout.split())


def import_times(report: str) -> dict[str, int]:
    """Microseconds that each module took by itself, from what ``-X importtime`` printed."""
    return {name: int(own) for own, name in _LINE.findall(report)}


def slowest(reports: Iterable[str], count: int) -> list[tuple[str, int]]:
    """The modules of the most microseconds, each by its least over the reports."""
    least: dict[str, int] = {}
    for report in reports:
        for name, own in import_times(report).items():
            least[name] = min(own, least.get(name, own))
    return sorted(least.items(), key=lambda item: (-item[1], item[0]))[:count]


def heavy(loaded: Iterable[str]) -> list[str]:
    """Which of the libraries that start-up must do without are loaded."""
    return sorted({name.partition(".")[0] for name in loaded}.intersection(HEAVY))


def _report(statement: str) -> str:
    command = [sys.executable, "-X", "importtime", "-c", statement]
    return subprocess.run(command, check=True, capture_output=True, text=True).stderr


def _show(statement: str, bare: frozenset[str], options: argparse.Namespace) -> None:
    runs = [seconds(statement) for _ in range(options.runs)]
    loaded = modules(statement) - bare
    own = sum(name.partition(".")[0] == "ctxpack" for name in loaded)
    cpu, wall = (1000 * min(run[place] for run in runs) for place in (0, 1))
    print(f"{statement or 'bare Python':28} {cpu:7.1f} {wall:8.1f} {len(loaded):8} {own:6}  {', '.join(heavy(loaded))}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5, help="fresh interpreters for each statement; default: 5")
    parser.add_argument("--top", type=int, default=15, help="slowest modules to list; default: 15")
    parser.add_argument("--statement", action="append", help="what to run instead of the usual; may be repeated")
    options = parser.parse_args(arguments)
    statements = options.statement or STATEMENTS
    bare = modules("")
    print(f"{'statement':28} {'CPU ms':>7} {'wall ms':>8} {'modules':>8} {'own':>6}  heavy ones among them")
    for statement in ("", *statements):
        _show(statement, bare, options)
    print(f"\nslowest modules of: {statements[-1]}")
    for name, own in slowest((_report(statements[-1]) for _ in range(options.runs)), options.top):
        print(f"{own / 1000:8.2f} ms  {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
