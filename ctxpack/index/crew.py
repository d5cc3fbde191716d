"""Interpreters of their own that index batch after batch, so that a cold index uses every core."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue

from ctxpack.index.worker import DONE
from ctxpack.model import SourceFile


class Member:
    """One interpreter; it is started with its first batch, and again after it failed."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def index(self, root: Path, batch: Sequence[SourceFile], target: Path) -> list[str] | None:
        """The facts of each file once the segment ``target`` is in place; None where the interpreter failed."""
        job = {"root": str(root), "target": str(target), "files": [(file.path, file.language) for file in batch]}
        try:
            lines = self._asked(json.dumps(job).encode("ascii") + b"\n", len(batch) + 1)
        except OSError:
            lines = []
        if lines[-1:] == [DONE]:
            return lines[:-1]
        self.dismiss()
        return None

    def dismiss(self) -> None:
        """End the interpreter, if it runs."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()  # whatever it was asked for it has answered, or nobody waits for it
            process.communicate()

    def _asked(self, job: bytes, count: int) -> list[str]:
        if self._process is None:
            self._process = _started()
        asked, answers = self._process.stdin, self._process.stdout
        if asked is None or answers is None:
            return []
        asked.write(job)
        asked.flush()
        return [answers.readline().decode("ascii", "replace").rstrip("\r\n") for _ in range(count)]


class Crew:
    """Some members; each batch goes to one that is free."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._members = [Member() for _ in range(size)]
        self._free: SimpleQueue[Member] = SimpleQueue()
        for member in self._members:
            self._free.put(member)

    def index(self, root: Path, batch: Sequence[SourceFile], target: Path) -> list[str] | None:
        """As ``Member.index``; waits while nobody is free."""
        member = self._free.get()
        try:
            return member.index(root, batch, target)
        finally:
            self._free.put(member)

    def dismiss(self) -> None:
        """End all interpreters."""
        for member in self._members:
            member.dismiss()


@contextmanager
def crew(size: int) -> Iterator[Crew]:
    """A crew that is dismissed afterwards."""
    hired = Crew(size)
    try:
        yield hired
    finally:
        hired.dismiss()


def _started() -> subprocess.Popen[bytes]:
    places = [str(Path(__file__).resolve().parents[2]), *filter(None, [os.environ.get("PYTHONPATH")])]
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "ctxpack.index.worker"],  # -P: a json.py of the repository is none of ours
        env=os.environ | {"PYTHONPATH": os.pathsep.join(places)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
