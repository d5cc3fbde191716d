#!/usr/bin/env python3
"""Measure how long gathering takes on a warm index: the strategies of a request beside each other, and each alone.

  gather.py --root CHECKOUT [--file PATH] [--line N] [--strategies a,b] [--runs N] [--cache DIR]

Every run opens the index anew, so nothing but the index on disk is warm; only gathering is timed, not discovery or
ranking. Columns: pieces; CPU milliseconds (the least of the runs: the figure that a busy machine distorts least);
median, least and most milliseconds of wall time. The row "together" is what a report waits for;
"one after another" is the sum of the medians of the strategies alone.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ctxpack.gather import Context, gather
from ctxpack.index.opening import open_repository
from ctxpack.model import Request, Scope
from ctxpack.query.understand import query_of_text
from ctxpack.rank import Purpose, rank
from ctxpack.settings import Settings
from ctxpack.settings.loading import load
from ctxpack.understand.request import add_forms, search_text

STRATEGIES = ("document", "neighbours", "tests", "dependencies", "search")
_CANDIDATES = 133  # as many as a pack of 8,000 tokens asks for
_MILLI = 1_000


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table."""

    name: str
    pieces: int
    milliseconds: tuple[float, ...]
    cpu: float

    @property
    def median(self) -> float:
        """The middle of the runs."""
        return statistics.median(self.milliseconds)


def measure(name: str, request: Request, settings: Settings, runs: int) -> Row:
    """Gather several times, each on an index that was just opened; the first run is not counted."""
    took, cpu, pieces = list[float](), list[float](), 0
    for _ in range(runs + 1):
        with open_repository(settings) as view:
            query = add_forms(query_of_text(search_text(request)), view, settings)
            candidates = rank(query, view, limit=_CANDIDATES, purpose=Purpose.PACK)
            context = Context(request, query, view, settings, candidates)
            began, worked = time.perf_counter(), time.process_time()
            pieces = len(gather(context).fragments)
            took.append((time.perf_counter() - began) * _MILLI)
            cpu.append((time.process_time() - worked) * _MILLI)
    return Row(name, pieces, tuple(took[1:]), min(cpu[1:]))


def table(rows: Sequence[Row], alone: Sequence[Row]) -> str:
    """The rows in columns."""
    lines = [_line("strategies", "pieces", "CPU ms", "median ms (min-max)")]
    for row in (*alone, *rows):
        span = f"{row.median:.1f} ({min(row.milliseconds):.1f}-{max(row.milliseconds):.1f})"
        lines.append(_line(row.name, str(row.pieces), f"{row.cpu:.1f}", span))
    cpu, wall = sum(row.cpu for row in alone), sum(row.median for row in alone)
    lines.append(_line("one after another", "", f"{cpu:.1f}", f"{wall:.1f}"))
    return "\n".join(lines)


def _line(name: str, pieces: str, cpu: str, wall: str) -> str:
    return f"{name:24} {pieces:>6}  {cpu:>6}  {wall}"


def main() -> int:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", required=True, type=Path, help="the checkout")
    parser.add_argument("--file", default="django/db/transaction.py", help="the file that is asked for")
    parser.add_argument("--line", type=int, default=0, help="where the cursor stands")
    parser.add_argument("--strategies", default=",".join(STRATEGIES), help=f"default: {','.join(STRATEGIES)}")
    parser.add_argument("--runs", type=int, default=9, help="counted runs; default: 9")
    parser.add_argument("--cache", type=Path, help="where the index lies; by default in a folder that goes away")
    options = parser.parse_args()
    request = Request(Scope.FILE, path=options.file, line=options.line)
    names = tuple(options.strategies.split(","))
    with tempfile.TemporaryDirectory(prefix="ctxpack-gather-") as folder:
        cache = str(options.cache or folder)
        settings = replace(load(options.root, env={"CTXPACK_CACHE_DIR": cache, "HOME": folder}), strategies=names)
        together = measure(f"{len(names)} together", request, settings, options.runs)
        alone = [measure(name, request, replace(settings, strategies=(name,)), options.runs) for name in names]
    print(table([together], alone))
    return 0


if __name__ == "__main__":
    sys.exit(main())
