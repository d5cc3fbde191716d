#!/usr/bin/env python3
"""Measure how long a pack takes and what it costs, beside other tools, on one checkout.

  speed.py --root CHECKOUT [--query TEXT] [--budget N] [--runs N] [--only NAME ...]

A row for each of: `--version` and `--help` (bare start-up); `ctxpack task` cold (nothing is indexed), for a new request
on an indexed repository, for the same request again, after one edited file, after ten, and after a switch between two
branches that differ in 500 files; the first `ctxpack search` of all, and a new one; a new request and the same again
where `ctxpack serve` runs, with the CPU and the memory of the process that asks; and, where they are installed,
`probe search` (packs for a request, without an index), `repomix` and `files-to-prompt` (pack everything). Columns:
runs; median wall seconds with least and most; CPU seconds (user and system, children included, the least of the runs:
the figure that a busy machine distorts least); the largest resident set of any one process in MB; bytes of standard
output; where probe is there, median wall and least CPU as parts of probe's. Below it the size of the index, and the
memory of `ctxpack serve`.

The commands take turns, so that all of them meet the same load. A run of each before is not counted: the file cache of
the system is warm for all. Nothing is written into the checkout; files are edited in copies of it. Absent tools get a
line that says how to install them. Works where the standard library has os.wait4: Linux and macOS. Standard library
only.
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
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from itertools import islice, permutations
from pathlib import Path

QUERY = "fix retry of database connection when a transaction is rolled back"
PROBE = "probe search"
EDITS, SWITCHED = 10, 500  # files
SOURCES = frozenset({".c", ".cs", ".go", ".h", ".java", ".js", ".kt", ".md", ".php", ".py", ".rb", ".rs", ".ts"})
SOCKETS = "s"  # the path of a socket is short
SECONDS = 30  # for a process to start
NOT_INDEX = frozenset({"packs", "patterns", "vocabularies"})
INSTALL = {
    "probe": "npm install -g @probelabs/probe",
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


Words = Callable[[int], Sequence[str]]
"""The command line of a run, by its number."""


@dataclass(frozen=True, slots=True)
class Case:
    """A command to measure, the folder of its cache, and what has to be done before each of its runs."""

    name: str
    command: Words
    cache: str = "warm"
    prepare: Callable[[int], None] = lambda _: None
    is_served: bool = False


def measure(case: Case, number: int, folder: Path) -> Run:
    """Run a command in ``folder`` and wait for it; its messages are dropped, its output only counted."""
    case.prepare(number)
    environment = {**os.environ, "CTXPACK_CACHE_DIR": str(folder / case.cache), "CTXPACK_SERVE": "off"}
    if case.is_served:
        environment |= {"CTXPACK_SERVE": "", "XDG_RUNTIME_DIR": str(folder / SOCKETS)}
    with tempfile.TemporaryFile() as output:
        began = time.perf_counter()
        process = subprocess.Popen(
            case.command(number),
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


def row(name: str, runs: Sequence[Run], peer: Sequence[Run] = ()) -> tuple[str, ...]:
    """A line of the table; ``peer`` are the runs that it is compared with."""
    walls = sorted(run.wall for run in runs)
    failed = sorted({run.status for run in runs} - {0})
    return (
        name,
        str(len(runs)),
        f"{statistics.median(walls):.2f} ({walls[0]:.2f}-{walls[-1]:.2f})",
        f"{least_cpu(runs):.2f}",
        f"{max(run.peak for run in runs):.0f}",
        f"{runs[-1].output:,}",
        f"{statistics.median(walls) / median_wall(peer):.2f}, {least_cpu(runs) / least_cpu(peer):.2f}" if peer else "",
        f"exit {', '.join(map(str, failed))}" if failed else "",
    )


def median_wall(runs: Sequence[Run]) -> float:
    """The median of the wall seconds."""
    return statistics.median(run.wall for run in runs)


def least_cpu(runs: Sequence[Run]) -> float:
    """The least CPU seconds."""
    return min(run.cpu for run in runs)


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


def new_request(query: str, number: int) -> str:
    """The words of a request in an order of their own for each number: the same words, and never asked before."""
    return " ".join(next(islice(permutations(query.split()), number, None)))


class Copy:
    """A copy of the checkout in which files are edited; made when it is first needed."""

    def __init__(self, root: Path, place: Path) -> None:
        self.root = root
        self.place = place

    def edit(self, count: int, number: int) -> None:
        """Add a line to some of its files, as far apart as can be."""
        self.make()
        paths = sorted(path for path in self.place.rglob("*") if path.suffix in SOURCES and path.is_file())
        for path in paths[:: max(1, len(paths) // count)][:count]:
            with path.open("a", encoding="utf-8") as file:
                file.write(f"\n# edit {number}\n")

    def switch(self, count: int, number: int) -> None:
        """Check out the other one of two branches that differ in some files."""
        if not self.place.exists():
            self.make()
            self.git("checkout", "-q", "-b", "one")
            self.git("checkout", "-q", "-b", "two")
            self.edit(count, 0)
            self.git("-c", "user.name=speed", "-c", "user.email=speed@localhost", "commit", "-q", "-a", "-m", "Edit")
        self.git("checkout", "-q", "two" if number % 2 else "one")

    def make(self) -> None:
        """Copy the checkout as it was committed, or as it is where there is no git."""
        if self.place.exists():
            return
        if (self.root / ".git").exists():
            subprocess.run(
                ["git", "-c", "advice.detachedHead=false", "clone", "-q", str(self.root), str(self.place)], check=True
            )
            # As any prompt or editor does: until then git reads every file that is as old as its index, at each call.
            time.sleep(1)
            self.git("status")
        else:
            shutil.copytree(self.root, self.place, symlinks=True)
            self.git("init", "-q")

    def git(self, *arguments: str) -> None:
        """Run git in the copy."""
        subprocess.run(["git", "-C", str(self.place), *arguments], check=True, stdout=subprocess.DEVNULL)


def cases(options: argparse.Namespace, folder: Path) -> list[Case]:
    """Every command whose program is there; a line about each that is not."""
    found = [*own_cases(options, folder), *peer_cases(options)]
    return [case for case in found if not options.only or any(name in case.name for name in options.only)]


def own_cases(options: argparse.Namespace, folder: Path) -> Iterator[Case]:
    """The commands of ctxpack."""
    own = tuple(shlex.split(options.ctxpack))
    edits, branches = Copy(options.root, folder / "edits"), Copy(options.root, folder / "branches")

    def forget(name: str) -> Callable[[int], None]:
        return lambda _: shutil.rmtree(folder / name, ignore_errors=True)

    def task(root: Path = options.root, query: str = options.query) -> tuple[str, ...]:
        return (*own, "task", query, "--root", str(root), "--budget", str(options.budget), "--quiet")

    def search(query: str) -> tuple[str, ...]:
        return (*own, "search", query, "--root", str(options.root), "--quiet")

    yield Case("ctxpack --version", lambda _: (*own, "--version"))
    yield Case("ctxpack --help", lambda _: (*own, "--help"))
    yield Case("ctxpack task, cold", lambda _: task(), "cold", forget("cold"))
    yield Case("ctxpack task, new request", lambda number: task(query=new_request(options.query, number)))
    yield Case("ctxpack task, same again", lambda _: task())
    for count in (1, EDITS):
        name = "one edited file" if count == 1 else f"{count} edited files"
        prepare = partial(edits.edit, count)
        yield Case(f"ctxpack task, {name}", lambda _: task(edits.place), prepare=prepare)
    prepare = partial(branches.switch, SWITCHED)
    yield Case(f"ctxpack task, branch of {SWITCHED} files", lambda _: task(branches.place), prepare=prepare)
    yield Case("ctxpack search, first", lambda _: search(options.query), "first", forget("first"))
    yield Case("ctxpack search, new", lambda number: search(new_request(options.query, number)))

    yield Case(
        "ctxpack task, new request, served",
        lambda number: task(query=f"{new_request(options.query, number)} again"),
        is_served=True,
    )
    yield Case("ctxpack task, same again, served", lambda _: task(), is_served=True)


@contextmanager
def serving(command: str, folder: Path) -> Iterator[Callable[[], str]]:
    """Let `ctxpack serve` run until the block ends; gives what says what it has taken so far."""
    environment = {**os.environ, "XDG_RUNTIME_DIR": str(folder / SOCKETS)}
    (folder / SOCKETS).mkdir(mode=0o700)
    process = subprocess.Popen([*shlex.split(command), "serve", "--idle", "3600", "--quiet"], env=environment)
    end = time.monotonic() + SECONDS
    while not any(path.is_socket() for path in (folder / SOCKETS).glob("ctxpack/*")):
        if process.poll() is not None or time.monotonic() > end:
            raise SystemExit("ctxpack serve does not start")
        time.sleep(0.05)
    try:
        yield partial(taken, process.pid)
    finally:
        process.terminate()
        process.wait()


def taken(pid: int) -> str:
    """Say what a process and those that it started have taken, by `ps`."""
    listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid=,rss="], capture_output=True, text=True, check=True)
    rows = [line.split() for line in listed.stdout.splitlines()]
    own = [int(rss) for its, parent, rss in rows if str(pid) in {its, parent}]
    return f"ctxpack serve: {max(own) / 1_000:.0f} MB at most in one of {len(own)} processes"


def peer_cases(options: argparse.Namespace) -> Iterator[Case]:
    """The commands of other tools."""
    root, budget = str(options.root), str(options.budget)
    peers = {
        PROBE: ("probe", "search", options.query, "--max-tokens", budget, "--timeout", "600", "-o", "markdown", root),
        "repomix": ("repomix", "--stdout", "--quiet", root),
        "files-to-prompt": ("files-to-prompt", root, "--cxml"),
    }
    for name, command in peers.items():
        if shutil.which(command[0]):
            yield Case(name, lambda _, command=command: command)
        else:
            print(f"{command[0]} is not on the PATH: {INSTALL[command[0]]}", file=sys.stderr)


def index_size(cache: Path) -> tuple[int, int]:
    """How many bytes and files an index has; finished packs, patterns and the vocabulary are none of it."""
    sizes = [
        path.stat().st_size
        for path in cache.rglob("*")
        if path.is_file() and path.relative_to(cache).parts[0] not in NOT_INDEX
    ]
    return sum(sizes), len(sizes)


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
    with tempfile.TemporaryDirectory(prefix="ctxpack-speed-") as name:
        folder = Path(name)
        chosen = cases(options, folder)
        runs: dict[str, list[Run]] = {case.name: [] for case in chosen}
        is_served = any(case.is_served for case in chosen)
        with serving(options.ctxpack, folder) if is_served else nullcontext(str) as told:
            for case in chosen:
                measure(case, 0, folder)
            for number in range(1, options.runs + 1):
                for case in chosen:
                    runs[case.name].append(measure(case, number, folder))
                print(f"round {number}: done", file=sys.stderr)
            said = told()
        found = [index_size(folder / name) for name in ("cold", "warm", "first") if (folder / name).exists()]
    title = ("command", "n", "wall s (min-max)", "CPU s", "peak MB", "output bytes", "of probe: wall, CPU", "")
    print(table([title, *(row(name, its, runs.get(PROBE, ())) for name, its in runs.items())]))
    if found:
        print(f"index: {found[0][0] / 1e6:.1f} MB in {found[0][1]} files")
    if said:
        print(said)
    return 0


if __name__ == "__main__":
    sys.exit(main())
