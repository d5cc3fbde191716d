#!/usr/bin/env python3
"""Damage the files that ctxpack keeps, one at a time, and compare what it answers with the answer of a clean run.

  faults.py [--count N] [--seed N] [--root REPOSITORY] [--show]

Works on a copy of a small repository (fixtures/demo unless --root names another) with caches and sessions of its own.
Each trial restores the state that a clean run left, damages one file of it (flips bits, overwrites a block, cuts,
empties, deletes, adds to it, or puts another file of the kind in its place), and runs one command twice. A run is right
when it answers as the clean one did. The first may instead end with one sentence, or say that it does without a memory
of a session; the second must be right. Wrong are another answer, a crash, a signal, no end within a minute, and a
message that quotes what the repository holds.
Prints the wrong trials by kind of file and kind of fault; exits with 1 if there was one. --show prints each of them.
Standard library only; needs os.fork: Linux and macOS.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).parents[2]
CANARY = "quagmirian"  # a word of the repository that no message may hold
UNREADABLE = "A memory of the session cannot be read"
PATIENCE = 60.0  # seconds; a run takes a tenth of one
INTERNAL = 4
MADE = re.compile(rb"made \d{4}-\d\d-\d\d \d\d:\d\d UTC")  # of an extract that had to be made anew
UNCOUNTED = ("strategy-timings",)  # what only says how long something took

Fault = Callable[[Path, random.Random], None]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command printed on both streams, and its exit status; below zero for a signal, None for no end."""

    output: bytes
    messages: str
    status: int | None


def flip_one(path: Path, rng: random.Random) -> None:
    """Flip a bit of one byte."""
    data = bytearray(path.read_bytes())
    if data:
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    path.write_bytes(data)


def flip_some(path: Path, rng: random.Random) -> None:
    """Overwrite some bytes."""
    data = bytearray(path.read_bytes())
    for _ in range(rng.randrange(2, 40) if data else 0):
        data[rng.randrange(len(data))] = rng.randrange(256)
    path.write_bytes(data)


def lose_block(path: Path, rng: random.Random) -> None:
    """Fill a block with zeros, as a disk does that lost it."""
    data = bytearray(path.read_bytes())
    size = rng.choice((512, 4096))
    start = rng.randrange(0, max(len(data), 1), size)
    data[start : start + size] = bytes(len(data[start : start + size]))
    path.write_bytes(data)


def cut(path: Path, rng: random.Random) -> None:
    """Cut the end off."""
    os.truncate(path, rng.randrange(max(path.stat().st_size, 1)))


def empty(path: Path, rng: random.Random) -> None:  # noqa: ARG001
    """Leave nothing in the file."""
    path.write_bytes(b"")


def delete(path: Path, rng: random.Random) -> None:  # noqa: ARG001
    """Delete the file."""
    path.unlink()


def add_to(path: Path, rng: random.Random) -> None:
    """Add bytes at the end."""
    with path.open("ab") as file:
        file.write(rng.randbytes(rng.randrange(1, 5000)))


def exchange(path: Path, rng: random.Random) -> None:
    """Put another file of the same folder in its place."""
    others = sorted(each for each in path.parent.iterdir() if each.is_file() and each != path)
    if others:
        path.write_bytes(rng.choice(others).read_bytes())


FAULTS: tuple[Fault, ...] = (flip_one, flip_one, flip_some, lose_block, cut, empty, delete, add_to, exchange)


@dataclass(frozen=True, slots=True)
class Bench:
    """A repository, what a clean run left, the place where commands find it, and the commands."""

    repository: Path
    clean: Path
    used: Path
    commands: Sequence[Sequence[str]]

    def restore(self) -> None:
        """Put the state of the clean run back."""
        shutil.rmtree(self.used, ignore_errors=True)
        shutil.copytree(self.clean, self.used)

    def files(self) -> list[Path]:
        """Every file of the state that a fault may hit."""
        found = sorted(path for path in self.used.rglob("*") if path.is_file())
        return [path for path in found if not path.name.startswith(UNCOUNTED)]


def make_bench(root: Path, folder: Path) -> Bench:
    """Copy a repository, commit it, and run every command once."""
    repository = folder / "repository"
    shutil.copytree(root, repository, ignore=shutil.ignore_patterns(".git"))
    (repository / f"{CANARY}.py").write_text(
        f"def {CANARY}_transfer(upload):\n    return upload.retry('{CANARY}')\n", encoding="utf-8"
    )
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    for line in (("init", "-q"), ("add", "-A"), (*identity, "commit", "-q", "-m", f"Retry the {CANARY} upload")):
        subprocess.run(("git", *line), cwd=repository, check=True)
    chat = folder / "chat.json"
    turns = [
        {"role": "user", "content": f"Upload {number}: the retry of {CANARY} is late. " * 9} for number in range(9)
    ]
    chat.write_text(json.dumps([*turns, {"role": "assistant", "content": "Uploads are retried."}]), encoding="utf-8")
    code = next(path.relative_to(repository) for path in sorted(repository.rglob("uploader.py")))
    session = ("--session", "s", "--history", str(chat))
    commands = (
        ("task", "fix the retry of uploads", "-b", "3k"),
        ("file", str(code), "--line", "12", "-b", "3k"),
        ("search", "where are uploads retried", "--format", "json"),
        (*("task", "fix the retry of uploads", "-b", "3k", "--format", "messages"), *session),
    )
    bench = Bench(repository, folder / "clean", folder / "used", commands)
    for command in commands:
        ask(bench, command)
    shutil.copytree(bench.used, bench.clean)
    return bench


def ask(bench: Bench, command: Sequence[str]) -> Answer:
    """Run a command as its program does, in a copy of this process: nothing has to be imported again."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as messages:
        child = os.fork()
        if not child:
            be_ctxpack(bench, command, output.fileno(), messages.fileno())
        status = _wait(child)
        output.seek(0)
        messages.seek(0)
        return Answer(MADE.sub(b"", output.read()), messages.read().decode("utf-8", "replace"), status)


def be_ctxpack(bench: Bench, command: Sequence[str], output: int, messages: int) -> None:
    """Run a command in this process, a copy, with two files for its streams, and end the process."""
    status = 99
    try:
        os.dup2(output, 1)
        os.dup2(messages, 2)
        os.chdir(bench.repository)
        os.environ["CTXPACK_CACHE_DIR"], os.environ["CTXPACK_DATA_DIR"] = str(bench.used / "c"), str(bench.used / "d")
        from ctxpack.cli.run import run

        status = run([*command])
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(status)


def _wait(child: int) -> int | None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.005)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


def judge(clean: Answer, found: Answer, *, is_first: bool) -> str:
    """Say what is wrong with an answer; empty if nothing is."""
    if found.status is None:
        return "no end"
    if found.status < 0 or "unexpectedly" in found.messages or "Traceback" in found.messages:
        return "crash"
    if CANARY in found.messages.replace(f"{CANARY}.py", ""):
        return "a message quotes a file"
    if (found.output, found.status) == (clean.output, clean.status):
        return ""
    if is_first and ((found.status == INTERNAL and not found.output) or UNREADABLE in found.messages):
        return ""
    return "an error" if found.status == INTERNAL else "another answer"


def main() -> int:
    """Run the trials and print what was wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--root", type=Path, default=PROJECT / "fixtures" / "demo")
    parser.add_argument("--show", action="store_true")
    given = parser.parse_args()
    sys.path.insert(0, str(PROJECT))
    import ctxpack.cli.run
    import ctxpack.pipeline  # noqa: F401 - the copies of this process find both loaded

    with tempfile.TemporaryDirectory(prefix="ctxpack-faults-") as name:
        bench = make_bench(given.root.resolve(), Path(name))
        rng = random.Random(given.seed)  # noqa: S311 - the same damage each time
        return _try_all(bench, rng, given.count, show=given.show)


def _try_all(bench: Bench, rng: random.Random, count: int, *, show: bool) -> int:
    bench.restore()
    clean = [ask(bench, command) for command in bench.commands]
    wrong: Counter[tuple[str, str, str]] = Counter()
    again = 0
    for number in range(count):
        bench.restore()
        which = rng.randrange(len(bench.commands))
        if rng.random() < 0.5:  # noqa: PLR2004 - else the answer that was kept hides the index
            shutil.rmtree(bench.used / "c" / "packs")
        place, fault = rng.choice(bench.files()), rng.choice(FAULTS)
        fault(place, rng)
        kind = place.suffix if place.suffix == ".json" else place.name.partition("-")[0]
        kind = f"{place.parent.name if kind == '.json' else ''}{kind}"
        first, second = (ask(bench, bench.commands[which]) for _ in range(2))
        verdicts = judge(clean[which], first, is_first=True), judge(clean[which], second, is_first=False)
        again += bool(verdicts[1])
        if any(verdicts):
            wrong[kind, fault.__name__, verdicts[0] or f"then {verdicts[1]}"] += 1
            if show:
                print(f"{number}: {place.name} {fault.__name__} {bench.commands[which][0]}: {verdicts}")
                print(f"    {first.messages.strip()[:300]}")
    for (kind, fault, verdict), times in sorted(wrong.items()):
        print(f"{times:4}  {kind:24} {fault:12} {verdict}")
    print(f"{sum(wrong.values())} of {count} trials went wrong, {again} of them also in the second run")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
