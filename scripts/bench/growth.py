#!/usr/bin/env python3
"""Measure how a first run, a new request and an edit grow with the repository and the budget, and draw it.

  growth.py --root LARGE_CHECKOUT [--sizes N,N,...] [--budgets N,N,...] [--runs N] [--data FILE] [--out FILE]
  growth.py --draw [--data FILE] [--out FILE]

Of the tracked files of a large checkout as many as each size says are copied into a repository of their own, evenly
spread. There `ctxpack task` runs with nothing indexed, for requests that were never asked before, and after one edited
file each; then, on the largest one, for new requests with each budget. Kept in ``--data`` (JSON): CPU seconds (user and
system, children included, the least of the runs), the largest resident set of any one process and the size of the index
in MB. ``--out`` gets a picture with double logarithmic scales. In its legend is the exponent of each line, by least
squares: 1 is as fast as what grows, below 1 slower. Works where the standard library has os.wait4: Linux and macOS.
Standard library only.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from xml.sax.saxutils import escape

from speed import NOT_INDEX, QUERY, SOURCES, Case, Run, least_cpu, measure, new_request

PROJECT = Path(__file__).resolve().parents[2]
DATA = PROJECT / "docs" / "images" / "growth.json"
PICTURE = PROJECT / "docs" / "images" / "growth.svg"
SIZES = "1000,3000,10000,30000,80000"
BUDGETS = "2000,8000,32000,128000,512000,1000000"
COLOURS = ("#0072b2", "#d55e00", "#009e73")  # told apart by their marks, too
MARKS = ("circle", "square", "diamond")
HEIGHT, LEFT, TOP, PANEL_WIDTH, PANEL_HEIGHT = 380, 60, 60, 220, 220
LEAST_PANELS = 2  # that have room for the title
Points = Sequence[tuple[float, float]]


def exponent(points: Points) -> float:
    """The slope of a line through the logarithms of some points, by least squares; 0 of fewer than two."""
    logs = [(math.log(x), math.log(y)) for x, y in points if x > 0 and y > 0]
    if len({x for x, _ in logs}) < 2:  # noqa: PLR2004 -- of one point there is no slope
        return 0.0
    mean_x, mean_y = (sum(values) / len(logs) for values in zip(*logs, strict=True))
    return sum((x - mean_x) * (y - mean_y) for x, y in logs) / sum((x - mean_x) ** 2 for x, _ in logs)


def spread(paths: Sequence[str], count: int) -> list[str]:
    """Some of the paths, evenly spread; all where there are no more."""
    if count >= len(paths):
        return list(paths)
    return [paths[number * len(paths) // count] for number in range(count)]


def copy_part(root: Path, paths: Sequence[str], target: Path) -> None:
    """Copy files into a repository of their own and commit them."""
    for path in paths:
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / path, target / path)
    own = ("-c", "user.name=growth", "-c", "user.email=growth@localhost", "-c", "gc.auto=0")
    for words in (("init", "-q"), ("add", "-A", "-f"), ("commit", "-q", "-m", "Part")):
        subprocess.run(["git", "-C", str(target), *own, *words], check=True, stdout=subprocess.DEVNULL)


def tracked(root: Path) -> list[str]:
    """The regular files of a checkout that git tracks, sorted."""
    found = subprocess.run(["git", "-C", str(root), "ls-files", "-z"], check=True, stdout=subprocess.PIPE).stdout
    paths = sorted(os.fsdecode(path) for path in found.split(b"\0") if path)
    return [path for path in paths if (root / path).is_file() and not (root / path).is_symlink()]


def index_megabytes(cache: Path) -> float:
    """The size of the index in a cache folder."""
    return sum(path.stat().st_size for path in cache.rglob("*") if path.is_file() and is_index(path, cache)) / 1e6


def is_index(path: Path, cache: Path) -> bool:
    """Whether a file of a cache folder belongs to an index."""
    return NOT_INDEX.isdisjoint(path.relative_to(cache).parts)


def measure_size(options: argparse.Namespace, root: Path, folder: Path) -> dict[str, float]:
    """Measure a first run, new requests and edits on one repository."""
    own = shlex.split(options.ctxpack)

    def task(number: int, budget: int = options.budget) -> tuple[str, ...]:
        words = ("task", new_request(QUERY, number), "--root", str(root), "--budget", str(budget), "--quiet")
        return (*own, *words)

    edited = [path for path in tracked(root) if Path(path).suffix in SOURCES]

    def edit(number: int) -> None:
        with (root / edited[number * 7919 % len(edited)]).open("a", encoding="utf-8") as file:
            file.write(f"\n/* edit {number} */\n")

    first = [run_once(Case("first", task), 0, folder)]
    index = index_megabytes(folder / "warm")
    requests = [run_once(Case("request", task), number, folder) for number in range(1, 1 + options.runs)]
    edits = [run_once(Case("edit", task, prepare=edit), 100 + number, folder) for number in range(options.runs)]
    found = {"index": index}
    for name, runs in (("first", first), ("request", requests), ("edit", edits)):
        found |= {f"{name} cpu": least_cpu(runs), f"{name} peak": max(run.peak for run in runs)}
    return found


def run_once(case: Case, number: int, folder: Path) -> Run:
    """Measure a run. Ends the program where that fails: a figure of a failed run says nothing."""
    run = measure(case, number, folder)
    if run.status:
        sys.exit(f"growth.py: {shlex.join(case.command(number))} ended with status {run.status}")
    return run


def measure_budgets(options: argparse.Namespace, root: Path, folder: Path) -> list[dict[str, float]]:
    """Measure new requests with each budget on one repository that is indexed."""
    found = []
    for place, budget in enumerate(numbers(options.budgets)):

        def task(number: int, budget: int = budget) -> tuple[str, ...]:
            words = ("task", new_request(QUERY, number), "--root", str(root), "--budget", str(budget), "--quiet")
            return (*shlex.split(options.ctxpack), *words)

        first = 1_000 + place * options.runs
        runs = [run_once(Case("budget", task), number, folder) for number in range(first, first + options.runs)]
        found.append({"budget": budget, "cpu": least_cpu(runs), "peak": max(run.peak for run in runs)})
    return found


def numbers(written: str) -> list[int]:
    """The numbers of a list with commas."""
    return [int(each) for each in written.split(",")]


def gather(options: argparse.Namespace) -> dict[str, list[dict[str, float]]]:
    """Measure all sizes, then all budgets on the largest."""
    paths = tracked(options.root)
    found: dict[str, list[dict[str, float]]] = {"sizes": [], "budgets": []}
    sizes = sorted({min(size, len(paths)) for size in numbers(options.sizes)})
    for size in sizes:
        with tempfile.TemporaryDirectory(prefix="growth-", dir=options.folder) as name:
            folder = Path(name)
            copy_part(options.root, spread(paths, size), folder / "root")
            found["sizes"].append({"files": size, **measure_size(options, folder / "root", folder)})
            print(json.dumps(found["sizes"][-1]), file=sys.stderr, flush=True)
            if size == sizes[-1]:
                found["budgets"] = measure_budgets(options, folder / "root", folder)
    return found


def drawn(found: Mapping[str, Sequence[Mapping[str, float]]]) -> str:
    """The picture: CPU seconds by files, megabytes by files, CPU seconds by budget, as far as they were measured."""
    sizes, budgets = found["sizes"], found["budgets"]

    def line(rows: Sequence[Mapping[str, float]], x: str, y: str) -> Points:
        return [(row[x], row[y]) for row in rows]

    panels = [
        ("CPU seconds, by files", {
            "first run": line(sizes, "files", "first cpu"),
            "new request": line(sizes, "files", "request cpu"),
            "after one edit": line(sizes, "files", "edit cpu"),
        }),
        ("Megabytes, by files", {
            "memory, first run": line(sizes, "files", "first peak"),
            "memory, new request": line(sizes, "files", "request peak"),
            "index": line(sizes, "files", "index"),
        }),
        ("CPU seconds, by tokens of budget", {"new request": line(budgets, "budget", "cpu")}),
    ]  # fmt: skip
    measured = [(title, lines) for title, lines in panels if all(lines.values())]
    body = "\n".join(
        panel(LEFT + place * (PANEL_WIDTH + LEFT), title, lines) for place, (title, lines) in enumerate(measured)
    )
    width = LEFT + max(len(measured), LEAST_PANELS) * (PANEL_WIDTH + LEFT)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT}" font-family="sans-serif" '
        f'font-size="12">\n<rect width="100%" height="100%" fill="#ffffff"/>\n'
        f'<text x="16" y="26" font-size="15" font-weight="bold">Growth, in logarithmic scales; '
        f"in brackets the exponent</text>\n{body}\n</svg>\n"
    )


def panel(left: float, title: str, lines: Mapping[str, Points]) -> str:
    """One plot with its lines and their legend."""
    points = [point for line in lines.values() for point in line]
    across, up = (scale([point[axis] for point in points]) for axis in (0, 1))
    bottom = TOP + PANEL_HEIGHT
    parts = [
        f'<text x="{left}" y="{TOP - 10}">{escape(title)}</text>',
        f'<rect x="{left}" y="{TOP}" width="{PANEL_WIDTH}" height="{PANEL_HEIGHT}" fill="none" stroke="#555555"/>',
    ]
    for value, share in across.ticks:
        x = left + share * PANEL_WIDTH
        parts.append(f'<text x="{x:.1f}" y="{bottom + 16}" text-anchor="middle">{short(value)}</text>')
        parts.append(f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{bottom}" stroke="#dddddd"/>')
    for value, share in up.ticks:
        y = bottom - share * PANEL_HEIGHT
        parts.append(f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{short(value)}</text>')
        parts.append(f'<line x1="{left}" y1="{y:.1f}" x2="{left + PANEL_WIDTH}" y2="{y:.1f}" stroke="#dddddd"/>')
    for number, (name, line) in enumerate(lines.items()):
        places = [(left + across.share(x) * PANEL_WIDTH, bottom - up.share(y) * PANEL_HEIGHT) for x, y in line]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{COLOURS[number]}" stroke-width="2"/>')
        parts += [mark(number, x, y) for x, y in places]
        height = bottom + 38 + 18 * number
        parts += [mark(number, left + 6, height - 4)]
        parts.append(f'<text x="{left + 18}" y="{height}">{escape(name)} ({exponent(line):.2f})</text>')
    return "\n".join(parts)


def mark(number: int, x: float, y: float) -> str:
    """The mark of a line at a place."""
    colour = COLOURS[number]
    if MARKS[number] == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"/>'
    turn = f' transform="rotate(45 {x:.1f} {y:.1f})"' if MARKS[number] == "diamond" else ""
    return f'<rect x="{x - 3.5:.1f}" y="{y - 3.5:.1f}" width="7" height="7" fill="{colour}"{turn}/>'


class Scale:
    """A logarithmic scale from one power of ten to another; ``share`` says how far along it a value is."""

    def __init__(self, low: int, high: int) -> None:
        self.low = low
        self.high = high

    def share(self, value: float) -> float:
        """How far along the scale a value is, 0..1."""
        return (math.log10(value) - self.low) / (self.high - self.low)

    @property
    def ticks(self) -> list[tuple[float, float]]:
        """The powers of ten, and where they are."""
        return [(10.0**power, self.share(10.0**power)) for power in range(self.low, self.high + 1)]


def scale(values: Sequence[float]) -> Scale:
    """The scale that shows some values; of none, one from 1 to 10."""
    known = [value for value in values if value > 0] or [1.0]
    low = math.floor(math.log10(min(known)))
    return Scale(low, max(math.ceil(math.log10(max(known))), low + 1))


def short(value: float) -> str:
    """A power of ten in few signs."""
    names: Sequence[tuple[float, str]] = ((1e6, "M"), (1e3, "k"))
    factor, name = next(((factor, name) for factor, name in names if value >= factor), (1.0, ""))
    return f"{value / factor:g}{name}"


def main(
    words: Sequence[str] | None = None, measured: Callable[..., dict[str, list[dict[str, float]]]] = gather
) -> int:
    """Measure, unless only the picture is asked for, and draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path)
    parser.add_argument("--sizes", default=SIZES)
    parser.add_argument("--budgets", default=BUDGETS)
    parser.add_argument("--budget", type=int, default=8_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--ctxpack", default=f"{shlex.quote(sys.executable)} -m ctxpack")
    parser.add_argument("--folder", type=Path, help="where the parts are copied to; the system's by default")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--out", type=Path, default=PICTURE)
    parser.add_argument("--draw", action="store_true", help="draw what was measured before")
    options = parser.parse_args(words)
    if not options.draw:
        if options.root is None:
            parser.error("--root names the checkout to measure; --draw draws what was measured before")
        options.root = options.root.resolve()
        options.data.write_text(json.dumps(measured(options), indent=1) + "\n", encoding="utf-8")
    options.out.write_text(drawn(json.loads(options.data.read_text(encoding="utf-8"))), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
