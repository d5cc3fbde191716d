#!/usr/bin/env python3
"""Put load on ctxpack: many requests in a row, many threads at a time, many processes on one cold cache.

  load.py [--requests 2000] [--threads 16] [--processes 100] [--root REPOSITORY] [--flat 0.05]

Works on a copy of a small repository (fixtures/demo unless --root names another) with caches of its own.
In a row: one process answers the requests one behind the other, half of them from the cache of packs. After a tenth of
them, memory may differ by --flat from then on, and neither threads nor open files may grow.
Threads: as many at a time answer the same requests, on one cache. Processes: all start at once with an empty cache.
Every answer is compared with that of a run alone with a cache of its own; an error or another byte is told. One that
says in a note that its time was over, as on a machine that has too much to do, is counted apart.
Prints a line for each part; exits with 1 if one is wrong. Needs os.fork; open files and memory need Linux's /proc.
"""

from __future__ import annotations

import argparse
import gc
import os
import re
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import cycle, islice, zip_longest
from pathlib import Path

from ctxpack import Request, Scope, load, pack
from ctxpack.model.formats import FORMAT_NAMES
from ctxpack.settings import Settings

PROJECT = Path(__file__).parents[2]
TEXTS = (
    "events are counted twice when an answer gets lost",
    "where are retries delayed",
    "Uploader.send_with_retry",
    "дубли событий при повторной отправке",
    "how does the queue survive a crash, and what does it write to disk?",
)
LATE = re.compile("took (?:longer than|too long)")  # in the notes of a report
SAMPLES = 20  # of memory, evenly over the requests
MEGABYTE = 1_000_000

Asked = tuple[Request, Settings]


@dataclass(frozen=True, slots=True)
class Usage:
    """What a process holds: bytes of memory, threads, open files; 0 where the platform does not tell."""

    memory: int
    threads: int
    files: int


def usage() -> Usage:
    """What this process holds now."""
    statm, descriptors = Path("/proc/self/statm"), Path("/proc/self/fd")
    memory = int(statm.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE") if statm.exists() else 0
    return Usage(memory, threading.active_count(), len(list(descriptors.iterdir())) if descriptors.exists() else 0)


def requests_for(settings: Settings) -> list[Asked]:
    """Different requests, in every format and for every scope that needs no git."""
    from ctxpack.discover import discover

    paths = [file.path for file in discover(settings).files if file.path.endswith((".py", ".md"))]
    asked = [Request(Scope.TASK, text=text) for text in TEXTS]
    asked += [Request(Scope.FILE, path=path) for path in paths[:4]]
    asked += [Request(Scope.COMPONENT, name=Path(path).stem) for path in paths[:2]]
    formats = cycle(FORMAT_NAMES)
    return [(request, replace(settings, format=next(formats), budget=4_000)) for request in asked for _ in range(2)]


def answer(asked: Asked, *, is_kept: bool = False) -> str:
    """The text of a report; made anew unless the kept one will do."""
    request, settings = asked
    return pack(request, settings, on_event=None if is_kept else lambda _: None).text


def expected_answers(asked: Sequence[Asked], folder: Path) -> list[str]:
    """What each request is answered alone, with a cache of its own."""
    return [answer((request, replace(its, cache_dir=folder / "alone"))) for request, its in asked]


@dataclass(slots=True)
class Finding:
    """What a part found: answers, wrong ones, and what else it says."""

    answers: int = 0
    wrong: int = 0
    late: int = 0
    said: str = ""
    is_good: bool = True

    def compare(self, text: str, expected: str) -> None:
        """Count an answer that differs: late where it says so, else wrong."""
        if text != expected:
            is_late = LATE.search(text) is not None and LATE.search(expected) is None
            self.late, self.wrong = self.late + is_late, self.wrong + (not is_late)


def in_a_row(asked: Sequence[Asked], expected: Sequence[str], count: int, flat: float) -> Finding:
    """Answer ``count`` requests one behind the other, and watch what the process holds."""
    found, seen = Finding(), []
    step = max(1, count // SAMPLES)
    for number in range(count):
        at = number % len(asked)
        found.answers += 1
        found.compare(answer(asked[at], is_kept=number // len(asked) % 2 == 1), expected[at])
        if (number + 1) % step == 0:
            gc.collect()
            seen.append(usage())
    settled = seen[max(1, SAMPLES // 10) :] or seen[-1:]
    first, last = settled[0], settled[-1]
    growth = last.memory / first.memory - 1 if first.memory else 0.0
    highest = max(each.memory for each in settled)
    found.is_good = abs(growth) <= flat and last.threads <= first.threads and last.files <= first.files
    found.said = (
        f"memory {first.memory / MEGABYTE:.1f} to {last.memory / MEGABYTE:.1f} MB ({growth:+.1%}, highest "
        f"{highest / MEGABYTE:.1f}), threads {first.threads} to {last.threads}, files {first.files} to {last.files}"
    )
    return found


def in_threads(asked: Sequence[Asked], expected: Sequence[str], threads: int) -> Finding:
    """Answer every request in each of some threads."""
    errors: list[str] = []
    found = Finding(threads * len(asked))

    def work(number: int) -> list[tuple[str, str]]:
        answers = []
        for place in range(len(asked)):
            at = (place + number) % len(asked)
            try:
                answers.append((answer(asked[at], is_kept=number % 2 == 1), expected[at]))
            except Exception as error:  # noqa: BLE001 - whatever it is, it is what this looks for
                errors.append(f"{type(error).__name__}: {error}")
        return answers

    with ThreadPoolExecutor(threads) as pool:
        for answers in pool.map(work, range(threads)):
            for text, other in answers:
                found.compare(text, other)
    found.said = f"errors {len(errors)}" + "".join(f"\n  {each}" for each in sorted(set(errors))[:5])
    found.is_good = not errors
    return found


def in_processes(asked: Sequence[Asked], expected: Sequence[str], processes: int, folder: Path) -> Finding:
    """Answer one request in each of some processes, which all start with an empty cache."""
    places = list(islice(cycle(range(len(asked))), processes))
    gate = os.pipe()
    children = [_start(asked[at], folder / f"answer{number}", gate) for number, at in enumerate(places)]
    os.close(gate[1])  # they wait for its end
    os.close(gate[0])
    failed = sum(os.waitpid(child, 0)[1] != 0 for child in children)
    texts = [_read(folder / f"answer{number}") for number in range(processes)]
    found = Finding(processes, is_good=not failed)
    for text, at in zip(texts, places, strict=True):
        found.compare(text, expected[at])
    errors = {text for text in texts if text.startswith("error: ")}
    errors |= {_first_difference(text, expected[at]) for text, at in zip(texts, places, strict=True)} - {""}
    found.said = f"failed {failed}" + "".join(f"\n  {each}" for each in sorted(errors)[:5])
    return found


def _first_difference(text: str, expected: str) -> str:
    """The first lines that differ; empty where none do."""
    pairs = zip_longest(text.splitlines(), expected.splitlines(), fillvalue="")
    return next((f"{one[:160]!r} instead of {other[:160]!r}" for one, other in pairs if one != other), "")


def _start(asked: Asked, target: Path, gate: tuple[int, int]) -> int:
    """Fork a process that waits for the gate, answers, and leaves without a word."""
    child = os.fork()
    if child:
        return child
    status = 1
    try:
        os.close(gate[1])
        os.read(gate[0], 1)
        target.write_text(answer(asked, is_kept=True), encoding="utf-8", newline="")
        status = 0
    except BaseException as error:  # noqa: BLE001 - told by the parent
        target.write_text(f"error: {type(error).__name__}: {error}", encoding="utf-8")
    finally:
        os._exit(status)


def _read(path: Path) -> str:
    return path.read_bytes().decode("utf-8") if path.exists() else ""


@contextmanager
def laid_out(root: Path) -> Iterator[tuple[Settings, Path]]:
    """A copy of a repository with a cache of its own, and a folder beside it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copy = Path(shutil.copytree(root, folder / "work", symlinks=True))
        yield replace(load(copy, {}, {}), cache_dir=folder / "cache"), folder


def measure(name: str, part: Callable[[], Finding]) -> bool:
    """Run a part and print what it found; whether it is right."""
    before, began = os.times(), time.perf_counter()
    found = part()
    wall, after = time.perf_counter() - began, os.times()
    cpu = sum(after[:4]) - sum(before[:4])
    is_right = found.is_good and not found.wrong
    verdict = "right" if is_right else "WRONG"
    counts = f"{found.answers} answers, {found.wrong} differ, {found.late} late"
    print(f"{name}: {counts}; {found.said}; {cpu:.1f} CPU s, {wall:.1f} s: {verdict}")
    sys.stdout.flush()
    return is_right


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the parts that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=2_000)
    parser.add_argument("--threads", type=int, default=16)
    parser.add_argument("--processes", type=int, default=100)
    parser.add_argument("--flat", type=float, default=0.05, help="share by which memory may differ")
    parser.add_argument("--root", type=Path, default=PROJECT / "fixtures" / "demo")
    chosen = parser.parse_args(arguments)
    results = []
    with laid_out(chosen.root) as (settings, folder):
        asked = requests_for(settings)
        expected = expected_answers(asked, folder)
        cold = [(request, replace(its, cache_dir=folder / "cold")) for request, its in asked]
        if chosen.processes:  # first, while this process has no threads
            work = folder / "answers"
            work.mkdir()
            results.append(measure("processes", lambda: in_processes(cold, expected, chosen.processes, work)))
        if chosen.threads:
            warm = [(request, replace(its, cache_dir=folder / "threads")) for request, its in asked]
            results.append(measure("threads", lambda: in_threads(warm, expected, chosen.threads)))
        if chosen.requests:
            results.append(measure("in a row", lambda: in_a_row(asked, expected, chosen.requests, chosen.flat)))
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
