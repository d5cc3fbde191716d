#!/usr/bin/env python3
"""Feed ctxpack what nobody would write: real files, requests, settings, caches, reports and answers, broken at random.

  fuzz.py [--seconds 60] [--seed N] [--only NAME] [--case NUMBER] [--corpus FOLDER …] [--out FOLDER]
  fuzz.py --guided NAME [--seconds 60]

A case is made from the seed and its number alone, so that --seed and --case make it again. ``pack`` puts mutated files
of the corpus into a repository and packs it by the library's own entry point: it must give a report or one of ctxpack's
errors, within the budget, the same twice, the same after a file of the cache was damaged, without the keys that were
planted, and as it is read back all of its pieces must be unchanged. The other names are readers of foreign bytes.
What goes wrong is made smaller as long as it stays wrong, printed, and written to --out; exits with 1 if anything did.
Works in a copy of the process, which is ended where a case takes longer than a minute. --guided lets atheris look for
new paths through a reader instead (pip install atheris). Needs os.fork: Linux and macOS.
"""

from __future__ import annotations

import argparse
import json
import os
import select
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from fuzz_cases import LARGEST, PROJECT, READERS, Case, Rng, WrongError, make_case, seeds_of, try_case

PATIENCE = 60.0  # seconds for a case
MOST_TRIES, MOST_SECONDS = 400, 40.0  # to make a case smaller


def smaller(case: Case, verdict: str) -> Case:
    """Make a case smaller as long as the same stays wrong."""
    tries, end = 0, time.monotonic() + MOST_SECONDS
    while tries < MOST_TRIES:
        for candidate in _smaller_ones(case):
            tries += 1
            if try_case(candidate) == verdict:
                case = candidate
                break
            if tries >= MOST_TRIES or time.monotonic() > end:
                return case
        else:
            return case
    return case


def _smaller_ones(case: Case) -> Iterator[Case]:
    for path in case.files:
        yield replace(case, files={name: data for name, data in case.files.items() if name != path})
    for name in case.flags:
        if name not in {"format", "budget"}:
            yield replace(case, flags={key: value for key, value in case.flags.items() if key != name})
    yield from (replace(case, data=each) for each in _shorter(case.data))
    for path, data in case.files.items():
        yield from (replace(case, files={**case.files, path: each}) for each in _shorter(data))


def _shorter(data: bytes) -> Iterator[bytes]:
    size = len(data) // 2
    while size:
        yield from (data[:at] + data[at + size :] for at in range(0, len(data), size))
        size //= 2


@dataclass(slots=True)
class Run:
    """The cases of a seed, which are tried in copies of this process."""

    seed: int
    only: str
    end: float
    given: tuple[Sequence[tuple[str, bytes]], Mapping[str, Sequence[bytes]]]
    tried: Counter[str] = field(default_factory=Counter)
    wrong: dict[str, tuple[int, Case]] = field(default_factory=dict)

    def go(self) -> None:
        """Try cases until the time is over; a copy that hangs or dies is told, and another goes on behind it."""
        number = 0
        while time.monotonic() < self.end:
            number = self._follow(number)

    def _follow(self, number: int) -> int:
        ours, theirs = os.pipe()
        child = os.fork()
        if not child:
            os.close(ours)
            self._work(number, theirs)
        os.close(theirs)
        with os.fdopen(ours, encoding="utf-8") as lines:
            while select.select([lines], [], [], PATIENCE)[0]:
                line = lines.readline()
                if not line:
                    break
                told = json.loads(line)
                number = int(told["number"])
                self._note(number, told.get("verdict", ""), told.get("verdict") is not None)
            else:
                os.kill(child, signal.SIGKILL)
                self._note(number, "no end within a minute", is_done=False)
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) != signal.SIGKILL:
            self._note(number, f"ended by signal {os.WTERMSIG(status)}", is_done=False)
        return number + 1

    def _work(self, number: int, pipe: int) -> None:
        with os.fdopen(pipe, "w", encoding="utf-8") as said:
            while time.monotonic() < self.end:
                case = make_case(self.seed, number, self.given)
                if self.only in {"", case.name}:
                    print(json.dumps({"number": number}), file=said, flush=True)
                    print(json.dumps({"number": number, "verdict": try_case(case)}), file=said, flush=True)
                number += 1
        os._exit(0)

    def _note(self, number: int, verdict: str, is_done: bool) -> None:  # noqa: FBT001
        if not (is_done or verdict):
            return
        case = make_case(self.seed, number, self.given)
        self.tried[case.name] += 1
        if verdict and f"{case.name}: {verdict}" not in self.wrong:
            self.wrong[f"{case.name}: {verdict}"] = number, case
            print(f"case {number}, {case.name}: {verdict}", flush=True)


def read_corpus(folders: Sequence[Path], rng: Rng) -> list[tuple[str, bytes]]:
    """Some hundred files of some folders, without those that are large."""
    found: list[tuple[str, bytes]] = []
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            relative = path.relative_to(folder)
            is_wanted = path.is_file() and not path.is_symlink() and ".git" not in relative.parts
            if is_wanted and 0 < path.stat().st_size <= LARGEST:
                found.append((relative.as_posix(), path.read_bytes()))
    return sorted(rng.sample(found, min(len(found), 400)))


def guide(name: str, seconds: float, seeds: Sequence[bytes]) -> None:
    """Let atheris look for new paths through a reader; it ends the process itself."""
    import atheris

    for module in [each for each in sys.modules if each.partition(".")[0] in {"ctxpack", "fuzz_cases"}]:
        del sys.modules[module]
    with atheris.instrument_imports(include=["ctxpack"]):
        import fuzz_cases

    def try_bytes(data: bytes) -> None:
        if verdict := fuzz_cases.try_case(fuzz_cases.Case(name, data)):
            raise WrongError(verdict)

    with tempfile.TemporaryDirectory(prefix="ctxpack-fuzz-") as folder:
        for number, data in enumerate(seeds):
            Path(folder, str(number)).write_bytes(data[:LARGEST])
        limits = (f"-max_total_time={seconds:.0f}", f"-timeout={PATIENCE:.0f}", "-rss_limit_mb=4096")
        atheris.Setup([sys.argv[0], folder, *limits], try_bytes)
        atheris.Fuzz()


def main() -> int:
    """Try cases and print what went wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=("pack", *READERS), default="")
    parser.add_argument("--guided", choices=[*READERS], default="")
    parser.add_argument("--case", type=int)
    parser.add_argument("--corpus", type=Path, nargs="+", default=[PROJECT / "fixtures" / "demo", PROJECT / "docs"])
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    corpus = read_corpus(given.corpus, Rng(given.seed))
    seeds = seeds_of(corpus)
    if given.guided:
        guide(given.guided, given.seconds, seeds[given.guided])
    run = Run(given.seed, given.only, time.monotonic() + given.seconds, (corpus, seeds))
    if given.case is not None:
        case = make_case(given.seed, given.case, run.given)
        verdict = try_case(case)
        print(smaller(case, verdict).shown() if verdict else case.shown())
        print(verdict or "as promised")
        return bool(verdict)
    run.go()
    for verdict, (number, case) in run.wrong.items():
        is_replayable = "no end" not in verdict and "signal" not in verdict
        small = smaller(case, verdict.partition(": ")[2]) if is_replayable else case
        print(f"--seed {given.seed} --case {number}: {verdict}\n{small.shown()[:3_000]}")
        if given.out:
            given.out.mkdir(parents=True, exist_ok=True)
            (given.out / f"{given.seed}-{number}.json").write_text(small.shown(), encoding="utf-8")
    told = ", ".join(f"{count} × {name}" for name, count in sorted(run.tried.items()))
    print(f"{sum(run.tried.values())} cases ({told}), {len(run.wrong)} kinds of them wrong")
    return 1 if run.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
